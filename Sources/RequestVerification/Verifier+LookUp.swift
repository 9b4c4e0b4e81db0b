// SPDX-License-Identifier: Apache-2.0
// A request verified in one call, with a closure that looks up whose it is.

internal import SecureHashing

extension SigV4.Verifier {
  /// Verifies a request with the credentials that a closure finds.
  ///
  ///     let verified = try await verifier.verify(request, body: body, at: now) { accessKeyID in
  ///       try await users.credentials(of: accessKeyID)
  ///     }
  ///     return try verified.body(body)
  ///
  /// - Parameters:
  ///   - request: what was received.
  ///   - body: the body as it was received. It is hashed here when no header names its digest; what is
  ///     received in portions goes through `claim(of:at:)` and ``SigV4/VerifiedRequest/payloadCheck()``.
  ///   - now: the server's clock.
  ///   - credentials: finds the credentials of an access key ID; nil where there are none.
  ///
  /// The result's ``SigV4/VerifiedRequest/body(_:)`` checks the body and decodes it.
  ///
  /// Throws a ``SigV4/VerificationError``: `unknownAccessKey` where the closure finds nothing, and what
  /// `claim(of:at:)` and `Claim.verify(with:bodyDigest:)` throw. What the
  /// closure throws passes through.
  public func verify(
    _ request: SigV4.ReceivedRequest, body: some Collection<UInt8>, at now: SigV4.Timestamp,
    credentials: (_ accessKeyID: String) async throws -> SigV4.Credentials?
  ) async throws -> SigV4.VerifiedRequest {
    let claim = try claim(of: request, at: now)
    guard let credentials = try await credentials(claim.accessKeyID) else {
      throw claim.unknownAccessKey
    }
    let digest = claim.needsBodyDigest ? SHA256.hash(data: body) : nil
    return try claim.verify(with: credentials, bodyDigest: digest)
  }
}
