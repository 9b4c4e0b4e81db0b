// SPDX-License-Identifier: Apache-2.0
// Signs requests of Foundation so that URLSession sends exactly what was signed.

public import Foundation
public import RequestSigning
@_exported public import S3Signing

/// Signing and presigning of `URLRequest`, `URL` and objects.
extension SigV4.Signer {
  /// Signs a request in its headers. Its URL is rewritten to exactly the signed one.
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
  ///   - payload: how the body is signed, or nil for the digest of `httpBody`.
  ///   - plus: the meaning of a '+' in the query. Foundation doesn't encode plus signs.
  ///   - headerEncoding: how header values may be encoded.
  ///   - time: the time of the signature. The default is the current time.
  ///
  /// - Throws: The errors of signing, and `TransferError` with `missingURL`, `streamWithoutPayload`
  ///   for an `httpBodyStream` without a payload, `conflictingHeader`, or `requestWouldChange`.
  public func sign(
    _ request: URLRequest, payload: SigV4.Payload? = nil, plus: SigV4.Query.PlusSign = .space,
    headerEncoding: SigV4.HeaderEncoding = .ascii, at time: some SigV4.TimestampConvertible = Date()
  ) throws -> URLRequest {
    let body = Body(of: request, payload)
    let core = try request.signable(body, payload, plus: plus, headerEncoding)
    return try URLRequest(
      sign(core, at: time.sigV4Timestamp()), body, preparer.service, request)
  }

  /// Signs a `SigV4.Request` in its headers, and returns it as a `URLRequest`. Add the body
  /// yourself.
  ///
  ///     let get = try bucket.object("été.jpg").getRequest()
  ///     let (data, response) = try await URLSession.shared.data(
  ///       for: signer.signedURLRequest(for: get))
  ///
  /// - Throws: The errors of signing, and `TransferError` with `requestWouldChange`.
  public func signedURLRequest(
    for request: SigV4.Request, at time: some SigV4.TimestampConvertible = Date()
  ) throws -> URLRequest {
    try URLRequest(
      sign(request, at: time.sigV4Timestamp()), Body(of: request), preparer.service, nil)
  }

  /// Presigns a request: its URL contains the signature, and its headers are those to send with it.
  /// You can store it and send it later, also with a background session.
  ///
  /// - Parameters:
  ///   - request: the request to sign.
  ///   - payload: how the body is signed, or nil for the service's default for presigned URLs.
  ///   - plus: the meaning of a '+' in the query. Foundation doesn't encode plus signs.
  ///   - headerEncoding: how header values may be encoded.
  ///   - lifetime: how long it's valid, 1 second to 7 days.
  ///   - time: the time of the signature. The default is the current time.
  ///
  /// - Throws: The errors of presigning, and `TransferError` with `missingURL` or
  ///   `requestWouldChange`.
  public func presign(
    _ request: URLRequest, payload: SigV4.Payload? = nil, plus: SigV4.Query.PlusSign = .space,
    headerEncoding: SigV4.HeaderEncoding = .ascii, expiresIn lifetime: Duration,
    at time: some SigV4.TimestampConvertible = Date()
  ) throws -> URLRequest {
    let payload = payload ?? .empty
    let body = Body(of: request, payload)
    let core = try request.signable(body, payload, plus: plus, headerEncoding)
    let signed = try presign(core, expiresIn: lifetime, at: time.sigV4Timestamp())
    let url = try URL(loadable: signed.url, target: signed.target, preparer.service)
    return try URLRequest(signed.method, url, signed.requiredHeaders, body, request)
  }

  /// Creates a presigned URL. It expires after an hour by default. Treat it as a secret.
  ///
  ///     let link = try signer.presignedURL(for: url)
  ///
  /// - Throws: The errors of presigning, and `TransferError` with `requestWouldChange`, or
  ///   `headersRequired` if the service requires headers with the URL.
  public func presignedURL(
    for url: URL, method: SigV4.HTTPMethod = .get, plus: SigV4.Query.PlusSign = .space,
    expiresIn lifetime: Duration = .seconds(3_600),
    at time: some SigV4.TimestampConvertible = Date()
  ) throws -> URL {
    try presignedURL(
      for: SigV4.Request(method.rawValue, url: url.absoluteURL.absoluteString, plus: plus),
      expiresIn: lifetime, at: time)
  }

