// SPDX-License-Identifier: Apache-2.0
// Sessions for requests that a different HTTP client sends.

internal import CredentialProviders
public import Foundation
internal import RequestSigning

extension SigningSession {
  /// Returns whether to sign a request again that a different client has sent, because the server
  /// rejected its credentials or its time. Use it in a retrier, with
  /// ``sign(_:payload:expiresIn:)`` in an adapter.
  ///
  /// If it returns true, the next signature has new credentials or the server's time. Call it once
  /// for each request: a second rejection has a different cause.
  ///
  /// - Parameters:
  ///   - request: the request that ``sign(_:payload:expiresIn:)`` returned.
  ///   - response: the head of the response.
  ///   - body: the body of the response.
  ///
  /// - Throws: `CredentialError`, and `TransferError` with `untrustedClock` for a wrong time
  ///   without TLS.
  @concurrent public func shouldRetry(
    _ request: URLRequest, after response: HTTPURLResponse, body: Data
  ) async throws -> Bool {
    let date = request.value(forHTTPHeaderField: "x-amz-date")
    guard let authorization = request.value(forHTTPHeaderField: "Authorization"), let date,
      let timestamp = try? SigV4.Timestamp(date),
      let signed = try? request.signable(payload: .empty, headerEncoding: .utf8)
    else { return false }
    let provided = try await credentials(of: signing(of: signed).0)
    let answer = LoadedResponse(method: request.httpMethod, response: response, body: body)
    guard let refusal = Rejection(answer, to: provided, signedAt: timestamp) else { return false }
    // Keep credentials that were refreshed since the request was signed.
    let isKept = authorization.contains("Credential=\(provided.credentials.accessKeyID)/")
    try await remedy(refusal, isKept ? provided : nil, isTrusted: signed.isProtected)
    return true
  }
}
