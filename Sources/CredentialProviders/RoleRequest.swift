// SPDX-License-Identifier: Apache-2.0
// What the two ways to assume a role have in common: the request, its endpoint, and the answer.

internal import RequestSigning

/// The part of a request to assume a role that does not depend on how the caller identifies itself.
///
/// Source: AWS Security Token Service API Reference, AssumeRole and AssumeRoleWithWebIdentity.
struct RoleRequest: Sendable {
  let roleARN: String
  let sessionName: String?
  let policy: String?
  let duration: Int?

  /// Throws `invalidConfiguration` for values that the service refuses.
  init(
    roleARN: String, sessionName: String?, policy: String? = nil, duration: Int? = nil
  ) throws(CredentialError) {
    let isRole =
      roleARN.hasPrefix("arn:") && roleARN.firstOccurrence(of: ":role/") != nil
      && (20...2048).contains(roleARN.utf8.count) && roleARN.isVisibleASCII
    if !isRole {
      throw CredentialError(
        .invalidConfiguration,
        "\(roleARN.shown) is not a valid ARN of a role, so there is nothing to assume; give one such "
          + "as arn:aws:iam::123456789012:role/name")
    }
    if let duration, !(900...43_200).contains(duration) {
      throw CredentialError(
        .invalidConfiguration,
        "a session cannot live \(duration) seconds: AWS allows 900 to 43,200, and 3,600 when one role "
          + "assumes another; change the duration")
    }
    if let sessionName {
      try Self.check(sessionName, "session name of a role", 2...64, or: "_=,.@+-")
    }
    self.roleARN = roleARN
    self.sessionName = sessionName
    self.policy = policy
    self.duration = duration
  }

  /// Letters, digits and some others, so many bytes.
  static func check(
    _ text: String, _ what: String, _ counts: ClosedRange<Int>, or others: String
  ) throws(CredentialError) {
    if text.consistsOfLettersAndDigits(or: others) && counts.contains(text.utf8.count) { return }
    throw CredentialError(
      .invalidConfiguration,
      "the \(what) (\(text.utf8.count) bytes) would be refused by AWS: use \(counts.lowerBound) to "
        + "\(counts.upperBound) ASCII letters, digits and \(others)")
  }

  /// The request, not signed, its fields in the order of botocore; a field without value is left out.
  func request(
    _ action: String, to endpoint: STSEndpoint, proof: [(String, String?)] = [],
    more: [(String, String?)] = [], at now: SigV4.Timestamp
  ) -> CredentialRequest {
    let fields: [(String, String?)] =
      [
        ("Action", action), ("Version", "2011-06-15"), ("RoleArn", roleARN),
        ("RoleSessionName", sessionName ?? "sigv4-\(now.unixSeconds)"),
      ] + proof + [("Policy", policy), ("DurationSeconds", duration.map { String($0) })] + more
    return CredentialRequest(
      "POST", endpoint.url + "/",
      headers: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"],
      body: FormEncoding.form(fields.compactMap { name, value in value.map { (name, $0) } }),
      timeout: .seconds(10))
  }

  /// The credentials in an answer; `secrets` are what its message must not repeat.
  func credentials(
    in response: CredentialResponse, of service: ServiceExchange, origin: String,
    hiding secrets: [String]
  ) throws(CredentialError) -> ProvidedCredentials {
    if response.status == 200 {
      return try CredentialParts(ServiceAnswer.fields(in: response.body, of: service.name))
        .provided(by: service.name, origin: origin, at: service.sources.now())
    }
    let refusal = ServiceRefusal(response)
    throw CredentialError(
      ["ExpiredTokenException", "ExpiredToken"].contains(refusal.code) ? .expired : .refused,
      "\(service.name) did not give the role \(roleARN.shown) (\(refusal.text(hiding: secrets))), so "
        + "there are no credentials; \(Self.advice(refusal))")
  }

  private static func advice(_ refusal: ServiceRefusal) -> String {
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

/// An endpoint of the Security Token Service, and the region that requests to it are signed for.
///
/// Source: AWS General Reference, "AWS Security Token Service endpoints and quotas"; AWS SDKs and
/// Tools Reference Guide, "AWS STS Regional endpoints".
public struct STSEndpoint: Hashable, Sendable, CustomStringConvertible {
  /// The URL, without '/' at its end.
  public let url: String

  /// The region in the credential scope.
  public let signingRegion: String

  /// The global endpoint, which is in us-east-1 and knows the accounts of neither China nor GovCloud.
  public static let global = STSEndpoint(
    url: "https://sts.amazonaws.com", signingRegion: "us-east-1")

  /// The endpoint of a region, as the AWS CLI takes it; the global one when there is no region.
  ///
  /// Throws `invalidConfiguration` for a text that cannot be a region.
  public static func regional(_ region: String?) throws(CredentialError) -> STSEndpoint {
    guard let region, region != "aws-global" else { return global }
    let domain = try ServiceRegion.domain(of: region)
    return STSEndpoint(url: "https://sts.\(region).\(domain)", signingRegion: region)
  }

  /// The endpoint under `sts_regional_endpoints = legacy`: the global one for the oldest regions, and
  /// that of the region for others.
  ///
  /// Throws `invalidConfiguration` for a text that cannot be a region.
  public static func legacy(_ region: String?) throws(CredentialError) -> STSEndpoint {
    let regional = try regional(region)
    return globalRegions.contains(regional.signingRegion) ? global : regional
  }

  /// An address of your own: a VPC endpoint, or a server for tests.
  ///
  /// Throws `invalidConfiguration` for a text that is not a URL, and for http to another machine.
  public static func custom(
    _ url: String, signingRegion: String
  ) throws(CredentialError) -> STSEndpoint {
    let checked = try ServiceURL(base: url, named: "the endpoint of the Security Token Service")
    _ = try ServiceRegion.domain(of: signingRegion)
    return STSEndpoint(url: checked.text, signingRegion: signingRegion)
  }

  /// The URL.
  public var description: String { url }

  func service(_ sources: CredentialSources) -> ServiceExchange {
    ServiceExchange(name: "the Security Token Service (\(url))", sources: sources)
  }

  private static let globalRegions = [
    "ap-northeast-1", "ap-south-1", "ap-southeast-1", "ap-southeast-2", "ca-central-1",
    "eu-central-1", "eu-north-1", "eu-west-1", "eu-west-2", "eu-west-3", "sa-east-1", "us-east-1",
    "us-east-2", "us-west-1", "us-west-2",
  ]
}
