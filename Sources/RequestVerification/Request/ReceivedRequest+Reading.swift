// SPDX-License-Identifier: Apache-2.0
// Reads a received request into signing form, where it is: its headers and parameters in canonical
// order.

internal import RequestSigning

extension SigV4.ReceivedRequest {
  /// Rejects an invalid request line, and one that other parsers may read differently (RFC 9112,
  /// 3.2).
  mutating func checkRequestLine() throws(SigV4.VerificationError) {
    if isTooLarge { throw .requestTooLarge }
    if unsafe !method.withBytesInUTF8(ASCIIByte.isToken) {
      throw SigV4.VerificationError(
        .invalidRequest,
        "\(UTF8Text.quoted(method)) isn't a valid HTTP method.",
        fix: "Check the code that splits the request line.")
    }
    let (path, query) = (path, query)
    var text = message.memory.bytes.mutableSpan
    let isPathStrict = text.isStrictPath(withinText: path)
    let isQueryStrict = text.isStrictQuery(withinText: query)
    let isPath = !path.isEmpty && text.byte(at: path.lowerBound) == ASCIIByte.slash
    (self.isPathStrict, self.isQueryStrict) = (isPathStrict, isQueryStrict)
    if !isPath {
      throw SigV4.VerificationError(
        .invalidRequest,
        "The target \(SigV4.shown(message[path])) doesn't start with '/', but only paths are "
          + "signed.",
        fix: "Pass the target of the request line, without scheme and host.")
    }
    if !isPathStrict || !isQueryStrict { try checkTarget() }
  }

  /// Rejects '#' and '\', where some URL parsers end the path or read '/', and characters that no
  /// target contains.
  private func checkTarget() throws(SigV4.VerificationError) {
    let target = message[target]
    guard let offset = target.span.positionOfInvalidTargetByte else { return }
    let byte = target[target.startIndex + offset]
    throw SigV4.VerificationError(
      .invalidRequest,
      "The target contains an unencoded \(UTF8Text.quoted([byte])) at offset \(offset), where some "
        + "URL parsers end or change the path (RFC 3986, 3.3).",
      fix: "Check for a client that builds URLs by hand.")
  }

  /// Reads the headers and the query. Read the path after you know its service.
  ///
  /// - Throws: `invalidRequest` or `repeatedField` for headers that aren't valid HTTP.
  mutating func readFields(plus: SigV4.Query.PlusSign) throws(SigV4.VerificationError) {
    try checkHeaders()
    // Usually there's space for the decoded parameters.
    message.memory.reserve(end + query.count)
    let (authority, query) = (authority, query)
    let isRead = Self.readFields(
      authority, isQueryStrict ? query : nil, &message.memory, &message.shape)
    if !isRead {
      // The parameters are encoded again, and then decoded.
      message.memory.reserve(end + 6 * query.count)
      Self.readQuery(query, plus, &message.memory, &message.shape, &end)
    }
  }

  /// The query, after the first '?'.
  var query: Range<Int> { min(path.upperBound + 1, target.upperBound)..<target.upperBound }

  /// Returns whether the query was read. It's nil if it isn't in strict form.
  private static func readFields(
    _ authority: MessageField?, _ query: Range<Int>?, _ memory: inout TextMemory,
    _ shape: inout MessageShape
  ) -> Bool {
    var text = memory.bytes.mutableSpan
    if let authority, !shape.has(.host) { shape.addHeader(authority, &text) }
    // Leave fields for missing signed headers, which are added as empty ones.
    shape.fieldCount += maximumMissingHeaders
    let isRead = query.map { shape.readStrictQuery(inPlace: $0, &text) } ?? false
    shape.sort(&text)
    return isRead
  }

  private static func readQuery(
    _ query: Range<Int>, _ plus: SigV4.Query.PlusSign, _ memory: inout TextMemory,
    _ shape: inout MessageShape, _ end: inout Int
  ) {
    var text = memory.bytes.mutableSpan
    shape.readReencodedQuery(inPlace: query, plusMeaning: plus.meaning, &text, &end)
    shape.sort(&text)
  }

