// SPDX-License-Identifier: Apache-2.0
// Each reason for which a signed URL or cookies give no access.

internal import CloudFrontSigning
internal import DigitalSignatures
internal import SecureHashing
internal import TestSupport
internal import Testing

/// Sources: Amazon CloudFront, Developer Guide, "Create a signed URL using a canned policy",
/// "Create a signed URL using a custom policy", "Set signed cookies using a custom policy".
@Suite("CloudFront: denials")
struct CloudFrontDenialTests {
  let vectors: CloudFrontVectors
  let verifier: CloudFrontVerifier
  let signed: String
  let now: SigV4.Timestamp
  let end: SigV4.Timestamp

  init() throws {
    vectors = try CloudFrontVectors()
    verifier = try vectors.verifier()
    now = try SigV4.Timestamp(unixSeconds: 1_704_164_645)
    end = try SigV4.Timestamp(unixSeconds: 1_704_165_245)
    signed = try vectors.signer().signedURL("https://a/b", expiresAt: end).url
  }

  func verify(_ url: String, cookies: String? = nil) throws {
    _ = try verifier.verify(url: url, cookies: cookies, from: "192.0.2.7", at: now)
  }

  @Test("Without a signature, or with a part of one, there is no access")
  func missing() throws {
    for url in ["https://a/b", "https://a/b?x=1", "https://a/b?", "https://a/b?expires=1"] {
      expectDenied(.missingSignature) { try verify(url) }
      expectDenied(.missingSignature) { try verify(url, cookies: "a=b; Policy=1") }
      expectDenied(.missingSignature) { try verify(url, cookies: "") }
    }
    let parameters = signed.split(separator: "?")[1].split(separator: "&")
    for (index, name) in ["Expires", "Signature", "Key-Pair-Id"].enumerated() {
      #expect(parameters[index].hasPrefix(name + "="))
      let rest = parameters.enumerated().filter { $0.offset != index }.map(\.element)
      expectDenied(.incompleteSignature) {
        try verify("https://a/b?" + rest.joined(separator: "&"))
      }
      expectDenied(.incompleteSignature) {
        try verify("https://a/b", cookies: rest.map { "CloudFront-" + $0 }.joined(separator: "; "))
      }
    }
    // SHA-256 has to be announced: without, it's SHA-1.
    expectDenied(.invalidSignature) {
      try verify(signed.replacing("&Hash-Algorithm=SHA256", with: ""))
    }
  }

  @Test("A part that appears twice, or with an alternative, gives no access")
  func repeated() throws {
    for parameter in signed.split(separator: "?")[1].split(separator: "&") {
      expectDenied(.repeatedParameter) { try verify(signed + "&" + parameter) }
      expectDenied(.repeatedParameter) {
        try verify(signed.replacing("?", with: "?" + parameter + "&"))
      }
      let cookies = signed.split(separator: "?")[1].split(separator: "&").map { "CloudFront-" + $0 }
      expectDenied(.repeatedParameter) {
        try verify(
          "https://a/b", cookies: (cookies + ["CloudFront-" + parameter]).joined(separator: ";"))
      }
    }
    expectDenied(.conflictingPolicies) { try verify(signed + "&Policy=e30_") }
  }

  @Test("A URL that isn't absolute, or that breaks the JSON of a canned policy, gives no access")
  func urls() {
    let query = signed.split(separator: "?")[1]
    for url in [
      "/b", "a/b", "", "ftp://a/b", "HTTPS://a/b", "https://a/b\"", "https://a/b\\",
      "https://a/b c",
      "https://a/\u{E9}", "https://a/b\n", "https://a/" + String(repeating: "b", count: 8_192),
    ] {
      expectDenied(.malformedURL) { try verify(url + "?" + query) }
    }
    expectDenied(.malformedURL) { try verify(signed + "#fragment") }
  }

