// SPDX-License-Identifier: Apache-2.0
// The role of an EC2 instance: what its metadata service hands out, version 2 only.

internal import DocumentSupport
internal import RequestSigning

/// The role of an EC2 instance, from version 2 of its metadata service; version 1, which answers
/// whoever can make the machine send a GET, is never asked.
///
/// It goes by `AWS_EC2_METADATA_DISABLED`, `AWS_EC2_METADATA_SERVICE_ENDPOINT`,
/// `AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE` (`IPv4`, `IPv6`; an endpoint wins),
/// `AWS_METADATA_SERVICE_TIMEOUT` (1 second) and `AWS_METADATA_SERVICE_NUM_ATTEMPTS` (1). The
/// session token is kept for as long as it lives, and renewed when the service no longer takes it.
///
/// When AWS cannot renew the role, the service hands out credentials that have expired and are still
/// accepted. Then they are given an end 15 minutes from now, and their origin says so: SDKs have to
/// be stable in this case (AWS SDKs and Tools Reference Guide, "IMDS credential provider").
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
      settings: try InstanceMetadataSettings(variable: sources.variable), sources: sources,
      tokens: tokens)
    let role = try Self.roleName(in: try await session.text(at: Self.path), session.name)
    let body = try await session.text(at: Self.path + role)
    let answer = try ServiceDocument.json(body, of: session.name)
    if let code = answer["Code"]?.text, code != "Success" {
      let refusal = ServiceRefusal(HTTPResponse(status: 200, body: body))
      throw CredentialError(
        .refused,
        "\(session.name) has no credentials for the role \(role.shown) "
          + "(\(refusal.words(hiding: []))); look at whether the trust policy of the role names "
          + "ec2.amazonaws.com")
    }
    return try provided(answer, role: role, by: session.name)
  }

  private func provided(
    _ answer: JSONReader.Value, role: String, by service: String
  ) throws(CredentialError) -> ProvidedCredentials {
    let now = sources.now()
    var origin = "the role \(role) of \(service)"
    var expiration = answer["Expiration"]?.moment
    if let end = expiration, end <= now {
      origin += ", which ended at \(end.text) and is used on while AWS cannot renew it"
      expiration = (try? now.advanced(bySeconds: Self.extensionSeconds)) ?? end
    }
    return try CredentialParts(
      answer, id: "AccessKeyId", secret: "SecretAccessKey", token: "Token", expiration: expiration
    ).provided(by: service, origin: origin, at: now)
  }

  /// The first line of the list, which is a name and becomes a part of a path.
  private static func roleName(
    in list: [UInt8], _ service: String
  ) throws(CredentialError) -> String {
    let text = PrintableText.trimmed(String(decoding: list, as: UTF8.self))
    let name = String(text.prefix { !$0.isNewline })
    let isName = name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "_+=,.@-".utf8.contains(byte)
      }
    }
    // IAM User Guide, "IAM and AWS STS quotas": a name has up to 64 of these characters.
    if isName && (1...64).contains(name.utf8.count) { return name }
    throw CredentialError(
      .invalidAnswer,
      "\(service) lists no name of a role (\(list.count) bytes), so there is nothing to ask for; look "
        + "at what answers at this address")
  }

  private static let path = "/latest/meta-data/iam/security-credentials/"
  private static let extensionSeconds: Int64 = 900
}
