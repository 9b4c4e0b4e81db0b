// SPDX-License-Identifier: Apache-2.0
// What a session does for requests that another client sends.

internal import CredentialProviders
public import Foundation
internal import RequestSigning

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension SigningSession {
  /// Whether to sign a request again that another client has sent, since the server refused it for its
  /// credentials or its time: for a retrier, beside ``signedURLRequest(for:payload:)`` in an adapter.
  ///
  /// After true the next signature has new credentials, or the server's time, as after a refusal of a
  /// request that this session sent. Ask once for each request: a second refusal has another cause.
  ///
  /// - Parameters:
  ///   - request: as ``signedURLRequest(for:payload:)`` gave it.
  ///   - response: the head of the answer.
  ///   - body: the body of the answer.
  ///
  /// Throws `CredentialError`, and `TransferError` with `untrustedClock` for a wrong time without TLS.
  @concurrent public func shouldRetry(
    _ request: URLRequest, after response: HTTPURLResponse, body: Data
  ) async throws -> Bool {
    let date = request.value(forHTTPHeaderField: "x-amz-date")
    guard let accessKeyID = request.signingAccessKeyID, let date,
      let timestamp = try? SigV4.Timestamp(date),
      let signed = try? request.signable(payload: .empty, headerEncoding: .utf8)
    else { return false }
    let provided = try await credentials()
    let answer = LoadedResponse(method: request.httpMethod, response: response, body: body)
    guard let refusal = Rejection(answer, to: provided, signedAt: timestamp) else { return false }
    // Not those that came since.
    let isKept = provided.credentials.accessKeyID == accessKeyID
    try await remedy(refusal, isKept ? provided : nil, isTrusted: signed.isProtected)
    return true
  }
}

extension URLRequest {
  /// The access key ID of its signature: the beginning of the scope in the Authorization header.
  fileprivate var signingAccessKeyID: String? {
    let parts = value(forHTTPHeaderField: "Authorization")?.components(separatedBy: "Credential=")
    return parts?.last?.components(separatedBy: "/").first
  }
}
