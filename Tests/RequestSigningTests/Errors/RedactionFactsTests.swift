// SPDX-License-Identifier: Apache-2.0
// Secrets are never printed: not by print, not in a text, not by dump, in no spelling.

internal import SigningTestSupport
internal import ConnectionTokens
internal import S3Signing
internal import RequestSigning
internal import SecureHashing
internal import Testing

@Suite("Facts: what is printed")
struct RedactionFactsTests {
  @Test("No way to print a value shows secret key, session token or signing key")
  func secrets() throws {
    let secrets =
      try spellings(of: Array(Example.secret.utf8), name: "secret key")
      + spellings(of: Array(Example.token.utf8), name: "session token")
      + spellings(of: signingKeyBytes(), name: "signing key")
    for (name, value) in try values() + presignedValues() {
      expectHidden(secrets, in: value, name)
    }
  }

  @Test("No way to print a presigned URL shows its signature")
  func signatures() throws {
    for (name, value) in try presignedValues() {
      let presigned = try #require(value as? SigV4.PresignedURL)
      let hidden = spellings(of: presigned.signature.bytes, name: "signature")
      try #require(presigned.url.contains(presigned.signature.hexString))
      expectHidden(hidden, in: value, name)
    }
  }

  @Test("No way to print a connection token shows it, its signature or the session token")
  func connectionTokens() throws {
    let credentials = try Example.credentials(sessionToken: Example.token)
    let moment = try Example.moment()
    let tokens = [
      try SigV4.ConnectionToken.rds(
        host: "db.example.com", port: 5432, user: "u", region: "us-east-1",
        credentials: credentials, at: moment),
      try SigV4.ConnectionToken.eks(
        cluster: "c", region: "us-east-1", credentials: credentials, at: moment),
    ]
    for token in tokens {
      let hidden =
        spellings(of: Array(Example.token.utf8), name: "session token")
        + spellings(of: Array(Example.secret.utf8), name: "secret key")
        + spellings(of: Array(token.text.utf8), name: "token")
        + spellings(of: token.presignedURL.signature.bytes, name: "signature")
      expectHidden(hidden, in: token, token.description)
      #expect(token.description.contains("/us-east-1/"))
    }
  }

  @Test("No way to print a form shows its policy, its signature or the session token")
  func forms() throws {
    let credentials = try Example.credentials(sessionToken: Example.token)
    let bucket = try SigV4.Bucket.aws("photos", region: "us-east-1")
    let signer = try bucket.signer(credentials: credentials)
    let policy = try SigV4.PostPolicy(bucket: bucket, conditions: [.key("hush-hush-hush")])
    let form = try signer.sign(policy, at: Example.moment())
    let hidden =
      spellings(of: Array(Example.token.utf8), name: "session token")
      + spellings(of: Array(form.policy.utf8), name: "policy")
      + spellings(of: form.signature.bytes, name: "signature")
    expectHidden(hidden, in: form, "PostForm")
    expectHidden(hidden, in: form.fields, "fields of a PostForm")
    let prepared = try signer.prepare(policy, at: Example.moment())
    expectHidden(hidden, in: prepared, "PendingSignature of a form")
    expectHidden(hidden, in: prepared.stringToSign, "StringToSign of a form")
    #expect(form.description.contains("20150830/us-east-1/s3/aws4_request"))
  }

  @Test("No way to print headers or a query shows what is secret by its name")
  func headersAndQueries() throws {
    let value = "hush-hush-hush"
    let hidden = spellings(of: Array(value.utf8), name: "value")
    for name in [
      "authorization", "Authorization", "x-amz-security-token", "X-Amz-Security-Token",
      "x-amz-s3session-token", "X-AMZ-S3SESSION-TOKEN", "Cookie",
    ] {
      let headers: SigV4.Headers = ["a": "1", name: value]
      expectHidden(hidden, in: headers, name)
      expectHidden(hidden, in: headers[1], name)
      expectHidden(
        hidden, in: try SigV4.Request("GET", host: "example.com", headers: headers), name)
    }
    for name in ["X-Amz-Security-Token", "X-Amz-Signature", "token"] {
      let query: SigV4.Query = [name: value]
      expectHidden(hidden, in: query, name)
      expectHidden(hidden, in: try SigV4.Request("GET", host: "example.com", query: query), name)
    }
  }

