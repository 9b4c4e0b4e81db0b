// SPDX-License-Identifier: Apache-2.0
// What a verifier must not accept (RFC 9421, sections 3.2 and 7), an attack each.

internal import DigitalSignatures
internal import Foundation
internal import MessageSignatures
internal import SecureHashing
internal import Testing

@Suite("Attacks on a message verifier")
struct AttackTests {
  typealias Component = MessageSignature.Component

  static let now = MessageSignature.Time(unixSeconds: 1_700_000_000)
  static let body = Array("amount=1".utf8)
  let key = P256.Signing.PrivateKey()
  let everything: [Component] = [.method, .authority, .path, .query, .contentDigest]

  private func verifier(
    _ required: [Component]? = nil, tag: String? = nil, label: String? = nil
  ) -> MessageVerifier {
    MessageVerifier(requiring: required ?? everything, label: label, tag: tag) {
      [publicKey = key.publicKey] keyID in keyID == "k" ? .p256(publicKey) : nil
    }
  }

  private func signer(
    _ covered: [Component]? = nil, label: String = "sig1", tag: String? = nil,
    lifetime: Duration? = nil, key: P256.Signing.PrivateKey? = nil
  ) -> MessageSigner {
    MessageSigner(
      key: .p256(key ?? self.key), keyID: "k", covering: covered ?? everything, label: label,
      tag: tag, lifetime: lifetime)
  }

  private func post(
    _ url: String = "https://a.example/pay?to=1", method: String = "POST",
    _ fields: [(name: String, value: String)] = []
  ) throws -> HTTPMessage {
    try HTTPMessage(method: method, url: url, fields: fields)
  }

  private func signed() throws -> HTTPMessage {
    try signer().sign(post(), body: Self.body, at: Self.now)
  }

  /// Changes the value of a field.
  private func changing(
    _ name: String, in message: HTTPMessage, _ change: (String) -> String
  ) -> HTTPMessage {
    var message = message
    for index in message.fields.indices where message.fields[index].name == name {
      message.fields[index].value = change(message.fields[index].value)
    }
    return message
  }

  private func refused(
    _ code: MessageSignatureError.Code, showing text: String = "", _ message: HTTPMessage,
    body: [UInt8] = Self.body, by verifier: MessageVerifier? = nil,
    at now: MessageSignature.Time = Self.now, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectRefusal(code, showing: text, sourceLocation: sourceLocation) {
      try (verifier ?? self.verifier()).verify(message, body: body, at: now)
    }
  }

  // MARK: Which signature

  @Test("The message is accepted, and only covered values are handed out")
  func accepted() throws {
    var message = try signed()
    message.fields.append(("X-Role", "admin"))
    let verified = try verifier().verify(message, body: Self.body, at: Self.now)
    #expect(verified.keyID == "k" && verified.created == Self.now && verified.label == "sig1")
    #expect(verified.covered == everything && verified.nonce == nil && verified.tag == nil)
    #expect(verified[.query] == "?to=1" && verified[.path] == "/pay")
    #expect(verified[.field("x-role")] == nil && verified[.targetURI] == nil)
    #expect(verified[.method.ofRequest] == nil)
  }

  @Test("A message without a signature, or with another label or tag")
  func missing() throws {
    refused(.missingSignature, try post())
    refused(.missingSignature, try signed(), by: verifier(label: "sig2"))
    refused(.missingSignature, try signed(), by: verifier(tag: "app"))
    let tagged = try signer(tag: "other").sign(post(), body: Self.body, at: Self.now)
    refused(.missingSignature, tagged)
    refused(.missingSignature, tagged, by: verifier(tag: "app"))
  }

  @Test("A second signature that somebody added (7.2.6)")
  func several() throws {
    let attacker = P256.Signing.PrivateKey()
    let both = try signer(label: "sig2", key: attacker)
      .sign(signed(), body: Self.body, at: Self.now)
    refused(.severalSignatures, both)
    refused(.wrongSignature, both, by: verifier(label: "sig2"))
    _ = try verifier(label: "sig1").verify(both, body: Self.body, at: Self.now)
  }

  @Test("A tag that somebody copied (7.2.7)")
  func copiedTag() throws {
    let once = try signer(tag: "app").sign(post(), body: Self.body, at: Self.now)
    let twice = try signer(label: "sig2", tag: "app", key: P256.Signing.PrivateKey())
      .sign(once, body: Self.body, at: Self.now)
    refused(.severalSignatures, twice, by: verifier(tag: "app"))
  }

