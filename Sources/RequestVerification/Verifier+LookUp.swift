// SPDX-License-Identifier: Apache-2.0
// Verifies a request in one call, with a closure that looks up credentials.

internal import SecureHashing

extension SigV4.Verifier {
  /// Verifies a request with credentials from a closure.
  ///
  ///     let verified = try await verifier.verify(request, body: body, at: now) { accessKeyID in
  ///       try await users.credentials(of: accessKeyID)
  ///     }
  ///     return try verified.body(body)
  ///
  /// - Parameters:
  ///   - request: the received request.
  ///   - body: the received body. It's hashed if the request doesn't contain its digest. For a body
  ///     that you receive in portions, use `check(_:at:)` and
  ///     ``SigV4/VerifiedRequest/bodyVerifier()`` instead.
  ///   - now: the server's time.
  ///   - credentials: returns the credentials of an access key ID, or nil if they don't exist.
  /// - Returns: The verified request. To verify and decode the body, call its
  ///   ``SigV4/VerifiedRequest/body(_:)``.
  /// - Throws: A ``SigV4/VerificationError``: `unknownAccessKey` if the closure returns nil, or the
  ///   errors of `check(_:at:)` and `UnverifiedRequest.verify(with:bodyDigest:)`. Also rethrows the
  ///   closure's errors.
  public func verify(
    _ request: SigV4.ReceivedRequest, body: some Collection<UInt8>, at now: SigV4.Timestamp,
    credentials: (_ accessKeyID: String) async throws -> SigV4.Credentials?
  ) async throws -> SigV4.VerifiedRequest {
    let claim = try check(request, at: now)
    guard let credentials = try await credentials(claim.accessKeyID) else {
      throw claim.unknownAccessKey
    }
    let digest = claim.needsBodyDigest ? SHA256.hash(data: body) : nil
    return try claim.verify(with: credentials, bodyDigest: digest)
  }
}
