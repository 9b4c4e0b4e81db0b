// SPDX-License-Identifier: Apache-2.0
// The records of webhooks.txt, and what the tests of webhooks share.

internal import DigitalSignatures
internal import MessageSignatures
internal import SecureHashing
internal import TestSupport

extension WebhookTests {
  /// A webhook that another implementation signed.
  struct Vector: Sendable, CustomStringConvertible {
    let description: String
    let webhook: Webhook
    /// The same without a private key.
    let receiver: Webhook
    let headers: [(name: String, value: String)]
    let body: [UInt8]
    let time: MessageSignature.Time

    init(_ record: VectorRecord) throws {
      description = record.name
      let secret = try record.text("secret")
      webhook =
        switch try record.text("sender") {
        case "standard": try .standard(secret: secret)
        case "svix": try .svix(secret: secret)
        case "ed25519": try .standard(secret: "whsk_" + secret)
        case "discord": .discord(privateKey: try Self.key(secret))
        case "stripe": try .stripe(secret: secret)
        case "github": try .gitHub(secret: secret)
        case "slack": try .slack(secret: secret)
        case "shopify": try .shopify(secret: secret)
        case let sender: throw UnknownSender(name: sender)
        }
      headers = try record.headers()
      body = try record.bytes("body")
      receiver =
        switch try record.text("sender") {
        case "ed25519":
          try .standard(
            secret: "whpk_" + Base64.encode(Self.key(secret).publicKey.rawRepresentation))
        case "discord":
          try .discord(
            publicKey: Hexadecimal.encode(Self.key(secret).publicKey.rawRepresentation))
        default: webhook
        }
      let time = try record.optionalText("time").flatMap(Int64.init) ?? 0
      self.time = MessageSignature.Time(unixSeconds: time)
    }

    private static func key(_ seed: String) throws -> Curve25519.Signing.PrivateKey {
      try Curve25519.Signing.PrivateKey(rawRepresentation: Base64.decode(seed))
    }
  }

  static func vectors() throws -> [Vector] {
    try VectorTable(named: "webhooks.txt").records.map(Vector.init)
  }

  func vector(named name: String) throws -> Vector {
    try Vector(VectorTable(named: "webhooks.txt").record(named: name))
  }

  /// A text with one bit of a byte changed.
  func changing(_ text: String, at place: String.Index) -> String {
    var bytes = Array(text.utf8)
    bytes[text.utf8.distance(from: text.utf8.startIndex, to: place)] ^= 1
    return String(decoding: bytes, as: UTF8.self)
  }
}

private struct UnknownSender: Error { let name: String }
