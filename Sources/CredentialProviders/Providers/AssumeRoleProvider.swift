// SPDX-License-Identifier: Apache-2.0
// A role assumed with other credentials (AssumeRole of AWS STS).

internal import RequestSigning

/// A role assumed with the credentials of another source.
///
/// Source: AWS Security Token Service API Reference, AssumeRole.
package struct AssumeRoleProvider: CredentialResolver {
  private let role: RoleRequest
  private let externalID: String?
  private let tags: [SessionTag]
  private let mfaSerial: String?
  private let sourceIdentity: String?
  private let endpoint: STSEndpoint
  private let region: String
  private static let action = "AssumeRole"
  private let source: any CredentialResolver
  private let sources: CredentialSources

  /// Creates a provider that calls an endpoint.
  ///
  /// - Throws: `invalidConfiguration` for values that AWS STS rejects.
  package init(
    roleARN: String, sessionName: String? = nil, externalID: String? = nil,
    policy: String? = nil, policyARNs: [String] = [], tags: [SessionTag] = [],
    sourceIdentity: String? = nil, mfaSerial: String? = nil, duration: Duration? = nil,
    endpoint: STSEndpoint, source: any CredentialResolver, sources: CredentialSources
  ) throws(CredentialError) {
    role = try RoleRequest(
      roleARN: roleARN, sessionName: sessionName, policy: policy, policyARNs: policyARNs,
      duration: duration)
    guard let region = endpoint.signingRegion else {
      throw CredentialError(
        .invalidConfiguration, "The AWS STS endpoint has no signing region.",
        fix: "Set AWS_REGION, add region to the profile, or pass signingRegion to the endpoint.")
    }
    self.region = region
    try SessionTag.check(tags)
    if let sourceIdentity {
      try RoleRequest.check(sourceIdentity, "source identity", 2...64, or: "_=,.@+-")
    }
    if let mfaSerial {
      try RoleRequest.check(mfaSerial, "MFA device serial number", 9...256, or: "_=/:,.@+-")
    }
    if let externalID {
      try RoleRequest.check(externalID, "external ID", 2...1224, or: "_=,.@:/+-")
    }
    self.externalID = externalID
    self.tags = tags
    self.mfaSerial = mfaSerial
    self.sourceIdentity = sourceIdentity
    self.endpoint = endpoint
    self.source = source
    self.sources = sources
  }

  /// Requests credentials for the role. If AWS STS rejects the time of the request, retries once
  /// with the service's time. If it says that the source's credentials have expired, retries once
  /// with new ones.
  ///
  /// - Throws: The errors of the source and of `mfaCode` (`invalidConfiguration` instead of
  ///   `notConfigured`, since a role is configured), `accessDenied`, `expired`, `invalidResponse`,
  ///   `unreachable`, `timedOut`.
  package func credentials() async throws(CredentialError) -> ResolvedCredentials {
    var caller = try await caller()
    let service = endpoint.service(sources)
    let code = try await mfaCode()
    let response = try await service.response(
      signedBy: &caller, of: source, renewed: self.caller
    ) { (credentials, time) throws(CredentialError) in
      try request(signedBy: credentials, code, at: time)
    }
    var provided = try role.credentials(
      in: response, to: Self.action, of: service,
      source: "the role \(role.roleARN), assumed by \(caller.source)",
      hiding: [caller.credentials.identity.sessionToken, externalID, code].compactMap(\.self))
    provided.warning = caller.warning
    return provided
  }

  private func mfaCode() async throws(CredentialError) -> String? {
    guard let mfaSerial else { return nil }
    let code = try await sources.code(of: mfaSerial).trimmed
    if code.utf8.count == 6 && code.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return code }
    throw CredentialError(
      .invalidConfiguration,
      "The code of MFA device \(mfaSerial.shown) isn't six digits "
        + "(\(code.utf8.count) bytes, not shown).",
      fix: "Use the code that the device shows now.")
  }

  private func caller() async throws(CredentialError) -> ResolvedCredentials {
    do throws(CredentialError) {
      return try await source.credentials()
    } catch  where error.code == .notConfigured {
      throw error.with(
        "Role \(role.roleARN.shown) has no source credentials. \(error.problem)",
        code: .invalidConfiguration)
    }
  }

  private func request(
    signedBy credentials: SigV4.Credentials, _ code: String?, at now: SigV4.Timestamp
  ) throws(CredentialError) -> SigV4.HTTPRequest {
    var more: [(String, String?)] = []
    for (index, tag) in tags.enumerated() {
      more.append(("Tags.member.\(index + 1).Key", tag.key))
      more.append(("Tags.member.\(index + 1).Value", tag.value))
    }
    for (index, tag) in tags.filter(\.isTransitive).enumerated() {
      more.append(("TransitiveTagKeys.member.\(index + 1)", tag.key))
    }
    more += [
      ("ExternalId", externalID), ("SerialNumber", mfaSerial), ("TokenCode", code),
      ("SourceIdentity", sourceIdentity),
    ]
    var request = role.request(Self.action, to: endpoint, more: more, at: now)
    do throws(SigV4.SigningError) {
      let signed = try SigV4.Signer(
        credentials: credentials, region: region, service: .standard("sts")
      ).sign(
        SigV4.Request(
          request.method, url: request.url, headers: request.headers,
          payload: .bytes(request.body)),
        at: now)
      request.url = signed.url
      request.headers = signed.headers
      return request
    } catch {
      throw CredentialError(
        error.code == .credentialsExpired ? .expired : .invalidConfiguration,
        "Can't sign the request for role \(role.roleARN.shown). \(error.problem)",
        fix: error.fix)
    }
  }
}
