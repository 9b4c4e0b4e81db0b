// SPDX-License-Identifier: Apache-2.0
// The values of components in a message (RFC 9421, sections 2.1 to 2.4).

/// The parsed parts of a message and its request, so that each is parsed only once.
struct ParsedParts {
  /// The members of the fields that are dictionaries.
  var dictionaries: [MessageSignature.Component: StructuredField.Named<StructuredField.Member>] =
    [:]
  /// The values of the query, by their encoded names. Only a request has one.
  var queryValues: [[UInt8]: [[UInt8]]]?
}

extension MessageSignature.Component {
  /// The value in a message: one line of ASCII.
  func value(
    in message: HTTPMessage, _ parsed: inout ParsedParts
  ) throws(MessageSignatureError) -> [UInt8] {
    try check()
    let message = try has(.ofRequest) ? request(of: message) : message
    let value: [UInt8]
    switch name {
    case .field(let name): value = try fieldValue(name, in: message, &parsed)
    case .derived(let component): value = try derivedValue(component, in: message, &parsed)
    }
    if !value.allSatisfy({ FieldByte.isPrintable($0) || $0 == 0x09 }) {
      throw unavailable("has a newline, a control character, or a character that isn't ASCII")
    }
    return value
  }

  private func request(of message: HTTPMessage) throws(MessageSignatureError) -> HTTPMessage {
    if case .response(_, let request?) = message.start { return request }
    throw unavailable("needs the request of a response")
  }

  // MARK: Fields

  private func fieldValue(
    _ name: [UInt8], in message: HTTPMessage, _ parsed: inout ParsedParts
  ) throws(MessageSignatureError) -> [UInt8] {
    if let key {
      guard let member = try dictionary(name, in: message, &parsed)[key] else {
        throw unavailable("isn't a member of the field")
      }
      return StructuredField.text(of: member)
    }
    let combined = try combinedValue(name, in: message)
    if has(.bytes) {
      return StructuredField.text(
        of: message.lines(name).map { .item(StructuredField.Item(value: .bytes($0))) }
          as [StructuredField.Member])
    }
    if !has(.structured) { return combined }
    guard let type = StructuredField.type(ofField: name) else {
      throw unavailable("isn't a structured field of a known type")
    }
    do throws(StructuredField.ParsingError) {
      return StructuredField.text(of: try StructuredField.parse(combined, as: type))
    } catch { throw invalidField(error) }
  }

  /// All members of the field.
  private func dictionary(
    _ name: [UInt8], in message: HTTPMessage, _ parsed: inout ParsedParts
  ) throws(MessageSignatureError) -> StructuredField.Named<StructuredField.Member> {
    let field = wholeField
    if let members = parsed.dictionaries[field] { return members }
    let combined = try combinedValue(name, in: message)
    do throws(StructuredField.ParsingError) {
      let members = try StructuredField.dictionary(combined)
      parsed.dictionaries[field] = members
      return members
    } catch { throw invalidField(error) }
  }

  private func combinedValue(
    _ name: [UInt8], in message: HTTPMessage
  ) throws(MessageSignatureError) -> [UInt8] {
    guard let value = message.value(name) else { throw unavailable("isn't in the message") }
    return value
  }

  private func invalidField(_ error: StructuredField.ParsingError) -> MessageSignatureError {
    unavailable("isn't a valid structured field: " + error.problem)
  }

  // MARK: Derived components

  private func derivedValue(
    _ component: DerivedComponent, in message: HTTPMessage, _ parsed: inout ParsedParts
  ) throws(MessageSignatureError) -> [UInt8] {
    switch (component, message.start) {
    case (.method, .request(let method, _)): return method
    case (.targetURI, .request(_, let target)): return target.uri
    case (.authority, .request(_, let target)): return target.authority
    case (.scheme, .request(_, let target)): return target.scheme
    case (.requestTarget, .request(_, let target)): return target.requestTarget
    case (.path, .request(_, let target)): return target.path
    case (.query, .request(_, let target)): return [UInt8(ascii: "?")] + (target.query ?? [])
    case (.queryParameter, .request(_, let target)):
      return try queryValue(target.query ?? [], &parsed)
    case (.status, .response(let status, _)): return Array(String(status).utf8)
    case (.status, .request), (_, .response):
      throw unavailable("isn't a part of this kind of message")
    }
  }

  private func queryValue(
    _ query: [UInt8], _ parsed: inout ParsedParts
  ) throws(MessageSignatureError) -> [UInt8] {
    let all = parsed.queryValues ?? FormQuery.values(query)
    parsed.queryValues = all
    guard let values = queryName.flatMap({ all[$0] }) else {
      throw unavailable("isn't in the query")
    }
    if values.count > 1 { throw unavailable("is in the query more than once") }
    return FormQuery.encode(values[0])
  }
}

extension StructuredField {
  /// The types of the fields that `sf` can name, from the Hypertext Transfer Protocol (HTTP) Field
  /// Name Registry.
  static func type(ofField name: [UInt8]) -> FieldType? {
    let types: [(FieldType, [String])] = [
      (.item, ["client-cert"]), (.list, ["cache-status", "client-cert-chain", "proxy-status"]),
      (
        .dictionary,
        [
          "accept-signature", "content-digest", "priority", "repr-digest", "signature",
          "signature-agent", "signature-input", "want-content-digest", "want-repr-digest",
        ]
      ),
    ]
    return types.first { $0.1.contains { name.isSpelled($0) } }?.0
  }
}
