// SPDX-License-Identifier: Apache-2.0
// Webhooks: what others signed is verified, the same headers are made, and everything else is
// rejected with its reason.

internal import MessageSignatures
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Webhooks")
struct WebhookTests {
  /// Source: the senders' packages and examples, by `webhooks.py`.
  @Test(
    "Webhooks of the senders' packages are verified, and made alike", arguments: try Self.vectors())
  func vector(_ vector: Vector) throws {
    try vector.webhook.verify(headers: vector.headers, body: vector.body, at: vector.time)
    let dictionary = [String: String](uniqueKeysWithValues: vector.headers.map { ($0, $1) })
    try vector.receiver.verify(headers: dictionary, body: vector.body, at: vector.time)
    let id = vector.headers.first { $0.name.hasSuffix("-id") }?.value
    let made = try vector.webhook.headers(id: id, body: vector.body, at: vector.time)
    #expect(made.map { "\($0): \($1)" } == vector.headers.map { "\($0): \($1)" })
  }

  @Test(
    "A changed bit of the body, of a header or of the secret is noticed",
    arguments: try Self.vectors())
  func changed(_ vector: Vector) throws {
    expectRefusal(.noMatchingSignature) {
      try vector.webhook.verify(
        headers: vector.headers, body: vector.body + [0x20], at: vector.time)
    }
    for place in vector.body.indices.prefix(100) {
      var body = vector.body
      body[place] ^= 1
      expectRefusal(.noMatchingSignature) {
        try vector.webhook.verify(headers: vector.headers, body: body, at: vector.time)
      }
    }
    for (index, header) in vector.headers.enumerated() {
      for place in header.value.utf8.indices {
        var headers = vector.headers
        headers[index].value = changing(header.value, at: place)
        #expect(throws: MessageSignatureError.self) {
          try vector.webhook.verify(headers: headers, body: vector.body, at: vector.time)
        }
      }
    }
  }

  @Test(
    "A replay after five minutes is rejected, with both times",
    arguments: ["standard", "ed25519", "stripe", "slack", "discord"])
  func replay(_ sender: String) throws {
    let vector = try vector(named: sender + " 1")
    func verify(after seconds: Int64, tolerance: Duration = .seconds(300)) throws {
      try vector.webhook.verify(
        headers: vector.headers, body: vector.body,
        at: MessageSignature.Time(unixSeconds: vector.time.unixSeconds + seconds),
        tolerance: tolerance)
    }
    for seconds: Int64 in [0, 300, -300] { try verify(after: seconds) }
    expectRefusal(.tooOld, showing: "1767225600", "1767225901", "301 s") { try verify(after: 301) }
    expectRefusal(.createdInFuture, showing: "1767225600", "1767225299", "301 s") {
      try verify(after: -301)
    }
    try verify(after: 3600, tolerance: .seconds(3600))
    expectRefusal(.tooOld) { try verify(after: 1, tolerance: .zero) }
    expectRefusal(.tooOld) { try verify(after: .max / 2) }
    expectRefusal(.createdInFuture) { try verify(after: .min / 2) }
  }

  @Test("GitHub and Shopify sign no time", arguments: ["github", "shopify"])
  func noTime(_ sender: String) throws {
    let vector = try vector(named: sender + " 1")
    try vector.webhook.verify(
      headers: vector.headers, body: vector.body, at: MessageSignature.Time(unixSeconds: 0))
  }

  @Test("Names of headers may have any case, and other headers don't matter")
  func headerNames() throws {
    let vector = try vector(named: "published slack")
    let headers =
      [(name: "Host", value: "a"), (name: "host", value: "b")]
      + vector.headers.map { (name: $0.name.uppercased(), value: $0.value) }
    try vector.webhook.verify(headers: headers, body: vector.body, at: vector.time)
  }

  @Test("A missing header is named", arguments: try Self.vectors())
  func missing(_ vector: Vector) throws {
    for (index, header) in vector.headers.enumerated() {
      var headers = vector.headers
      headers.remove(at: index)
      expectRefusal(.missingHeader, showing: header.name) {
        try vector.webhook.verify(headers: headers, body: vector.body, at: vector.time)
      }
    }
  }

  @Test("A repeated header is rejected, even with the same value", arguments: try Self.vectors())
  func repeated(_ vector: Vector) throws {
    for header in vector.headers {
      let headers = vector.headers + [(header.name.lowercased(), header.value)]
      expectRefusal(.repeatedHeader, showing: header.name) {
        try vector.webhook.verify(headers: headers, body: vector.body, at: vector.time)
      }
    }
  }

  @Test("One of several signatures is enough")
  func several() throws {
    let other = String(repeating: "0", count: 64)
    for (name, before, after) in [
      ("standard 1", "v1a,AAAA v1,AAAA v2,?? ", " v1,AAAA"),
      ("stripe 1", "v0=\(other),v1=\(other),", ",v1=\(other)"),
    ] {
      let vector = try vector(named: name)
      var headers = vector.headers
      headers[headers.count - 1].value = before + headers[headers.count - 1].value + after
      try vector.webhook.verify(headers: headers, body: vector.body, at: vector.time)
    }
  }

  @Test("While a secret is replaced, both are accepted, and senders sign with both if they can")
  func rotation() throws {
    let (time, body) = (MessageSignature.Time(unixSeconds: 1_767_225_600), Array("{}".utf8))
    typealias Create = (String, [String]) throws -> Webhook
    let senders: [(create: Create, id: String?, isBoth: Bool)] = [
      ({ try .standard(secret: $0, previousSecrets: $1) }, "msg_1", true),
      ({ try .svix(secret: $0, previousSecrets: $1) }, "msg_1", true),
      ({ try .stripe(secret: $0, previousSecrets: $1) }, nil, true),
      ({ try .gitHub(secret: $0, previousSecrets: $1) }, nil, false),
      ({ try .slack(secret: $0, previousSecrets: $1) }, nil, false),
      ({ try .shopify(secret: $0, previousSecrets: $1) }, nil, false),
    ]
    for (create, id, isBoth) in senders {
      let (old, new) = (try create("c2VjcmV0", []), try create("bmV3", []))
      let both = try create("bmV3", ["c2VjcmV0"])
      for sender in [old, new] {
        try both.verify(headers: sender.headers(id: id, body: body, at: time), body: body, at: time)
      }
      let headers = try both.headers(id: id, body: body, at: time)
      try new.verify(headers: headers, body: body, at: time)
      let isOld = (try? old.verify(headers: headers, body: body, at: time)) != nil
      #expect(isOld == isBoth)
    }
  }

  /// Source of the attack: Standard Webhooks 1.0.0, "Signature scheme": no '.' in the ID.
  @Test("A text in a signed body isn't taken as the time, and the text before it as the ID")
  func shiftedParts() throws {
    let webhook = try Webhook.standard(secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    let old = MessageSignature.Time(unixSeconds: 1_700_000_000)
    let now = MessageSignature.Time(unixSeconds: 1_767_225_600)
    var headers = try webhook.headers(
      id: "msg_1", body: #"{"text":"a.1767225600.{}"}"#.utf8, at: old)
    headers[0].value = #"msg_1.1700000000.{"text":"a"#
    headers[1].value = "1767225600"
    expectRefusal(.malformedHeader, showing: "webhook-id") {
      try webhook.verify(headers: headers, body: #"{}"}"#.utf8, at: now)
    }
  }
}

extension WebhookTests {
  @Test(
    "A header in another form is rejected, and named",
    arguments: [
      ("webhook-timestamp", "", "webhook-timestamp"),
      ("webhook-timestamp", "1767225600.5", "webhook-timestamp"),
      ("webhook-timestamp", "+1767225600", "webhook-timestamp"),
      ("webhook-timestamp", "-1", "webhook-timestamp"),
      ("webhook-timestamp", "1767225600000", "webhook-timestamp"),
      ("webhook-timestamp", "99999999999999999999999999", "webhook-timestamp"),
      ("webhook-timestamp", "2026-01-01T00:00:00Z", "webhook-timestamp"),
      ("webhook-id", "", "webhook-id"), ("webhook-id", "a b", "webhook-id"),
      ("webhook-id", "é", "webhook-id"), ("webhook-signature", "", "no signature"),
      ("webhook-signature", "v1", "no signature"),
      ("webhook-signature", "v1a,AAAA", "no signature"),
      ("webhook-signature", "v1,?", "encoding"), ("webhook-signature", "v1,AAA", "encoding"),
      ("webhook-signature", String(repeating: "v1,AAAA ", count: 33), "over 32"),
    ])
  func malformed(_ name: String, _ value: String, _ part: String) throws {
    let vector = try vector(named: "standard 1")
    let headers = vector.headers.map { $0.name == name ? (name: name, value: value) : $0 }
    expectRefusal(.malformedHeader, showing: part) {
      try vector.webhook.verify(headers: headers, body: vector.body, at: vector.time)
    }
  }

  @Test(
    "Stripe's header in another form is rejected",
    arguments: [
      "", "t=1767225600", "v1=00", "t=1767225600,t=1767225600,v1=00", "t=,v1=00", "t=1,v1=0",
      "t=1,v1=g0", "t=1 ,v1=00", "t=1,v0=00",
    ])
  func malformedStripe(_ value: String) throws {
    expectRefusal(.malformedHeader, showing: "Stripe-Signature") {
      try Webhook.stripe(secret: "whsec_1").verify(
        headers: ["Stripe-Signature": value], body: [], at: MessageSignature.Time(unixSeconds: 1))
    }
  }

  @Test("An empty signature isn't one, and a part of one neither")
  func short() throws {
    let vector = try vector(named: "published github")
    for value in ["sha256=", String(vector.headers[0].value.dropLast(2))] {
      expectRefusal(.noMatchingSignature) {
        try vector.webhook.verify(
          headers: ["X-Hub-Signature-256": value], body: vector.body, at: vector.time)
      }
    }
    expectRefusal(.malformedHeader) {
      try vector.webhook.verify(
        headers: ["X-Hub-Signature-256": "sha1=00"], body: vector.body, at: vector.time)
    }
  }

  @Test("An empty secret is rejected, and one that isn't base64")
  func secrets() {
    expectRefusal(.invalidSecret, showing: "empty") { try Webhook.stripe(secret: "") }
    expectRefusal(.invalidSecret, showing: "empty") {
      try Webhook.gitHub(secret: "a", previousSecrets: [""])
    }
    expectRefusal(.invalidSecret, showing: "empty") { try Webhook.standard(secret: "whsec_") }
    expectRefusal(.invalidSecret, showing: "base64") {
      try Webhook.standard(secret: "whsec_MfKQ9r8")
    }
    expectRefusal(.invalidSecret, showing: "32") { try Webhook.standard(secret: "whpk_c2VjcmV0") }
    expectRefusal(.invalidSecret, showing: "32") { try Webhook.standard(secret: "whsk_c2VjcmV0") }
    let zero = String(repeating: "0", count: 64)
    for key in ["", "00", zero + "0", zero, String(repeating: "f", count: 64)] {
      expectRefusal(.invalidSecret, showing: "64") { try Webhook.discord(publicKey: key) }
    }
  }

  /// Source: the test key of Svix's libraries. Its halves are a pair, and this is its signature, by
  /// the package cryptography.
  @Test("A private key may be followed by its public key, but not by a different one")
  func keyPair() throws {
    let pair =
      "6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg=="
    let headers = try Webhook.standard(secret: "whsk_" + pair).headers(
      id: "msg_1", body: Array(#"{"test": 2432232314}"#.utf8),
      at: MessageSignature.Time(unixSeconds: 1_614_265_330))
    let signature =
      "nQTtM4ZrcuZzsGnwV7fjfD1akO8KMmKzL9y0IPG35IDT"
      + "WaoLJvwkY6lWPPmZ7Mz2kDKFVkOXjzY4Hm5BFWxiAQ=="
    #expect(headers.last?.value == "v1a," + signature)
    let other = try Base64.decode(pair).dropLast() + [0]
    expectRefusal(.invalidSecret, showing: "public key") {
      try Webhook.standard(secret: "whsk_" + Base64.encode(other))
    }
  }

  @Test("A public key can't sign")
  func publicKey() throws {
    for vector in try Self.vectors() where vector.description.hasSuffix("ed25519") {
      expectRefusal(.unusableKey) {
        try vector.receiver.headers(id: "msg_1", body: [], at: vector.time)
      }
    }
  }

  /// Standard Webhooks 1.0.0: "the same consumer may change back and forth between them".
  @Test("A secret and a public key may be accepted together")
  func bothKinds() throws {
    let (secret, key) = (try vector(named: "standard 1"), try vector(named: "ed25519 1"))
    let both = try Webhook.standard(
      secret: "whpk_ZlN4eg7dSSqi0moX9hQUk3orrOouK3QVQSlJa248c/g=",
      previousSecrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])
    for vector in [secret, key] {
      try both.verify(headers: vector.headers, body: vector.body, at: vector.time)
    }
    // The signature of one kind under the identifier of the other isn't one.
    var headers = key.headers
    headers[2].value = "v1," + headers[2].value.dropFirst(4)
    expectRefusal(.noMatchingSignature) {
      try both.verify(headers: headers, body: key.body, at: key.time)
    }
  }

  @Test("No text has a secret or a signature")
  func nothingSecret() throws {
    let webhook = try Webhook.stripe(secret: "whsec_swordfish")
    var text = "\(webhook)"
    dump(webhook, to: &text)
    dump([webhook], to: &text)
    do {
      try webhook.verify(
        headers: ["Stripe-Signature": "t=1,v1=abcdef"], body: [],
        at: MessageSignature.Time(unixSeconds: 1))
    } catch { text += "\(error)" }
    for secret in ["swordfish", "abcdef"] { #expect(!text.contains(secret)) }
  }

  @Test("Senders need an ID for Standard Webhooks, and for no other")
  func ids() throws {
    let time = MessageSignature.Time(unixSeconds: 1)
    let standard = try Webhook.standard(secret: "c2VjcmV0")
    for id in [nil, "", "a.b", "a b", "a\nb", "é"] {
      expectRefusal(.invalidID) { try standard.headers(id: id, body: [], at: time) }
    }
    expectRefusal(.invalidID) {
      try Webhook.gitHub(secret: "a").headers(id: "1", body: [], at: time)
    }
  }
}
