// SPDX-License-Identifier: Apache-2.0
// HTTP Message Signatures: what is signed is verified, what was changed isn't, and structured fields keep their values.

internal import DigitalSignatures
@testable internal import MessageSignatures

enum MessageSignatureTargets {
  /// A place to change, a method, a target, components, parameters, fields, and a body.
  static func messages(_ input: FuzzInput) {
    var input = input
    let (kind, place) = (input.number(), input.number() << 8 | input.number())
    let (method, target) = (input.line(), input.line())
    let list = "(" + input.line() + ")" + input.line()
    let fields = input.pairs().map { (name: $0.name.text, value: $0.value.text) }
    let body = input.bytes
    guard var message = message(kind, method, target, fields) else { return }
    _ = try? verifier.verify(message, body: body, at: now)
    guard let members = try? StructuredField.dictionary(Array(("x=" + list).utf8)),
      case .innerList(let covered)? = members["x"]
    else { return }
    do {
      try message.sign(covered, label: "fuzz", with: .ed25519(key))
    } catch { return }
    let base = required("what is signed has a base") {
      try MessageSignature.base(of: message, label: "fuzz")
    }
    expect(base.allSatisfy { (0x20...0x7E).contains($0) || $0 == 9 || $0 == 10 }, "in ASCII")
    expect(base.filter { $0 == 10 }.count == covered.items.count, "a line for each component")
    guard let verified = try? verifier.verify(message, body: body, at: now) else { return }
    expect(verified.covered.count == covered.items.count, "all components are handed out")
    expect(verified.covered.allSatisfy { verified[$0] != nil }, "with their values")

    var changed = message
    let index = place % changed.fields.count
    var value = Array(changed.fields[index].value.utf8)
    if value.isEmpty { value = [0x61] } else { value[place % value.count] ^= 1 }
    changed.fields[index].value = value.text
    if (try? verifier.verify(changed, body: body, at: now)) != nil {
      let same = try? MessageSignature.base(of: changed, label: "fuzz")
      expect(same == base, "a change of what is covered is noticed")
    }
    let accepted = try? verifier.verify(message, body: body + [0], at: now)
    expect(accepted == nil, "a longer body is noticed")
  }

  /// A request in one of three forms, or a response.
  private static func message(
    _ kind: Int, _ method: String, _ target: String, _ fields: [(name: String, value: String)]
  ) -> HTTPMessage? {
    let sent = try? HTTPMessage(method: method, url: target, fields: fields)
    let received = try? HTTPMessage(
      method: method, scheme: "https", authority: "a.example", target: target, fields: fields)
    switch kind % 3 {
    case 0: return received
    case 1: return sent
    default: return try? HTTPMessage(status: 100 + kind, fields: fields, to: received ?? sent)
    }
  }

  /// The type of a field, and the field.
  static func structuredFields(_ input: FuzzInput) {
    var input = input
    let types: [StructuredField.FieldType] = [.dictionary, .list, .item]
    let type = types[input.number() % 3]
    guard let value = try? StructuredField.parse(input.bytes, as: type) else { return }
    let text = StructuredField.text(of: value)
    let again = required("what is written is read") { try StructuredField.parse(text, as: type) }
    expect(StructuredField.text(of: again) == text, "and is written alike")
  }

  private static let now = MessageSignature.Time(unixSeconds: 1_700_000_000)
  private static let key = required("the key is one") {
    try Curve25519.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 1, count: 32))
  }
  private static let verifier = MessageVerifier(requiring: [], label: "fuzz") {
    [publicKey = key.publicKey] _ in .ed25519(publicKey)
  }
}
