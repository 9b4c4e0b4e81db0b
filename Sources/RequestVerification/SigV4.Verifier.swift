// SPDX-License-Identifier: Apache-2.0
// The corridor walked from the other end: what a request claims, before anybody looks for a key.

internal import DocumentSupport
@_exported public import RequestSigning
internal import S3Signing
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Verifies requests that clients have signed, in their headers or in their query.
  ///
  ///     let verifier = SigV4.Verifier(SigV4.Verifier.Policy(services: [.s3], regions: ["us-east-1"]))
  ///     let claim = try verifier.claim(of: request, at: now)
  ///     let credentials = await credentials(of: claim.accessKeyID)     // the caller's business
  ///     let verified = try claim.verify(with: credentials)
  ///     let body = try verified.body(received)
  ///
  /// A claim is no proof: nothing of it may be believed before `verify`. Nothing here prevents that the
  /// same request comes twice within its window; Signature Version 4 has no such means.
  public struct Verifier: Sendable {
    /// What is accepted.
    public let policy: Policy

    /// A verifier for what a policy accepts.
    public init(_ policy: Policy) {
      self.policy = policy
    }

    /// What a request claims: who signed it, for what, and when.
    ///
    /// Everything that can be refused without a key is refused here. `now` is the server's clock.
    ///
    /// Throws a ``VerificationError``: among its codes are `notSigned`, `mixedMechanisms`,
    /// `malformedAuthorization`, `wrongScope`, `requestTimeTooSkewed`, `urlExpired`, `unsignedHeader`.
    public func claim(
      of request: ReceivedRequest, at now: Timestamp
    ) throws(VerificationError) -> Claim {
      try request.checkRequestLine()
      let headers = try ReceivedHeaders(request)
      let query = Query.received(request.query, plus: policy.plusInQueries)
      let fields = try SignatureFields(headers, query)
      let credential = try ClaimedCredential(fields.credential, malformed: fields.malformed)
      let service = try policy.service(of: credential)
      let token = try fields.token(service.sessionTokenRule, policy)
      let life = try ClaimedLife(fields, credential, service, policy, at: now)
      let signed = try signedHeaders(headers, fields, service)
      let payload = try PayloadClaim(headers, request.scheme, fields.mechanism, service, policy)
      let signer = ClaimedSigner(
        credential: credential, token: token, signature: fields.signature, claimTime: now)
      return Claim(
        mechanism: fields.mechanism, timestamp: life.timestamp, expiration: life.expiration,
        signer: signer, service: service, payload: payload, method: request.method,
        path: path(of: request, service),
        query: fields.signedPart(of: query, service.sessionTokenRule), signedHeaders: signed)
    }

    private func signedHeaders(
      _ headers: ReceivedHeaders, _ fields: SignatureFields, _ service: Service
    ) throws(VerificationError) -> CanonicalHeaders {
      let rule = service.sessionTokenRule
      let signed = try headers.signed(fields.signedHeaders) { name in
        !rule.isSigned && name.elementsEqual(rule.header.description.utf8)
      }
      var names = ["host"] + policy.signedHeaders
      if fields.isDatedByDateHeader { names.append("date") }
      for name in names {
        let isSigned = signed.lines.contains { line in
          ASCIIByte.equalIgnoringCase(signed.bytes[line.name], name.utf8)
        }
        if !isSigned { throw .unsignedHeader(Array(name.utf8)[...]) }
      }
      return signed
    }

    /// The raw path. Services that encode once decode what they receive, and there a '+' is what the
    /// policy says.
    private func path(of request: ReceivedRequest, _ service: Service) -> Path {
      if service.pathRule.encodesTwice { return .received(request.path) }
      switch policy.plusInPaths {
      case .literal: return .received(request.path)
      case .space:
        return .received(request.path.map { $0 == ASCIIByte.plus ? ASCIIByte.space : $0 })
      }
    }
  }
}
