// SPDX-License-Identifier: Apache-2.0
// Verified URLs and cookies: botocore's, at every limit of time and address.

@testable internal import CloudFrontSigning
internal import SigningTestSupport
internal import TestSupport
internal import Testing

/// Source of the signatures: botocore's CloudFrontSigner and cryptography, by
/// `cloudfront-signatures.py`.
@Suite("CloudFront: verification")
struct CloudFrontVerifierTests {
  let vectors: CloudFrontVectors
  let verifier: CloudFrontVerifier

  init() throws {
    vectors = try CloudFrontVectors()
    verifier = try vectors.verifier()
  }

  @Test("URLs and cookies of botocore are valid in their last second, for each key and hash")
  func vectorsAreValid() throws {
    #expect(vectors.verified.count == 2)
    (vectors.cases + vectors.verified).forEachCase { (vector: VectorRecord) in
      let verifier = try vectors.verifier(for: vector)
      let last = try vector.time("expires").advanced(by: .seconds(-1))
      let address = try vector.optionalText("ip-address")?.split(separator: "/").first ?? "::1"
      let url = try vector.text("url")
      let cookies = try vector.texts("cookie").joined(separator: "; ")
      for (requested, cookie) in [(try vector.text("signed-url"), nil), (url, cookies)] {
        let access = try verifier.verify(
          url: requested, cookies: cookie, from: String(address), at: last)
        #expect(access.url == url)
        #expect(try access.expiration == vector.time("expires"))
        #expect(try access.keyPairID == vector.text("key-pair-id"))
      }
    }
  }

  /// "Users are not allowed to access the file on or before the specified date and time", and
  /// DateLessThan.
  @Test("A policy is valid after its start and before its expiration, not in these seconds")
  func times() throws {
    let vector = try #require(vectors.cases.first { $0.name.hasPrefix("custom, a start, rsa") })
    let (start, end) = (try vector.time("starts"), try vector.time("expires"))
    let url = try vector.text("signed-url")
    for (time, offset) in [(start, 1), (end, -1)] as [(SigV4.Timestamp, Int)] {
      let now = try time.advanced(by: .seconds(offset))
      #expect(throws: Never.self) { try verifier.verify(url: url, from: "192.0.2.7", at: now) }
    }
    for (time, offset) in [(start, -1), (start, 0)] as [(SigV4.Timestamp, Int)] {
      let now = try time.advanced(by: .seconds(offset))
      expectDenied(.notYetValid) { try verifier.verify(url: url, from: "192.0.2.7", at: now) }
    }
    for (time, offset) in [(end, 0), (end, 1)] as [(SigV4.Timestamp, Int)] {
      let now = try time.advanced(by: .seconds(offset))
      expectDenied(.expired) { try verifier.verify(url: url, from: "192.0.2.7", at: now) }
    }
  }

