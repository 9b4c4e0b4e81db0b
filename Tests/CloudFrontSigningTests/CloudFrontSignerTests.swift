// SPDX-License-Identifier: Apache-2.0
// Signed URLs and cookies: botocore's policies and URLs, keys in every form, and what they print.

@testable internal import CloudFrontSigning
internal import DigitalSignatures
internal import SigningTestSupport
internal import TestSupport
internal import Testing

@Suite("CloudFront: signed URLs and cookies")
struct CloudFrontSignerTests {
  let vectors: CloudFrontVectors

  init() throws { vectors = try CloudFrontVectors() }

  @Test("No vector is missing: 33 with a canned policy, 42 with a custom one")
  func count() {
    #expect(vectors.cases.count == 75)
    #expect(vectors.cases.count { $0.name.hasPrefix("custom, ") } == 42)
  }

  @Test("A URL and its policy are botocore's, with both keys and both hash functions")
  func urls() throws {
    vectors.cases.forEachCase { (vector: VectorRecord) in
      let signer = try vectors.signer(for: vector)
      let signed =
        try vector.policy().map { try signer.signedURL(vector.text("url"), policy: $0) }
        ?? signer.signedURL(vector.text("url"), expiresAt: vector.time("expires"))
      #expect(try signed.policy.json == vector.text("policy"), "\(vector)")
      #expect(try signed.url == vector.text("signed-url"), "\(vector)")
      #expect(try signed.policy.expiration == vector.time("expires"))
    }
  }

  @Test("Cookies have the parts of the URL")
  func cookies() throws {
    vectors.cases.forEachCase { (vector: VectorRecord) in
      let signer = try vectors.signer(for: vector)
      let cookies =
        try vector.policy().map { try signer.signedCookies(policy: $0) }
        ?? signer.signedCookies(for: vector.text("url"), expiresAt: vector.time("expires"))
      let pairs = cookies.cookies.map { $0.name + "=" + $0.value }
      #expect(try pairs == vector.texts("cookie"), "\(vector)")
      #expect(try cookies.cookieValue == vector.texts("cookie").joined(separator: "; "))
    }
  }

  @Test("A lifetime starts now, for URLs, cookies and policies")
  func lifetimes() throws {
    let (signer, url) = (try vectors.signer(), "https://d111111abcdef8.cloudfront.net/a")
    let now = try SigV4.Timestamp(unixSeconds: 1_704_164_645)
    let end = try SigV4.Timestamp(unixSeconds: 1_704_165_245)
    let signed = try signer.signedURL(url, expiresIn: .seconds(600), at: now)
    #expect(try signed.url == signer.signedURL(url, expiresAt: end).url)
    let cookies = try signer.signedCookies(for: url, expiresIn: .seconds(600), at: now)
    #expect(try cookies.cookieValue == signer.signedCookies(for: url, expiresAt: end).cookieValue)
    let policy = try CloudFrontPolicy(resource: url, expiresIn: .seconds(600), at: now)
    #expect(try policy == CloudFrontPolicy(resource: url, expiresAt: end))
    #expect(policy.expiration == end)
  }

  @Test("Every PEM form of a key creates the same signature, as does a key of DigitalSignatures")
  func keys() throws {
    for (name, key) in vectors.keys where name != "composite" {
      let vector = try #require(vectors.cases.first { $0.name.contains(", \(name), SHA256") })
      for field in ["private-key", "traditional-private-key"] {
        let signer = try CloudFrontSigner(
          keyPairID: "K2JCJMDEHXQW5F", privateKeyPEM: key.text(field))
        let url = try signer.signedURL(vector.text("url"), expiresAt: vector.time("expires"))
        #expect(try url.url == vector.text("signed-url"), "\(name) \(field)")
      }
    }
    let rsa = try CloudFrontSigner(
      keyPairID: "K", privateKey: RSA.Signing.PrivateKey(pemRepresentation: vectors.privateKeyPEM())
    )
    #expect(rsa.hashAlgorithm == .sha256)
    let p256 = try CloudFrontSigner(
      keyPairID: "K",
      privateKey: P256.Signing.PrivateKey(pemRepresentation: vectors.privateKeyPEM("p256")))
    #expect(p256.hashAlgorithm == .sha256)
    #expect(p256.keyPairID == "K")
  }