  @Test("Public parts are printed: the key ID, the region and the service")
  func publicParts() throws {
    for (name, value) in try values() + presignedValues() where name.hasSuffix("(who)") {
      #expect(String(describing: value).contains(Example.accessKeyID), "\(name)")
    }
    for (name, value) in try values() + presignedValues() where name.hasSuffix("(scope)") {
      #expect(
        String(describing: value).contains("20150830/us-east-1/s3/aws4_request"), "\(name)")
    }
    #expect(String(describing: SigV4.Header("x-a", "1")) == "x-a: 1")
  }

  @Test("The test finds a secret in each of its spellings")
  func spellingsAreFound() {
    struct Leak {
      let text = "a/b+c=="
      let bytes = Array("a/b+c==".utf8)
    }
    let found = spellings(of: Leak().bytes, name: "").filter { spelling in
      printed(Leak()).contains { contains(spelling, in: $0) }
    }
    #expect(found.map(\.kind) == ["raw", "decimal bytes"])
    for text in ["x a%2Fb%2Bc%3D%3D", "x 612f622b633d3d", "x 612F622B633D3D", "YS9iK2M9PQ=="] {
      #expect(
        spellings(of: Leak().bytes, name: "").contains { contains($0, in: text) }, "\(text)")
    }
  }

  typealias Exhibit = (name: String, value: any Sendable)

  /// One of each type that holds credentials, or is made of something that does.
  func values() throws -> [Exhibit] {
    let credentials = try Example.credentials(
      sessionToken: Example.token, expiration: SigV4.Timestamp("20160101T000000Z"))
    let signer = try SigV4.Signer(credentials: credentials, region: "us-east-1", service: .s3)
    let moment = try Example.moment()
    let request = try requestWithToken()
    let ofURL = try requestOfURLWithToken()
    let key = try signer.signingKey(at: moment)
    let prepared = try signer.prepare(request, at: moment)
    let signed = try signer.sign(request, at: moment)
    let plain = try signer.sign(SigV4.Request("GET", host: "example.com"), at: moment)
    return [
      ("Credentials (who)", credentials), ("Identity (who)", credentials.identity),
      ("Signer (who)", signer),
      (
        "Signer without a secret (who)",
        try SigV4.Signer(identity: credentials.identity, region: "us-east-1", service: .s3)
      ),
      (
        "Signer of a signing key (who)",
        try SigV4.Signer(signingKey: key, sessionToken: Example.token, service: .s3)
      ),
      ("SigningKey (who)", key), ("key of a SigningKey", key.key),
      ("PreparedRequest (scope)", prepared), ("SignedRequest (scope)", signed),
      ("SignedRequest with a token of its own (scope)", plain),
      ("headers of a SignedRequest", plain.addedHeaders),
      ("header fields", Array(plain.addedHeaders)),
      ("CanonicalRequest", signed.canonicalRequest), ("StringToSign", signed.stringToSign),
      ("CredentialScope (scope)", signed.credentialScope), ("Request", request),
      ("Request of a URL", ofURL), ("Path of a URL", ofURL.path), ("Query of a URL", ofURL.query),
      ("Headers", request.headers), ("Query", request.query), ("Path", request.path),
      ("Payload", request.payload),
      ("Payload of the secret", SigV4.Payload.text(Example.secret)),
      (
        "PreparedURL (scope)",
        try signer.prepare(
          SigV4.Request("GET", host: "example.com"), expiresIn: .seconds(60), at: moment)
      ),
    ]
  }

  func presignedValues() throws -> [Exhibit] {
    let signer = try Example.signer(.s3, sessionToken: Example.token)
    let iot = try Example.signer(.iotDeviceGateway, sessionToken: Example.token)
    let request = try SigV4.Request("GET", host: "example.com")
    return [
      (
        "PresignedURL (scope)",
        try signer.presignedURL(for: request, expiresIn: .seconds(60), at: Example.moment())
      ),
      (
        "PresignedURL of IoT",
        try iot.presignedURL(for: request, expiresIn: nil, at: Example.moment())
      ),
    ]
  }

  /// A request whose caller put the token in their own header and parameter.
  func requestWithToken() throws -> SigV4.Request {
    try SigV4.Request(
      "PUT", host: "example.com", path: .key("a"), query: ["mine": Example.token],
      headers: ["X-Amz-Security-Token": Example.token, "cookie": Example.token],
      payload: .text(Example.token))
  }

  /// Path, query and headers of such a request are parts of one text.
  func requestOfURLWithToken() throws -> SigV4.Request {
    try SigV4.Request(
      "PUT", url: "https://user:password@example.com/a?mine=1#part",
      headers: ["X-Amz-Security-Token": Example.token, "cookie": Example.token])
  }

  func signingKeyBytes() throws -> [UInt8] {
    // Safety: the bytes are copied before the closure ends.
    unsafe try Example.signer(.s3).signingKey(at: Example.moment()).key
      .withUnsafeBytes { unsafe Array($0) }
  }
}

