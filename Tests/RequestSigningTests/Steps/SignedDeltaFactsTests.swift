// SPDX-License-Identifier: Apache-2.0
// The result is a delta, and what is sent is what was signed: the server's side, written again.

internal import SigningTestSupport
internal import RequestSigning
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Facts: what is sent is what was signed")
struct SignedDeltaFactsTests {
  @Test("A server that sees only what is sent computes the same signature")
  func urls() {
    [
      "https://example.com", "https://example.com/a%20b+c/%7e//../%2F?b=+&a&a=%2b&A=%e1#f",
      "http://user@EXAMPLE.com:8080/~*'()?x=*'()!;=/", "https://[::1]:9000/%FF?%FF=%FE",
      "wss://example.com:443/mqtt?=1&=&b", "https://example.com/?%C3%A9=%C3%BC&k=b&k=a",
    ].forEachCase { (url: String) in
      let request = try SigV4.Request(
        "GET", url: url,
        headers: [
          "X-B": " 1\t 2 ", "x-a": "", "x-B": "3", "User-Agent": "u", "Host": hostPart(url),
        ])
      try expectSameOnServer(request, ["X-B: 1\t 2", "x-a: ", "x-B: 3", "User-Agent: u"])
    }
  }

  @Test("The same for 500 generated requests")
  func generated() throws {
    var generator = Xorshift64(seed: 0x5157_4E45_4420_4445)
    for _ in 0..<500 {
      let query = SigV4.Query.received(generator.bytes(generator.size(upTo: 40)))
      let names = ["x-a", "X-A", "x-b", "Range", "x-amz-acl", "x-amz-meta-z"]
      let fields = (0..<generator.size(upTo: 5)).map { _ in
        (names[generator.size(upTo: 5)], text(&generator, 12))
      }
      let request = try SigV4.Request(
        "PUT", host: "example.com",
        path: .key(bytes: [0] + generator.bytes(generator.size(upTo: 30))),
        query: query, headers: SigV4.Headers(fields), payload: .bytes(generator.bytes(3)))
      try expectSameOnServer(request, fields.map { "\($0.0): \($0.1)" })
    }
  }

  @Test("The result holds only what the request lacks")
  func delta() throws {
    let given: SigV4.Headers = ["x-a": "1", "Content-Type": "text/plain", "User-Agent": "u"]
    let request = try SigV4.Request("GET", host: "example.com", headers: given)
    let names = { (signed: SigV4.SignedRequest) in signed.addedHeaders.map(\.name) }
    #expect(
      try names(Example.signed(request, Example.standardService()))
        == ["x-amz-date", "Authorization"])
    #expect(
      try names(Example.signed(request, .s3))
        == ["x-amz-content-sha256", "x-amz-date", "Authorization"])
    #expect(
      try names(Example.signed(request, .s3, sessionToken: Example.token))
        == ["x-amz-content-sha256", "x-amz-date", "x-amz-security-token", "Authorization"])
    #expect(
      try names(Example.signed(request, .s3Express, sessionToken: Example.token))
        == ["x-amz-content-sha256", "x-amz-date", "x-amz-s3session-token", "Authorization"])
  }

  @Test("Headers with the same value from the caller are signed, and not repeated")
  func equalHeaders() throws {
    let own: SigV4.Headers = [
      "X-Amz-Date": "20150830T123600Z", "X-AMZ-Content-Sha256": Example.digestOfNothing,
      "x-amz-Security-Token": Example.token,
    ]
    for service in [SigV4.Service.s3, try Example.standardService().with(\.payloadRule, .declared)]
    {
      let with = try Example.signed(
        SigV4.Request("GET", host: "example.com", headers: own), service,
        sessionToken: Example.token)
      let without = try Example.signed(
        SigV4.Request("GET", host: "example.com"), service, sessionToken: Example.token)
      #expect(with.addedHeaders.map(\.name) == ["Authorization"])
      #expect(with.authorization == without.authorization)
      #expect(with.canonicalRequest.bytes == without.canonicalRequest.bytes)
    }
  }

  @Test("A digest is signed even if the service doesn't require it")
  func declaredDigest() throws {
    let signed = try Example.signed(
      SigV4.Request(
        "GET", host: "example.com", headers: ["x-amz-content-sha256": Example.digestOfNothing]),
      Example.standardService())
    #expect(signed.signedHeaders == "host;x-amz-content-sha256;x-amz-date")
    #expect(signed.addedHeaders.map(\.name) == ["x-amz-date", "Authorization"])
  }

  @Test("The caller's token that would be added after signing is used, and not repeated")
  func equalUnsignedToken() throws {
    let service = try Example.standardService().with(\.sessionTokenRule, .appendedAfterSigning)
    let request = try SigV4.Request(
      "GET", host: "example.com", headers: ["x-amz-security-token": Example.token])
    let signed = try Example.signed(request, service, sessionToken: Example.token)
    let sent = request.headers + signed.addedHeaders
    #expect(sent.values(named: "x-amz-security-token").count == 1)
    #expect(signed.signedHeaders == "host;x-amz-date")
  }

  @Test("The Authorization header is spelled as AWS's documents spell it")
  func authorization() throws {
    let signed = try Example.signed(SigV4.Request("GET", host: "example.com"), .s3)
    #expect(
      signed.authorization
        == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/s3/aws4_request, "
        + "SignedHeaders=host;x-amz-content-sha256;x-amz-date, "
        + "Signature=\(signed.signature.hexString)")
    #expect(signed.addedHeaders.values(named: "authorization") == [signed.authorization])
  }

  /// Signs a request in its headers and in its query, and does what a server does with the result.
  func expectSameOnServer(_ request: SigV4.Request, _ given: [String]) throws {
    let credentials = try Example.credentials(sessionToken: Example.token)
    let signer = try SigV4.Signer(credentials: credentials, region: "us-east-1", service: .s3)
    let signed = try signer.sign(request, at: Example.moment())
    let sent = given + signed.addedHeaders.map { "\($0.name): \($0.value)" }
    let inHeaders = ServerSide(
      method: signed.method, url: signed.url, headers: sent,
      signedHeaders: signed.authorization.split(separator: "SignedHeaders=")[1].prefix { $0 != "," }
    )
    #expect(inHeaders.canonicalRequest == signed.canonicalRequest.text)
    #expect(inHeaders.signature == String(signed.authorization.suffix(64)))

    let presigned = try signer.presignedURL(
      for: request, expiresIn: .seconds(60), at: Example.moment())
    let required = presigned.requiredHeaders.map { "\($0.name): \($0.value)" }
    let inQuery = ServerSide(
      method: presigned.method, url: presigned.url, headers: required,
      signedHeaders: presigned.url.split(separator: "X-Amz-SignedHeaders=")[1].prefix { $0 != "&" })
    #expect(inQuery.canonicalRequest == presigned.canonicalRequest.text)
    #expect(inQuery.signature == String(presigned.url.suffix(64)))
  }

  /// The value of a Host header as a caller may give it.
  func hostPart(_ url: String) -> String {
    String(url.drop { $0 != "/" }.dropFirst(2).prefix { !"/?#".contains($0) })
  }

  func text(_ generator: inout Xorshift64, _ longest: UInt64) -> String {
    let characters = Array("abAB01 \t~=,;%+/\"'")
    return String(
      (0..<generator.size(upTo: longest)).map { _ in
        characters[generator.size(upTo: UInt64(characters.count - 1))]
      })
  }
}

