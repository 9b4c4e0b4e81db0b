// SPDX-License-Identifier: Apache-2.0
// Requests of Foundation, signed in one line: what comes back is sent exactly as it was signed.

public import S3Signing
public import Foundation
public import RequestSigning

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension SigV4.Signer {
  /// The request signed in its headers, its URL rewritten to exactly what was signed.
  ///
  ///     let signed = try signer.sign(URLRequest(url: url), at: .now)
  ///     let (data, response) = try await URLSession.shared.data(for: signed)
  ///
  /// Headers that the loader writes itself (Host, Content-Length, Transfer-Encoding, Connection, and
  /// Cookie unless `httpShouldHandleCookies` is false) stay unsigned. A body without Content-Type
  /// gets one, as the loader would write one of its own, unsigned.
  ///
  /// - Parameters:
  ///   - payload: what is said of the body; nil for the digest of `httpBody`.
  ///   - plus: what a '+' in the query means. Foundation writes a plus sign so.
  ///
  /// Throws `TransferError` with `missingURL`, `streamWithoutPayload` for an `httpBodyStream` without
  /// a payload, or `urlWouldChange`; and what signing throws.
  public func sign(
    _ request: URLRequest, payload: SigV4.Payload? = nil, plus: SigV4.Query.PlusSign = .space,
    at date: Date
  ) throws -> URLRequest {
    let core = try request.signable(payload: payload, plus: plus)
    return try loadable(request, core, sign(core, at: SigV4.Timestamp(date)))
  }

  /// A request of the core, signed in its headers, for URLSession. Its body is the caller's to add.
  ///
  ///     let request = try signer.sign(bucket.object("été.jpg").getRequest(), at: .now)
  ///
  /// Throws `TransferError` with `urlWouldChange`, and what signing throws.
  public func sign(_ request: SigV4.Request, at date: Date) throws -> URLRequest {
    try loadable(nil, request, sign(request, at: SigV4.Timestamp(date)))
  }

  /// The request signed in its query: its URL, and the headers that have to be sent with it. It can be
  /// kept and sent later, by a background session too.
  ///
  /// - Parameters:
  ///   - payload: what is said of the body; nil leaves it to the service, as presigning does.
  ///   - seconds: how long it may be used, 1 to 604,800.
  ///
  /// Throws `TransferError` with `missingURL` or `urlWouldChange`, and what presigning throws.
  public func presign(
    _ request: URLRequest, payload: SigV4.Payload? = nil, plus: SigV4.Query.PlusSign = .space,
    validFor seconds: Int, at date: Date
  ) throws -> URLRequest {
    let core = try request.signable(payload: payload ?? .empty, plus: plus)
    let signed = try presign(core, validFor: seconds, at: SigV4.Timestamp(date))
    return try loadable(
      request, signed.method, loadableURL(signed.url, target: signed.target),
      signed.requiredHeaders)
  }

  /// A presigned URL, good for an hour unless told otherwise. Treat it as a secret.
  ///
  ///     let link = try signer.presign(url, at: .now)
  ///
  /// Throws `TransferError` with `headersRequired` for a service that wants headers as well, and
  /// `urlWouldChange`; and what presigning throws.
  public func presign(
    _ url: URL, method: String = "GET", plus: SigV4.Query.PlusSign = .space,
    validFor seconds: Int = 3_600, at date: Date
  ) throws -> URL {
    let request = try SigV4.Request(method, url: url.absoluteURL.absoluteString, plus: plus)
    return try presignedURL(request, seconds, date)
  }

  /// A presigned URL to an object, good for an hour unless told otherwise. Treat it as a secret.
  ///
  ///     let link = try signer.presign(bucket.object("été.jpg"), at: .now)
  ///
  /// Throws `TransferError` with `urlWouldChange`, and what presigning throws.
  public func presign(
    _ object: SigV4.Bucket.Object, method: String = "GET", query: SigV4.Query = .empty,
    validFor seconds: Int = 3_600, at date: Date
  ) throws -> URL {
    try presignedURL(object.request(method, query: query), seconds, date)
  }
}

extension SigV4.Signer {
  private func presignedURL(
    _ request: SigV4.Request, _ seconds: Int, _ date: Date
  ) throws -> URL {
    let signed = try presign(request, validFor: seconds, at: SigV4.Timestamp(date))
    if let header = signed.requiredHeaders.first {
      throw TransferError(
        .headersRequired,
        "whoever uses this URL has to send the header \(header.name) too, so that the URL alone "
          + "would be refused; presign a URLRequest, which carries both")
    }
    return try loadableURL(signed.url, target: signed.target)
  }

  /// A URL that Foundation writes byte for byte as it was signed, and that its loader sends so.
  private func loadableURL(_ text: String, target: String) throws -> URL {
    let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
    let segments = path.split(separator: UInt8(ascii: "/"))
    let isNormalized: Bool =
      switch preparer.service.pathRule {
      case .encodedOnce, .encodedTwice: false
      case .normalizedAndEncodedOnce, .normalizedAndEncodedTwice: true
      }
    if !isNormalized
      && segments.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) })
    {
      throw TransferError(
        .urlWouldChange,
        "the path has a segment that is '.' or '..'; URL loaders resolve those before they send "
          + "(RFC 3986, 5.2.4), and \(preparer.service.name) signs them, so the signature would not "
          + "match. Send this request with another HTTP client, or rename the object")
    }
    guard let url = URL(string: text), url.absoluteString.utf8.elementsEqual(text.utf8) else {
      throw TransferError(
        .urlWouldChange,
        "Foundation cannot hold the URL that was signed, or writes it in another way, so the "
          + "signature would not match; send this request with another HTTP client")
    }
    return url
  }

  /// What is sent of a template, or of nothing, so that it is what was signed.
  func loadable(
    _ template: URLRequest?, _ core: SigV4.Request, _ signed: SigV4.SignedRequest
  ) throws -> URLRequest {
    try loadable(
      template, signed.method, loadableURL(signed.url, target: signed.target),
      core.headers + signed.headers)
  }

  private func loadable(
    _ template: URLRequest?, _ method: String, _ url: URL, _ headers: SigV4.Headers
  ) -> URLRequest {
    var request = template ?? URLRequest(url: url)
    request.url = url
    request.httpMethod = method
    // Left to the loader, which writes the host that was signed.
    request.setValue(nil, forHTTPHeaderField: "Host")
    for header in headers where !URLRequest.namesLoadersOwn.contains(header.name.lowercased()) {
      // SigV4, step 1: repeated headers are signed as one, joined by commas.
      request.setValue(
        headers.values(named: header.name).joined(separator: ","),
        forHTTPHeaderField: header.name)
    }
    return request
  }
}
