// SPDX-License-Identifier: Apache-2.0
// The directory of a bot's keys: its JSON, its signed response, and who can't publish whose keys.

internal import DigitalSignatures
internal import MessageSignatures
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Web Bot Auth: directories")
struct WebBotDirectoryTests {
  static let now = MessageSignature.Time(unixSeconds: WebBotAuthTests.created)

  struct Vector: Sendable, CustomStringConvertible {
    let description: String
    let keys: [Curve25519.Signing.PrivateKey]
    let body: [UInt8]
    let request: HTTPMessage
    let headers: [(name: String, value: String)]

    init(_ record: VectorRecord) throws {
      description = record.name
      keys = try record.texts("seed").map { seed in
        try Curve25519.Signing.PrivateKey(rawRepresentation: Hexadecimal.decode(seed))
      }
      body = try record.bytes("body")
      request = try Self.request(to: "https://" + record.text("authority"))
      headers = try record.headers()
    }

    static func request(to origin: String) throws -> HTTPMessage {
      try HTTPMessage(method: "GET", url: origin + WebBotDirectory.path, fields: [])
    }

    func response(to request: HTTPMessage? = nil) throws -> HTTPMessage {
      try HTTPMessage(status: 200, fields: headers, to: request ?? self.request)
    }
  }

  static func vectors() throws -> [Vector] {
    try VectorTable(named: "web-bot-auth.txt").records
      .filter { try $0.optionalText("authority") != nil }.map(Vector.init)
  }

  /// Source: cryptography, by `web-bot-auth.py`, and the draft's example.
  @Test("A directory is that of another implementation, and is read", arguments: try Self.vectors())
  func vector(_ vector: Vector) throws {
    let keys = vector.keys.map(\.publicKey)
    #expect(Array(WebBotDirectory(keys: keys).json.utf8) == vector.body)
    let read = try WebBotDirectory(
      vector.response(), body: vector.body, keys: keys, at: Self.now)
    #expect(read.keys.map(\.jwkThumbprint) == keys.map(\.jwkThumbprint))
    #expect(read[keys[0].jwkThumbprint]?.rawRepresentation == keys[0].rawRepresentation)
    #expect(read["another"] == nil)
    if vector.description.hasPrefix("published") { return }
    let (response, body) = try WebBotDirectory.signedResponse(
      to: vector.request, by: vector.keys, at: Self.now)
    #expect(body == vector.body)
    #expect(response.fields.map { "\($0): \($1)" } == vector.headers.map { "\($0): \($1)" })
  }

  @Test("A copy of a directory at another origin isn't accepted", arguments: try Self.vectors())
  func copy(_ vector: Vector) throws {
    let response = try vector.response(to: Vector.request(to: "https://evil.example"))
    let error = #expect(throws: MessageSignatureError.self) {
      try WebBotDirectory(
        response, body: vector.body, keys: vector.keys.map(\.publicKey), at: Self.now)
    }
    #expect(error?.code.name == "wrongSignature")
  }

  /// A directory that only the first of two keys signed.
  private func halfSigned() throws -> (
    own: Curve25519.Signing.PrivateKey, other: Curve25519.Signing.PrivateKey,
    response: HTTPMessage, body: [UInt8]
  ) {
    let vector = try #require(try Self.vectors().last)
    let (response, body) = try WebBotDirectory.signedResponse(
      to: vector.request, by: [vector.keys[0]], at: Self.now)
    return (vector.keys[0], vector.keys[1], response, body)
  }

  @Test("A key that didn't sign isn't kept: its owner may be somebody else")
  func stolenKey() throws {
    let (own, victim, response, body) = try halfSigned()
    let directory = try WebBotDirectory(
      response, body: body, keys: [victim.publicKey, own.publicKey], at: Self.now)
    #expect(directory.keys.map(\.jwkThumbprint) == [own.publicKey.jwkThumbprint])
  }

  /// draft-meunier-webbotauth-registry, "JWKS URI": keys without a valid signature are ignored.
  @Test("An unknown key's signature and an expired one don't invalidate the others")
  func otherSignatures() throws {
    let (own, other, response, body) = try halfSigned()
    let covered: [MessageSignature.Component] = [.authority.ofRequest, .contentDigest]
    for (keyID, created) in [("of an RSA key", 0), (other.publicKey.jwkThumbprint, -3_600)] {
      let signer = MessageSigner(
        key: .ed25519(other), keyID: keyID, covering: covered, label: "a",
        tag: "http-message-signatures-directory", lifetime: .seconds(60))
      let time = MessageSignature.Time(unixSeconds: WebBotAuthTests.created + Int64(created))
      let both = try signer.sign(response, body: body, at: time)
      let directory = try WebBotDirectory(
        both, body: body, keys: [own.publicKey, other.publicKey], at: Self.now)
      #expect(directory.keys == [own.publicKey])
      let error = #expect(throws: MessageSignatureError.self) {
        try WebBotDirectory(both, body: body, keys: [other.publicKey], at: Self.now)
      }
      // The error of the first signature, whose key isn't in the directory now.
      #expect(error?.code.name == "unknownKey")
    }
  }

  /// Cloudflare's form.
  @Test("A directory whose signature covers only the authority is read")
  func authorityAlone() throws {
    let vector = try #require(try Self.vectors().last)
    let key = vector.keys[0]
    let signer = MessageSigner(
      key: .ed25519(key), keyID: key.publicKey.jwkThumbprint, covering: [.authority.ofRequest],
      tag: "http-message-signatures-directory", lifetime: .seconds(60))
    let unsigned = try HTTPMessage(status: 200, fields: [], to: vector.request)
    let response = try signer.sign(unsigned, body: [], at: Self.now)
    let directory = try WebBotDirectory(
      response, body: vector.body, keys: vector.keys.map(\.publicKey), at: Self.now)
    #expect(directory.keys == [key.publicKey])
  }

  @Test("Another body, no signature, an expired one and one of the future are rejected")
  func errors() throws {
    let vector = try #require(try Self.vectors().last)
    let keys = vector.keys.map(\.publicKey)
    let later = { MessageSignature.Time(unixSeconds: WebBotAuthTests.created + $0) }
    var unsigned = try vector.response()
    unsigned.fields.removeAll { $0.name.hasPrefix("Signature") }
    for (response, body, now, code) in [
      (try vector.response(), vector.body + [0x20], Self.now, "wrongContentDigest"),
      (unsigned, vector.body, Self.now, "missingSignature"),
      (try vector.response(), vector.body, later(360), "expired"),
      (try vector.response(), vector.body, later(-61), "createdInFuture"),
    ] {
      let error = #expect(throws: MessageSignatureError.self) {
        try WebBotDirectory(response, body: body, keys: keys, at: now)
      }
      #expect(error?.code.name == code)
    }
    #expect(throws: MessageSignatureError.self) {
      try WebBotDirectory(vector.response(), body: vector.body, keys: [], at: Self.now)
    }
  }
}
