// SPDX-License-Identifier: Apache-2.0
// A received HTTP/1.1 request, whose body is read in constant memory.

internal import RequestSigning
internal import RequestVerification

/// A received request: an HTTP/1.1 message or a URL.
struct ReceivedMessage {
  let request: SigV4.ReceivedRequest
  let method: String
  let target: String

  /// The header fields as strings.
  let headers: SigV4.Headers

  /// Nil for a URL.
  private var message: RawMessage?

  /// The number of body bytes read.
  var bodyByteCount: Int { message?.bodyByteCount ?? 0 }

  /// Creates a request without a body to a URL, as a client sends it.
  init(_ method: String, url: String, headers: SigV4.Headers) throws {
    let parts = try SigV4.Request(method, url: url, headers: headers)
    self.headers = SigV4.Headers([SigV4.Header("host", parts.host)]) + parts.headers
    self.method = method
    target = Self.target(ofURL: url)
    request = SigV4.ReceivedRequest(
      method, target: target, scheme: parts.scheme, headers: self.headers)
  }

  /// Reads the head of an HTTP/1.1 request.
  init(reading read: @escaping () throws -> ArraySlice<UInt8>) throws {
    let message = try RawMessage(.request, reading: read)
    let (method, target) = try Self.requestLine(message.firstLine)
    var request = SigV4.ReceivedRequest(method, target: target)
    for field in message.fields { request.append(field.name, field.value) }
    self.request = request
    self.method = method
    self.target = String(decoding: target, as: UTF8.self)
    headers = message.headers
    self.message = message
  }

  /// Returns the next bytes of the body, or nil at its end.
  mutating func nextPortion() throws -> ArraySlice<UInt8>? { try message?.nextPortion() }

  /// Parses method, target and version (RFC 9112, 3). The target may contain spaces that should
  /// have been encoded.
  private static func requestLine(
    _ line: [UInt8]
  ) throws -> (method: String, target: ArraySlice<UInt8>) {
    guard let first = line.firstIndex(of: 0x20), let last = line.lastIndex(of: 0x20),
      first < last, line[(last + 1)...].starts(with: "HTTP/".utf8)
    else {
      throw RawMessage.Kind.request.malformed(
        "its first line isn't METHOD TARGET HTTP/1.1", fix: "Add the request line.")
    }
    return (String(decoding: line[..<first], as: UTF8.self), line[(first + 1)..<last])
  }

  /// The path and query of a URL, byte for byte.
  private static func target(ofURL url: String) -> String {
    let text = url.utf8.prefix { $0 != UInt8(ascii: "#") }
    let slashes = text.firstIndex(of: UInt8(ascii: ":")).map { text[$0...].dropFirst(3) }
    let target = (slashes ?? text).drop {
      $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?")
    }
    let path = String(decoding: target, as: UTF8.self)
    return path.hasPrefix("/") ? path : "/" + path
  }
}
