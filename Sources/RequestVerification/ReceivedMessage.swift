// SPDX-License-Identifier: Apache-2.0
// A received request in signing form: its headers and parameters in canonical order.

internal import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// A request in signing form. Its parts are ranges of one text.
  struct ReceivedMessage: Sendable {
    var message = RequestMessage()

    /// The end of the text.
    var end = 0

    /// The maximum number of signed headers that the request may lack.
    static var maximumMissingHeaders: Int { 16 }

    /// Reads the method, headers and query. Append the path after you know its service.
    ///
    /// - Throws: `invalidRequest` or `repeatedField` for headers that aren't valid HTTP.
    init(_ request: borrowing ReceivedRequest, plus: Query.PlusSign) throws(VerificationError) {
      try request.checkHeaders()
      let source = request.text.bytes.span
      let lines = source.extracting(request.targetRange.upperBound..<request.end)
      let query = source.extracting(request.queryRange)
      var shape = MessageShape()
      shape.fieldCapacity =
        request.fields.count + 1 + Self.maximumMissingHeaders + request.parameterCount
      var end = shape.textStart
      // Usually enough for the re-encoded query, the path twice, and decoded parts.
      let byteCount = request.method.utf8.count + lines.count + 4 * request.targetRange.count
      message.memory.reserve(end + byteCount)
      var text = message.memory.bytes.mutableSpan
      let methodStart = end
      text.append(request.method, &end)
      shape.method = methodStart..<end
      let distance = end - request.targetRange.upperBound
      text.append(lines, &end)
      for field in request.fields { shape.append(header: field.moved(by: distance), &text) }
      if let authority = request.authority, !shape.has(.host) {
        shape.append(header: authority.moved(by: distance), &text)
      }
      // Leave fields for missing signed headers, which are added as empty ones.
      shape.fieldCount += Self.maximumMissingHeaders
      shape.append(receivedQuery: query, plusMeaning: plus.meaning, &text, &end)
      shape.sort(&text)
      message.shape = shape
      self.end = end
    }

    /// Reads the path.
    mutating func append(
      path: ArraySlice<UInt8>, plus: Query.PlusSign
    ) {
      message.memory.reserve(end + 4 * path.count)
      var (shape, position) = (message.shape, end)
      var text = message.memory.bytes.mutableSpan
      shape.append(receivedPath: path.span, plusMeaning: plus.meaning, &text, &position)
      (message.shape, end) = (shape, position)
    }
  }
}

extension SigV4.ReceivedMessage {
  /// The bytes of a range.
  subscript(range: Range<Int>) -> ArraySlice<UInt8> { message.memory.bytes[range] }

  /// Returns the range of a header's value, or nil if it's missing. Rejects a repeated header.
  func value(of header: KnownHeader) throws(SigV4.VerificationError) -> Range<Int>? {
    guard let field = message.shape.field(of: header, in: message.memory.bytes.span)
    else { return nil }
    if message.shape.repeated & header.bit != 0 {
      throw SigV4.VerificationError(
        .repeatedField,
        "Header \(self[field.nameRange].textInUTF8) appears more than once, so another server "
          + "could act on the unverified value.",
        fix: "Check for a proxy that adds it, or reject the client.")
    }
    return field.valueRange
  }

  /// Whether there is a header with this name, in any case.
  func hasHeader(_ name: String) -> Bool {
    let text = message.memory.bytes.span
    return message.shape.headers.contains {
      ASCIIByte.equalIgnoringCase(self[text.field($0).nameRange], name.utf8)
    }
  }

  /// Percent-decodes a range, and returns the range of the result.
  mutating func decode(_ range: Range<Int>) -> Range<Int> {
    message.memory.reserve(end + range.count)
    var position = end
    var text = message.memory.bytes.mutableSpan
    let decoded = text.decode(range, &position)
    end = position
    return decoded
  }
}

extension SigV4.ReceivedMessage: Equatable {
  /// Whether the method, headers, path and query are the same.
  static func == (left: Self, right: Self) -> Bool {
    left.message.hasSameText(as: right.message) && left.lines == right.lines
  }

  private var lines: [ArraySlice<UInt8>] {
    let text = message.memory.bytes.span
    return message.shape.headers.map { self[text.field($0).range] }
  }
}
