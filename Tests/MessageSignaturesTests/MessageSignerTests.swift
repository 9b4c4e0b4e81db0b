// SPDX-License-Identifier: Apache-2.0
// Signing: which fields are added, and what isn't signed.

internal import MessageSignatures
internal import SecureHashing
internal import Testing

@Suite("Message signer")
struct MessageSignerTests {
  let now = MessageSignature.Time(unixSeconds: 1_700_000_000)
  let key = SymmetricKey(data: Array("a secret of this test".utf8))

  private func signer(
    _ components: [MessageSignature.Component], label: String = "sig1", lifetime: Duration? = nil
  ) -> MessageSigner {
    MessageSigner(
      key: .hmac(key), keyID: "k", covering: components, label: label, lifetime: lifetime)
  }

  private func post(_ fields: [(name: String, value: String)] = []) throws -> HTTPMessage {
    try HTTPMessage(method: "POST", url: "https://a.example/pay?to=1", fields: fields)
  }

  /// Source of the digest: `hashlib.sha256(b"x")`, in base64. Of the signature: Python's `hmac` of
  /// the base.
  @Test("Signing adds the digest, the input with its parameters, and the signature")
  func fields() throws {
    let signer = MessageSigner(
      key: .hmac(key), keyID: "k", covering: [.method, .query, .contentDigest], label: "a",
      tag: "t", lifetime: .seconds(60))
    let signed = try signer.sign(post(), body: Array("x".utf8), at: now, nonce: "n")
    #expect(signed.fields.map(\.name) == ["Content-Digest", "Signature-Input", "Signature"])
    #expect(signed.fields[0].value == "sha-256=:LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=:")
    #expect(
      signed.fields[1].value
        == #"a=("@method" "@query" "content-digest");created=1700000000;expires=1700000060"#
        + #";nonce="n";keyid="k";tag="t""#)
    #expect(signed.fields[2].value == "a=:xkpn2ek8tR7QwcsBOdvh5mTqvuDLw4dhTfVdkNnuUP4=:")
  }

  @Test("A digest in the message is kept if it's the body's, and otherwise nothing is signed")
  func presentDigest() throws {
    let digest = "sha-256=:LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=:"
    let message = try post([("Content-Digest", digest)])
    let signed = try signer([.contentDigest]).sign(message, body: Array("x".utf8), at: now)
    #expect(signed.fields.count == 3)
    expectRefusal(.wrongContentDigest) {
      try signer([.contentDigest]).sign(message, body: Array("y".utf8), at: now)
    }
  }

  @Test("A second signature needs another label")
  func labels() throws {
    let once = try signer([.method]).sign(post(), body: [], at: now)
    expectRefusal(.labelInUse) { try signer([.method]).sign(once, body: [], at: now) }
    let twice = try signer([.method], label: "b").sign(once, body: [], at: now)
    #expect(twice.fields.count == 4)
    expectRefusal(.invalidParameter) {
      try signer([.method], label: "B").sign(once, body: [], at: now)
    }
  }

  /// RFC 9651, 3.2 and 4.2: an empty dictionary isn't sent, and joined with another line, it's an
  /// error.
  @Test("A message with an empty field of signatures can't get one that isn't readable")
  func emptyFields() throws {
    for name in ["Signature-Input", "signature"] {
      var message = try post()
      message.fields.append((name, ""))
      expectRefusal(.malformedField) { try signer([.method]).sign(message, body: [], at: now) }
    }
  }

  @Test("What a signature can't cover is an error with the component")
  func unavailable() throws {
    let cases: [(MessageSignature.Component, MessageSignatureError.Code, String)] = [
      (.field("x"), .unavailableComponent, #""x" isn't in the message"#),
      (.status, .unavailableComponent, "@status"),
      (.method.ofRequest, .unavailableComponent, "req"),
      (.queryParameter("from"), .unavailableComponent, "isn't in the query"),
      (.field("a b"), .invalidComponent, "isn't the name of a field"),
      (.field("@method"), .invalidComponent, "isn't the name of a field"),
      (.field("é"), .invalidComponent, "isn't ASCII"),
    ]
    for (component, code, text) in cases {
      expectRefusal(code, showing: text) {
        try signer([component]).sign(post(), body: [], at: now)
      }
    }
    for name in ["signature", "Signature-Input"] {
      let signed = try signer([.method]).sign(post(), body: [], at: now)
      expectRefusal(.invalidComponent, showing: "cover one member") {
        try signer([.method, .field(name)], label: "b").sign(signed, body: [], at: now)
      }
    }
    expectRefusal(.invalidComponent, showing: "twice") {
      try signer([.method, .method]).sign(post(), body: [], at: now)
    }
  }

  @Test("Parameters are ASCII, and an empty secret doesn't sign")
  func parameters() throws {
    expectRefusal(.invalidParameter, showing: "nonce") {
      try signer([.method]).sign(post(), body: [], at: now, nonce: "\n")
    }
    let empty = MessageSigner(
      key: .hmac(SymmetricKey(data: [UInt8]())), keyID: "k", covering: [.method])
    expectRefusal(.unusableKey) { try empty.sign(post(), body: [], at: now) }
  }

  /// 2,365 seconds divided by one second is less than 2,365 as a Double.
  @Test(
    "A signature expires after its lifetime in whole seconds", arguments: [1, 60, 2_365, 86_399])
  func lifetimes(seconds: Int64) throws {
    for fraction in [Duration.zero, .milliseconds(999)] {
      let signer = signer([.method], lifetime: .seconds(seconds) + fraction)
      let start = MessageSignature.Time(unixSeconds: 1_000)
      let input = try signer.sign(post(), body: [], at: start).fields[0].value
      #expect(input.contains("created=1000;expires=\(1_000 + seconds);"))
    }
  }

  @Test("Times and lifetimes that no signature can contain become the nearest ones")
  func limits() throws {
    let signer = signer([.method], lifetime: .seconds(Int64.max))
    let end = MessageSignature.Time(unixSeconds: .max)
    let input = try signer.sign(post(), body: [], at: end).fields[0].value
    #expect(input.contains("created=999999999999999;expires=999999999999999;"))
  }
}
