// SPDX-License-Identifier: Apache-2.0
// A received request in signing form: its headers and parameters in canonical order.

internal import RequestSigning

extension SigV4 {
  /// A request in signing form. Its parts are ranges of one text. It can't be copied, so that
  /// passing it copies neither the text nor its ranges.
  struct ReceivedMessage: ~Copyable, Sendable {
    var memory = TextMemory()
    var shape = MessageShape()

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
      memory.reserve(end + byteCount)
      var text = memory.bytes.mutableSpan
      let methodStart = end
      text.append(request.method, &end)
      shape.method = methodStart..<end
      let distance = end - request.targetRange.upperBound
      text.append(lines, &end)
      for index in request.fields.indices {
        shape.addHeader(request.fields[index].moved(by: distance), &text)
      }
      if let authority = request.authority, !shape.has(.host) {
        shape.addHeader(authority.moved(by: distance), &text)
      }
      // Leave fields for missing signed headers, which are added as empty ones.
      shape.fieldCount += Self.maximumMissingHeaders
      shape.readQuery(received: query, plusMeaning: plus.meaning, &text, &end)
      shape.sort(&text)
      (self.shape, self.end) = (shape, end)
    }

    /// Reads the path.
    mutating func append(
      path: ArraySlice<UInt8>, plus: Query.PlusSign
    ) {
      memory.reserve(end + 4 * path.count)
      var (shape, position) = (shape, end)
      var text = memory.bytes.mutableSpan
      shape.readPath(received: path.span, plusMeaning: plus.meaning, &text, &position)
      (self.shape, end) = (shape, position)
    }
  }
}

extension SigV4.ReceivedMessage {
  /// The bytes of a range.
  subscript(range: Range<Int>) -> ArraySlice<UInt8> { memory.bytes[range] }

  /// Returns the range of a header's value, or nil if it's missing. Rejects a repeated header.
  func value(of header: KnownHeader) throws(SigV4.VerificationError) -> Range<Int>? {
    guard let field = shape.field(of: header, in: memory.bytes.span)
    else { return nil }
    if shape.repeated & header.bit != 0 {
      throw SigV4.VerificationError(
        .repeatedField,
        "Header \(self[field.nameRange].textInUTF8) appears more than once, so another server "
          + "could act on the unverified value.",
        fix: "Check for a proxy that adds it, or reject the client.")
    }
    return field.valueRange
  }

  /// Returns the range of the header of a signature's field, or nil if it's missing.
  func value(
    of field: SignatureField, _ names: SignatureNames
  ) throws(SigV4.VerificationError) -> Range<Int>? {
    guard let header = names.knownHeader(field) else { return nil }
    return try value(of: header)
  }

  /// A header or parameter, as it's signed.
  typealias Field = (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)

  /// The signed headers, sorted, with repeated names.
  var headers: [Field] { fields(shape.headers) }

  /// The signed parameters, sorted and percent-encoded.
  var parameters: [Field] { fields(shape.parameters) }

  private func fields(_ indices: Range<Int>) -> [Field] {
    let bytes = memory.bytes
    return indices.map { index in
      let field = bytes.span.field(index)
      return (bytes[field.nameRange], bytes[field.valueRange])
    }
  }

  /// Whether there is a header with this name, in any case.
  func hasHeader(_ name: String) -> Bool {
    headers.contains { ASCIIByte.equalIgnoringCase($0.name, name.utf8) }
  }

  /// Removes parameters from the signed query by name.
  mutating func removeParameters(where isUnsigned: (TextSpan) -> Bool) {
    var shape = shape
    var text = memory.bytes.mutableSpan
    shape.removeParameters(from: &text, where: isUnsigned)
    self.shape = shape
  }

  /// Percent-decodes a range, and returns the range of the result.
  mutating func decode(_ range: Range<Int>) -> Range<Int> {
    memory.reserve(end + range.count)
    var position = end
    var text = memory.bytes.mutableSpan
    let decoded = text.decode(range, &position)
    end = position
    return decoded
  }
}

extension SigV4.ReceivedMessage {
  /// Whether the method, headers, path and query are the same.
  static func == (left: borrowing Self, right: borrowing Self) -> Bool {
    left.shape.hasSameText(left.memory.bytes.span, as: right.shape, right.memory.bytes.span)
      && left.headers.elementsEqual(right.headers) { $0 == $1 }
  }
}
