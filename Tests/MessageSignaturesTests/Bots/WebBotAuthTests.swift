// SPDX-License-Identifier: Apache-2.0
// Requests of bots: both forms of the agent, the three outcomes, and attacks on them.

internal import DigitalSignatures
internal import Foundation
internal import MessageSignatures
internal import TestSupport
internal import Testing

@Suite("Web Bot Auth")
struct WebBotAuthTests {
  static let created: Int64 = 1_735_689_600
  static let now = MessageSignature.Time(unixSeconds: created + 10)

  /// Source: cryptography, by `web-bot-auth.py`.
  @Test(
    "The fields of a request are those of another implementation", arguments: try Self.requests())
  func signer(_ vector: Vector) throws {
    if vector.isPublished { return }
    let bot = try WebBotAuthSigner(
      key: vector.key, agent: vector.agent, form: vector.form, lifetime: vector.lifetime)
    let signed = try bot.sign(
      vector.unsigned, body: vector.body, at: MessageSignature.Time(unixSeconds: Self.created),
      nonce: vector.nonce)
    #expect(signed.fields.map { "\($0): \($1)" } == vector.added.map { "\($0): \($1)" })
  }

  /// Source: the same, and the draft's examples.
  @Test("A signed request is verified, in both forms", arguments: try Self.requests())
  func verifier(_ vector: Vector) throws {
    let outcome = vector.verifier.verify(vector.signed, body: vector.body, at: Self.now)
    let isShort = vector.lifetime <= .seconds(86_400)
    #expect(outcome.summary == (isShort ? "verified " + vector.agent : "invalidParameter"))
    guard case .verified(_, let message) = outcome else { return }
    #expect(message.nonce == vector.nonce && message.created.unixSeconds == Self.created)
  }

  @Test("A request without a signature, and one whose key isn't known, are unverified")
  func unverified() throws {
    let vector = try vector(named: "string, a page")
    for request in [
      vector.unsigned,
      try MessageSigner(key: .ed25519(vector.key), keyID: "k", covering: [.method], tag: "other")
        .sign(vector.unsigned, body: [], at: Self.now),
    ] {
      let outcome = vector.verifier.verify(request, body: [], at: Self.now)
      #expect(outcome.summary == "unverified nil")
    }
    let empty = WebBotAuthVerifier { _, _ in nil }
    let outcome = empty.verify(vector.signed, body: [], at: Self.now)
    #expect(outcome.summary == "unverified https://bot.example")
  }

  /// A key is found by the pair of URL and ID.
  @Test("One agent's key doesn't vouch for the name of another")
  func pair() throws {
    let vector = try vector(named: "string, a page")
    let liar = try WebBotAuthSigner(key: vector.key, agent: "https://victim.example")
    let request = try liar.sign(vector.unsigned, body: [], at: Self.now)
    let outcome = vector.verifier.verify(request, body: [], at: Self.now)
    #expect(outcome.summary == "unverified https://victim.example")
  }

  @Test("A changed method, host, path, query, agent or body is noticed")
  func changed() throws {
    let vector = try vector(named: "dictionary, a body and a nonce")
    let url = "https://example.com/order"
    let anyAgent = WebBotAuthVerifier { _, _ in vector.key.publicKey }
    for (method, url, old, new) in [
      ("PUT", url, "", ""), ("POST", "https://example.org/order", "", ""),
      ("POST", "https://example.com/Order", "", ""), ("POST", url + "?a", "", ""),
      ("POST", url, "bot.", "bat."), ("POST", url, "sha-256=:A", "sha-256=:B"),
    ] {
      let fields = vector.added.map { field in
        (name: field.name, value: field.value.replacingOccurrences(of: old, with: new))
      }
      let request = try HTTPMessage(method: method, url: url, fields: fields)
      let outcome = anyAgent.verify(request, body: vector.body, at: Self.now)
      #expect(outcome.summary == "wrongSignature", "\(method) \(url) \(new)")
    }
    let outcome = vector.verifier.verify(vector.signed, body: [], at: Self.now)
    #expect(outcome.summary == "wrongContentDigest")
  }

  /// Cloudflare's Rust verifier accepted both until August 2026.
  @Test("An expired signature and one of the future are invalid")
  func times() throws {
    let vector = try vector(named: "string, a page")
    for (seconds, code) in [
      (-61, "createdInFuture"), (-60, nil), (0, nil), (119, nil), (120, "expired"),
    ] as [(Int64, String?)] {
      let now = MessageSignature.Time(unixSeconds: Self.created + seconds)
      let outcome = vector.verifier.verify(vector.signed, body: [], at: now)
      #expect(outcome.summary == code ?? "verified https://bot.example", "\(seconds)")
    }
  }

