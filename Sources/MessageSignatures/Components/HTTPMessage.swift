// SPDX-License-Identifier: Apache-2.0
// A request or a response, with everything of it that a signature can cover.

public import SecureHashing

/// An HTTP request or response, with the parts that a signature can cover.
///
/// Pass them as they're sent, byte for byte: nothing is decoded, encoded or sorted.
///
///     let request = try HTTPMessage(
///       method: "POST", url: "https://api.example.com/orders?draft=1",
///       fields: [("Content-Type", "application/json")])
public struct HTTPMessage: Sendable {
  /// The header fields, one element for each line, in the order they're sent in.
  ///
  /// Signing adds lines. Send all of them.
  public var fields: [(name: String, value: String)]

  let start: Start

  /// What precedes the fields.
  indirect enum Start: Sendable {
    case request(method: [UInt8], RequestTarget)
    case response(status: Int, to: HTTPMessage?)
  }

  /// Creates the request that a client sends.
  ///
  /// - Parameters:
  ///   - method: the method, such as `POST`. Its case matters.
  ///   - url: the absolute URL as it's sent: encoded, and without a fragment. An empty path becomes
  ///     `/`, and with `OPTIONS` it's the whole server, `*` (RFC 9112, section 3.2.4).
  ///   - fields: the header fields, one element for each line.
  /// - Throws: `invalidRequest` if the method isn't a token, or the URL isn't such a URL.
  public init(
    method: String, url: String, fields: [(name: String, value: String)]
  ) throws(MessageSignatureError) {
    let method = Array(method.utf8)
    self.start = .request(method: method, try RequestTarget(url: Array(url.utf8), of: method))
    self.fields = fields
  }

  /// Creates a request that a server received.
  ///
  /// - Parameters:
  ///   - method: the method of the request line.
  ///   - scheme: `https` or `http`, as the client used it.
  ///   - authority: this server's name as clients use it, with the port unless it's the default.
  ///     Take it from your configuration, or compare the Host field with your names first: a
  ///     request that's signed for another server must not be valid here.
  ///   - target: the request target of the request line, such as `/orders?draft=1`, not decoded.
  ///   - fields: the header fields, one element for each line.
  /// - Throws: `invalidRequest` if the method isn't a token, the parts aren't those of a URL, or an
  ///   absolute target names another server.
  public init(
    method: String, scheme: String, authority: String, target: String,
    fields: [(name: String, value: String)]
  ) throws(MessageSignatureError) {
    let method = Array(method.utf8)
    let origin = Array((scheme + "://" + authority).utf8)
    self.start = .request(
      method: method, try RequestTarget(origin: origin, target: Array(target.utf8), of: method))
    self.fields = fields
  }

  /// Creates a response.
  ///
  /// - Parameters:
  ///   - status: the status code: 100 to 999.
  ///   - fields: the header fields, one element for each line.
  ///   - request: the request of this response. It's needed for components such as
  ///     `.method.ofRequest`.
  /// - Throws: `invalidRequest` if the status isn't three digits.
  public init(
    status: Int, fields: [(name: String, value: String)],
    to request: HTTPMessage? = nil
  ) throws(MessageSignatureError) {
    guard (100...999).contains(status) else {
      throw .invalidRequest("The status \(status) isn't three digits.")
    }
    self.start = .response(status: status, to: request)
    self.fields = fields
  }
}

extension HTTPMessage: Redacted {
  /// The kind of message, never a field or a query: they may contain secrets.
  public var description: String {
    if case .response(let status, _) = start { return "HTTPMessage(\(status))" }
    return "HTTPMessage(request)"
  }
}

extension HTTPMessage {
  /// The values of a field's lines, without folds and surrounding whitespace (RFC 9421, section
  /// 2.1).
  func lines(_ name: some Collection<UInt8>) -> [[UInt8]] {
    fields.lazy
      .filter { $0.name.utf8.isSameField(as: name) }
      .map { Self.unfolded(Array($0.value.utf8)) }
  }

  /// The combined value of a field's lines, or nil for a field that isn't in the message.
  func value(_ name: some Collection<UInt8>) -> [UInt8]? {
    let lines = lines(name)
    return lines.isEmpty ? nil : Array(lines.joined(separator: ", ".utf8))
  }

  /// The members of a field that's a dictionary, or nil for a field that isn't in the message.
  func dictionary(
    _ name: String, repeated: StructuredField.RepeatedNames = .replaced
  ) throws(MessageSignatureError) -> StructuredField.Named<StructuredField.Member>? {
    guard let value = value(name.utf8) else { return nil }
    do throws(StructuredField.ParsingError) {
      return try StructuredField.dictionary(value, repeated: repeated)
    } catch { throw .malformedField(name, error) }
  }

  /// A line with a space for each fold and the whitespace around it (RFC 9112, section 5.2). Takes
  /// a time that's proportional to the length.
  private static func unfolded(_ value: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = value[...]
    while let byte = rest.first {
      let lineBreak = rest.starts(with: "\r\n".utf8) ? 2 : byte == 0x0A ? 1 : 0
      let next = rest.dropFirst(lineBreak)
      if lineBreak > 0, let first = next.first, FieldByte.isBlank(first) {
        while let last = result.last, FieldByte.isBlank(last) { result.removeLast() }
        result.append(0x20)
        rest = next.drop(while: FieldByte.isBlank)
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return trimmed(result)
  }

  private static func trimmed(_ value: [UInt8]) -> [UInt8] {
    let start = value.drop(while: FieldByte.isBlank)
    return start.lastIndex { !FieldByte.isBlank($0) }.map { Array(start[...$0]) } ?? []
  }
}