  /// Creates a presigned URL for an object. It expires after an hour by default. Treat it as a
  /// secret.
  ///
  ///     let link = try signer.presignedURL(for: bucket.object("été.jpg"))
  ///
  /// - Throws: The errors of ``presignedURL(for:expiresIn:at:)``.
  public func presignedURL(
    for object: SigV4.Bucket.Object, method: SigV4.HTTPMethod = .get, query: SigV4.Query = .empty,
    expiresIn lifetime: Duration = .seconds(3_600),
    at time: some SigV4.TimestampConvertible = Date()
  ) throws -> URL {
    try presignedURL(
      for: object.request(method.rawValue, query: query), expiresIn: lifetime, at: time)
  }

  /// Creates a presigned URL for any request, such as a bucket's list. It expires after an hour by
  /// default. Treat it as a secret.
  ///
  ///     let link = try signer.presignedURL(for: bucket.listRequest(prefix: "a/"))
  ///
  /// - Throws: The errors of presigning, and `TransferError` with `requestWouldChange`, or
  ///   `headersRequired` if the URL requires headers.
  public func presignedURL(
    for request: SigV4.Request, expiresIn lifetime: Duration = .seconds(3_600),
    at time: some SigV4.TimestampConvertible = Date()
  ) throws -> URL {
    try presignedURL(
      for: request, expiresIn: lifetime, at: time.sigV4Timestamp(), sentWith: [:])
  }

  /// Creates a presigned URL for use with headers that the caller already knows.
  func presignedURL(
    for request: SigV4.Request, expiresIn lifetime: Duration, at time: SigV4.Timestamp,
    sentWith known: SigV4.Headers
  ) throws -> URL {
    let signed = try presign(request, expiresIn: lifetime, at: time)
    let unknown = signed.requiredHeaders.first { known[$0.name] == nil }
    if let header = unknown {
      throw TransferError(
        .headersRequired,
        "This URL requires the header \(header.name).",
        fix: "Use presign(_:expiresIn:) with a URLRequest to get the URL and its headers.")
    }
    return try URL(loadable: signed.url, target: signed.target, preparer.service)
  }
}

extension SigV4.Signer {
  /// Signs a request in its headers, with a date.
  ///
  /// - Throws: The errors of signing.
  public func sign(
    _ request: SigV4.Request, at date: Date = Date()
  ) throws(SigV4.SigningError) -> SigV4.SignedRequest {
    try sign(request, at: SigV4.Timestamp(date))
  }

  /// Presigns a request, with a date.
  ///
  /// - Throws: The errors of presigning.
  public func presign(
    _ request: SigV4.Request, expiresIn lifetime: Duration, at date: Date = Date()
  ) throws(SigV4.SigningError) -> SigV4.PresignedURL {
    try presign(request, expiresIn: lifetime, at: SigV4.Timestamp(date))
  }

  /// Signs a request in its headers, for use with a different HTTP client than URLSession.
  ///
  ///     let signed = try signer.sign(method: "POST", url: url, headers: headers, body: body)
  ///
  /// Send the body to exactly `signed.url` with `signed.headers`.
  ///
  /// - Throws: The errors of `Signer.sign(_:at:)`.
  public func sign(
    method: String, url: URL, headers: SigV4.Headers = [:], body: Data = Data(),
    at time: some SigV4.TimestampConvertible = Date()
  ) throws(SigV4.SigningError) -> SigV4.SignedRequest {
    try sign(
      method: method, url: url.absoluteURL.absoluteString, headers: headers, body: body,
      at: time.sigV4Timestamp())
  }
}
