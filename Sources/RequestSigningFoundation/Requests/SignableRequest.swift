// SPDX-License-Identifier: Apache-2.0
// Requests that a session can sign and send.

public import RequestSigning
public import S3Signing

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A request that a ``SigningSession`` signs and sends: a `URLRequest`, a `SigV4.Request`, or an
/// object to download.
public protocol SignableRequest: Sendable {
  /// Returns the request to sign. A payload replaces its own, unless it's nil.
  func signable(
    payload: SigV4.Payload?, headerEncoding: SigV4.HeaderEncoding
  ) throws -> SigV4.Request

  /// The source of the body and of URLSession's options, or nil if it has none.
  var urlRequest: URLRequest? { get }
}

extension SigV4 {
  /// How the header values of a URLRequest may be encoded.
  public struct HeaderEncoding: Hashable, Sendable {
    private let isUTF8: Bool

    /// ASCII only. Amazon S3 reads headers as Latin-1, so it rejects the signature of anything
    /// else.
    public static let ascii = HeaderEncoding(isUTF8: false)

    /// UTF-8, for stores that read headers as UTF-8, such as Ceph and MinIO.
    public static let utf8 = HeaderEncoding(isUTF8: true)
  }
}

/// A request that a session signs and sends.
extension SigV4.Request: SignableRequest {
  /// Returns the request itself, with the passed payload unless it's nil. The header encoding is
  /// ignored: use `SigV4.Headers.encodedAsUTF8` instead.
  public func signable(
    payload: SigV4.Payload?, headerEncoding: SigV4.HeaderEncoding
  ) throws -> SigV4.Request {
    guard let payload else { return self }
    return try SigV4.Request(
      method, scheme: scheme, host: host, path: path, query: query, headers: headers,
      payload: payload)
  }

  /// Always nil.
  public var urlRequest: URLRequest? { nil }
}

/// An object to download.
extension SigV4.Bucket.Object: SignableRequest {
  /// Returns a GET request for the object.
  public func signable(
    payload: SigV4.Payload?, headerEncoding: SigV4.HeaderEncoding
  ) throws -> SigV4.Request {
    try getRequest().signable(payload: payload, headerEncoding: headerEncoding)
  }

  /// Always nil.
  public var urlRequest: URLRequest? { nil }
}

/// A `URLRequest` to sign and send.
extension URLRequest: SignableRequest {
  /// Returns the request to sign. A '+' in its query means a space.
  ///
  /// - Throws: The errors that `SigV4.Signer.sign(_:payload:plus:headerEncoding:expiresIn:at:)`
  ///   throws before it signs.
  public func signable(
    payload: SigV4.Payload?, headerEncoding: SigV4.HeaderEncoding
  ) throws -> SigV4.Request {
    try SigV4.Request(self, payload: payload, headerEncoding: headerEncoding)
  }

  /// The request itself.
  public var urlRequest: URLRequest? { self }
}

extension SigV4.Request {
  /// Creates the request that's signed for a `URLRequest`, to see the steps of its signature.
  ///
  ///     let steps = try signer.sign(SigV4.Request(urlRequest))
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - payload: how the body is signed, or nil for the digest of `httpBody`.
  ///   - plus: the meaning of a '+' in the query. Foundation doesn't encode plus signs.
  ///   - headerEncoding: how header values may be encoded.
  ///
  /// - Throws: The errors that `SigV4.Signer.sign(_:payload:plus:headerEncoding:expiresIn:at:)`
  ///   throws before it signs.
  public init(
    _ request: URLRequest, payload: SigV4.Payload? = nil, plus: SigV4.Query.PlusSign = .space,
    headerEncoding: SigV4.HeaderEncoding = .ascii
  ) throws {
    try self.init(request, Body(of: request, payload), payload, plus: plus, headerEncoding)
  }

  init(
    _ request: URLRequest, _ body: Body, _ payload: SigV4.Payload?, plus: SigV4.Query.PlusSign,
    _ headerEncoding: SigV4.HeaderEncoding
  ) throws {
    guard let url = request.url else { throw TransferError.missingURL }
    let method = request.httpMethod ?? "GET"
    let headers = request.signableHeaders
    let converted = try SigV4.Request(
      method, url: url.absoluteURL.absoluteString, plus: plus,
      headers: headerEncoding == .utf8 ? headers.encodedAsUTF8 : headers,
      payload: payload ?? body.payload())
    let mayHaveBody = body.isPresent || payload != nil && ["POST", "PUT", "PATCH"].contains(method)
    self = mayHaveBody ? try converted.withContentType() : converted
  }
}

extension URLRequest {
  /// The headers that URLSession sends unchanged, sorted by name.
  fileprivate var signableHeaders: SigV4.Headers {
    let isCookieReserved = httpShouldHandleCookies
    let fields = (allHTTPHeaderFields ?? [:]).map { (key: $0.key.lowercased(), $0.key, $0.value) }
      .filter {
        !Self.reservedNames.contains($0.key) && !(isCookieReserved && $0.key == "cookie")
      }
      .sorted { $0.key < $1.key }
    return SigV4.Headers(fields.map { SigV4.Header($0.1, $0.2) })
  }
}

extension Body {
  /// How the body is signed by default.
  fileprivate func payload() throws(TransferError) -> SigV4.Payload {
    switch content {
    case .bytes(let data): return data.isEmpty ? .empty : .bytes(data)
    case .file, .unknown: return .empty
    case .stream:
      throw TransferError(
        .streamWithoutPayload,
        "The body is an httpBodyStream, which can't be hashed and then sent.",
        fix: "Pass a payload (.digest, or .unsigned over https), or upload a file.")
    }
  }
}

extension SigV4.Request {
  /// The same request with a Content-Type, because URLSession adds an unsigned one if it's missing.
  func withContentType() throws -> SigV4.Request {
    // URLSession's default for POST is a form.
    let type = method == "POST" ? "application/x-www-form-urlencoded" : "application/octet-stream"
    return try addingHeaders([SigV4.Header("Content-Type", type)])
  }

  /// Returns the same request with the passed headers, except those that it already has.
  func addingHeaders(_ others: [SigV4.Header]) throws -> SigV4.Request {
    let missing = others.filter { headers.values(named: $0.name).isEmpty }
    if missing.isEmpty { return self }
    return try SigV4.Request(
      method, scheme: scheme, host: host, path: path, query: query,
      headers: headers + SigV4.Headers(missing), payload: payload)
  }
}