  @Test("An address is in the range up to its last one, also if it's mapped to IPv6")
  func addresses() throws {
    for (name, allowed, denied) in [
      (
        "a range", ["192.0.2.0", "192.0.2.255", "::ffff:192.0.2.7", "::FFFF:192.0.2.7"],
        ["192.0.1.255", "192.0.3.0", "::ffff:192.0.3.0"]
      ),
      ("an address,", ["203.0.113.7"], ["203.0.113.6", "203.0.113.8"]),
      ("all addresses", ["0.0.0.0", "255.255.255.255"], ["2001:db8::1", "::1", "", "192.0.2"]),
      (
        "half of all", ["128.0.0.0", "255.255.255.255"],
        ["127.255.255.255", "192.0.2.07", " 192.0.2.7"]
      ),
      ("everything", ["198.51.100.128", "198.51.100.255"], ["198.51.100.127", "198.51.101.0"]),
    ] {
      let vector = try #require(
        vectors.cases.first { $0.name.hasPrefix("custom, " + name) && $0.name.contains("rsa") })
      let url = try vector.text("signed-url")
      let now = try vector.time("expires").advanced(by: .seconds(-1))
      for address in allowed {
        #expect(throws: Never.self, "\(name) \(address)") {
          try verifier.verify(url: url, from: address, at: now)
        }
      }
      for address in denied {
        expectDenied(.addressNotAllowed) { try verifier.verify(url: url, from: address, at: now) }
      }
    }
  }

  @Test("Cookies are found among others, and a signed URL takes precedence")
  func cookies() throws {
    let vector = try #require(vectors.cases.first { $0.name.hasPrefix("custom, any file, rsa") })
    let now = try vector.time("expires").advanced(by: .seconds(-1))
    let cookies = try vector.texts("cookie")
    for header in [
      "a=b; " + cookies.joined(separator: "; ") + "; c=\"d=e\"",
      cookies.reversed().joined(separator: ";"), cookies.joined(separator: "; \t "),
      "Policy=1; CloudFront-Other=2; cloudfront-policy=3; " + cookies.joined(separator: "; "),
    ] {
      let access = try verifier.verify(
        url: "https://d111111abcdef8.cloudfront.net/films/b.mp4?x=1", cookies: header,
        from: "::1", at: now)
      #expect(access.url == "https://d111111abcdef8.cloudfront.net/films/b.mp4?x=1")
    }
    let url = try vector.text("signed-url")
    #expect(throws: Never.self) {
      try verifier.verify(url: url, cookies: "CloudFront-Policy=1", from: "::1", at: now)
    }
    expectDenied(.invalidSignature) {
      try verifier.verify(
        url: url.replacing("Signature=", with: "Signature=AAAA"),
        cookies: cookies.joined(separator: "; "), from: "::1", at: now)
    }
  }

  @Test("The parameters may be in any order, and the rest of the query is the origin's")
  func order() throws {
    let signer = try vectors.signer()
    let end = try SigV4.Timestamp(unixSeconds: 1_704_165_245)
    let now = try end.advanced(by: .seconds(-1))
    let signed = try signer.signedURL("https://a/b?x=1&y=2", expiresAt: end).url
    let parameters = signed.split(separator: "&").dropFirst(2)
    let url = "https://a/b?" + (["x=1"] + parameters.reversed() + ["y=2"]).joined(separator: "&")
    #expect(try verifier.verify(url: url, from: "::1", at: now).url == "https://a/b?x=1&y=2")
    expectDenied(.invalidSignature) {
      try verifier.verify(url: signed.replacing("x=1&y=2", with: "y=2&x=1"), from: "::1", at: now)
    }
  }

  @Test("Changing any character of a signed URL is detected")
  func changes() throws {
    let now = try SigV4.Timestamp(unixSeconds: 1_704_165_245)
    let policy = try CloudFrontPolicy(
      resource: "https://a/*", expiresIn: .seconds(1), at: now, ipAddress: "192.0.2.7")
    let signer = try vectors.signer("p256")
    for url in [
      try signer.signedURL("https://a/b?c=d", expiresIn: .seconds(1), at: now).url,
      try signer.signedURL("https://a/b?c=d", policy: policy).url,
    ] {
      let verifier = CloudFrontVerifier(publicKeys: [
        "K2JCJMDEHXQW5F": try .init(pemRepresentation: vectors.publicKeyPEM("p256"))
      ])
      #expect(throws: Never.self) { try verifier.verify(url: url, from: "192.0.2.7", at: now) }
      // In a custom policy, the path and the query aren't signed.
      let first =
        url.contains("Policy=") ? url.utf8.count - url.split(separator: "?")[1].count + 3 : 0
      for index in first..<url.utf8.count {
        var bytes = Array(url.utf8)
        bytes[index] ^= 1
        #expect(
          throws: CloudFrontVerificationError.self, "\(String(decoding: bytes, as: UTF8.self))"
        ) {
          try verifier.verify(
            url: String(decoding: bytes, as: UTF8.self), from: "192.0.2.7", at: now)
        }
      }
    }
  }

  /// Expected values: Developer Guide, "Create a signed URL using a custom policy", Resource, which
  /// has the first three; the others follow from its definition.
  @Test("'*' matches any characters, '?' exactly one")
  func wildcards() {
    let zip = "https://d111111abcdef8.cloudfront.net/*game_download.zip*"
    for (resource, url, isMatch) in [
      (zip, "https://d111111abcdef8.cloudfront.net/game_download.zip", true),
      (zip, "https://d111111abcdef8.cloudfront.net/example_game_download.zip?license=yes", true),
      (zip, "https://d111111abcdef8.cloudfront.net/test_game_download.zip?license=temp", true),
      (zip, "https://d111111abcdef8.cloudfront.net/game_download.zi", false),
      ("", "", true), ("", "a", false), ("a", "", false), ("*", "", true), ("**", "abc", true),
      ("?", "", false), ("?", "a", true), ("?", "ab", false), ("a?c", "abc", true),
      ("a?c", "a?c", true), ("a*c", "ac", true), ("a*c", "abcbc", true), ("a*c", "abcb", false),
      ("*a*b", "xaxxbyab", true), ("*ab", "aab", true), ("a*?", "a", false), ("a*?", "ab", true),
      ("*?*?*", "a", false), ("*?*?*", "ab", true), ("a", "A", false), ("*aab", "aaaab", true),
    ] {
      let matches = CloudFrontPolicy.Wildcards.match(Array(resource.utf8), Array(url.utf8))
      #expect(matches == isMatch, "\(resource) \(url)")
    }
  }

  @Test("Many wildcards take time in proportion to both lengths, not exponential time")
  func manyWildcards() {
    let resource = Array(String(repeating: "*a", count: 2_000).utf8) + [0x62]
    #expect(
      !CloudFrontPolicy.Wildcards.match(resource, Array(repeating: 0x61, count: 6_000)))
  }
}

extension CloudFrontVectors {
  func verifier(for vector: VectorRecord) throws -> CloudFrontVerifier {
    let key = try CloudFrontVerifier.PublicKey(
      pemRepresentation: publicKeyPEM(vector.text("key")))
    return CloudFrontVerifier(publicKeys: [try vector.text("key-pair-id"): key])
  }
}

/// Expects a rejection with this code, whose message is fit for people.
func expectDenied<Result>(
  _ code: CloudFrontVerificationError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Result
) {
  let error = #expect(throws: CloudFrontVerificationError.self, sourceLocation: sourceLocation) {
    _ = try body()
  }
  guard let error else { return }
  #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
  #expect(error.description == "\(error.code): \(error.problem) \(error.fix)")
  let problems = problems(of: error.problem, error.fix, showing: nil, hiding: ["Signature="])
  #expect(problems.isEmpty, "\(problems) \(error.message)", sourceLocation: sourceLocation)
}
