// SPDX-License-Identifier: Apache-2.0
// A role that is assumed with other credentials (AssumeRole of AWS STS), and what every role is asked
// with: the request, its endpoint, and the answer.

internal import RequestSigning

/// A role that is assumed with the credentials of another provider.
///
///     let provider = try AssumeRoleProvider(
///       roleARN: "arn:aws:iam::123456789012:role/reader", endpoint: .regional("eu-west-1"),
///       source: other, sources: sources)
///
/// Source: AWS Security Token Service API Reference, AssumeRole.
public struct AssumeRoleProvider: CredentialProvider {
  private let role: RoleRequest
  private let externalID: String?
  private let endpoint: STSEndpoint
  private let source: any CredentialProvider
  private let sources: CredentialSources

  /// A provider of a role's credentials.
  ///
  /// - Parameters:
  ///   - roleARN: the role: `arn:aws:iam::123456789012:role/name`.
  ///   - sessionName: the name of the session in logs, 2 to 64 characters; without one `sigv4-` and
  ///     the Unix time.
  ///   - externalID: the ID that the trust policy of the role asks for, 2 to 1,224 characters.
  ///   - policy: a policy in JSON that narrows what the role may do.
  ///   - duration: how long the session lives, 900 to 43,200 seconds; the role's own when nil.
  ///   - endpoint: `.regional` with the region, unless there is a reason.
  ///   - source: the provider of the credentials that assume the role.
  ///
  /// Throws `invalidConfiguration` for values that the service would refuse.
  public init(
    roleARN: String, sessionName: String? = nil, externalID: String? = nil,
    policy: String? = nil, duration: Int? = nil, endpoint: STSEndpoint,
    source: any CredentialProvider, sources: CredentialSources
  ) throws(CredentialError) {
    role = try RoleRequest(
      roleARN: roleARN, sessionName: sessionName, policy: policy, duration: duration)
    if let externalID {
      try RoleRequest.check(externalID, "external ID", 2...1224, or: "_=,.@:/+-")
    }
    self.externalID = externalID
    self.endpoint = endpoint
    self.source = source
    self.sources = sources
  }

  /// Credentials of the role, asked for now. When the service says that the time of the request is
  /// wrong, it is asked once more by the service's own clock.
  ///
  /// Throws what the source throws (but `invalidConfiguration` in place of `notConfigured`: a role
  /// is configured), `refused`, `expired`, `invalidAnswer`, `unreachable`, `timedOut`.
  public func credentials() async throws(CredentialError) -> ProvidedCredentials {
    let caller = try await caller()
    let service = endpoint.service(sources)
    let now = sources.now()
    var response = try await service.response(to: request(signedBy: caller.credentials, at: now))
    if let serverTime = Self.serverTime(in: response, insteadOf: now) {
      response = try await service.response(
        to: request(signedBy: caller.credentials, at: serverTime))
    }
    var provided = try role.credentials(
      in: response, of: service,
      origin: "the role \(role.roleARN), assumed by \(caller.origin)",
      hiding: [caller.credentials.identity.sessionToken, externalID].compactMap(\.self))
    provided.warning = caller.warning
    return provided
  }

  /// The time of the service, when it refuses a request whose time differs by more than 4 minutes: AWS
  /// takes 5 (IAM User Guide, "Troubleshoot Signature Version 4 request signing").
  private static func serverTime(
    in response: CredentialResponse, insteadOf now: SigV4.Timestamp
  ) -> SigV4.Timestamp? {
    guard [400, 403].contains(response.status), let code = ServiceRefusal(response).code,
      skewCodes.contains(code), let date = response.headers.values(named: "date").first,
      let time = try? SigV4.Timestamp(httpDate: date)
    else { return nil }
    return (-240...240).contains(time.unixSeconds - now.unixSeconds) ? nil : time
  }

