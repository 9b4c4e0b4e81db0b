// SPDX-License-Identifier: Apache-2.0
// Round trips of everything that signs besides the signer itself: forms, batches, tokens, chunks.

internal import SigningTestSupport
internal import RequestVerification
internal import S3Signing
internal import RequestSigning
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Verification: there and back, other producers")
struct ProducerTests {
  @Test("Generated forms are accepted with what their page fills in")
  func forms() throws {
    var draw = Draw(seed: 0x666F_726D_73)
    for index in 0..<sampleSize(200, of: 2_000) {
      var server = try FormServer()
      if draw.chance(3) { server.credentials = try Example.credentials(sessionToken: "t/+=") }
      let prefix = draw.text(20)
      let lowest = Int64(draw.size(20))
      let file = draw.bytes(Int(lowest) + draw.size(20))
      var form = try server.form(
        [
          .key(prefix + "${filename}"), .metadata("a", draw.text(9)),
          .field("x-amz-meta-b", startsWith: prefix),
          .contentLength(from: lowest, through: Int64(file.count + draw.size(9))),
        ], expiresIn: .seconds(1 + draw.size(604_799)))
      form.fields.append((Array("X-Amz-Meta-B".utf8), Array((prefix + draw.text(9)).utf8)))
      let verified = try server.verify(form)
      #expect(verified.key == prefix + "a.jpg", "form \(index)")
      #expect(try verified.file(file) == file)
      form.fields[1].value.append(0x61)
      #expect(throws: SigV4.VerificationError.self) { try server.check(form, file: file) }
    }
  }

  @Test("URLs of batches are accepted")
  func batches() throws {
    var draw = Draw(seed: 0x6261_7463_68)
    let bucket = try SigV4.Bucket.aws("examplebucket", region: "us-east-1")
    var policy = SigV4.Verifier(services: [.s3], regions: ["us-east-1"])
    policy.unsignedPayloads = .allowed
    let verifier = policy
    for _ in 0..<sampleSize(10, of: 100) {
      let token = draw.chance(3) ? "t/+=" : nil
      let credentials = try Example.credentials(sessionToken: token)
      let signer = try Example.signer(.s3, sessionToken: token)
      let urls = try signer.presignedURLs(
        for: (0..<60).map { _ in "k" + draw.text(30) }, in: bucket,
        expiresIn: .seconds(1 + draw.size(604_799)), at: Example.moment())
      for url in urls {
        let sent = try WireRequest(url: url)
        let unverified = try verifier.check(sent.received(), at: Example.moment())
        _ = try unverified.verify(with: credentials).body([])
      }
    }
  }

  @Test("Connection tokens of every kind are accepted")
  func tokens() {
    SentToken.Kind.allCases.forEachCase { (kind: SentToken.Kind) in
      var draw = Draw(seed: 0x746F_6B65_6E)
      for _ in 0..<sampleSize(200, of: 2_000) / SentToken.Kind.allCases.count {
        let sent = try SentToken(kind, &draw)
        try sent.verify(sent.request)
        var changed = sent.request
        let last = try #require(changed.target.indices.last)
        changed.target[last - draw.size(last - 1)] ^= 1
        #expect(throws: SigV4.VerificationError.self) { try sent.verify(changed) }
      }
    }
  }

  @Test("Generated bodies in chunks come back, and one changed byte is rejected")
  func chunks() throws {
    let server = try ExampleServer(unsignedPayloads: .allowed)
    var draw = Draw(seed: 0x6368_756E_6B)
    for index in 0..<sampleSize(100, of: 1_000) {
      let body = draw.bytes(draw.size(index % 10 == 0 ? 30_000 : 300))
      let sent = try SentChunks(body, SentChunks.Kind.allCases[index % 3])
      #expect(try server.verify(sent.request) == body)
      var changed = sent.request
      // Except the case of digits and names, which ChunkVerifierTests checks.
      changed.body[draw.size(changed.body.count - 1)] ^= 0x01
      #expect(throws: SigV4.VerificationError.self) { try server.verify(changed) }
    }
  }
}

/// Draws from a seed.
struct Draw {
  private var generator: Xorshift64

  init(seed: UInt64) {
    generator = Xorshift64(seed: seed)
  }

  /// 0 to the largest.
  mutating func size(_ largest: Int) -> Int { generator.size(upTo: UInt64(largest)) }

  mutating func chance(_ oneIn: Int) -> Bool { size(oneIn - 1) == 0 }

  mutating func bytes(_ count: Int) -> [UInt8] { generator.bytes(count) }

  /// Up to this many characters that are easy to encode wrong. No control characters, and no
  /// variable.
  mutating func text(_ largest: Int) -> String {
    let pieces = [
      "a", "B", "0", "~", "/", "+", " ", "%", "\"", "\\", "$", "é", "\u{1F600}", "&", "=",
    ]
    return (0..<size(largest)).map { _ in pieces[size(pieces.count - 1)] }.joined()
  }
}
