// SPDX-License-Identifier: Apache-2.0
// The how-to page on CloudFront: its code compiles, and does what the page says.

internal import CloudFrontSigning
internal import SigningTestSupport
internal import TestSupport
internal import Testing

/// The page's lines are here, and a test compares the two.
@Suite("How-to: CloudFront")
struct CloudFrontHowToTests {
  let pem: String
  let publicPEM: String
  let signer: CloudFrontSigner
  let now: SigV4.Timestamp
  let seconds: Int64 = 1_704_164_645

  init() throws {
    let vectors = try CloudFrontVectors()
    pem = try vectors.privateKeyPEM("p256")
    publicPEM = try vectors.publicKeyPEM("p256")
    signer = try vectors.signer("p256")
    now = try SigV4.Timestamp(unixSeconds: seconds)
  }

  @Test("A signed URL")
  func url() throws {
    let signer = try CloudFrontSigner(keyPairID: "K2JCJMDEHXQW5F", privateKeyPEM: pem)
    let now = try SigV4.Timestamp(unixSeconds: seconds)  // Int64(Date().timeIntervalSince1970)
    let link = try signer.signedURL(
      "https://d111111abcdef8.cloudfront.net/film.mp4", expiresIn: .seconds(600), at: now)
    print(link.url)

    #expect(
      link.url.hasPrefix("https://d111111abcdef8.cloudfront.net/film.mp4?Expires=1704165245&"))
    try verify(link.url, base: "https://d111111abcdef8.cloudfront.net")
  }

  @Test("Signed cookies, which a stand-in for CloudFront accepts")
  func cookies() throws {
    let headers = Headers()
    let addHeader = headers.add
    let policy = try CloudFrontPolicy(
      resource: "https://cdn.example.com/films/*", expiresIn: .seconds(3_600), at: now)
    let cookies = try signer.signedCookies(policy: policy)
    let attributes: [CloudFrontCookies.Attribute] = [
      .domain("example.com"), .path("/films/"), .secure, .httpOnly, .sameSiteLax,
    ]
    for value in try cookies.setCookieValues(attributes) {
      addHeader("Set-Cookie", value)
    }

    #expect(headers.values.count == 4)
    for value in headers.values {
      #expect(value.hasSuffix("; Domain=example.com; Path=/films/; Secure; HttpOnly; SameSite=Lax"))
    }
    let sent = headers.values.map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")
    try verify("https://cdn.example.com/films/a/b.ts?c=d", cookies: sent)
    let denied = try response(to: "/music/a.mp3", cookies: sent)
    #expect(
      denied == "403 The policy's resource doesn't match the URL. "
        + "Sign this URL, or add wildcards to the policy's resource.")
  }

  /// Expected: `printf abc | sha256sum`.
  @Test("The hash of a body for a Lambda URL")
  func lambda() throws {
    let body = Array("abc".utf8)
    let hash = SigV4.Payload.bytes(body).contentSHA256  // the value of x-amz-content-sha256
    #expect(hash == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(SigV4.Payload.unsigned.contentSHA256 == "UNSIGNED-PAYLOAD")
  }

  @Test("A limited policy")
  func policy() throws {
    let (start, end) = (try now.advanced(by: .seconds(-1)), try now.advanced(by: .seconds(1)))
    let limited = try CloudFrontPolicy(
      resource: "https://cdn.example.com/part?.ts", expiresAt: end, startsAt: start,
      ipAddress: "192.0.2.0/24")
    let part = try signer.signedURL("https://cdn.example.com/part7.ts", policy: limited)
    try verify(part.url)
  }

  @Test("Every line of code on the page is in this file")
  func page() throws {
    try HowToPage("cloudfront.md").expectCode(in: #filePath, count: 30)
  }

  func verify(
    _ url: String, base: String = "https://cdn.example.com", cookies: String? = nil
  ) throws {
    let own = url.replacing(base, with: "")
    let plain = own.prefix { $0 != "?" }
    let verifier = CloudFrontVerifier(publicKeys: [
      "K2JCJMDEHXQW5F": try CloudFrontVerifier.PublicKey(pemRepresentation: publicPEM)
    ])
    let access = try verifier.verify(url: url, cookies: cookies, from: "192.0.2.7", at: now)
    #expect(access.url.hasPrefix(base + plain))
    if base == "https://cdn.example.com" {
      #expect(try response(to: own, cookies: cookies) == "200 " + access.url)
    }
  }

  /// The response of the page's stand-in.
  func response(to target: String, cookies cookieHeader: String?) throws -> String {
    var response = ""
    let address = "192.0.2.7"
    func serve(_ url: String) { response = "200 " + url }
    func respond(_ status: Int, _ text: String) { response = "\(status) " + text }
    let verifier = CloudFrontVerifier(publicKeys: [
      "K2JCJMDEHXQW5F": try CloudFrontVerifier.PublicKey(pemRepresentation: publicPEM)
    ])
    do {
      let access = try verifier.verify(
        url: "https://cdn.example.com" + target, cookies: cookieHeader, from: address, at: now)
      serve(access.url)
    } catch {
      respond(403, error.message)
    }
    return response
  }
}

/// The headers of a response.
private final class Headers {
  var values: [String] = []

  func add(_ name: String, _ value: String) {
    #expect(name == "Set-Cookie")
    values.append(value)
  }
}
