// SPDX-License-Identifier: Apache-2.0
// What every role of AWS STS is asked with: the request, and its answer; and the tags of a session.

internal import RequestSigning

/// A tag of a session, which policies can go by: `aws:PrincipalTag/team`.
///
/// Source: AWS IAM User Guide, "Pass session tags in AWS STS".
public struct SessionTag: Hashable, Sendable {
  /// The key, 1 to 128 characters.
  public let key: String

  /// The value, 0 to 256 characters.
  public let value: String

  /// Whether the tag stays with the roles that are assumed from this one.
  public private(set) var isTransitive = false

  /// A tag of this session alone.
  public init(_ key: String, _ value: String) {
    self.key = key
    self.value = value
  }

  /// A tag that stays with the roles that are assumed from this one.
  public static func transitive(_ key: String, _ value: String) -> SessionTag {
    var tag = SessionTag(key, value)
    tag.isTransitive = true
    return tag
  }

  /// Throws `invalidConfiguration` for tags that the service refuses.
  static func check(_ tags: [SessionTag]) throws(CredentialError) {
    if tags.count > 50 {
      throw .invalidConfiguration(
        "a session can have 50 tags, and \(tags.count) are given; leave some out")
    }
    for tag in tags {
      // AWS STS API Reference, Tag: letters, digits and spaces of all scripts, and these; what of other
      // scripts is a letter is for AWS to say.
      let isPlain = (tag.key + tag.value).filter(\.isASCII)
        .consistsOfLettersAndDigits(or: " _.:/=+-@")
      let counts = (tag.key.unicodeScalars.count, tag.value.unicodeScalars.count)
      if isPlain && (1...128).contains(counts.0) && counts.1 <= 256 { continue }
      throw .invalidConfiguration(
        "the session tag \(tag.key.shown) would be refused by AWS: a key has 1 to 128 characters and a "
          + "value 0 to 256, of letters, digits, spaces and _.:/=+-@")
    }
    // AWS IAM User Guide, "Pass session tags in AWS STS": keys differ by more than their case.
    let names = tags.map { $0.key.lowercased() }
    if let key = tags.first(where: { tag in names.count { $0 == tag.key.lowercased() } > 1 })?.key {
      throw .invalidConfiguration(
        "the session tag \(key.shown) is given more than once (case does not count), and only one "
          + "value can be meant; leave one out")
    }
  }
}

/// The part of a request to assume a role that does not depend on how the caller identifies itself.
///
/// Source: AWS Security Token Service API Reference, AssumeRole and AssumeRoleWithWebIdentity.
struct RoleRequest: Sendable {
  let roleARN: String
  let sessionName: String?
  let policy: String?
  let policyARNs: [String]
  let duration: Int?

  /// Throws `invalidConfiguration` for values that the service refuses.
  init(
    roleARN: String, sessionName: String?, policy: String? = nil, policyARNs: [String] = [],
    duration: Int? = nil
  ) throws(CredentialError) {
    let isRole =
      roleARN.hasPrefix("arn:") && roleARN.firstOccurrence(of: ":role/") != nil
      && (20...2048).contains(roleARN.utf8.count) && roleARN.isVisibleASCII
    if !isRole {
      throw .invalidConfiguration(
        "\(roleARN.shown) is not a valid ARN of a role, so there is nothing to assume; give one such "
          + "as arn:aws:iam::123456789012:role/name")
    }
    if let duration, !(900...43_200).contains(duration) {
      throw .invalidConfiguration(
        "a session cannot live \(duration) seconds: AWS allows 900 to 43,200, and 3,600 when one role "
          + "assumes another; change the duration")
    }
    if let sessionName, !sessionName.isEmpty {
      try Self.check(sessionName, "session name of a role", 2...64, or: "_=,.@+-")
    }
    if policyARNs.count > 10 {
      throw .invalidConfiguration(
        "a session can have 10 managed policies, and \(policyARNs.count) are given; leave some out")
    }
    for arn in policyARNs {
      if arn.hasPrefix("arn:") && (20...2048).contains(arn.utf8.count) && arn.isVisibleASCII {
        continue
      }
      throw .invalidConfiguration(
        "\(arn.shown) is not a valid ARN of a managed policy; give one such as "
          + "arn:aws:iam::aws:policy/ReadOnlyAccess")
    }
    self.roleARN = roleARN
    self.sessionName = sessionName == "" ? nil : sessionName
    self.policy = policy
    self.policyARNs = policyARNs
    self.duration = duration
  }

  /// Letters, digits and some others, so many bytes.
  static func check(
    _ text: String, _ what: String, _ counts: ClosedRange<Int>, or others: String
  ) throws(CredentialError) {
    if text.consistsOfLettersAndDigits(or: others) && counts.contains(text.utf8.count) { return }
    throw .invalidConfiguration(
      "the \(what) (\(text.utf8.count) bytes) would be refused by AWS: use \(counts.lowerBound) to "
        + "\(counts.upperBound) ASCII letters, digits and \(others)")
  }

  /// The request, not signed, its fields in the order of the model of AWS STS; a field without value is
  /// left out.
  func request(
    _ action: String, to endpoint: STSEndpoint, proof: [(String, String?)] = [],
    more: [(String, String?)] = [], at now: SigV4.Timestamp
  ) -> CredentialRequest {
    let start: [(String, String?)] = [
      ("Action", action), ("Version", "2011-06-15"), ("RoleArn", roleARN),
      ("RoleSessionName", sessionName ?? "sigv4-\(now.unixSeconds)"),
    ]
    let policies: [(String, String?)] =
      policyARNs.enumerated().map { ("PolicyArns.member.\($0 + 1).arn", $1) } + [
        ("Policy", policy), ("DurationSeconds", duration.map { String($0) }),
      ]
    let fields = start + proof + policies + more
    return CredentialRequest(
      "POST", endpoint.requestURL,
      headers: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"],
      body: FormEncoding.form(fields.compactMap { name, value in value.map { (name, $0) } }),
      timeout: .seconds(10))
  }

  /// The credentials in an answer; `secrets` are what its message must not repeat.
  func credentials(
    in response: CredentialResponse, of service: ServiceExchange, origin: String,
    hiding secrets: [String]
  ) throws(CredentialError) -> ResolvedCredentials {
    if response.status == 200 {
      return try CredentialParts(ServiceResponse.fields(in: response.body, of: service.name))
        .provided(from: origin, by: service.name, at: service.sources.now())
    }
    let refusal = ServiceRejection(response)
    throw CredentialError(
      ["ExpiredTokenException", "ExpiredToken"].contains(refusal.code) ? .expired : .accessDenied,
      "\(service.name) did not give the role \(roleARN.shown) (\(refusal.text(hiding: secrets))), so "
        + "there are no credentials; \(Self.advice(refusal))")
  }

  private static func advice(_ refusal: ServiceRejection) -> String {
    switch refusal.code {
    case "AccessDenied":
      "look at the trust policy of the role (who may assume it, with which external ID or token), and "
        + "at sts:AssumeRole in the caller's own policies"
    case "ExpiredTokenException", "ExpiredToken", "InvalidIdentityToken":
      "look at what renews the token, and at the identity provider in IAM"
    case "InvalidClientTokenId", "SignatureDoesNotMatch":
      "look at the credentials that the role is assumed with"
    case "RegionDisabledException":
      "ask in a region that the account has enabled"
    default:
      refusal.status >= 500 ? "try again later" : "look at the settings of the role"
    }
  }
}
