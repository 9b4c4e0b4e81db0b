// SPDX-License-Identifier: Apache-2.0
// The page docs/how-to/web-bot-auth.md, as a program.

internal import DigitalSignatures
internal import Foundation
internal import MessageSignatures
internal import SecureHashing
internal import SigningTestSupport
internal import TestSupport
internal import Testing

struct Bot {
  let key: Curve25519.Signing.PrivateKey
  let signer: WebBotAuthSigner

  init(privateKeyPEM: String) throws {
    key = try Curve25519.Signing.PrivateKey(pemRepresentation: privateKeyPEM)
    signer = try WebBotAuthSigner(key: key, agent: "https://bot.example")
  }

  func page(_ url: String) throws -> HTTPMessage {
    let request = try HTTPMessage(method: "GET", url: url, fields: [])
    return try signer.sign(request, body: [], at: now)
  }

  var now: MessageSignature.Time {
    MessageSignature.Time(unixSeconds: Int64(Date().timeIntervalSince1970))
  }
}

extension Bot {
  func directory(for target: String) throws -> (response: HTTPMessage, body: [UInt8]) {
    let request = try HTTPMessage(
      method: "GET", scheme: "https", authority: "bot.example", target: target, fields: [])
    return try WebBotDirectory.signedResponse(to: request, by: [key], at: now)
  }
}

struct Bots {
  var directories: [String: WebBotDirectory] = [:]

  func outcome(
    method: String, target: String, fields: [(name: String, value: String)], body: [UInt8],
    at now: MessageSignature.Time
  ) throws -> String {
    let request = try HTTPMessage(
      method: method, scheme: "https", authority: "shop.example", target: target, fields: fields)
    let verifier = WebBotAuthVerifier { [directories] agent, keyID in directories[agent]?[keyID] }
    switch verifier.verify(request, body: body, at: now) {
    case .verified(let agent, _): return "from " + agent
    case .invalid(let error): return "rejected: " + error.message
    case .unverified(let agent?): return "fetch the directory of " + agent
    case .unverified(nil): return "no bot, or one that doesn't say who it is"
    }
  }
}

struct WebKeySet: Decodable {
  struct Key: Decodable {
    var kty: String
    var crv: String?
    var x: String?
  }
  var keys: [Key]

  var ed25519: [Curve25519.Signing.PublicKey] {
    keys.filter { $0.kty == "OKP" && $0.crv == "Ed25519" }.compactMap { key in
      guard let x = try? Base64.decode(key.x ?? "", as: .urlSafeUnpadded) else { return nil }
      return try? Curve25519.Signing.PublicKey(rawRepresentation: x)
    }
  }
}

extension Bots {
  mutating func add(
    _ agent: String, fields: [(name: String, value: String)], body: Data,
    at now: MessageSignature.Time
  ) throws {
    let request = try HTTPMessage(method: "GET", url: agent + WebBotDirectory.path, fields: [])
    let response = try HTTPMessage(status: 200, fields: fields, to: request)
    let keys = try JSONDecoder().decode(WebKeySet.self, from: body).ed25519
    directories[agent] = try WebBotDirectory(response, body: body, keys: keys, at: now)
  }
}

@Suite("How to sign and verify the requests of bots")
struct WebBotAuthHowToTests {
  @Test("The code on the page compiles and works")
  func page() throws {
    try HowToPage("web-bot-auth.md").expectCode(in: #filePath, count: 60)
    let table = try VectorTable(named: "web-bot-auth.txt")
    let bot = try Bot(privateKeyPEM: table.records[0].text("pem"))
    let signed = try bot.page("https://shop.example/a?b")
    var bots = Bots()
    func outcome(_ fields: [(name: String, value: String)]) throws -> String {
      try bots.outcome(method: "GET", target: "/a?b", fields: fields, body: [], at: bot.now)
    }
    #expect(try outcome([]).hasPrefix("no bot"))
    #expect(try outcome(signed.fields) == "fetch the directory of https://bot.example")
    let (response, body) = try bot.directory(for: WebBotDirectory.path)
    try bots.add("https://bot.example", fields: response.fields, body: Data(body), at: bot.now)
    #expect(try outcome(signed.fields) == "from https://bot.example")
    let other = try bot.page("https://shop.example/other")
    #expect(try outcome(other.fields).hasPrefix("rejected: The signature"))
  }
}
