// SPDX-License-Identifier: Apache-2.0
// HTTP Message Signatures (RFC 9421) of URLRequest and HTTPURLResponse, as of a `Date`, or now.

public import MessageSignatures
internal import RequestSigning

#if canImport(FoundationNetworking)
  public import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension HTTPMessage {
  /// Creates the message of a request that URLSession sends, without the headers that it adds, such
  /// as Host.
  ///
  /// - Throws: `MessageSignatureError` with `invalidRequest` if the URL isn't absolute.
  public init(_ request: URLRequest) throws(MessageSignatureError) {
    // URLSession doesn't send a fragment.
    let url = request.url?.absoluteURL.absoluteString.prefix { $0 != "#" } ?? ""
    let fields = (request.allHTTPHeaderFields ?? [:]).map { (name: $0.key, value: $0.value) }
    try self.init(method: request.httpMethod ?? "GET", url: String(url), fields: fields)
  }

  /// Creates the message of a response, for a signature that may cover parts of its request.
  ///
  /// URLSession decompresses bodies, but `Content-Digest` belongs to the compressed body: set
  /// `Accept-Encoding` to `identity` in the request.
  ///
  /// - Throws: `MessageSignatureError` with `invalidRequest` if the URL of the request isn't
  ///   absolute.
  public init(
    _ response: HTTPURLResponse, to request: URLRequest
  ) throws(MessageSignatureError) {
    var fields: [(name: String, value: String)] = []
    for case (let name as String, let value as String) in response.allHeaderFields {
      fields.append((name, value))
    }
    try self.init(status: response.statusCode, fields: fields, to: HTTPMessage(request))
  }
}

/// For a `URLRequest`, and as of a date, or now. Parameters and errors are the same as with a
/// message.
extension MessageSigner {
  /// Signs a request with its `httpBody`. Send the result unchanged.
  ///
  ///     let (data, response) = try await URLSession.shared.data(for: signer.sign(request))
  ///
  /// - Throws: `MessageSignatureError`, and `TransferError` with `streamWithoutPayload` for an
  ///   `httpBodyStream`, or `requestWouldChange` for a path with dot segments or a GET with a body.
  public func sign(
    _ request: URLRequest, at date: Date = Date(), nonce: String? = nil
  ) throws -> URLRequest {
    try request.signed { try sign($0, body: $1, at: date, nonce: nonce) }
  }

  /// Signs a message as of a date, or now.
  public func sign(
    _ message: HTTPMessage, body: some Collection<UInt8>, at date: Date = Date(),
    nonce: String? = nil
  ) throws(MessageSignatureError) -> HTTPMessage {
    try sign(message, body: body, at: MessageSignature.Time(date), nonce: nonce)
  }
}

/// As of a date, or now. Parameters and errors are the same as with a time.
extension MessageVerifier {
  /// Verifies a message and its body.
  public func verify(
    _ message: HTTPMessage, body: some Collection<UInt8>, at date: Date = Date()
  ) throws(MessageSignatureError) -> VerifiedMessage {
    try verify(message, body: body, at: MessageSignature.Time(date))
  }
}

/// For a `URLRequest`, and as of a date, or now. Parameters and errors are the same as with a
/// message.
extension WebBotAuthSigner {
  /// Signs a request with its `httpBody`. Send the result unchanged.
  ///
  ///     let (data, response) = try await URLSession.shared.data(for: bot.sign(request))
  ///
  /// - Throws: `MessageSignatureError`, and `TransferError` with `streamWithoutPayload` for an
  ///   `httpBodyStream`, or `requestWouldChange` for a path with dot segments or a GET with a body.
  public func sign(
    _ request: URLRequest, at date: Date = Date(), nonce: String? = nil
  ) throws -> URLRequest {
    try request.signed { try sign($0, body: $1, at: date, nonce: nonce) }
  }

  /// Signs a message as of a date, or now.
  public func sign(
    _ message: HTTPMessage, body: some Collection<UInt8>, at date: Date = Date(),
    nonce: String? = nil
  ) throws(MessageSignatureError) -> HTTPMessage {
    try sign(message, body: body, at: MessageSignature.Time(date), nonce: nonce)
  }
}

/// As of a date, or now. Parameters are the same as with a time.
extension WebBotAuthVerifier {
  /// Verifies a request and its body.
  public func verify(
    _ request: HTTPMessage, body: some Collection<UInt8>, at date: Date = Date()
  ) -> Outcome {
    verify(request, body: body, at: MessageSignature.Time(date))
  }
}

extension URLRequest {
  /// The request with the fields that signing adds to its message.
  fileprivate func signed(
    _ sign: (HTTPMessage, Data) throws -> HTTPMessage
  ) throws -> URLRequest {
    if httpBodyStream != nil && httpBody == nil {
      throw TransferError(
        .streamWithoutPayload,
        "The body is an httpBodyStream, which can't be hashed and then sent.",
        fix: "Set httpBody.")
    }
    try Body(of: self, nil).check(method: httpMethod ?? "GET")
    if URL.hasDotSegment(url?.absoluteURL.absoluteString ?? "") {
      throw TransferError(
        .requestWouldChange,
        "The path contains a '.' or '..' segment, which URL loaders resolve (RFC 3986, 5.2.4).",
        fix: "Resolve it before signing: 'url.standardized'.")
    }
    let message = try HTTPMessage(self)
    var result = self
    for field in try sign(message, httpBody ?? Data()).fields.dropFirst(message.fields.count) {
      result.addValue(field.value, forHTTPHeaderField: field.name)
    }
    return result
  }
}
