// SPDX-License-Identifier: Apache-2.0
// Signs requests of Foundation so that URLSession sends exactly what was signed.

public import Foundation
public import RequestSigning
@_exported public import S3Signing

/// Signing of `URLRequest`.
extension SigV4.Signer {
  /// Signs a request in its headers, or in its URL for a lifetime. Its URL is rewritten to exactly
  /// the signed one.
  ///
  ///     let signed = try signer.sign(URLRequest(url: url))
  ///     let (data, response) = try await URLSession.shared.data(for: signed)
  ///
  /// Headers that URLSession writes itself (Host, Content-Length, Transfer-Encoding, Connection,
  /// and Cookie unless `httpShouldHandleCookies` is false) stay unsigned, and must not conflict
  /// with it. A body without Content-Type gets one, because URLSession would add an unsigned one.
  ///
  /// - Parameters:
  ///   - request: the request to sign.
  ///   - payload: how the body is signed. If it's nil, a signature in the headers covers the digest
  ///     of `httpBody`, and one in the URL what the service does by default.
  ///   - plus: the meaning of a '+' in the query. Foundation doesn't encode plus signs.
  ///   - headerEncoding: how header values may be encoded.
  ///   - lifetime: how long the request is valid, 1 second to 7 days, with a signature in its URL.
  ///     You can store such a request, and send it with a background session. If it's nil, the
  ///     signature is in the headers, and valid for minutes.
  ///   - date: the time of the signature. The default is the current time.
  ///
  /// - Throws: The errors of signing, and `TransferError` with `missingURL`, `streamWithoutPayload`
  ///   for an `httpBodyStream` without a payload, `conflictingHeader`, or `requestWouldChange`.
  public func sign(
    _ request: URLRequest, payload: SigV4.Payload? = nil, plus: SigV4.Query.PlusSign = .space,
    headerEncoding: SigV4.HeaderEncoding = .ascii, expiresIn lifetime: Duration? = nil,
    at date: Date = Date()
  ) throws -> URLRequest {
    try sign(
      request, payload: payload, plus: plus, headerEncoding: headerEncoding, expiresIn: lifetime,
      at: SigV4.Timestamp(date))
  }

  /// Signs a request with a timestamp. See the same function with a date.
  public func sign(
    _ request: URLRequest, payload: SigV4.Payload? = nil, plus: SigV4.Query.PlusSign = .space,
    headerEncoding: SigV4.HeaderEncoding = .ascii, expiresIn lifetime: Duration? = nil,
    at timestamp: SigV4.Timestamp
  ) throws -> URLRequest {
    let payload = lifetime == nil ? payload : payload ?? .empty
    let body = Body(of: request, payload)
    let core = try SigV4.Request(request, body, payload, plus: plus, headerEncoding)
    guard let lifetime else {
      return try URLRequest(sign(core, at: timestamp), body, like: request)
    }
    return try URLRequest(
      presignedURL(for: core, expiresIn: lifetime, at: timestamp), body, like: request)
  }
}

extension URLRequest {
  /// Creates a request from a signed one. Add the body yourself.
  ///
  ///     let signed = try signer.sign(bucket.object("été.jpg").getRequest())
  ///     let (data, response) = try await URLSession.shared.data(for: URLRequest(signed))
  ///
  /// - Throws: `TransferError` with `requestWouldChange` or `conflictingHeader`.
  public init(_ signed: SigV4.SignedRequest) throws {
    try self.init(signed, Body(of: signed.request), like: nil)
  }

  /// Creates a request from a presigned URL, with its method and the headers that it requires. Add
  /// the body yourself.
  ///
  ///     let link: SigV4.PresignedURL = try signer.presignedURL(
  ///       for: photo, method: .put, contentType: "image/jpeg")
  ///     background.uploadTask(with: try URLRequest(link), fromFile: file).resume()
  ///
  /// - Throws: `TransferError` with `requestWouldChange` or `conflictingHeader`.
  public init(_ presigned: SigV4.PresignedURL) throws {
    try self.init(presigned, .unknown, like: nil)
  }
}