  /// What a service says of a time that is wrong, among other causes.
  private static let skewCodes = [
    "SignatureDoesNotMatch", "RequestExpired", "RequestInTheFuture", "RequestTimeTooSkewed",
    "InvalidSignatureException", "AuthFailure",
  ]

  private func caller() async throws(CredentialError) -> ProvidedCredentials {
    do throws(CredentialError) {
      return try await source.credentials()
    } catch  where error.code == .notConfigured {
      throw .invalidConfiguration(
        "the role \(role.roleARN.shown) has to be assumed with credentials that are missing: "
          + error.message)
    }
  }

  private func request(
    signedBy credentials: SigV4.Credentials, at now: SigV4.Timestamp
  ) throws(CredentialError) -> CredentialRequest {
    var request = role.request(
      "AssumeRole", to: endpoint, more: [("ExternalId", externalID)], at: now)
    do throws(SigV4.SigningError) {
      let signed = try SigV4.Signer(
        credentials: credentials, region: endpoint.signingRegion, service: .standard("sts")
      ).sign(
        SigV4.Request(
          request.method, url: request.url, headers: request.headers,
          payload: .bytes(request.body)),
        at: now)
      request.url = signed.url
      request.headers = request.headers + signed.headers
      return request
    } catch {
      throw CredentialError(
        error.code == .credentialsExpired ? .expired : .invalidConfiguration,
        "the request for the role \(role.roleARN.shown) cannot be signed: \(error.message)")
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
  let duration: Int?

  /// Throws `invalidConfiguration` for values that the service refuses.
  init(
    roleARN: String, sessionName: String?, policy: String? = nil, duration: Int? = nil
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
    self.roleARN = roleARN
    self.sessionName = sessionName == "" ? nil : sessionName
    self.policy = policy
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
      "POST", endpoint.requestURL,
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
        .provided(from: origin, by: service.name, at: service.sources.now())
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

  private var maximumAttempts = 3

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
    let checked = try ServiceURL(base: url, named: "the endpoint URL of the Security Token Service")
    _ = try ServiceRegion.domain(of: signingRegion)
    return STSEndpoint(url: checked.text, signingRegion: signingRegion)
  }

  /// The endpoint that the environment and a profile set.
  ///
  /// Throws `invalidConfiguration` for a text that cannot be a region or a URL, for http to another
  /// machine, and where a region is needed and is not set.
  public init(_ settings: ServiceSettings) throws(CredentialError) {
    let url = try settings.endpointURL(of: .sts)
    if url != nil || settings.usesFIPSEndpoints || settings.usesDualStackEndpoints {
      guard let region = settings.region, region != "aws-global" else {
        throw .invalidConfiguration(
          "an endpoint URL, FIPS or dual-stack endpoints are set, and no region: it is not known for "
            + "which one the Security Token Service is asked; set AWS_REGION, or region in the profile"
        )
      }
      self = try .custom(settings.url(of: .sts, in: region), signingRegion: region)
    } else {
      self =
        try settings.usesLegacySTSEndpoints
        ? .legacy(settings.region) : .regional(settings.region)
    }
    maximumAttempts = settings.maximumAttempts
  }

  private init(url: String, signingRegion: String) {
    self.url = url
    self.signingRegion = signingRegion
  }

  /// The URL.
  public var description: String { url }

  /// The URL of a request. A path that was given stays as it is.
  var requestURL: String {
    let hasPath = url.split(separator: "/", maxSplits: 2).count == 3
    return hasPath ? url : url + "/"
  }

  func service(_ sources: CredentialSources) -> ServiceExchange {
    ServiceExchange(
      name: "the Security Token Service (\(url))", sources: sources, attempts: maximumAttempts)
  }

  private static let globalRegions = [
    "ap-northeast-1", "ap-south-1", "ap-southeast-1", "ap-southeast-2", "ca-central-1",
    "eu-central-1", "eu-north-1", "eu-west-1", "eu-west-2", "eu-west-3", "sa-east-1", "us-east-1",
    "us-east-2", "us-west-1", "us-west-2",
  ]
}
