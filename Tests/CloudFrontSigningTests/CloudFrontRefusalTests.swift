// SPDX-License-Identifier: Apache-2.0
// Values that would break a policy or a cookie are rejected, with advice.

internal import SigningTestSupport
@testable internal import CloudFrontSigning
internal import DigitalSignatures
internal import SecureHashing
internal import TestSupport
internal import Testing

/// Sources: Amazon CloudFront, Developer Guide, "Create a signed URL using a canned policy",
/// "Create a signed URL using a custom policy", "Set signed cookies using a custom policy" and
/// "Quotas"; aws-cli, `cloudfront sign`, --url.
@Suite("CloudFront: rejections")
struct CloudFrontRefusalTests {
  let vectors: CloudFrontVectors
  let signer: CloudFrontSigner
  let now: SigV4.Timestamp
  let end: SigV4.Timestamp

  init() throws {
    vectors = try CloudFrontVectors()
    signer = try vectors.signer()
    now = try SigV4.Timestamp(unixSeconds: 1_704_164_645)
    end = try SigV4.Timestamp(unixSeconds: 1_704_165_245)
  }

  @Test("A URL that clients don't request as written is rejected, however it's signed")
  func urls() throws {
    let policy = try CloudFrontPolicy(resource: "*", expiresAt: end)
    for url in [
      "", "/a", "a.example.com/b", "ftp://a.example.com/b", "HTTPS://a.example.com/b", "https://",
      "https:///b", "https://u@a.example.com/b", "https://u:p@a.example.com/b",
      "https://a.example.com", "https://a.example.com?x=1", "https://a.example.com/b?",
      "https://a.example.com/b#c", "https://a.example.com/b c", "https://a.example.com/b\"c",
      "https://a.example.com/b\\c", "https://a.example.com/b\u{0}", "https://a.example.com/b\nc",
      "https://a.example.com/b\u{7F}", "https://a.example.com/\u{E9}", "https://a.example.com/<b>",
      "https://a.example.com/{b}", "https://a.example.com/b^c", "https://a.example.com/`b`",
      "https://a.example.com/100%", "https://a.example.com/%4", "https://a.example.com/%zz",
      // WHATWG URL Standard, "host parser", "port state" and "path state": clients change these.
      "https://A.example.com/b", "https://a.example.com:443/b", "http://a.example.com:80/b",
      "https://a.example.com:/b", "https://a.example.com:08443/b", "https://a%62.example.com/b",
      "https://a.example.com/b/../c", "https://a.example.com/b/./c", "https://a.example.com/..",
      "https://a.example.com/b/%2E%2e", "https://a.example.com/b/.%2e/c?d",
      // The same, "special-query percent-encode set".
      "https://a.example.com/b?title=it's",
      // Amazon CloudFront, Developer Guide, "Quotas": 8,192 bytes.
      "https://a.example.com/" + String(repeating: "b", count: 8_171),
    ] {
      expectRefusal(.invalidURL) { try signer.signedURL(url, expiresAt: end) }
      expectRefusal(.invalidURL) { try signer.signedURL(url, expiresIn: .seconds(1), at: now) }
      expectRefusal(.invalidURL) { try signer.signedURL(url, policy: policy) }
      expectRefusal(.invalidURL) { try signer.signedCookies(for: url, expiresAt: end) }
    }
  }

  @Test("A port that isn't the default, and dots in names and queries, stay")
  func unchanged() throws {
    for url in [
      "https://a.example.com:8443/b", "https://a.example.com:80/b", "http://a.example.com:443/b",
      "https://192.0.2.1/b", "https://a.example.com/..b/.../c.", "https://a.example.com/b?c=/../A",
      "https://a.example.com//B", "https://a.example.com/it's?title=it%27s",
    ] {
      #expect(try signer.signedURL(url, expiresAt: end).url.hasPrefix(url))
    }
  }

