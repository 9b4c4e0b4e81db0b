// SPDX-License-Identifier: Apache-2.0
// A role that is assumed with other credentials (AssumeRole of AWS STS).

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

  /// Credentials of the role, asked for now.
  ///
  /// Throws what the source throws (but `invalidConfiguration` in place of `notConfigured`: a role
  /// is configured), `refused`, `expired`, `invalidAnswer`, `unreachable`, `timedOut`.
  public func credentials() async throws(CredentialError) -> ProvidedCredentials {
    let caller = try await caller()
    let response = try await endpoint.service(sources).response(
      to: request(signedBy: caller.credentials, at: sources.now()))
    return try role.credentials(
      in: response, of: endpoint.service(sources),
      origin: "the role \(role.roleARN), assumed by \(caller.origin)",
      hiding: [caller.credentials.identity.sessionToken, externalID].compactMap(\.self))
  }

  private func caller() async throws(CredentialError) -> ProvidedCredentials {
    do throws(CredentialError) {
      return try await source.credentials()
    } catch  where error.code == .notConfigured {
      throw CredentialError(
        .invalidConfiguration,
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
