// SPDX-License-Identifier: Apache-2.0
// Wrong inputs for every public call: the code, and a helpful message without secrets.

internal import SigningTestSupport
internal import RequestSigning
internal import S3Signing
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Refusals: inputs")
struct InputRefusalTests {
  @Test("A wrong input is rejected")
  func input() throws {
    try VectorTable(named: "refusals.txt").records.forEachCase { (row: VectorRecord) in
      let entry = try row.text("entry")
      let input = try row.text("input")
      let open = try #require(entries[entry], "there is no entry '\(entry)'")
      expectRefusal(
        try #require(codes[row.text("code")]), showing: try row.optionalText("shows") ?? input,
        hiding: secretEntries.contains(entry) ? [input] : []
      ) { try open(input) }
    }
  }

  @Test("Every entry of the table opens for something right")
  func rightInputs() throws {
    let right = [
      "method": "PROPFIND", "url": "https://example.com/a?b=c#d", "host": "[::1]:9000",
      "host header": "example.com:443", "encoded path": "/a%20b", "raw path": "/a b\n",
      "object key": "\n", "encoded query": "a=b%20c&%C3%A9", "header name": "x|~'`^_#$%&*+-.!",
      "header value": " a\t b~ ", "access key ID": "a/b+c=", "secret access key": "a b é",
      "session token": "a/b+c==,", "region": "eu_west.1-A", "service": "execute-api",
      "scope": "20130524/auto/s3/aws4_request",
      "payload literal": "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD", "unsigned header": "x-am",
      "signature": "00fF00fF00fF00fF00fF00fF00fF00fF00fF00fF00fF00fF00fF00fF00fF00fF",
      "lifetime": "1", "signing key": "32",
      "access key ID of a signing key": "AKIDEXAMPLE",
    ]
    #expect(Set(right.keys) == Set(entries.keys))
    for (entry, input) in right {
      #expect(throws: Never.self, "\(entry)") { try entries[entry]?(input) }
    }
  }