  /// Amazon CloudFront, Developer Guide, "Path pattern": CloudFront normalizes paths as in RFC 3986
  /// (6.2.2), and sends the origin the path as it was requested.
  @Test("A path with a dot segment gives no access, in any encoding, by URL or by cookies")
  func dotSegments() throws {
    let signer = try vectors.signer()
    for resource in ["https://a/a/*", "http*://a/a/*", "https://a/a/?*", "*"] {
      let policy = try CloudFrontPolicy(resource: resource, expiresAt: end)
      let url = try signer.signedURL("https://a/a/b", policy: policy).url
      let query = url.split(separator: "?")[1]
      let cookies = try signer.signedCookies(policy: policy).cookieValue
      for path in [
        "/a/../b", "/a/..", "/a/./b", "/a/.", "/a/b/../../c", "/a/../", "/a/..//b", "/a/%2e%2e/b",
        "/a/%2E%2e/b", "/a/.%2E/b", "/a/%2e./b", "/a/%2e", "/a/..%2fb", "/a/b%2F..%2Fc",
        "/a/..%5cb", "/a/%2e%2e%5Cb", "/a/%252e%252E/b", "/a/..%252fb",
      ] {
        expectDenied(.malformedURL) { try verify("https://a" + path, cookies: cookies) }
        expectDenied(.malformedURL) { try verify("https://a\(path)?x=1", cookies: cookies) }
        expectDenied(.malformedURL) { try verify("https://a\(path)?\(query)") }
      }
      for path in ["/a/..b", "/a/b..", "/a/...", "/a/.b", "/a/b.", "/a//b", "/a/%2e%2e%2e"] {
        #expect(throws: Never.self) { try verify("https://a" + path, cookies: cookies) }
        #expect(throws: Never.self) { try verify("https://a\(path)?x=/../y", cookies: cookies) }
        #expect(throws: Never.self) { try verify("https://a\(path)?\(query)") }
      }
    }
    // A policy for such a path doesn't open it either.
    let policy = try CloudFrontPolicy(resource: "https://a/a/..*", expiresAt: end)
    let cookies = try signer.signedCookies(policy: policy).cookieValue
    expectDenied(.malformedURL) { try verify("https://a/a/../b", cookies: cookies) }
    expectDenied(.urlNotInPolicy) { try verify("https://a/b", cookies: cookies) }
  }

  @Test("Only SHA1 and SHA256 are hash algorithms, and a signature is of one of them")
  func hashAlgorithms() throws {
    for name in ["", "SHA-256", "sha256", "SHA512", "MD5", "SHA2560"] {
      expectDenied(.unsupportedHashAlgorithm) {
        try verify(signed.replacing("Hash-Algorithm=SHA256", with: "Hash-Algorithm=" + name))
      }
    }
    let rsa = try CloudFrontSigner(
      keyPairID: "K2JCJMDEHXQW5F", privateKeyPEM: vectors.privateKeyPEM(), hashAlgorithm: .sha1)
    let url = try rsa.signedURL("https://a/b", expiresAt: end).url
    #expect(throws: Never.self) { try verify(url) }
    #expect(throws: Never.self) { try verify(url + "&Hash-Algorithm=SHA1") }
    expectDenied(.invalidSignature) { try verify(url + "&Hash-Algorithm=SHA256") }
    let p256 = try CloudFrontSigner(
      keyPairID: "KP256",
      privateKey: P256.Signing.PrivateKey(pemRepresentation: vectors.privateKeyPEM("p256")))
    let short = try p256.signedURL("https://a/b", expiresAt: end).url
    #expect(throws: Never.self) { try verify(short) }
    for end in ["", "&Hash-Algorithm=SHA1"] {
      expectDenied(.invalidSignature) {
        try verify(short.replacing("&Hash-Algorithm=SHA256", with: end))
      }
    }
  }

