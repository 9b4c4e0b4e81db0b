// SPDX-License-Identifier: Apache-2.0
// Webhooks: what is signed is verified, and what was changed or wasn't signed isn't.

internal import DigitalSignatures
internal import MessageSignatures
internal import SecureHashing

enum WebhookTargets {
  /// A sender, a place to change, a time, an ID, headers without a signature, and a body.
  static func webhooks(_ input: FuzzInput) {
    var input = input
    let sender = senders[input.number() % senders.count]
    let (index, place) = (input.number(), input.number() << 8 | input.number())
    let time = MessageSignature.Time(unixSeconds: Int64(input.line()) ?? 1_767_225_600)
    let id = input.line()
    let headers = input.pairs().map { (name: $0.name.text, value: $0.value.text) }
    let body = input.bytes
    expect(!isValid(sender.webhook, headers, body, time), "what wasn't signed isn't valid")

    let needsID = ["standard", "svix", "ed25519"].contains(sender.name)
    guard let signed = try? sender.webhook.headers(id: needsID ? id : nil, body: body, at: time)
    else {
      expect(needsID, "only an ID can be wrong")
      return
    }
    // Unix times before 1970 or of more than 12 digits are no times of a webhook.
    let isTime =
      ["github", "shopify"].contains(sender.name)
      || (0..<1_000_000_000_000).contains(time.unixSeconds)
    expect(isValid(sender.webhook, signed, body, time) == isTime, "what is signed is valid")
    var changed = body
    if changed.isEmpty { changed = [0] } else { changed[place % changed.count] ^= 1 }
    expect(!isValid(sender.webhook, signed, changed, time), "a changed body is noticed")
    var other = signed
    var value = Array(other[index % other.count].value.utf8)
    value[place % value.count] ^= 1
    other[index % other.count].value = value.text
    expect(!isValid(sender.webhook, other, body, time), "a changed header is noticed")
    expect(!isValid(sender.webhook, signed + signed.prefix(1), body, time), "and a repeated one")
  }

  private static func isValid(
    _ webhook: Webhook, _ headers: [(name: String, value: String)], _ body: [UInt8],
    _ time: MessageSignature.Time
  ) -> Bool { (try? webhook.verify(headers: headers, body: body, at: time)) != nil }

  private static let key = required("the key is one") {
    try Curve25519.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 1, count: 32))
  }
  private static let senders: [(name: String, webhook: Webhook)] = required("the secrets are good")
  {
    [
      ("standard", try .standard(secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")),
      ("stripe", try .stripe(secret: "whsec_1")),
      ("github", try .gitHub(secret: "1")), ("slack", try .slack(secret: "1")),
      ("shopify", try .shopify(secret: "1")), ("discord", .discord(privateKey: key)),
      ("ed25519", try .standard(secret: "whsk_" + Base64.encode(key.rawRepresentation))),
      ("svix", try .svix(secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")),
    ]
  }
}