  @Test("A label in one field only, and a label that appears twice")
  func labels() throws {
    let message = try signed()
    refused(.malformedField, changing("Signature", in: message) { $0 + ", b=:AAAA:" })
    refused(.malformedField, changing("Signature-Input", in: message) { $0 + ", b=()" })
    refused(.malformedField, changing("Signature", in: message) { $0 + ", sig1=:AAAA:" })
    refused(.malformedField, changing("Signature-Input", in: message) { $0 + ", sig1=()" })
    refused(.malformedField, changing("Signature-Input", in: message) { _ in "sig1=1" })
    refused(.malformedField, changing("Signature", in: message) { _ in "sig1=1" })
    refused(.malformedField, changing("Signature", in: message) { _ in "sig1=:=:" })
  }

  @Test("The claimed key ID is known before the key is, and also of a message that isn't valid")
  func claimedKeyID() throws {
    #expect(try verifier().claimedKeyID(of: signed()) == "k")
    let changed = changing("Signature", in: try signed()) { _ in "sig1=:AAAA:" }
    #expect(try verifier().claimedKeyID(of: changed) == "k")
    expectRefusal(.missingSignature) { try verifier().claimedKeyID(of: post()) }
  }

  // MARK: Its time

  @Test("A signature of the future, an old one, and an expired one")
  func times() throws {
    func at(_ offset: Int64) -> MessageSignature.Time {
      MessageSignature.Time(unixSeconds: Self.now.unixSeconds + offset)
    }
    let message = try signed()
    for (offset, code) in [
      (-61, MessageSignatureError.Code.createdInFuture), (301, .tooOld),
      (Int64.min / 2, .createdInFuture),
      (Int64.max / 2, .tooOld),
    ] {
      refused(code, message, at: at(offset))
    }
    for offset in [-60, 0, 300] as [Int64] {
      _ = try verifier().verify(message, body: Self.body, at: at(offset))
    }
    let short = try signer(lifetime: .seconds(10)).sign(post(), body: Self.body, at: Self.now)
    let verified = try verifier().verify(short, body: Self.body, at: at(69))
    #expect(verified.expiration == at(10))
    refused(.expired, short, at: at(70))
    let long = try signer(lifetime: .seconds(9999)).sign(post(), body: Self.body, at: Self.now)
    refused(.tooOld, long, at: at(301))
  }