extension RedactionFactsTests {
  /// A secret as it may be spelled in a text.
  struct Spelling {
    let name: String
    let kind: String
    let text: String
  }

  func spellings(of bytes: [UInt8], name: String) -> [Spelling] {
    let hexadecimal = Hexadecimal.encode(bytes)
    let plain = String(decoding: bytes, as: UTF8.self)
    let encoded = bytes.map { byte in
      let character = Character(UnicodeScalar(byte))
      let isUnreserved = character.isASCII && (character.isLetter || character.isNumber)
      return isUnreserved ? String(character) : "%" + Hexadecimal.encode([byte]).uppercased()
    }.joined()
    return [
      Spelling(name: name, kind: "raw", text: plain),
      Spelling(name: name, kind: "percent-encoded", text: encoded),
      Spelling(name: name, kind: "hexadecimal", text: hexadecimal),
      Spelling(name: name, kind: "uppercase hexadecimal", text: hexadecimal.uppercased()),
      Spelling(name: name, kind: "base64", text: Base64.encode(bytes)),
      Spelling(name: name, kind: "decimal bytes", text: decimal(bytes)),
      Spelling(name: name, kind: "decimal percent-encoded", text: decimal(Array(encoded.utf8))),
    ].filter { !$0.kind.hasSuffix("percent-encoded") || encoded != plain }
  }

  func decimal(_ bytes: [UInt8]) -> String {
    bytes.map(String.init).joined(separator: ",")
  }

  func contains(_ spelling: Spelling, in text: String) -> Bool {
    if !spelling.kind.hasPrefix("decimal") { return text.contains(spelling.text) }
    // Whatever separates the numbers: ", " in a description, line feeds and dashes in a dump.
    let numbers = text.split { !$0.isASCII || !$0.isNumber }.joined(separator: ",")
    return numbers.contains(spelling.text)
  }

  /// All that can be printed of a value, alone and inside of other values.
  func printed(_ value: some Any) -> [String] {
    var texts: [String] = []
    for subject: Any in [value, [value], Optional(value) as Any, ["k": value], (1, value)] {
      var output = ""
      print(subject, to: &output)
      dump(subject, to: &output)
      debugPrint(subject, to: &output)
      texts += [output, String(describing: subject), String(reflecting: subject), "\(subject)"]
    }
    return texts
  }

  func expectHidden(
    _ hidden: [Spelling], in value: some Any, _ name: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let texts = printed(value)
    for spelling in hidden {
      #expect(
        !texts.contains { contains(spelling, in: $0) },
        "\(name) shows the \(spelling.name), \(spelling.kind)", sourceLocation: sourceLocation)
    }
  }
}