/// The canonical request and the signature of S3's family, from nothing but what is on the wire.
///
/// Written from AWS's page "Create a signed AWS API request" alone, as plainly as can be.
struct ServerSide {
  let canonicalRequest: String
  let signature: String

  init(method: String, url: String, headers: [String], signedHeaders: some StringProtocol) {
    let afterScheme = url.split(separator: "://", maxSplits: 1)[1]
    let host = afterScheme.prefix { $0 != "/" }
    let (path, query) = splitTarget(String(afterScheme.dropFirst(host.count)))
    let names = signedHeaders.split(separator: signedHeaders.contains("%3B") ? "%3B" : ";")
    let fields = (headers + ["host: \(host)"]).map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: parts[0].lowercased(), value: Self.trimmed(parts[1]))
    }
    let lines = names.map { name in
      let values = fields.filter { $0.name == name }.map(\.value)
      return "\(name):\(values.joined(separator: ","))\n"
    }
    let digest = fields.first { $0.name == "x-amz-content-sha256" }?.value ?? "UNSIGNED-PAYLOAD"
    canonicalRequest = [
      method, path, Self.canonical(query ?? ""), lines.joined(), names.joined(separator: ";"),
      digest,
    ].joined(separator: "\n")
    signature = Self.signature(of: canonicalRequest)
  }

  /// The pairs but the signature, each with an equals sign, sorted by name and then by value.
  static func canonical(_ query: String) -> String {
    let split = pairs(query).map { pair in
      pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    }
    return split.map { (name: $0[0], value: $0.count == 2 ? $0[1] : "") }
      .filter { $0.name != "X-Amz-Signature" }
      .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
      .map { $0.name + "=" + $0.value }.joined(separator: "&")
  }

  static func trimmed(_ value: Substring) -> String {
    value.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
  }

  static func signature(of canonicalRequest: String) -> String {
    let stringToSign = """
      AWS4-HMAC-SHA256
      20150830T123600Z
      20150830/us-east-1/s3/aws4_request
      \(SHA256.hash(data: canonicalRequest.utf8).hexString)
      """
    var key = Array("AWS4\(Example.secret)".utf8)
    for text in ["20150830", "us-east-1", "s3", "aws4_request", stringToSign] {
      key = Array(
        HMAC<SHA256>.authenticationCode(for: text.utf8, using: SymmetricKey(data: key)))
    }
    return Hexadecimal.encode(key)
  }
}
