// SPDX-License-Identifier: Apache-2.0
// The attributes of cookies in Set-Cookie, and those that browsers would reject.

internal import SigningTestSupport
internal import CloudFrontSigning
internal import Testing

/// Sources: RFC 6265, 4.1.1, 4.1.2 and 5.1.3; draft-ietf-httpbis-rfc6265bis, 4.1.2.7 (SameSite);
/// Amazon CloudFront, Developer Guide, "Set signed cookies using a custom policy".
@Suite("CloudFront: attributes of cookies")
struct CookieAttributeTests {
  let cookies: CloudFrontCookies

  init() throws {
    let policy = try CloudFrontPolicy(
      resource: "https://example.org/*", expiresAt: SigV4.Timestamp(unixSeconds: 1_704_164_645))
    cookies = try CloudFrontVectors().signer().signedCookies(policy: policy)
  }

  @Test("Each cookie has the attributes, in the caller's order")
  func lines() throws {
    let values = try cookies.setCookieValues([
      .domain("example.org"), .path("/"), .secure, .httpOnly, .sameSiteLax,
      .maxAge(.seconds(600)), .other("Partitioned"), .other("Priority", "High"),
    ])
    let suffix = """
      ; Domain=example.org; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=600; Partitioned; \
      Priority=High
      """
    #expect(values == cookies.cookies.map { $0.name + "=" + $0.value + suffix })
    #expect(
      values.map { $0.prefix { $0 != "=" } } == [
        "CloudFront-Policy", "CloudFront-Signature", "CloudFront-Key-Pair-Id",
        "CloudFront-Hash-Algorithm",
      ])
    #expect(values.last == "CloudFront-Hash-Algorithm=SHA256" + suffix)
  }

  /// Source: Web Platform Tests, cookies/size/name-and-value.html: 2,048 + 2,048 bytes are stored,
  /// and 4,097 + 1 are ignored.
  @Test("A cookie that browsers would ignore is rejected")
  func longCookies() throws {
    let end = try SigV4.Timestamp(unixSeconds: 1_704_164_645)
    for (count, isLong) in [(2_800, false), (3_100, true)] {
      let resource = "https://example.org/" + String(repeating: "a", count: count) + "*"
      let policy = try CloudFrontPolicy(resource: resource, expiresAt: end)
      let long = try CloudFrontVectors().signer().signedCookies(policy: policy)
      let isRight = (try? long.setCookieValues([])) != nil
      #expect(isRight != isLong)
      let byteCounts = long.cookies.map { $0.name.utf8.count + $0.value.utf8.count }
      #expect((byteCounts.max() ?? 0 > 4_096) == isLong)
    }
  }

  @Test("A maximum age of zero deletes cookies, so it's written")
  func deletion() throws {
    let values = try cookies.setCookieValues([.path("/"), .maxAge(.zero)])
    #expect(values.allSatisfy { $0.hasSuffix("; Path=/; Max-Age=0") })
  }

  @Test("Without attributes, there is only the cookie")
  func noAttributes() throws {
    #expect(
      try cookies.setCookieValues([]).joined(separator: "; ") == cookies.cookieValue)
  }

  @Test("SameSite has three values, and None needs Secure in any place and case")
  func sameSite() throws {
    let names = try [CloudFrontCookies.Attribute.sameSiteStrict, .sameSiteLax].map {
      try cookies.setCookieValues([$0])[3].split(separator: ";").last
    }
    #expect(names == [" SameSite=Strict", " SameSite=Lax"])
    expectRefusal(.invalidCookieAttribute) { try cookies.setCookieValues([.sameSiteNone]) }
    expectRefusal(.invalidCookieAttribute) {
      try cookies.setCookieValues([.other("samesite", "none")])
    }
    // The Chromium Projects, "CHIPS": Partitioned needs Secure.
    expectRefusal(.invalidCookieAttribute, showing: "Partitioned") {
      try cookies.setCookieValues([.sameSiteLax, .other("Partitioned")])
    }
    #expect(
      try cookies.setCookieValues([.sameSiteNone, .secure])[3]
        == "CloudFront-Hash-Algorithm=SHA256; SameSite=None; Secure")
  }

  @Test("What would end the attribute, or mean something else, is rejected")
  func refusals() {
    for attribute: CloudFrontCookies.Attribute in [
      .domain("a.com; Path=/"), .domain("a.com\r\nX: y"), .domain(""), .domain("com"),
      .domain("*.cloudfront.net"), .domain("\u{E9}.com"), .path(""), .path("films"),
      .path("/films/*"), .path("/a;b"), .path("/\u{0}"), .other(""), .other("a b"), .other("a=b"),
      .other("a;b"), .other("a", "b;c"), .other("a", "\t"), .other("Path"), .other("path", "a"),
      .other("Domain"), .maxAge(.seconds(-1)), .maxAge(.milliseconds(1_500)),
      .other("max-age", "-1"), .other("Max-Age", "1h"), .other("Max-Age", ""), .other("max-age"),
    ] {
      expectRefusal(.invalidCookieAttribute) { try cookies.setCookieValues([attribute]) }
    }
    for pair: [CloudFrontCookies.Attribute] in [
      [.secure, .secure], [.path("/"), .path("/a")], [.secure, .other("SECURE")],
    ] {
      expectRefusal(.invalidCookieAttribute) { try cookies.setCookieValues(pair) }
    }
  }
}
