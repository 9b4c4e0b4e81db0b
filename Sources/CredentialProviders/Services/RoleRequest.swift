// SPDX-License-Identifier: Apache-2.0
// Requests to AWS STS that assume a role, their responses, and session tags.

internal import RequestSigning

/// A session tag, which policies can use: `aws:PrincipalTag/team`.
///
/// Source: AWS IAM User Guide, "Pass session tags in AWS STS".
package struct SessionTag: Hashable, Sendable {
  /// The key, 1 to 128 characters.
  package let key: String

  /// The value, 0 to 256 characters.
  package let value: String

  /// Whether roles assumed from this one inherit the tag.
  package private(set) var isTransitive = false

  /// Creates a tag for this session only.
  package init(_ key: String, _ value: String) {
    self.key = key
    self.value = value
  }

  /// Returns a tag that roles assumed from this one inherit.
  package static func transitive(_ key: String, _ value: String) -> SessionTag {
    var tag = SessionTag(key, value)
    tag.isTransitive = true
    return tag
  }

  /// Creates tags from their keys and values, sorted by key.
  ///
  /// - Throws: `invalidConfiguration` for a transitive key that no tag has.
  package static func all(
    _ tags: [String: String], transitive keys: [String]
  ) throws(CredentialError) -> [SessionTag] {
    if let key = keys.first(where: { tags[$0] == nil }) {
      throw CredentialError(
        .invalidConfiguration, "The transitive tag \(key.shown) isn't one of the session tags.",
        fix: "Add it to the tags.")
    }
    return tags.sorted { $0.key < $1.key }.map { key, value in
      keys.contains(key) ? .transitive(key, value) : SessionTag(key, value)
    }
  }

  /// Throws `invalidConfiguration` for tags that AWS STS rejects.
  static func check(_ tags: [SessionTag]) throws(CredentialError) {
    if tags.count > 50 {
      throw CredentialError(
        .invalidConfiguration, "\(tags.count) session tags exceed the limit of 50.",
        fix: "Remove some.")
    }
    for tag in tags {
      // AWS STS API Reference, Tag: letters, digits and spaces of all scripts, and these. Outside
      // ASCII, AWS decides what a letter is.
      let isPlain = (tag.key + tag.value).filter(\.isASCII)
        .consistsOfLettersAndDigits(or: " _.:/=+-@")
      let counts = (tag.key.unicodeScalars.count, tag.value.unicodeScalars.count)
      if isPlain && (1...128).contains(counts.0) && counts.1 <= 256 { continue }
      throw CredentialError(
        .invalidConfiguration, "Session tag \(tag.key.shown) isn't valid.",
        fix: "Use a key of 1 to 128 characters and a value of at most 256. "
          + "Use letters, digits, spaces and _.:/=+-@ only.")
    }
    // AWS IAM User Guide, "Pass session tags in AWS STS": keys aren't case-sensitive.
    let names = tags.map { $0.key.lowercased() }
    if let key = tags.first(where: { tag in names.count { $0 == tag.key.lowercased() } > 1 })?.key {
      throw CredentialError(
        .invalidConfiguration,
        "Session tag \(key.shown) appears more than once (keys aren't case-sensitive).",
        fix: "Remove one.")
    }
  }
}

/// The parts of a request to assume a role that don't depend on the caller's identity.
///
/// Source: AWS Security Token Service API Reference, AssumeRole and AssumeRoleWithWebIdentity.
struct RoleRequest: Sendable {
  let roleARN: String
  let sessionName: String?
  let policy: String?
  let policyARNs: [String]
  /// The lifetime in seconds.
  let duration: Int?