  /// Reads the path.
  mutating func readPath(plus: SigV4.Query.PlusSign) {
    let (path, isPathStrict) = (path, isPathStrict)
    // A copy, and up to three bytes for one.
    if !isPathStrict { message.memory.reserve(end + 4 * path.count) }
    Self.readPath(
      path, isStrict: isPathStrict, plus, &message.memory, &message.shape, &end)
  }

  private static func readPath(
    _ path: Range<Int>, isStrict: Bool, _ plus: SigV4.Query.PlusSign, _ memory: inout TextMemory,
    _ shape: inout MessageShape, _ end: inout Int
  ) {
    var text = memory.bytes.mutableSpan
    shape.readPath(inPlace: path, isStrict: isStrict, plusMeaning: plus.meaning, &text, &end)
  }

  /// Rejects invalid header names (RFC 9110, 5.6.2), values that could forge a line of the
  /// canonical request, and several hosts.
  private func checkHeaders() throws(SigV4.VerificationError) {
    if let invalidHeader {
      // Behind a wrong character, there may be a value.
      let name = UTF8Text.quoted(ASCIIByte.startOfName(invalidHeader.name))
      throw SigV4.VerificationError(
        .invalidRequest,
        invalidHeader.isOfValue
          ? "The value of header \(name) contains a control character, which could forge other "
            + "headers."
          : "\(name) isn't a valid header name (RFC 9110, 5.6.2).",
        fix: invalidHeader.isOfValue
          ? "Use a server that rejects such requests."
          : "Remove what the server itself adds, such as :path.")
    }
    guard let authority else { return }
    let text = message.memory.bytes.span
    var isSame = authorityCount == 1
    for index in message.shape.headers where text.field(index).isHeader(.host) {
      let value = text.extracting(text.field(index).valueRange)
      isSame = isSame && value.hasSameBytes(as: text.extracting(authority.valueRange))
    }
    if isSame { return }
    throw SigV4.VerificationError(
      .repeatedField,
      "The request names several hosts in :authority and Host, so another server could act on the "
        + "unverified one.",
      fix: "Use a server that rejects such requests.")
  }
}

extension SigV4.ReceivedRequest {
  /// Returns the range of a header's value, or nil if it's missing. Rejects a repeated header.
  @inline(__always)
  func value(of header: KnownHeader) throws(SigV4.VerificationError) -> Range<Int>? {
    message.shape.has(header) ? try presentValue(of: header) : nil
  }

  private func presentValue(
    of header: KnownHeader
  ) throws(SigV4.VerificationError) -> Range<Int>? {
    guard let field = message.shape.field(of: header, in: message.memory.bytes.span)
    else { return nil }
    if message.shape.repeated & header.bit != 0 {
      throw SigV4.VerificationError(
        .repeatedField,
        "Header \(message[field.nameRange].textInUTF8) appears more than once, so another server "
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

extension RequestMessage {
  /// The bytes of a range.
  subscript(range: Range<Int>) -> ArraySlice<UInt8> { memory.bytes[range] }

  /// A header or parameter, as it's signed.
  typealias Field = (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)

  /// The signed headers, sorted, with repeated names.
  var headers: [Field] { fields(shape.headers) }

  /// The signed parameters, sorted and percent-encoded.
  var parameters: [Field] { fields(shape.parameters) }

  private func fields(_ indices: Range<Int>) -> [Field] {
    indices.map { index in
      let field = memory.bytes.span.field(index)
      return (self[field.nameRange], self[field.valueRange])
    }
  }

  /// Whether there is a header with this name, in any case.
  func hasHeader(_ name: String) -> Bool {
    headers.contains { ASCIIByte.equalIgnoringCase($0.name, name.utf8) }
  }

  /// Whether the method, headers, path and query are the same.
  func isSame(as other: RequestMessage) -> Bool {
    shape.hasSameText(memory.bytes.span, as: other.shape, other.memory.bytes.span)
      && headers.elementsEqual(other.headers) { $0 == $1 }
  }
}