  @Test("A message names the character that has to be encoded, and its place")
  func characters() {
    let error = #expect(throws: SigV4.SigningError.self) {
      try signer.signedURL("https://a/b\"c", expiresAt: end)
    }
    #expect(error?.problem == #"The URL has "\x22" at offset 11, which URLs can't have."#)
    #expect(error?.fix == "Percent-encode it.")
  }

  @Test("A URL with a parameter of CloudFront, encoded or not, is rejected")
  func parameters() throws {
    let policy = try CloudFrontPolicy(resource: "*", expiresAt: end)
    for name in ["Expires", "Policy", "Signature", "Key-Pair-Id", "Hash-Algorithm"] {
      let encoded = "%" + String(name.utf8.first ?? 0, radix: 16) + name.dropFirst()
      for query in ["\(name)=1", "\(name)", "a=1&\(name)=", "a&\(name)=1&b", "\(encoded)=1"] {
        let url = "https://a.example.com/b?" + query
        expectRefusal(.alreadySigned, showing: name) { try signer.signedURL(url, expiresAt: end) }
        expectRefusal(.alreadySigned, showing: name) { try signer.signedURL(url, policy: policy) }
        expectRefusal(.alreadySigned, showing: name) {
          try signer.signedCookies(for: url, expiresAt: end)
        }
      }
    }
    let signed = try signer.signedURL("https://a.example.com/b", expiresAt: end)
    expectRefusal(.alreadySigned) { try signer.signedURL(signed.url, expiresAt: end) }
  }

  @Test("A wildcard in a canned policy is rejected")
  func wildcards() {
    for url in ["https://a.example.com/*", "https://a.example.com/b*c?d=1", "https://a/b?c=*"] {
      expectRefusal(.wildcardsNotSupported) { try signer.signedURL(url, expiresAt: end) }
      expectRefusal(.wildcardsNotSupported) { try signer.signedCookies(for: url, expiresAt: end) }
    }
    #expect(throws: Never.self) { try signer.signedURL("https://a/b%2A", expiresAt: end) }
  }

  @Test("A signed URL longer than 8192 bytes is rejected, and one of 8192 bytes isn't")
  func length() throws {
    let prefix = "https://a.example.com/"
    let rest = try signer.signedURL(prefix, expiresAt: end).url.utf8.count
    let longest = prefix + String(repeating: "a", count: 8_192 - rest)
    #expect(try signer.signedURL(longest, expiresAt: end).url.utf8.count == 8_192)
    expectRefusal(.invalidURL) { try signer.signedURL(longest + "a", expiresAt: end) }
  }

  @Test("A lifetime is a whole number of seconds, at least one")
  func lifetimes() {
    for lifetime: Duration in [
      .zero, .seconds(-1), .milliseconds(500), .milliseconds(1_500), .nanoseconds(1),
      .seconds(Int64.min),
    ] {
      expectRefusal(.invalidLifetime) {
        try signer.signedURL("https://a/b", expiresIn: lifetime, at: now)
      }
      expectRefusal(.invalidLifetime) {
        try signer.signedCookies(for: "https://a/b", expiresIn: lifetime, at: now)
      }
      expectRefusal(.invalidLifetime) {
        try CloudFrontPolicy(resource: "*", expiresIn: lifetime, at: now)
      }
    }
    expectRefusal(.timestampOutOfRange) {
      try signer.signedURL("https://a/b", expiresIn: .seconds(Int64.max), at: now)
    }
  }

  @Test("A policy ends after it starts, and both are after 1970")
  func dates() throws {
    let earlier = try SigV4.Timestamp(unixSeconds: -1)
    for (start, end) in [
      (end, now), (now, now), (earlier, now), (nil, earlier), (nil, SigV4.Timestamp.unixEpoch),
    ] as [(SigV4.Timestamp?, SigV4.Timestamp)] {
      expectRefusal(.invalidPolicyDates) {
        try CloudFrontPolicy(resource: "*", expiresAt: end, startsAt: start)
      }
    }
    expectRefusal(.invalidPolicyDates) { try signer.signedURL("https://a/b", expiresAt: earlier) }
    #expect(throws: Never.self) {
      try CloudFrontPolicy(resource: "*", expiresAt: end, startsAt: .unixEpoch)
    }
  }

  @Test("A resource that can't match a URL or would break the JSON is rejected")
  func resources() {
    for resource in [
      "", "a", "/films/*", "d111111abcdef8.cloudfront.net/*", "ftp://a/*", "HTTPS://a/*", "htp*",
      "https:/a", "https://a.example.com/\"*", "https://a.example.com/\\*", "https://a/\u{0}*",
      "https://a/b\n*", "https://a/ *", "https://a/\u{E9}*", "https://a/#*", "https://a/<*",
      "https://a.example.com/\"},{\"Resource\":\"*",
    ] {
      expectRefusal(.invalidResource) { try CloudFrontPolicy(resource: resource, expiresAt: end) }
    }
    // Without wildcards, it's a URL.
    for resource in [
      "https://", "https://a.example.com", "https://u@a/b", "https://a/%",
      // Its start is one, too.
      "https://A.example.com/f/*", "https://a.example.com:443/*", "https://u@a.example.com/*",
      "https://a.example.com/../f/*", "https://A.example.com/a?x=1",
    ] {
      expectRefusal(.invalidURL) { try CloudFrontPolicy(resource: resource, expiresAt: end) }
    }
    for resource in [
      "*", "?*", "h*", "http*", "http?://*", "https://a*", "https://*/b", "https?//",
    ] {
      #expect(throws: Never.self) { try CloudFrontPolicy(resource: resource, expiresAt: end) }
    }
  }

  /// RFC 4632, 3.1; Amazon CloudFront: "IP addresses in IPv6 format are not supported."
  @Test("An address or a range is IPv4, in the standard form")
  func addresses() {
    for text in [
      "", "/", "/24", "192.0.2", "192.0.2.0.1", "192.0.2.256", "192.0.2.01", "192.0.2.0/",
      "192.0.2.0/33", "192.0.2.0/024", "192.0.2.0/-1", "192.0.2.0/+8", "192.0.2.0/ 8",
      "192.0.2.0/24/24", " 192.0.2.0", "192.0.2.0/99999999999999999999", "example.com", "\"",
      "192.0.2.0/24,198.51.100.0/24", "2001:db8::1", "2001:db8::/32", "::ffff:192.0.2.0/24",
      "::ffff:192.0.2.256", "192.0.2.7:5000",
    ] {
      expectRefusal(.invalidAddressRange, showing: text) {
        try CloudFrontPolicy(resource: "*", expiresAt: end, ipAddress: text)
      }
    }
  }

  // RFC 4291, 2.5.5.2
  @Test("An IPv4 address that's mapped to IPv6 is the IPv4 address, and a port is no IPv6 address")
  func mappedAddresses() throws {
    for text in ["192.0.2.7", "::ffff:192.0.2.7", "::FFFF:192.0.2.7"] {
      let policy = try CloudFrontPolicy(resource: "*", expiresAt: end, ipAddress: text)
      #expect(policy.json.contains("\"192.0.2.7/32\""))
    }
    for (text, words) in [("192.0.2.7:80", "isn't an IPv4 address"), ("::1", "is an IPv6 address")]
    {
      let error = #expect(throws: SigV4.SigningError.self) {
        try CloudFrontPolicy(resource: "*", expiresAt: end, ipAddress: text)
      }
      #expect(error?.problem.contains(words) == true)
    }
  }

  @Test("A range must begin with its first address, and the error names the right one")
  func inexactRanges() {
    for (text, range) in [
      ("192.168.0.1/24", "192.168.0.0/24"), ("255.255.255.255/1", "128.0.0.0/1"),
      ("1.2.3.4/0", "0.0.0.0/0"), ("10.0.0.3/31", "10.0.0.2/31"),
    ] {
      let error = #expect(throws: SigV4.SigningError.self) {
        try CloudFrontPolicy(resource: "*", expiresAt: end, ipAddress: text)
      }
      #expect(error?.code == .invalidAddressRange)
      #expect(error?.fix == "Use \(range) for the range, or the address alone.")
    }
  }

  @Test("A URL that the policy doesn't cover is rejected")
  func coverage() throws {
    for (resource, url) in [
      ("https://a/b", "https://a/c"), ("https://a/b", "http://a/b"),
      ("https://a/b", "https://a/b?x"),
      ("https://a/*.ts", "https://a/b.m3u8"), ("https://a/b?", "https://a/b"),
      ("https://a/films/*", "https://a/Films/b"),
    ] {
      let policy = try CloudFrontPolicy(resource: resource, expiresAt: end)
      expectRefusal(.urlNotInPolicy, showing: url) { try signer.signedURL(url, policy: policy) }
    }
  }

  @Test("A key pair ID has letters, digits, '-' and '_'")
  func keyPairIDs() throws {
    let pem = try vectors.privateKeyPEM()
    for id in ["", "a b", "a&b", "a=b", "a;b", "\u{E9}", "a\n", String(repeating: "K", count: 129)]
    {
      expectRefusal(.invalidKeyPairID, showing: id) {
        try CloudFrontSigner(keyPairID: id, privateKeyPEM: pem)
      }
    }
    #expect(throws: Never.self) { try CloudFrontSigner(keyPairID: "a-B_9", privateKeyPEM: pem) }
  }

  @Test("A key that CloudFront doesn't accept is rejected, and isn't shown")
  func keys() throws {
    let pem = try vectors.privateKeyPEM()
    for text in ["", "hush", try vectors.publicKeyPEM("rsa"), pem + pem] {
      expectRefusal(.invalidKey, hiding: ["hush", "MII"]) {
        try CloudFrontSigner(keyPairID: "K", privateKeyPEM: text)
      }
    }
    let table = try VectorTable(named: "rsa-keys.txt")
    for bits in ["3072", "4096"] {
      let key = try table.record(named: "\(bits) bits, p above q").text("pkcs8 pem")
      expectRefusal(.unsupportedKey) { try CloudFrontSigner(keyPairID: "K", privateKeyPEM: key) }
    }
    expectRefusal(.unsupportedKey) {
      try CloudFrontSigner(
        keyPairID: "K", privateKeyPEM: vectors.privateKeyPEM("p256"), hashAlgorithm: .sha1)
    }
  }

  /// Source: `key-texts.py`.
  @Test("The message says what a text is instead of a key, and a key as people pass it is read")
  func texts() throws {
    for vector in try VectorTable(named: "key-texts.txt").records {
      guard let text = String(validating: try vector.bytes("text"), as: UTF8.self) else { continue }
      let isPublic = try vector.text("needed") == "public"
      let read = {
        if isPublic {
          _ = try CloudFrontVerifier.PublicKey(pemRepresentation: text)
        } else {
          _ = try CloudFrontSigner(keyPairID: "K", privateKeyPEM: text)
        }
      }
      if try vector.optionalText("read") != nil {
        #expect(throws: Never.self, "\(vector)") { try read() }
      } else if try ["private", "public", "RSA private", "P-256 private"]
        .contains(vector.text("needed"))
      {
        let error = #expect(throws: SigV4.SigningError.self, "\(vector)") { try read() }
        #expect(error?.code == .invalidKey)
        #expect(
          try error?.problem.contains(vector.text("words")) == true,
          "\(vector): \(error?.message ?? "")")
        #expect(
          error?.message.contains("MIIE") == false && error?.message.contains("MIGH") == false)
      }
    }
  }

  /// Source: `rsa-refusals.py`, for keys that aren't supported or don't fit together.
  @Test("An RSA key that can't be used is rejected with the reason")
  func reasons() throws {
    let table = try VectorTable(named: "rsa-refusals.txt")
    for (name, label, code, reason) in [
      ("private key of 1024 bits", "RSA PRIVATE", .unsupportedKey, "1024 bits"),
      ("private key with the exponent 3", "RSA PRIVATE", .unsupportedKey, "exponent 65537"),
      ("private key, q - 2", "RSA PRIVATE", .invalidKey, "don't belong together"),
      ("modulus of 1024 bits", "PUBLIC", .unsupportedKey, "1024 bits"),
      ("public exponent of 2 bits, ...2", "PUBLIC", .unsupportedKey, "exponent 65537"),
    ] as [(String, String, SigV4.SigningError.Code, String)] {
      let base64 = try Base64.encode(table.record(named: name).hexadecimal("encoded"))
      let pem = "-----BEGIN \(label) KEY-----\n\(base64)\n-----END \(label) KEY-----\n"
      expectRefusal(code, showing: reason, hiding: ["MII"]) {
        if label == "PUBLIC" {
          _ = try CloudFrontVerifier.PublicKey(pemRepresentation: pem)
        } else {
          _ = try CloudFrontSigner(keyPairID: "K", privateKeyPEM: pem)
        }
      }
    }
  }

  /// RFC 8017, 5.1.2: the primes of a private key. RSA checks its own signature.
  @Test("A key with a factor that isn't prime signs nothing")
  func composite() throws {
    let signer = try vectors.signer("composite")
    expectRefusal(.signingFault) { try signer.signedURL("https://a/b", expiresAt: end) }
    expectRefusal(.signingFault) { try signer.signedCookies(for: "https://a/b", expiresAt: end) }
  }
}
