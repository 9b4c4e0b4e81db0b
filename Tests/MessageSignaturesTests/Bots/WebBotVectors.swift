// SPDX-License-Identifier: Apache-2.0
// The requests in web-bot-auth.txt.

internal import DigitalSignatures
internal import MessageSignatures
internal import SecureHashing
internal import TestSupport

extension WebBotAuthTests {
  /// A request that another implementation signed.
  struct Vector: Sendable, CustomStringConvertible {
    let description: String
    let key: Curve25519.Signing.PrivateKey
    let agent: String
    let form: WebBotAuthSigner.AgentForm
    let url: String
    let lifetime: Duration
    let nonce: String?
    let body: [UInt8]
    let unsigned: HTTPMessage
    /// The fields that the signer adds.
    let added: [(name: String, value: String)]

    var isPublished: Bool { description.hasPrefix("published") }

    var signed: HTTPMessage {
      var request = unsigned
      request.fields = added
      return request
    }

    /// A verifier that knows this agent.
    var verifier: WebBotAuthVerifier {
      WebBotAuthVerifier { [agent, key] name, keyID in
        name == agent && keyID == key.publicKey.jwkThumbprint ? key.publicKey : nil
      }
    }

    init(_ record: VectorRecord) throws {
      description = record.name
      key = try Curve25519.Signing.PrivateKey(rawRepresentation: record.hexadecimal("seed"))
      agent = try record.text("agent")
      form = try record.text("form") == "string" ? .string : .dictionary
      url = try record.text("url")
      lifetime = .seconds(try record.integer("lifetime"))
      let nonce = try record.text("nonce")
      self.nonce = nonce.isEmpty ? nil : nonce
      body = try record.bytes("body")
      unsigned = try HTTPMessage(method: record.text("method"), url: url, fields: [])
      added = try record.headers()
    }
  }

  static func requests() throws -> [Vector] {
    try VectorTable(named: "web-bot-auth.txt").records
      .filter { try $0.optionalText("form") != nil }.map(Vector.init)
  }

  func vector(named name: String) throws -> Vector {
    try Vector(VectorTable(named: "web-bot-auth.txt").record(named: name))
  }
}

extension WebBotAuthVerifier.Outcome {
  /// The outcome and its agent, or the code of the error.
  var summary: String {
    switch self {
    case .verified(let agent, _): "verified " + agent
    case .invalid(let error): error.code.name
    case .unverified(let agent): "unverified " + (agent ?? "nil")
    }
  }
}

extension VectorRecord {
  /// The lines `Name: value`.
  func headers() throws -> [(name: String, value: String)] {
    try texts("header").map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return (String(parts[0]), String(parts[1].dropFirst()))
    }
  }
}
