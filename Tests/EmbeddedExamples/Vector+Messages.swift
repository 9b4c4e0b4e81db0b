// SPDX-License-Identifier: Apache-2.0
// Ed25519, and the message signatures of bots, which use structured fields and Content-Digest too.

import DigitalSignatures
import MessageSignatures
import SecureHashing

/// Whose signatures are valid; and the signatures of the vectors with a seed.
func curveSignatures(_ name: StaticString, _ table: StaticString) -> Int {
  var tally = Tally()
  Vector.forEach(in: table) { vector in
    let message = vector.decoded("message")
    let signature = vector.decoded("signature")
    let key = try? Curve25519.Signing.PublicKey(rawRepresentation: vector.decoded("public"))
    let isValid = key.map { $0.isValidSignature(signature, for: message) } ?? false
    let signs = vector.key().map { $0.signature(for: message) == signature } ?? true
    tally.count(vector, isValid == vector.has("valid", "yes") && signs)
  }
  return tally.report(name)
}

/// Requests of bots: each is signed, and what others signed is verified. The published ones cover
/// less than our signer does. Not run without a C library, because the dictionaries of structured
/// fields need ceil(3) and a random seed.
func messageSignatures(_ name: StaticString, _ table: StaticString) -> Int {
  var tally = Tally()
  Vector.forEach(in: table) { vector in
    let isPublished = (vector.bytes("name") ?? []).starts(with: [UInt8]("published".utf8))
    guard let key = vector.key(), vector.bytes("form") != nil, !isPublished else { return }
    do throws(MessageSignatureError) {
      let isSigned = try vector.isSigned(by: key)
      let isVerified = try vector.isVerified(with: key.publicKey)
      tally.count(vector, isSigned && isVerified)
    } catch {
      print(error.message)
      tally.count(vector, false)
    }
  }
  return tally.report(name)
}

extension Vector {
  private static var now: MessageSignature.Time { .init(unixSeconds: 1_735_689_600) }

  fileprivate func decoded(_ name: StaticString) -> [UInt8] {
    (try? Hexadecimal.decode(text(name))) ?? []
  }

  fileprivate func key() -> Curve25519.Signing.PrivateKey? {
    try? Curve25519.Signing.PrivateKey(rawRepresentation: decoded("seed"))
  }

  fileprivate func isSigned(
    by key: Curve25519.Signing.PrivateKey
  ) throws(MessageSignatureError) -> Bool {
    let bot = try WebBotAuthSigner(
      key: key, agent: text("agent"), form: has("form", "string") ? .string : .dictionary,
      lifetime: .seconds(number("lifetime")))
    let nonce = bytes("nonce") ?? []
    let signed = try bot.sign(
      message([]), body: bytes("body") ?? [], at: Self.now,
      nonce: nonce.isEmpty ? nil : String(decoding: nonce, as: UTF8.self))
    let lines = signed.fields.map { [UInt8](($0.name + ": " + $0.value).utf8) }
    return lines == all("header")
  }

  fileprivate func isVerified(
    with key: Curve25519.Signing.PublicKey
  ) throws(MessageSignatureError) -> Bool {
    let fields: [(name: String, value: String)] = all("header").map { line in
      let name = line.prefix { $0 != UInt8(ascii: ":") }
      return (
        String(decoding: name, as: UTF8.self),
        String(decoding: line[name.endIndex...].dropFirst(), as: UTF8.self)
      )
    }
    let (received, changed) = (try message(fields), try message(fields, url: text("url") + "x"))
    let (verifier, body) = (WebBotAuthVerifier { _, _ in key }, bytes("body") ?? [])
    guard
      case .verified = verifier.verify(received, body: body, at: Self.now),
      case .invalid = verifier.verify(changed, body: body, at: Self.now)
    else { return false }
    return true
  }

  private func message(
    _ fields: [(name: String, value: String)], url: String? = nil
  ) throws(MessageSignatureError) -> HTTPMessage {
    try HTTPMessage(method: text("method"), url: url ?? text("url"), fields: fields)
  }
}