  @Test("An unknown key gives no access, nor does another key's signature")
  func keys() throws {
    expectDenied(.unknownKeyPairID) { try verify(signed.replacing("K2JCJMDEHXQW5F", with: "K")) }
    expectDenied(.unknownKeyPairID) { try verify(signed.replacing("K2JCJMDEHXQW5F", with: "")) }
    expectDenied(.invalidSignature) {
      try verify(signed.replacing("K2JCJMDEHXQW5F", with: "KP256"))
    }
    let other = try CloudFrontSigner(keyPairID: "KP256", privateKeyPEM: vectors.privateKeyPEM())
    expectDenied(.invalidSignature) {
      try verify(other.signedURL("https://a/b", expiresAt: end).url)
    }
  }

  @Test("A signature in standard base64, or of another length, gives no access")
  func signatures() throws {
    for signature in ["", "AA==", "a+b/", "A", "AA", "A%3D", "____", "AAA_A", " AAA"] {
      let url = "https://a/b?Expires=1704165245&Key-Pair-Id=K2JCJMDEHXQW5F&Hash-Algorithm=SHA256"
      let code: CloudFrontVerificationError.Code =
        signature.isEmpty
        ? .invalidSignature : signature == " AAA" ? .malformedURL : .malformedSignature
      expectDenied(code) { try verify(url + "&Signature=" + signature) }
    }
    expectDenied(.invalidSignature) {
      try verify(signed.replacing("&Signature=", with: "&Signature=AAAA"))
    }
  }

  @Test("An expiration of a canned policy is digits without a leading zero, up to the year 9999")
  func expirations() {
    for text in ["", "0x1", "-1", "+1", "01", "1.0", "1e9", "253402300800", "9223372036854775808"] {
      expectDenied(.malformedPolicy) {
        try verify(signed.replacing("Expires=1704165245", with: "Expires=" + text))
      }
    }
  }

  @Test("A resource that doesn't match gives no access, canned or custom")
  func resources() throws {
    expectDenied(.invalidSignature) {
      try verify(signed.replacing("https://a/b", with: "https://a/c"))
    }
    expectDenied(.invalidSignature) {
      try verify(signed.replacing("https://a/b", with: "http://a/b"))
    }
    let policy = try CloudFrontPolicy(resource: "https://a/films/*", expiresAt: end)
    let url = try vectors.signer().signedURL("https://a/films/b", policy: policy).url
    #expect(throws: Never.self) { try verify(url) }
    for path in ["https://a/c", "https://b/films/b", "http://a/films/b", "https://a/films"] {
      expectDenied(.urlNotInPolicy) { try verify(url.replacing("https://a/films/b", with: path)) }
    }
  }

  @Test("A statement with spaces, in any order, or without a resource is read")
  func statements() throws {
    for statement in [
      """
      {"Statement":[{"Condition":{"IpAddress":{"AWS:SourceIp":"192.0.2.0/24"},"DateLessThan":\
      {"AWS:EpochTime":1704165245}},"Resource":"https://a/*"}]}
      """,
      """
      { "Statement": [ { "Resource": "https:\\/\\/a/*",
        "Condition": { "DateLessThan": { "AWS:EpochTime": 1704165245 } } } ] }
      """,
      #"{"Statement":[{"Condition":{"DateLessThan":{"AWS:EpochTime":1704165245}}}]}"#,
      // The AWS SDK for Java documents a range that begins in the middle.
      """
      {"Statement":[{"Resource":"*","Condition":{"DateLessThan":{"AWS:EpochTime":1704165245},\
      "IpAddress":{"AWS:SourceIp":"192.0.2.1/24"}}}]}
      """,
    ] {
      #expect(throws: Never.self, "\(statement)") { try verify(url(signing: statement)) }
    }
  }

