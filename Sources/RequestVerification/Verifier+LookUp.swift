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
  /// Signature Version 4a requires a public key, so its requests are rejected, even if
  /// ``SigV4/Verifier/algorithms`` contains it. Verify them with `check(_:at:)` and a public key.
  ///
  /// - Parameters:
  ///   - request: the received request.
  ///   - body: the received body. It's compared with the declared or signed hash, unless it's
  ///     chunked or unsigned. For a body that you receive in portions, use `check(_:at:)` and
  ///     ``SigV4/VerifiedRequest/bodyVerifier()`` instead.
  ///   - now: the server's time.
  ///   - credentials: returns the credentials of an access key ID, or nil if they don't exist.
  /// - Returns: The verified request. To verify and decode a chunked body, call its
  ///   ``SigV4/VerifiedRequest/body(_:)``. It returns any other body unchanged.
  /// - Throws: A ``SigV4/VerificationError``: `unknownAccessKey` if the closure returns nil,
  ///   `bodyMismatch` if the body doesn't match the declared hash, or the errors of `check(_:at:)`
  ///   and `UnverifiedRequest.verify(with:bodyDigest:)`. Also rethrows the closure's errors.
  public func verify(
    _ request: SigV4.ReceivedRequest, body: some Collection<UInt8>, at now: SigV4.Timestamp,
    credentials: (_ accessKeyID: String) async throws -> SigV4.Credentials?
  ) async throws -> SigV4.VerifiedRequest {
    var verifier = self
    verifier.algorithms = hmacAlgorithms
    let claim = try verifier.check(request, at: now)
    guard let credentials = try await credentials(claim.accessKeyID) else {
      throw claim.unknownAccessKey
    }
    let digest = claim.coversBodyDigest ? SHA256.hash(data: body) : nil
    return try claim.verify(with: credentials, bodyDigest: digest)
  }

  /// Verifies the parts of a request with credentials from a closure. The request must have arrived
  /// over TLS. For one that didn't, create a ``SigV4/ReceivedRequest`` with its scheme.
  ///
  ///     let verified = try await verifier.verify(
  ///       method: "POST", path: "/orders?a=1", headers: headers, body: body, at: now
  ///     ) { accessKeyID in
  ///       try await users.credentials(of: accessKeyID)
  ///     }
  ///
  /// - Parameters:
  ///   - method: the HTTP method.
  ///   - path: the path and the query as received, not decoded.
  ///   - headers: the received headers, with `Host`.
  ///   - body: the received body.
  ///   - now: the server's time.
  ///   - credentials: returns the credentials of an access key ID, or nil if they don't exist.
  /// - Returns: The verified request.
  /// - Throws: The errors of `verify(_:body:at:credentials:)`.
  public func verify(
    method: String, path: String, headers: [String: String], body: some Collection<UInt8>,
    at now: SigV4.Timestamp,
    credentials: (_ accessKeyID: String) async throws -> SigV4.Credentials?
  ) async throws -> SigV4.VerifiedRequest {
    let pairs = headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return try await verify(
      SigV4.ReceivedRequest(method, target: path, headers: SigV4.Headers(pairs)), body: body,
      at: now, credentials: credentials)
  }
}