  @Test("A replay is invalid, if the nonce is known")
  func replay() throws {
    let vector = try vector(named: "string, a body and a nonce")
    let verifier = WebBotAuthVerifier(
      isFirstUse: { $0.nonce != vector.nonce }, key: { _, _ in vector.key.publicKey })
    let outcome = verifier.verify(vector.signed, body: vector.body, at: Self.now)
    #expect(outcome.summary == "replayed")
  }
}

extension WebBotAuthTests {
  /// Signed with the right key and tag, but not as the draft requires.
  @Test(
    "A signature that covers or says too little is invalid; an agent that isn't an origin is none",
    arguments: [
      (["@method", "signature-agent"], #""https://bot.example""#, 60, "notCovered"),
      (["@authority"], #""https://bot.example""#, 60, "notCovered"),
      (["@authority", "signature-agent"], #""https://bot.example""#, nil, "invalidParameter"),
      (["@authority", "signature-agent"], #""https://bot.example""#, 86_401, "invalidParameter"),
      (["@authority", "signature-agent"], #"sig1="https://bot.example""#, 60, "notCovered"),
      (["@authority", "signature-agent"], #""http://bot.example""#, 60, "unverified nil"),
      (["@authority", "signature-agent"], #""https://bot.example/""#, 60, "unverified nil"),
      (["@authority", "signature-agent"], #""https://Bot.example""#, 60, "unverified nil"),
      (["@authority", "signature-agent"], #""https://u@bot.example""#, 60, "unverified nil"),
      (["@authority", "signature-agent"], #""https://bot.example:443""#, 60, "unverified nil"),
      (["@authority", "signature-agent"], #""https://bot.example:0443""#, 60, "unverified nil"),
      (["@authority", "signature-agent"], #""https://bot.example.""#, 60, "unverified nil"),
      (["@authority", "signature-agent"], #""https://""#, 60, "unverified nil"),
      (["@authority", "signature-agent"], #"a;b"#, 60, "notCovered"),
      (["@authority", "signature-agent"], #"https://bot.example"#, 60, "notCovered"),
    ] as [([String], String, Int?, String)])
  func weak(_ names: [String], _ agent: String, _ lifetime: Int?, _ code: String) throws {
    let vector = try vector(named: "string, a page")
    let components = names.map { name -> MessageSignature.Component in
      switch name {
      case "@method": .method
      case "@authority": .authority
      default: .field(name)
      }
    }
    let signer = MessageSigner(
      key: .ed25519(vector.key), keyID: vector.key.publicKey.jwkThumbprint, covering: components,
      tag: "web-bot-auth", lifetime: lifetime.map { .seconds($0) })
    var request = vector.unsigned
    request.fields.append(("Signature-Agent", agent))
    request = try signer.sign(request, body: [], at: Self.now)
    #expect(vector.verifier.verify(request, body: [], at: Self.now).summary == code)
  }

  @Test("The member with the label is the agent, and other kinds of agents are unverified")
  func members() throws {
    let vector = try vector(named: "string, a page")
    func outcome(_ agent: String, key keys: String...) throws -> String {
      let signer = MessageSigner(
        key: .ed25519(vector.key), keyID: vector.key.publicKey.jwkThumbprint,
        covering: [.targetURI] + keys.map { .field("signature-agent", key: $0) }, label: "b",
        tag: "web-bot-auth", lifetime: .seconds(60))
      var request = vector.unsigned
      request.fields.append(("Signature-Agent", agent))
      request = try signer.sign(request, body: [], at: Self.now)
      return vector.verifier.verify(request, body: [], at: Self.now).summary
    }
    let two = #"a="https://a.example", b="https://bot.example";type=directory"#
    #expect(try outcome(two, key: "b") == "verified https://bot.example")
    #expect(try outcome(two, key: "a", "b") == "verified https://bot.example")
    // The label isn't signed, and may have been changed in transit (RFC 9421, 7.2.5).
    #expect(try outcome(two, key: "a") == "unverified https://a.example")
    let renamed = #"agent2="https://bot.example""#
    #expect(try outcome(renamed, key: "agent2") == "verified https://bot.example")
    #expect(try outcome(renamed) == "notCovered")
    let three = two + #", c="https://bot.example""#
    #expect(try outcome(three, key: "a", "c") == "notCovered")
    let set = #"b="https://bot.example/keys.json";type=jwks_uri"#
    #expect(try outcome(set, key: "b") == "unverified nil")
  }

  @Test("A body needn't be covered, unless the server requires it")
  func uncoveredBody() throws {
    let vector = try vector(named: "string, a page")
    var request = vector.signed
    request.fields.append(("Content-Digest", "sha-256=:AAAA:"))
    let outcome = vector.verifier.verify(request, body: [1], at: Self.now)
    #expect(outcome.summary == "verified https://bot.example")
    guard case .verified(_, let message) = outcome else { return }
    #expect(message[.contentDigest] == nil)
    let strict = WebBotAuthVerifier(requiring: [.contentDigest]) { _, _ in vector.key.publicKey }
    #expect(strict.verify(request, body: [1], at: Self.now).summary == "notCovered")
  }

  /// The draft signs for another label, and for longer than 24 hours.
  @Test("The published member with another label names the agent")
  func publishedMember() throws {
    let vector = try vector(named: "published dictionary, valid for 100 years")
    let signer = MessageSigner(
      key: .ed25519(vector.key), keyID: vector.key.publicKey.jwkThumbprint,
      covering: [.authority, .field("signature-agent", key: "agent2")], label: "sig2",
      tag: "web-bot-auth", lifetime: .seconds(3_600))
    var request = vector.signed
    request.fields.removeAll { $0.name.lowercased() != "signature-agent" }
    request = try signer.sign(request, body: [], at: Self.now)
    let outcome = vector.verifier.verify(request, body: [], at: Self.now)
    #expect(outcome.summary == "verified https://signature-agent.test")
  }

  @Test("A Signature without Signature-Input is of another scheme")
  func otherScheme() throws {
    let vector = try vector(named: "string, a page")
    for signature in [#"keyId="k",algorithm="rsa-sha256",signature="AAAA""#, "9f86d081", ""] {
      var request = vector.unsigned
      request.fields.append(("Signature", signature))
      #expect(vector.verifier.verify(request, body: [], at: Self.now).summary == "unverified nil")
    }
  }

  @Test(
    "Two signatures of bots are invalid unless one is chosen: it's unclear whose the request is")
  func two() throws {
    let vector = try vector(named: "string, a page")
    let other = MessageSigner(
      key: .ed25519(vector.key), keyID: "other", covering: [.method], label: "sig2",
      tag: "web-bot-auth")
    let request = try other.sign(vector.signed, body: [], at: Self.now)
    let outcome = vector.verifier.verify(request, body: [], at: Self.now)
    #expect(outcome.summary == "severalSignatures")
    let chosen = WebBotAuthVerifier(label: "sig1") { _, _ in vector.key.publicKey }
    let one = chosen.verify(request, body: [], at: Self.now)
    #expect(one.summary == "verified https://bot.example")
    let missing = WebBotAuthVerifier(label: "sig3") { _, _ in vector.key.publicKey }
    #expect(missing.verify(request, body: [], at: Self.now).summary == "unverified nil")
  }

  @Test("A signer rejects an agent that isn't an origin, a long lifetime and a second agent")
  func signerErrors() throws {
    let vector = try vector(named: "string, a page")
    for agent in [
      "", "bot.example", "http://bot.example", "https://bot.example/", "https://bot.example/a",
      "https://bot.example?", #"https://bot.example""#, "https://BOT.example", "https://é.example",
      "https://bot.example:443", "https://bot.example:0443", "https://bot.example:08443",
      "https://bot.example:0", "https://bot.example:65536", "https://bot.example:",
      "https://bot.example:1:2", "https://bot.example.", "https://[", "https://[::1", "https://]",
      "https://a[::1]", "https://a[", "https://[::1]a", "https://[::1]:0443",
    ] {
      #expect(throws: MessageSignatureError.self) {
        try WebBotAuthSigner(key: vector.key, agent: agent)
      }
    }
    for agent in ["https://bot.example:8443", "https://[::1]", "https://[::1]:65535"] {
      #expect(throws: Never.self) { try WebBotAuthSigner(key: vector.key, agent: agent) }
    }
    for lifetime in [Duration.zero, .seconds(-1), .seconds(86_401), .seconds(Int64.max)] {
      #expect(throws: MessageSignatureError.self) {
        try WebBotAuthSigner(key: vector.key, agent: "https://bot.example", lifetime: lifetime)
      }
    }
    let bot = try WebBotAuthSigner(key: vector.key, agent: "https://bot.example")
    let error = #expect(throws: MessageSignatureError.self) {
      try bot.sign(vector.signed, body: [], at: Self.now)
    }
    #expect(error?.code.name == "labelInUse")
  }
}