  @Test("A signed statement that isn't CloudFront's gives no access")
  func malformedStatements() throws {
    let end = #""DateLessThan":{"AWS:EpochTime":1704165245}"#
    let bodies = [
      "{}", #"{"Resource":"*"}"#, #"{"Resource":"*","Condition":{}}"#,
      #"{"Resource":["*"],"Condition":{\#(end)}}"#, #"{"Resource":"*","Condition":[]}"#,
      #"{"Resource":"*","Condition":{"DateLessThan":{}}}"#,
      #"{"Resource":"*","Condition":{"DateLessThan":1704165245}}"#,
      #"{"Resource":"*","Condition":{"DateLessThan":{"AWS:EpochTime":"1704165245"}}}"#,
      #"{"Resource":"*","Condition":{"DateLessThan":{"AWS:EpochTime":1704165245.0}}}"#,
      #"{"Resource":"*","Condition":{"DateLessThan":{"AWS:EpochTime":17041652450000}}}"#,
      #"{"Resource":"*","Condition":{"DateGreaterThan":{"AWS:EpochTime":1}}}"#,
      #"{"Resource":"*","Condition":{\#(end),"DateGreaterThan":{}}}"#,
      #"{"Resource":"*","Condition":{\#(end),"IpAddress":{"AWS:SourceIp":["192.0.2.0/24"]}}}"#,
      #"{"Resource":"*","Condition":{\#(end),"IpAddress":{"AWS:SourceIp":"2001:db8::/32"}}}"#,
      #"{"Resource":"*","Condition":{\#(end),"NotIpAddress":{"AWS:SourceIp":"192.0.2.0/24"}}}"#,
      #"{"Resource":"*","Condition":{\#(end),\#(end)}}"#,
      #"{"Resource":"*","Condition":{\#(end)},"Effect":"Deny"}"#,
    ]
    let whole = #"{"Resource":"*","Condition":{\#(end)}}"#
    let statements =
      bodies.map { #"{"Statement":[\#($0)]}"# } + [
        "", "null", "[]", "{", whole, #"{"Statement":\#(whole)}"#, #"{"Statement":[]}"#,
        #"{"Statement":[\#(whole),\#(whole)]}"#, #"{"Statement":[\#(whole)],"Version":"1"}"#,
        #"{"statement":[\#(whole)]}"#, #"{"Statement":[\#(whole)]}x"#,
      ]
    #expect(throws: Never.self) { try verify(url(signing: #"{"Statement":[\#(whole)]}"#)) }
    for statement in statements {
      expectDenied(.malformedPolicy) { try verify(url(signing: statement)) }
    }
    expectDenied(.malformedPolicy) {
      try verify("https://a/b?Policy=e30=&Signature=AAAA&Key-Pair-Id=K2JCJMDEHXQW5F")
    }
  }

  @Test("A key for verification is RSA or P-256 in PEM")
  func publicKeys() throws {
    for (text, problem) in try [
      ("", "The key is empty."), ("hush", "This isn't PEM: there is no '-----BEGIN' line."),
      (vectors.privateKeyPEM(), "This is an RSA private key, not an RSA or P-256 public key."),
      (
        vectors.privateKeyPEM("p256"),
        "This is a P-256 private key, not an RSA or P-256 public key."
      ),
    ] {
      let error = #expect(throws: SigV4.SigningError.self) {
        try CloudFrontVerifier.PublicKey(pemRepresentation: text)
      }
      #expect(error?.code == .invalidKey)
      #expect(error?.problem == problem)
    }
  }

  /// A URL with any statement, signed by the RSA key.
  func url(signing statement: String) throws -> String {
    let key = try RSA.Signing.PrivateKey(pemRepresentation: vectors.privateKeyPEM())
    let signature = try key.signature(for: statement.utf8, padding: .insecurePKCS1v1_5)
    let encode = { (bytes: [UInt8]) in
      String(
        Base64.encode(bytes).map { ["+": "-", "=": "_", "/": "~"][$0] ?? $0 })
    }
    return "https://a/b?Policy=" + encode(Array(statement.utf8)) + "&Signature="
      + encode(signature.rawRepresentation) + "&Key-Pair-Id=K2JCJMDEHXQW5F&Hash-Algorithm=SHA256"
  }
}