  @Test("A message shows an input of 80 bytes as a whole, and of a longer one the first 80")
  func excerpt() {
    for (count, note) in [(79, ""), (80, ""), (81, " (the first 80 bytes)")] {
      let name = String(repeating: ":", count: count)
      let error = #expect(throws: SigV4.SigningError.self) {
        try SigV4.Payload.literal(name)
      }
      let shown = "\"" + String(repeating: ":", count: Swift.min(count, 80)) + "\"" + note
      #expect(error?.problem.contains(shown) == true)
      #expect(error?.problem.contains(" (the first ") == !note.isEmpty)
    }
  }

  @Test("A path, and what is behind a wrong character of a header name, aren't shown")
  func hidden() throws {
    for path in ["/reset?token=hush", "https://user:hush@host/x", "hush"] {
      expectRefusal(.invalidPath, hiding: ["hush"]) { try SigV4.Path.encoded(path) }
    }
    expectRefusal(.invalidPath, hiding: ["hush"]) { try SigV4.Path.raw("user:hush@host") }
    for name in ["x-amz-security-token: hush", "Authorization: Bearer hush", "\nhush"] {
      let shown = String(name.prefix { $0 != ":" && $0 != "\n" })
      expectRefusal(.invalidHeaderName, showing: shown, hiding: ["hush"]) {
        try SigV4.Request("GET", host: "example.com", headers: [name: ""])
      }
      let header = "\(SigV4.Header(name, ""))"
      #expect(header.hasPrefix(shown + ": ") && !header.contains("hush"))
    }
  }

  /// RFC 9112, 3.2: a target that isn't a path would continue the host of the URL.
  @Test("A received path that doesn't start with '/' isn't the path of a request")
  func receivedPaths() {
    for path in ["*", "@evil.test/x", "http://evil.test/", ":80/", ".evil.test/"] {
      expectRefusal(.invalidPath) {
        try SigV4.Request("GET", host: "example.com", path: .received(path.utf8))
      }
    }
    #expect(throws: Never.self) {
      try SigV4.Request("GET", host: "example.com", path: .received([]))
    }
  }

  /// AWS General Reference, "Create a signed AWS API request": the hash in lowercase.
  @Test("A literal is no hash, and the word for unsigned bodies is the unsigned payload")
  func literals() throws {
    let hash = SigV4.Payload.empty.contentSHA256.uppercased()
    for literal in [hash, String(repeating: "0", count: 64)] {
      expectRefusal(.invalidPayload) { try SigV4.Payload.literal(literal) }
    }
    #expect(try SigV4.Payload.literal("UNSIGNED-PAYLOAD") == .unsigned)
    let request = try SigV4.Request(
      "POST", host: "example.com", payload: .literal("STREAMING-AWS4-HMAC-SHA256-EVENTS"))
    expectRefusal(.invalidPayload) { try Example.signed(request, .vpcLattice) }
    expectRefusal(.invalidPayload) { try Example.presigned(request, .vpcLattice) }
  }

  @Test("No header that a family of signatures names can be left unsigned")
  func unsignedNames() {
    for name in ["x-amz-*", "X-Goog-Acl", "x-tos-*", "x-a*", "x-goog-"] {
      expectRefusal(.invalidUnsignedHeader) { try SigV4.UnsignedHeaders.names([name]) }
    }
  }

  typealias Entry = (String) throws -> Void

  var secretEntries: Set<String> {
    ["secret access key", "session token", "header value", "access key ID"]
  }

  var entries: [String: Entry] {
    requestEntries.merging(signingEntries) { first, _ in first }
  }

  var requestEntries: [String: Entry] {
    [
      "method": { _ = try SigV4.Request($0, host: "example.com") },
      "url": { _ = try SigV4.Request("GET", url: $0) },
      "host": { _ = try SigV4.Request("GET", host: $0) },
      "host header": {
        _ = try SigV4.Request("GET", host: "example.com", headers: ["Host": $0])
      },
      "encoded path": { _ = try SigV4.Path.encoded($0) },
      "raw path": { _ = try SigV4.Path.raw($0) },
      "object key": { _ = try SigV4.Path.key($0) },
      "encoded query": { _ = try SigV4.Query.encoded($0) },
      "header name": { _ = try SigV4.Request("GET", host: "example.com", headers: [$0: "a"]) },
      "header value": {
        _ = try SigV4.Request("GET", host: "example.com", headers: ["x-a": $0])
      },
      "payload literal": { _ = try SigV4.Payload.literal($0) },
      "unsigned header": { _ = try SigV4.UnsignedHeaders.names(["te", $0]) },
    ]
  }

  var signingEntries: [String: Entry] {
    [
      "access key ID": {
        _ = try SigV4.Identity(accessKeyID: $0)
        _ = try SigV4.Credentials(accessKeyID: $0, secretAccessKey: Example.secret)
      },
      "secret access key": {
        _ = try SigV4.Credentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: $0)
      },
      "session token": {
        _ = try SigV4.Identity(accessKeyID: "AKIDEXAMPLE", sessionToken: $0)
        _ = try Example.credentials(sessionToken: $0)
      },
      "region": {
        _ = try SigV4.Signer(credentials: Example.credentials(), region: $0, service: .s3)
      },
      "service": { _ = try SigV4.Service.standard($0) },
      "scope": { _ = try SigV4.CredentialScope($0) },
      "signature": { _ = try SigV4.Signature(hexString: $0) },
      "lifetime": { input in
        _ = try Example.signer(.s3).presignedURL(
          for: SigV4.Request("GET", host: "example.com"), expiresIn: .seconds(#require(Int(input))),
          at: Example.moment())
      },
      "signing key": { input in
        let bytes = [UInt8](repeating: 7, count: try #require(Int(input)))
        try signingKey(SymmetricKey(data: bytes), accessKeyID: "AKIDEXAMPLE")
      },
      "access key ID of a signing key": {
        try signingKey(SymmetricKey(size: .bits256), accessKeyID: $0)
      },
    ]
  }

  func signingKey(_ key: SymmetricKey, accessKeyID: String) throws {
    _ = try SigV4.SigningKey(
      key: key, accessKeyID: accessKeyID,
      scope: SigV4.CredentialScope("20150830/us-east-1/s3/aws4_request"))
  }

  var codes: [String: SigV4.SigningError.Code] {
    let all: [SigV4.SigningError.Code] = [
      .invalidMethod, .invalidURL, .invalidHost, .invalidPath, .invalidQuery,
      .invalidPercentEncoding, .invalidHeaderName, .invalidHeaderValue, .nonASCIIHeader,
      .conflictingHeader, .invalidUnsignedHeader, .invalidPayload, .invalidAccessKeyID,
      .invalidSecretAccessKey, .invalidSessionToken, .invalidRegion, .invalidService,
      .invalidScope, .invalidSigningKey, .invalidLifetime, .invalidSignature,
    ]
    return Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
  }
}
