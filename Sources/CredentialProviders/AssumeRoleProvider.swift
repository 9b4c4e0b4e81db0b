// SPDX-License-Identifier: Apache-2.0
// A role that is assumed with the credentials of somebody else (AssumeRole of AWS STS).

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
  ///   - sessionName: what logs call the session, 2 to 64 characters; without one `sigv4-` and the
  ///     Unix time.
  ///   - externalID: what the trust policy of the role asks for, 2 to 1,224 characters.
  ///   - policy: a policy in JSON that narrows what the role may do.
  ///   - duration: how long the session lives, 900 to 43,200 seconds; the role's own when nil.
  ///   - endpoint: `.regional` with the region, unless there is a reason.
  ///   - source: who assumes the role.
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
      try RoleRequest.check(externalID, "external ID", 2...1224, alsoAllowed: "_=,.@:/+-")
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
    let service = "the Security Token Service (\(endpoint))"
    let request = try request(signedBy: caller.credentials, at: sources.now())
    let response = try await ServiceExchange(name: service, sources: sources)
      .response(to: request)
    return try role.credentials(
      in: response, of: service, origin: "the role \(role.roleARN), assumed by \(caller.origin)",
      hiding: [caller.credentials.identity.sessionToken, externalID].compactMap { $0 },
      at: sources.now())
  }

  private func caller() async throws(CredentialError) -> ProvidedCredentials {
    do throws(CredentialError) {
      return try await source.credentials()
    } catch {
      if error.code != .notConfigured { throw error }
      throw CredentialError(
        .invalidConfiguration,
        "the role \(role.roleARN.shown) has to be assumed with credentials that are "
          + "not there: \(error.message)")
    }
  }

  private func request(
    signedBy credentials: SigV4.Credentials, at now: SigV4.Timestamp
  ) throws(CredentialError) -> HTTPRequest {
    let body = role.body("AssumeRole", externalID: externalID, at: now)
    do throws(SigV4.SigningError) {
      let request = try SigV4.Request(
        "POST", url: endpoint.url + "/", headers: ["Content-Type": RoleRequest.contentType],
        payload: .bytes(body))
      let signed = try SigV4.Signer(
        credentials: credentials, region: endpoint.signingRegion, service: .standard("sts")
      ).sign(request, at: now)
      let headers =
        [("Content-Type", RoleRequest.contentType)]
        + signed.headers.map { ($0.name, $0.value) }
      return HTTPRequest(
        "POST", signed.url, headers: headers.map { (name: $0.0, value: $0.1) }, body: body,
        timeout: 10)
    } catch {
      let code: CredentialError.Code =
        error.code == .credentialsExpired ? .expired : .invalidConfiguration
      throw CredentialError(
        code,
        "the request for the role \(role.roleARN.shown) cannot be signed: "
          + error.message)
    }
  }
}
