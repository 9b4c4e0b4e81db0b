// SPDX-License-Identifier: Apache-2.0
// The role of an EC2 instance, from its metadata service, version 2 only.

internal import DocumentSupport
internal import RequestSigning

/// The role of an EC2 instance, from version 2 of its metadata service. Version 1 answers anyone who
/// can make the machine send a GET, and is never asked.
///
/// It goes by `AWS_EC2_METADATA_DISABLED`, `AWS_EC2_METADATA_SERVICE_ENDPOINT`,
/// `AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE` (`IPv4`, `IPv6`; an endpoint wins),
/// `AWS_METADATA_SERVICE_TIMEOUT` (1 second) and `AWS_METADATA_SERVICE_NUM_ATTEMPTS` (1). The
/// session token is kept for as long as it lives, and renewed when the service no longer takes it.
///
/// When AWS cannot renew the role, the service answers with credentials that have expired and are still
/// accepted. They get an end 15 minutes from now, and their origin says so: SDKs have to be stable in
/// this case (AWS SDKs and Tools Reference Guide, "IMDS credential provider").
///
/// Source: Amazon EC2 User Guide, "Use the Instance Metadata Service to access instance metadata".
public struct InstanceMetadataProvider: CredentialProvider {
  private let sources: CredentialSources
  private let tokens = InstanceMetadataTokens()

  /// A provider that goes by the variables.
  public init(sources: CredentialSources) { self.sources = sources }

  /// Credentials of the role, asked for now.
  ///
  /// Throws `notConfigured` when the service is switched off, is not there, or has no role;
  /// `invalidConfiguration`, `refused`, `invalidAnswer`, `timedOut`, `unreachable`.
  public func credentials() async throws(CredentialError) -> ProvidedCredentials {
    let session = InstanceMetadataSession(
      settings: try InstanceMetadataSettings(sources), sources: sources, tokens: tokens)
    let service = session.service
    let role = try Self.roleName(in: try await session.body(at: Self.path), service.name)
    let body = try await session.body(at: Self.path + role)
    let answer = try ServiceAnswer.object(in: body, of: service.name)
    if let code = answer["Code"]?.text, code != "Success" {
      let refusal = ServiceRefusal(CredentialResponse(status: 200, body: body))
      throw CredentialError(
        .refused,
        "\(service.name) has no credentials for the role \(role.shown) (\(refusal.text(hiding: []))); "
          + "look at whether the trust policy of the role names ec2.amazonaws.com")
    }
    let now = sources.now()
    var origin = "the role \(role) of \(service.name)"
    var expiration = answer["Expiration"]?.moment
    if let end = expiration, end <= now {
      origin += ", which ended at \(end.text) and is used on while AWS cannot renew it"
      expiration = (try? now.advanced(bySeconds: 15 * 60)) ?? end
    }
    return try CredentialParts(
      answer, id: "AccessKeyId", secret: "SecretAccessKey", token: "Token", expiration: expiration
    ).provided(by: service.name, origin: origin, at: now)
  }

  /// The first line of the list, which is a name and becomes a part of a path.
  private static func roleName(
    in list: [UInt8], _ service: String
  ) throws(CredentialError) -> String {
    let name = String(String(decoding: list, as: UTF8.self).trimmed.prefix { !$0.isNewline })
    // IAM User Guide, "IAM and AWS STS quotas": a name has up to 64 of these characters.
    if name.consistsOfLettersAndDigits(or: "_+=,.@-") && (1...64).contains(name.utf8.count) {
      return name
    }
    throw CredentialError(
      .invalidAnswer,
      "\(service) does not list a name of a role (\(list.count) bytes), so there is nothing to ask for; "
        + "look at what answers at this address")
  }

  private static let path = "/latest/meta-data/iam/security-credentials/"
}

/// Where the metadata service is, and how long its answers may take.
struct InstanceMetadataSettings {
  let endpoint: ServiceURL
  let timeout: Duration
  let attempts: Int

  /// The settings of the variables. Throws `notConfigured` when the service is switched off.
  init(_ sources: CredentialSources) throws(CredentialError) {
    if sources.variable("AWS_EC2_METADATA_DISABLED")?.lowercased() == "true" {
      throw CredentialError(
        .notConfigured, "AWS_EC2_METADATA_DISABLED is true, so no instance is asked for its role")
    }
    let name = "AWS_EC2_METADATA_SERVICE_ENDPOINT"
    var url = sources.variable(name) ?? ""
    if url.isEmpty { url = try Self.url(ofMode: sources.variable(name + "_MODE") ?? "") }
    endpoint = try ServiceURL(base: url, named: name, plain: .any)
    timeout = .seconds(
      try Self.number("AWS_METADATA_SERVICE_TIMEOUT", sources, 0.001...3_600))
    attempts = Int(try Self.number("AWS_METADATA_SERVICE_NUM_ATTEMPTS", sources, 1...100))
  }

  private static func url(ofMode mode: String) throws(CredentialError) -> String {
    switch mode.lowercased() {
    case "", "ipv4": return "http://169.254.169.254"
    case "ipv6": return "http://[fd00:ec2::254]"
    default:
      throw CredentialError(
        .invalidConfiguration,
        "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE is \(mode.shown), which is not a known mode; set it to "
          + "IPv4 or IPv6")
    }
  }

  /// The number in a variable; 1 when it is not set.
  private static func number(
    _ name: String, _ sources: CredentialSources, _ range: ClosedRange<Double>
  ) throws(CredentialError) -> Double {
    guard let text = sources.setVariable(name) else { return 1 }
    if let number = Double(text), range.contains(number) { return number }
    throw CredentialError(
      .invalidConfiguration,
      "\(name) is \(text.shown); give a number of \(range.lowerBound) to \(range.upperBound)")
  }
}
