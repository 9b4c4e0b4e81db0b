// SPDX-License-Identifier: Apache-2.0
// What can be signed for URLSession: requests of Foundation, and those of the core.

public import RequestSigning
public import S3Signing

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A request that a ``SigningSession`` signs and sends: a `URLRequest`, a `SigV4.Request`, or an object to
/// download.
public protocol SignableRequest: Sendable {
  /// The request to sign, with what is signed of its body; nil for what the request itself says.
  func signable(
    payload: SigV4.Payload?, headerEncoding: SigV4.HeaderEncoding
  ) throws -> SigV4.Request

  /// Where the body and the options of URLSession come from. Nil when there are none.
  var urlRequest: URLRequest? { get }
}

extension SigV4 {
  /// How the header values of a URLRequest may be encoded.
  public struct HeaderEncoding: Hashable, Sendable {
    private let isUTF8: Bool

    /// ASCII only. Amazon S3 reads headers as Latin-1, so it rejects the signature of anything else.
    public static let ascii = HeaderEncoding(isUTF8: false)

    /// UTF-8, for stores that read headers so, such as Ceph and MinIO.
    public static let utf8 = HeaderEncoding(isUTF8: true)
  }
}

/// A request of the core, signed and sent by a session.
extension SigV4.Request: SignableRequest {
  /// The request itself, with another payload if one is given. Its headers carry their own encoding
  /// (`SigV4.Headers.encodedAsUTF8`).
  public func signable(
    payload: SigV4.Payload?, headerEncoding: SigV4.HeaderEncoding
  ) throws -> SigV4.Request {
    guard let payload else { return self }
    return try SigV4.Request(
      method, scheme: scheme, host: host, path: path, query: query, headers: headers,
      payload: payload)
  }

  /// Nil.
  public var urlRequest: URLRequest? { nil }
}

/// An object to download.
extension SigV4.Bucket.Object: SignableRequest {
  /// A GET request for the object.
  public func signable(
    payload: SigV4.Payload?, headerEncoding: SigV4.HeaderEncoding
  ) throws -> SigV4.Request {
    try getRequest().signable(payload: payload, headerEncoding: headerEncoding)
  }

  /// Nil.
  public var urlRequest: URLRequest? { nil }
}

/// A request that is signed as it is.
extension URLRequest: SignableRequest {
  /// What is signed of this request; a '+' in its query means a space.
  ///
  /// Throws what `SigV4.Signer.sign(_:payload:plus:headerEncoding:at:)` throws before it signs.
  public func signable(
    payload: SigV4.Payload?, headerEncoding: SigV4.HeaderEncoding
  ) throws -> SigV4.Request {
    try signable(payload: payload, plus: .space, headerEncoding)
  }

  /// The request itself.
  public var urlRequest: URLRequest? { self }
}

extension URLRequest {
  func signable(
    payload: SigV4.Payload?, plus: SigV4.Query.PlusSign, _ headerEncoding: SigV4.HeaderEncoding
  ) throws -> SigV4.Request {
    guard let url else { throw TransferError.missingURL }
    let request = try SigV4.Request(
      httpMethod ?? "GET", url: url.absoluteURL.absoluteString, plus: plus,
      headers: headerEncoding == .utf8 ? signableHeaders.encodedAsUTF8 : signableHeaders,
      payload: payload ?? bodyPayload())
    return hasBody(payload) ? try request.withContentType() : request
  }

  /// The headers that URLSession sends as they are here, by their names.
  private var signableHeaders: SigV4.Headers {
    var reserved = Self.reservedNames
    if httpShouldHandleCookies { reserved.insert("cookie") }
    let fields = (allHTTPHeaderFields ?? [:]).map { (key: $0.key.lowercased(), $0.key, $0.value) }
      .filter { !reserved.contains($0.key) }
      .sorted { $0.key < $1.key }
    return SigV4.Headers(fields.map { SigV4.Header($0.1, $0.2) })
  }

  /// The digest of the body.
  private func bodyPayload() throws -> SigV4.Payload {
    if httpBodyStream != nil {
      throw TransferError(
        .streamWithoutPayload,
        "The body is an httpBodyStream, which can't be hashed and then sent.",
        fix: "Pass a payload (.digest, or .unsigned over https), or upload a file.")
    }
    return httpBody.map { $0.isEmpty ? .empty : .bytes($0) } ?? .empty
  }

  private func hasBody(_ payload: SigV4.Payload?) -> Bool {
    httpBody?.isEmpty == false || httpBodyStream != nil
      || payload != nil && ["POST", "PUT", "PATCH"].contains(httpMethod ?? "GET")
  }
}

extension SigV4.Request {
  /// The same request with a Content-Type, since URLSession adds an unsigned one to a body without.
  func withContentType() throws -> SigV4.Request {
    // URLSession takes a POST without a type for a form.
    let type = method == "POST" ? "application/x-www-form-urlencoded" : "application/octet-stream"
    return try addingHeaders([SigV4.Header("Content-Type", type)])
  }

  /// The same request with headers that it does not have yet.
  func addingHeaders(_ others: [SigV4.Header]) throws -> SigV4.Request {
    let missing = others.filter { headers.values(named: $0.name).isEmpty }
    if missing.isEmpty { return self }
    return try SigV4.Request(
      method, scheme: scheme, host: host, path: path, query: query,
      headers: headers + SigV4.Headers(missing), payload: payload)
  }
}
