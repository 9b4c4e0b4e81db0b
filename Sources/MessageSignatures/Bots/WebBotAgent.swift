// SPDX-License-Identifier: Apache-2.0
// The agent that a signature names, in both forms of the field Signature-Agent.

/// The agent of one signature.
struct WebBotAgent {
  static let fieldName = "signature-agent"
  static let tag = "web-bot-auth"
  static let longestLifetime = Duration.seconds(86_400)

  /// An HTTPS origin.
  let origin: String
  /// What the signature covers of the field.
  let component: MessageSignature.Component

  /// Reads the agent of a signature. Nil for a request without an agent, with one that isn't an
  /// origin, or with one whose keys aren't in a directory.
  init?(
    _ signature: ReceivedSignature, of request: HTTPMessage
  ) throws(MessageSignatureError) {
    guard let field = request.value(Self.fieldName.utf8) else { return nil }
    let isString = field.first == UInt8(ascii: "\"")
    let key = isString ? nil : Self.key(of: signature)
    component = key.map { .field(Self.fieldName, key: $0.asString) } ?? .field(Self.fieldName)
    if !signature.covered.contains(component) {
      throw MessageSignatureError(
        .notCovered, "The signature doesn't cover its agent, \(component.description).")
    }
    let item = if let key { try Self.member(key, of: request) } else { try Self.string(field) }
    if let type = item.parameters["type"], !Self.isDirectory(type) { return nil }
    guard case .string(let origin) = item.value, Self.isOrigin(origin) else { return nil }
    self.origin = origin.asString
  }

  /// The key of the member that names the agent: usually the signature's label. Labels are unsigned
  /// and can change in transit (RFC 9421, 7.2.5), so if the signature covers exactly one member,
  /// it's that one. A signature may also cover the members of other signatures.
  private static func key(of signature: ReceivedSignature) -> [UInt8] {
    let keys = signature.covered.filter { $0.name == .field(Array(fieldName.utf8)) }
      .compactMap { $0.key }
    return keys.count == 1 ? keys[0] : signature.label
  }

  private static func string(_ field: [UInt8]) throws(MessageSignatureError) -> StructuredField.Item
  {
    do throws(StructuredField.ParsingError) { return try StructuredField.item(field) } catch {
      throw .malformedField("Signature-Agent", error)
    }
  }

  private static func member(
    _ label: [UInt8], of request: HTTPMessage
  ) throws(MessageSignatureError) -> StructuredField.Item {
    let members = try request.dictionary("Signature-Agent", repeated: .rejected)
    if case .item(let item)? = members?[label] { return item }
    throw .malformedField("Signature-Agent", "has no item for the signature")
  }

  /// A token or a string: the draft shows both.
  private static func isDirectory(_ type: StructuredField.BareItem) -> Bool {
    type == .token(Array("directory".utf8)) || type == .string(Array("directory".utf8))
  }

  /// Returns whether a text is the serialization of an origin (RFC 6454, 6.2): `https://`, a host
  /// in lowercase, and a port if it isn't 443. So each agent has one spelling, and the URL of its
  /// directory can't go elsewhere.
  static func isOrigin(_ text: [UInt8]) -> Bool {
    let scheme = Array("https://".utf8)
    let isHost = text.dropFirst(scheme.count).allSatisfy {
      FieldByte.isLowercase($0) || FieldByte.isDigit($0) || "-.:[]".utf8.contains($0)
    }
    guard text.starts(with: scheme), isHost,
      let target = try? RequestTarget(url: text, of: Array("GET".utf8))
    else { return false }
    let (colon, dot) = (UInt8(ascii: ":"), UInt8(ascii: "."))
    let endsInDot = text.split(separator: colon).contains { $0.last == dot }
    return scheme + target.authority == text && !endsInDot
  }
}
