// SPDX-License-Identifier: Apache-2.0
// Web Bot Auth: what a bot and its directory sign is verified, and what was changed or wasn't signed isn't.

internal import DigitalSignatures
internal import MessageSignatures

enum BotTargets {
  /// A form, a place to change, an agent, a method, a URL, fields without a signature, and a body.
  static func bots(_ input: FuzzInput) {
    var input = input
    let (kind, place) = (input.number(), input.number() << 8 | input.number())
    let (agent, method, url) = (input.line(), input.line(), input.line())
    let fields = input.pairs().map { (name: $0.name.text, value: $0.value.text) }
    let body = input.bytes
    guard let request = try? HTTPMessage(method: method, url: url, fields: fields) else { return }
    expect(self.agent(of: request, body) == nil, "what wasn't signed isn't verified")

    let form: WebBotAuthSigner.AgentForm = kind & 1 == 0 ? .string : .dictionary
    if let bot = try? WebBotAuthSigner(key: key, agent: agent, form: form),
      let signed = try? bot.sign(request, body: body, at: now)
    {
      let found = self.agent(of: signed, body)
      // A request may have had the signature of a bot before.
      let hadSignature = fields.contains { $0.name.lowercased().hasPrefix("signature") }
      expect(hadSignature && found == nil || same(found, agent), "the agent is the one that signed")
      let changed = changed(signed, place)
      if self.agent(of: changed, body) != nil { expectSameBase(changed, signed) }
    }
    directory(of: request, place)
  }

  private static func directory(of request: HTTPMessage, _ place: Int) {
    let keys = [key.publicKey]
    guard
      let (response, body) = try? WebBotDirectory.signedResponse(to: request, by: [key], at: now)
    else { return }
    let directory = required("what is signed is read") {
      try WebBotDirectory(response, body: body, keys: keys, at: now)
    }
    expect(directory.keys == keys, "with its key")
    let changed = changed(response, place)
    if (try? WebBotDirectory(changed, body: body, keys: keys, at: now)) != nil {
      expectSameBase(changed, response)
    }
    let unsigned = try? WebBotDirectory(request, body: body, keys: keys, at: now)
    expect(unsigned == nil, "what wasn't signed isn't a directory")
  }

  private static func expectSameBase(_ changed: HTTPMessage, _ signed: HTTPMessage) {
    let base = try? MessageSignature.base(of: changed, label: "sig1")
    let same = (try? MessageSignature.base(of: signed, label: "sig1")) == base
    expect(base != nil && same, "a change of what is covered is noticed")
  }

  /// The message with one bit changed, in one of the last fields: those that signing added.
  private static func changed(_ message: HTTPMessage, _ place: Int) -> HTTPMessage {
    var message = message
    let count = message.fields.count
    let index = count - 1 - place % min(count, 4)
    var value = Array(message.fields[index].value.utf8)
    if value.isEmpty { value = [0x61] } else { value[(place >> 2) % value.count] ^= 1 }
    message.fields[index].value = value.text
    return message
  }

  private static func agent(of request: HTTPMessage, _ body: [UInt8]) -> String? {
    guard case .verified(let agent, _) = verifier.verify(request, body: body, at: now) else {
      return nil
    }
    return agent
  }

  private static let now = MessageSignature.Time(unixSeconds: 1_700_000_000)
  private static let key = required("the key is one") {
    try Curve25519.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 1, count: 32))
  }
  private static let verifier = WebBotAuthVerifier { [publicKey = key.publicKey] _, _ in publicKey }
}
