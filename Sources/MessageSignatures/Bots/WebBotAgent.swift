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

  /// Reads the agent of a signature. Nil for a request without an agent, or with one whose keys
  /// aren't in a directory.
  init?(
    _ signature: ReceivedSignature, of request: HTTPMessage
  ) throws(MessageSignatureError) {
    guard let field = request.value(Self.fieldName.utf8) else { return nil }
    // It may also cover the members of other signatures.
    let isString = field.first == UInt8(ascii: "\"")
    let component: MessageSignature.Component =
      isString ? .field(Self.fieldName) : .field(Self.fieldName, key: signature.label.asString)
    if !signature.covered.contains(component) {
      throw MessageSignatureError(
        .notCovered, "The signature doesn't cover its agent, \(component.description).")
    }
    self.component = component
    let item = try isString ? Self.string(field) : Self.member(signature.label, of: request)
    if let type = item.parameters["type"], !Self.isDirectory(type) { return nil }
    guard case .string(let origin) = item.value, Self.isOrigin(origin) else {
      throw .malformedField("Signature-Agent", "isn't an HTTPS origin in quotation marks")
    }
    self.origin = origin.asString
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

  /// Returns whether a text is `https://`, a host in lowercase and possibly a port. So each agent
  /// has one spelling, and the URL of its directory can't go elsewhere.
  static func isOrigin(_ text: [UInt8]) -> Bool {
    let scheme = Array("https://".utf8)
    let isHost = text.dropFirst(scheme.count).allSatisfy {
      FieldByte.isLowercase($0) || FieldByte.isDigit($0) || "-.:[]".utf8.contains($0)
    }
    guard text.starts(with: scheme), isHost,
      let target = try? RequestTarget(url: text, of: Array("GET".utf8))
    else { return false }
    return scheme + target.authority == text
  }
}
