// SPDX-License-Identifier: Apache-2.0
// Error responses to requests sent without a session, and their diagnosis.

public import Foundation
public import RequestSigning
public import SignatureDiagnosis

extension SigV4.ServiceError {
  /// Parses the response to a request.
  ///
  ///     let (data, response) = try await URLSession.shared.data(for: signed)
  ///     guard (response as? HTTPURLResponse)?.statusCode == 200 else {
  ///       let error = SigV4.ServiceError(data: data, response: response)
  ///       print(error.code ?? "no code", try error.diagnosis(for: signed))
  ///       throw error
  ///     }
  public init(data: Data, response: URLResponse) {
    guard let response = response as? HTTPURLResponse else {
      self.init(data)
      return
    }
    let fields = response.allHeaderFields.map { SigV4.Header("\($0.key)", "\($0.value)") }
    self.init(status: response.statusCode, headers: SigV4.Headers(fields), body: data)
  }

  /// Explains why the server rejected a signed request.
  ///
  /// - Parameters:
  ///   - request: the sent request: header-signed, or with a presigned URL.
  ///   - credentials: the credentials that signed it. With them, the diagnosis can distinguish a
  ///     changed request from a wrong secret access key.
  ///
  /// - Throws: A `SigV4.SigningError` if the request isn't signed, or a `TransferError` with
  ///   `missingURL`.
  public func diagnosis(
    for request: URLRequest, credentials: SigV4.Credentials? = nil
  ) throws -> SigV4.Diagnosis {
    guard let url = request.url else { throw TransferError.missingURL }
    let fields = (request.allHTTPHeaderFields ?? [:]).map { SigV4.Header($0.key, $0.value) }
    let sent = try SigV4.SentRequest(
      request.httpMethod ?? "GET", url: url.absoluteURL.absoluteString,
      headers: SigV4.Headers(fields).encodedAsUTF8,
      payload: request.httpBody.map { .bytes($0) } ?? .empty, madeWith: credentials)
    return diagnosis(for: sent)
  }
}

extension TransferError {
  static var missingURL: TransferError {
    TransferError(
      .missingURL, "The URLRequest has no URL.", fix: "Pass a URLRequest with an absolute URL.")
  }
}