  @Test("SHA-1 isn't announced, SHA-256 is")
  func hashAlgorithms() throws {
    let end = try SigV4.Timestamp(unixSeconds: 1_704_164_645)
    let pem = try vectors.privateKeyPEM()
    let old = try CloudFrontSigner(keyPairID: "K", privateKeyPEM: pem, hashAlgorithm: .sha1)
    #expect(try old.signedURL("https://a/b", expiresAt: end).url.hasSuffix("&Key-Pair-Id=K"))
    let new = try CloudFrontSigner(keyPairID: "K", privateKeyPEM: pem)
    #expect(
      try new.signedURL("https://a/b", expiresAt: end).url
        .hasSuffix("&Key-Pair-Id=K&Hash-Algorithm=SHA256"))
  }

  @Test("No way to print a signer, a URL or cookies shows the key or the signature")
  func redaction() throws {
    let signer = try vectors.signer()
    let end = try SigV4.Timestamp(unixSeconds: 1_704_164_645)
    let url = try signer.signedURL("https://a.example.com/b", expiresAt: end)
    let cookies = try signer.signedCookies(for: "https://a.example.com/b", expiresAt: end)
    let signature = try #require(cookies.cookies.first { $0.name == "CloudFront-Signature" }).value
    for value in [signer, url, cookies] as [any Sendable] {
      var text = "\(value) \(String(reflecting: value))"
      dump(value, to: &text)
      #expect(!text.contains(signature.prefix(20)) && !text.contains("rivate"), "\(text)")
    }
    #expect("\(signer)" == "CloudFrontSigner(K2JCJMDEHXQW5F)")
    #expect("\(url)" == "CloudFrontURL(https://a.example.com/b, until 2024-01-02T03:04:05Z)")
    #expect(
      "\(cookies)" == "CloudFrontCookies(https://a.example.com/b, until 2024-01-02T03:04:05Z)")
  }
}

/// Source: Amazon CloudFront, Developer Guide, "Set signed cookies using a custom policy", example
/// 1 (the value of CloudFront-Policy), and the table of replaced characters.
@Suite("CloudFront: base64")
struct CloudFrontBase64Tests {
  @Test("The policy of the Developer Guide's example is read")
  func published() throws {
    let text = """
      eyJTdGF0ZW1lbnQiOlt7IlJlc291cmNlIjoiaHR0cDovL2QxMTExMTFhYmNkZWY4LmNsb3VkZnJvbnQubmV0L2dhbW\
      VfZG93bmxvYWQuemlwIiwiQ29uZGl0aW9uIjp7IklwQWRkcmVzcyI6eyJBV1M6U291cmNlSXAiOiIxOTIuMC4yLjAv\
      MjQifSwiRGF0ZUxlc3NUaGFuIjp7IkFXUzpFcG9jaFRpbWUiOjE0MjY1MDAwMDB9fX1dfQ__
      """
    let bytes = try #require(CloudFrontBase64.decode(Array(text.utf8)[...]))
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        {"Statement":[{"Resource":"http://d111111abcdef8.cloudfront.net/game_download.zip",\
        "Condition":{"IpAddress":{"AWS:SourceIp":"192.0.2.0/24"},"DateLessThan":\
        {"AWS:EpochTime":1426500000}}}]}
        """)
    #expect(CloudFrontBase64.encode(bytes) == text)
  }

  @Test("'+', '=' and '/' become '-', '_' and '~', and aren't accepted")
  func characters() {
    #expect(CloudFrontBase64.encode([0xFB, 0xEF, 0xFF, 0xFF]) == "--~~~w__")
    #expect(CloudFrontBase64.decode(Array("--~~~w__".utf8)[...]) == [0xFB, 0xEF, 0xFF, 0xFF])
    for text in [
      "++//~w__", "--~~~w==", "--~~~w", "--~~~w_", "a", "----=", "-_--", "ab c", "\u{e9}a==",
    ] {
      #expect(CloudFrontBase64.decode(Array(text.utf8)[...]) == nil, "\(text)")
    }
  }
}
