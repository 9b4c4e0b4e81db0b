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
  private let tags: [SessionTag]
  private let mfaSerial: String?
  private let sourceIdentity: String?
  private let endpoint: STSEndpoint
  private let region: String
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
  ///   - policyARNs: managed policies that narrow what the role may do, 10 at most.
  ///   - tags: tags of the session, 50 at most.
  ///   - sourceIdentity: who is behind the session, 2 to 64 characters: it stays in the logs of every
  ///     role that is assumed from this one.
  ///   - mfaSerial: the serial number or the ARN of a device whose code the role asks for. The code comes
  ///     from `mfaCode` of the sources, anew for each request.
  ///   - duration: how long the session lives, 900 to 43,200 seconds; the role's own when nil.
  ///   - endpoint: `.regional` with the region, unless there is a reason.
  ///   - source: the provider of the credentials that assume the role.
  ///   - sources: HTTP, the clock, and the code of a device.
  ///
  /// Throws `invalidConfiguration` for values that the service would refuse.
  public init(
    roleARN: String, sessionName: String? = nil, externalID: String? = nil,
    policy: String? = nil, policyARNs: [String] = [], tags: [SessionTag] = [],
    sourceIdentity: String? = nil, mfaSerial: String? = nil, duration: Int? = nil,
    endpoint: STSEndpoint, source: any CredentialProvider, sources: CredentialSources
  ) throws(CredentialError) {
    role = try RoleRequest(
      roleARN: roleARN, sessionName: sessionName, policy: policy, policyARNs: policyARNs,
      duration: duration)
    guard let region = endpoint.signingRegion else {
      throw .invalidConfiguration(
        "The AWS STS endpoint has no signing region.",
        fix: "Set AWS_REGION, or add region to the profile.")
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

  /// Credentials of the role, asked for now. When the service says that the time of the request is
  /// wrong, it is asked once more by the service's own clock.
  ///
  /// Throws what the source and `mfaCode` throw (but `invalidConfiguration` in place of `notConfigured`: a role
  /// is configured), `refused`, `expired`, `invalidResponse`, `unreachable`, `timedOut`.
  public func credentials() async throws(CredentialError) -> ResolvedCredentials {
    let caller = try await caller()
    let service = endpoint.service(sources)
    let code = try await mfaCode()
    let response = try await service.response { (time) throws(CredentialError) in
      try request(signedBy: caller.credentials, code, at: time)
    }
    var provided = try role.credentials(
      in: response, of: service,
      origin: "the role \(role.roleARN), assumed by \(caller.origin)",
      hiding: [caller.credentials.identity.sessionToken, externalID, code].compactMap(\.self))
    provided.warning = caller.warning
    return provided
  }

  private func mfaCode() async throws(CredentialError) -> String? {
    guard let mfaSerial else { return nil }
    let code = try await sources.code(of: mfaSerial).trimmed
    if code.utf8.count == 6 && code.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return code }
    throw .invalidConfiguration(
      "The code of MFA device \(mfaSerial.shown) must be six digits, "
        + "not \(code.utf8.count) bytes (not shown).",
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
  ) throws(CredentialError) -> CredentialRequest {
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
    var request = role.request("AssumeRole", to: endpoint, more: more, at: now)
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
