// SPDX-License-Identifier: Apache-2.0
// The values of components in a message (RFC 9421, sections 2.1 to 2.4).

extension MessageSignature.Component {
  /// The value in a message: one line of ASCII.
  func value(in message: HTTPMessage) throws(MessageSignatureError) -> [UInt8] {
    try check()
    let message = try has(.ofRequest) ? request(of: message) : message
    let value = try isDerived ? derivedValue(in: message) : fieldValue(in: message)
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

  private func fieldValue(in message: HTTPMessage) throws(MessageSignatureError) -> [UInt8] {
    let lines = message.lines(name)
    if lines.isEmpty { throw unavailable("isn't in the message") }
    if has(.bytes) {
      return StructuredField.text(
        of: lines.map { .item(StructuredField.Item(value: .bytes($0))) } as [StructuredField.Member]
      )
    }
    let combined = Array(lines.joined(separator: ", ".utf8))
    do throws(StructuredField.ParsingError) {
      if let key {
        let member = try StructuredField.dictionary(combined).all.first { $0.name == key }
        if let member { return StructuredField.text(of: member.value) }
      } else if has(.structured) {
        guard let type = StructuredField.type(ofField: name) else {
          throw StructuredField.ParsingError(problem: "a field of unknown type", offset: 0)
        }
        return StructuredField.text(of: try StructuredField.parse(combined, as: type))
      } else {
        return combined
      }
    } catch { throw unavailable("isn't a valid structured field: " + error.problem) }
    throw unavailable("isn't a member of the field")
  }

  // MARK: Derived components

  private func derivedValue(in message: HTTPMessage) throws(MessageSignatureError) -> [UInt8] {
    switch message.start {
    case .response(let status, _):
      if name.isSpelled("@status") { return Array(String(status).utf8) }
    case .request(let method, let target):
      if let value = try value(method, target) { return value }
    }
    throw unavailable("isn't known, or isn't a part of this kind of message")
  }

  private func value(
    _ method: [UInt8], _ target: RequestTarget
  ) throws(MessageSignatureError) -> [UInt8]? {
    switch name {
    case Array("@method".utf8): return method
    case Array("@target-uri".utf8): return target.uri
    case Array("@authority".utf8): return target.authority
    case Array("@scheme".utf8): return target.scheme
    case Array("@request-target".utf8): return target.requestTarget
    case Array("@path".utf8): return target.path
    case Array("@query".utf8): return [UInt8(ascii: "?")] + (target.query ?? [])
    case Array("@query-param".utf8): return try queryValue(target.query ?? [])
    default: return nil
    }
  }

  private func queryValue(_ query: [UInt8]) throws(MessageSignatureError) -> [UInt8] {
    let values = FormQuery.pairs(query).filter { FormQuery.encode($0.name) == queryName }
    if values.isEmpty { throw unavailable("isn't in the query") }
    if values.count > 1 { throw unavailable("is in the query more than once") }
    return FormQuery.encode(values[0].value)
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