  /// Throws `invalidConfiguration` for values that AWS STS rejects.
  init(
    roleARN: String, sessionName: String?, policy: String? = nil, policyARNs: [String] = [],
    duration lifetime: Duration? = nil
  ) throws(CredentialError) {
    let isRole =
      roleARN.hasPrefix("arn:") && roleARN.firstOccurrence(of: ":role/") != nil
      && (20...2048).contains(roleARN.utf8.count) && roleARN.isVisibleASCII
    if !isRole {
      throw CredentialError(
        .invalidConfiguration, "\(roleARN.shown) isn't a role ARN.",
        fix: "Use the form arn:aws:iam::123456789012:role/name.")
    }
    duration = lifetime?.wholeSeconds
    if let duration, !(900...43_200).contains(duration) {
      throw CredentialError(
        .invalidConfiguration, "A role session can't last \(duration) seconds.",
        fix: "Use 900 to 43,200 seconds, or at most 3,600 if one role assumes another.")
    }
    if let sessionName, !sessionName.isEmpty {
      try Self.check(sessionName, "role session name", 2...64, or: "_=,.@+-")
    }
    if policyARNs.count > 10 {
      throw CredentialError(
        .invalidConfiguration, "\(policyARNs.count) managed policies exceed the limit of 10.",
        fix: "Remove some.")
    }
    for arn in policyARNs {
      if arn.hasPrefix("arn:") && (20...2048).contains(arn.utf8.count) && arn.isVisibleASCII {
        continue
      }
      throw CredentialError(
        .invalidConfiguration, "\(arn.shown) isn't a managed policy ARN.",
        fix: "Use the form arn:aws:iam::aws:policy/ReadOnlyAccess.")
    }
    self.roleARN = roleARN
    self.sessionName = sessionName == "" ? nil : sessionName
    self.policy = policy
    self.policyARNs = policyARNs
  }

  /// Throws `invalidConfiguration` unless the string has a size in `counts` and contains only
  /// letters, digits and `others`.
  static func check(
    _ text: String, _ what: String, _ counts: ClosedRange<Int>, or others: String
  ) throws(CredentialError) {
    if text.consistsOfLettersAndDigits(or: others) && counts.contains(text.utf8.count) { return }
    throw CredentialError(
      .invalidConfiguration, "The \(what) (\(text.utf8.count) bytes) isn't valid.",
      fix: "Use only ASCII letters, digits and \(others) "
        + "(\(counts.lowerBound) to \(counts.upperBound) characters).")
  }

  /// Returns the unsigned request. Fields are in the order of the AWS STS model, without those that
  /// have no value.
  func request(
    _ action: String, to endpoint: STSEndpoint, proof: [(String, String?)] = [],
    more: [(String, String?)] = [], at now: SigV4.Timestamp
  ) -> SigV4.HTTPRequest {
    let start: [(String, String?)] = [
      ("Action", action), ("Version", "2011-06-15"), ("RoleArn", roleARN),
      ("RoleSessionName", sessionName ?? "sigv4-\(now.unixSeconds)"),
    ]
    let policies: [(String, String?)] =
      policyARNs.enumerated().map { ("PolicyArns.member.\($0 + 1).arn", $1) } + [
        ("Policy", policy), ("DurationSeconds", duration.map { String($0) }),
      ]
    let fields = start + proof + policies + more
    return SigV4.HTTPRequest(
      "POST", endpoint.requestURL,
      headers: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"],
      body: FormEncoding.form(fields.compactMap { name, value in value.map { (name, $0) } }),
      timeout: .seconds(10))
  }

  /// Returns the credentials in the response to an action. Error messages hide `secrets`.
  func credentials(
    in response: SigV4.HTTPResponse, to action: String, of service: ServiceExchange,
    source: String, hiding secrets: [String]
  ) throws(CredentialError) -> ResolvedCredentials {
    if response.status == 200 && !ServiceRejection.isFailedSuccess(response) {
      // AWS STS API Reference: the response to AssumeRole is an AssumeRoleResponse.
      return try CredentialParts(
        ServiceResponse.fields(in: response.body, root: action + "Response", of: service.name)
      ).provided(from: source, by: service.name, at: service.sources.now())
    }
    let refusal = ServiceRejection(response)
    throw CredentialError(
      ExpiredCredentials.codes.contains(refusal.code ?? "") ? .expired : .accessDenied,
      "Can't assume role \(roleARN.shown): "
        + "\(service.name) returned \(refusal.text(hiding: secrets)).",
      fix: Self.fix(refusal, to: action))
  }

  private static func fix(_ refusal: ServiceRejection, to action: String) -> String {
    switch refusal.code {
    case let code? where ExpiredCredentials.codes.contains(code) && action == "AssumeRole":
      "Get new credentials that assume the role."
    case let code? where ExpiredCredentials.codes.contains(code) || code == "InvalidIdentityToken":
      "Check whether the token is refreshed, and check the identity provider in IAM."
    case "AccessDenied":
      "Check the role's trust policy (caller, external ID, token) "
        + "and the caller's sts:AssumeRole permission."
    case "InvalidClientTokenId", "SignatureDoesNotMatch":
      "Check the credentials that assume the role."
    case "RegionDisabledException":
      "Use a region that's enabled for the account."
    default:
      refusal.fix(orCheck: "the role's settings")
    }
  }
}