  @Test("A signature without a time or a key ID, or with those of another type")
  func parameters() throws {
    for (old, new) in [
      ("created=1700000000;", ""), ("created=1700000000", "created=1700000000.0"),
      ("created=1700000000", #"created="1700000000""#), ("created=1700000000", "created"),
      ("created=1700000000", "created=@1700000000"), (#";keyid="k""#, ""),
      (#"keyid="k""#, "keyid=k"), (#"keyid="k""#, #"keyid="k";nonce=1"#),
      (#"keyid="k""#, #"keyid="k";alg"#), (#"keyid="k""#, #"keyid="k";expires="1700000009""#),
    ] {
      let changed = changing("Signature-Input", in: try signed()) { replacing(old, new, in: $0) }
      refused(.invalidParameter, changed)
    }
  }

  // MARK: What it covers

  @Test("A signature that covers nothing, or less than is required (7.2.1)")
  func coverage() throws {
    let none = try signer([]).sign(post(), body: [], at: Self.now)
    refused(.notCovered, none, body: [], by: verifier([]))
    for missing in everything {
      let message = try signer(everything.filter { $0 != missing })
        .sign(post(), body: [], at: Self.now)
      refused(.notCovered, showing: missing.description, message, body: [])
    }
  }

  @Test("A component with parameters for the one without, such as that of the request")
  func otherParameters() throws {
    let request = try signed()
    let covered = [Component.method.ofRequest, .contentDigest.ofRequest]
    let message = try signer(covered).sign(
      HTTPMessage(status: 200, fields: [], to: request), body: [], at: Self.now)
    refused(.notCovered, message, body: [], by: verifier([.method]))
    refused(.notCovered, message, body: [], by: verifier([.contentDigest]))
    _ = try verifier(covered).verify(message, body: [], at: Self.now)
    let member = try signer([.field("content-digest", key: "sha-256")])
      .sign(post(), body: Self.body, at: Self.now)
    refused(.notCovered, member, by: verifier([.contentDigest]))
    _ = try verifier([]).verify(member, body: Self.body, at: Self.now)
  }

  @Test("A component that's covered twice, and one that isn't known")
  func components() throws {
    let replacements: [(String, MessageSignatureError.Code)] = [
      (#""@method" "@method""#, .invalidComponent), (#""@method" "x";tr"#, .invalidComponent),
      (#""@method" path"#, .invalidComponent), (#""@method" "X""#, .invalidComponent),
      (#""@method" "@path";key="a""#, .invalidComponent), (#""@method";sf"#, .notCovered),
      (#""@method" "@unknown""#, .invalidComponent),
      (#""@method" "@signature-params""#, .invalidComponent),
    ]
    for (new, code) in replacements {
      let changed = changing("Signature-Input", in: try signed()) {
        replacing(#""@method""#, new, in: $0)
      }
      refused(code, changed)
    }
  }

  @Test("More than 100 components, which could take long")
  func manyComponents() throws {
    let many = (0...100).map { #""x";key="\#($0)""# }.joined(separator: " ")
    let changed = changing("Signature-Input", in: try signed()) {
      replacing(#""@method""#, #""@method" "# + many, in: $0)
    }
    refused(.malformedField, showing: "100", changed)
  }

  // MARK: Its key

  @Test("An unknown key, another key, and an algorithm that isn't the key's (7.3.6)")
  func keys() throws {
    let unknown = changing("Signature-Input", in: try signed()) {
      replacing(#"keyid="k""#, #"keyid="l""#, in: $0)
    }
    refused(.unknownKey, unknown)
    let other = try signer(key: P256.Signing.PrivateKey())
      .sign(post(), body: Self.body, at: Self.now)
    refused(.wrongSignature, other)
    for algorithm in ["hmac-sha256", "ed25519", "ECDSA-P256-SHA256", "none", ""] {
      let named = changing("Signature-Input", in: try signed()) { $0 + #";alg="\#(algorithm)""# }
      refused(.wrongAlgorithm, named)
    }
  }

  @Test("A public key as the secret of an HMAC (7.3.6)")
  func publicKeyAsSecret() throws {
    for bytes in [
      key.publicKey.x963Representation, key.publicKey.derRepresentation,
      Array(key.publicKey.pemRepresentation.utf8),
    ] {
      let forger = MessageSigner(
        key: .hmac(SymmetricKey(data: bytes)), keyID: "k", covering: everything)
      refused(.wrongSignature, try forger.sign(post(), body: Self.body, at: Self.now))
    }
  }

  @Test("An empty secret, which everybody knows")
  func emptySecret() throws {
    let empty = SymmetricKey(data: [UInt8]())
    let verifier = MessageVerifier(requiring: [.method]) { _ in .hmac(empty) }
    let base =
      #""@method": POST"# + "\n"
      + #""@signature-params": ("@method");created=1700000000;keyid="k""#
    let code = HMAC<SHA256>.authenticationCode(for: Array(base.utf8), using: empty)
    var message = try post()
    message.fields = [
      ("Signature-Input", #"a=("@method");created=1700000000;keyid="k""#),
      ("Signature", "a=:\(Base64.encode(code)):"),
    ]
    refused(.wrongSignature, message, body: [], by: verifier)
  }

  // MARK: The message

  @Test("Another method, host, path or query")
  func otherRequests() throws {
    let fields = try signed().fields
    for (method, url) in [
      ("PUT", "https://a.example/pay?to=1"), ("post", "https://a.example/pay?to=1"),
      ("POST", "https://b.example/pay?to=1"), ("POST", "https://a.example:8443/pay?to=1"),
      ("POST", "https://a.example/Pay?to=1"), ("POST", "https://a.example/%70ay?to=1"),
      ("POST", "https://a.example/pay?to=2"), ("POST", "https://a.example/pay"),
      ("POST", "https://a.example/pay?to=1&to=2"), ("POST", "https://a.example/pay?to=%31"),
    ] {
      refused(.wrongSignature, try post(url, method: method, fields))
    }
    _ = try verifier().verify(
      post("https://A.EXAMPLE:443/pay?to=1", fields), body: Self.body, at: Self.now)
  }

  @Test("Another body, with and without its own digest (7.2.8)")
  func otherBodies() throws {
    let other = Array("amount=9".utf8)
    refused(.wrongContentDigest, try signed(), body: other)
    refused(.wrongContentDigest, try signed(), body: [])
    let fresh = try signer([.contentDigest]).sign(post(), body: other, at: Self.now).fields[0].value
    refused(
      .wrongSignature, changing("Content-Digest", in: try signed()) { _ in fresh }, body: other)
  }

  @Test("A body that isn't covered, or only by a digest that isn't compared")
  func uncoveredBody() throws {
    let required = Array(everything.dropLast())
    let message = try signer(required).sign(post(), body: [], at: Self.now)
    refused(.notCovered, showing: "the body", message, by: verifier(required))
    let digest = try signed().fields[0].value
    let md5 = try signer(required + [.field("content-digest", key: "md5")])
      .sign(post(fields: "md5=:AAAA:, " + digest), body: Self.body, at: Self.now)
    refused(.notCovered, showing: "the body", md5, by: verifier(required))
  }

  @Test("A digest with broken algorithms only, or with one right and one wrong value")
  func digests() throws {
    for (digest, code) in [
      ("md5=:AAAA:", MessageSignatureError.Code.wrongContentDigest), ("", .wrongContentDigest),
      ("sha-256", .wrongContentDigest), ("sha-256=:AAAA:", .wrongContentDigest),
      ("sha-256=x, sha-512=:AAAA:", .wrongContentDigest), ("sha-256=", .malformedField),
    ] {
      expectRefusal(code) {
        try signer([.method]).sign(
          post(fields: digest), body: Self.body, at: Self.now)
      }
    }
  }

  @Test("A field named like a derived component, or like one in other letters (7.5.1)")
  func lookalikes() throws {
    let fields = try signed().fields
    for name in ["@method", "Content\u{2010}Digest"] {
      _ = try verifier().verify(
        post("https://a.example/pay?to=1", fields + [(name, "x")]), body: Self.body, at: Self.now)
    }
    // U+212A, the Kelvin sign, is `k` in lowercase, and equal to `K` for strings.
    let message = try signer([.method]).sign(
      post("https://a.example/", [("X-\u{212A}ey", "1")]), body: [], at: Self.now)
    #expect(message.fields.count == 3)
    expectRefusal(.unavailableComponent) {
      try signer([.field("x-key")]).sign(
        post("https://a.example/", [("X-\u{212A}ey", "1")]), body: [], at: Self.now)
    }
  }

  @Test("A field value that forges a line of the base")
  func forgedLine() throws {
    for value in ["a\n\"@method\": GET", "a\r\n\"@method\": GET", "a\u{85}b", "a\0", "é"] {
      expectRefusal(.unavailableComponent, showing: "newline") {
        try signer([.field("x")]).sign(
          post("https://a.example/", [("X", value)]), body: [], at: Self.now)
      }
    }
  }

  @Test("A line that's added to a covered field, or moved to another")
  func fieldLines() throws {
    let signer = signer([.field("a"), .field("b")])
    let message = try signer.sign(
      post("https://a.example/", [("A", "1"), ("B", "2")]), body: [], at: Self.now)
    let signature = Array(message.fields.suffix(2))
    let lenient = verifier([.field("a"), .field("b")])
    for fields in [
      [("A", "1"), ("A", ""), ("B", "2")], [("A", "1, 2"), ("B", "")], [("A", "2"), ("B", "1")],
    ] as [[(name: String, value: String)]] {
      refused(
        .wrongSignature, try post("https://a.example/", fields + signature), body: [], by: lenient)
    }
    _ = try lenient.verify(
      post("https://a.example/", [("b", " 2\t"), ("a", "1")] + signature), body: [], at: Self.now)
  }

  // MARK: Again

  @Test("The same message again: the application is asked last, for valid signatures only")
  func replay() throws {
    let asked = Counter()
    let verifier = MessageVerifier(
      requiring: everything, isFirstUse: { asked.count($0.nonce ?? "") == 1 }
    ) { [publicKey = key.publicKey] _ in .p256(publicKey) }
    let message = try signer().sign(post(), body: Self.body, at: Self.now, nonce: "n")
    refused(.wrongContentDigest, message, body: [1], by: verifier)
    refused(.wrongSignature, try post("https://b.example/", message.fields), by: verifier)
    #expect(asked.total == 0)
    #expect(try verifier.verify(message, body: Self.body, at: Self.now).nonce == "n")
    refused(.replayed, message, by: verifier)
  }

  private func replacing(_ old: String, _ new: String, in text: String) -> String {
    guard let range = text.range(of: old) else { return text }
    return text.replacingCharacters(in: range, with: new)
  }

  private func post(fields digest: String) throws -> HTTPMessage {
    try post("https://a.example/", [("Content-Digest", digest)])
  }
}
