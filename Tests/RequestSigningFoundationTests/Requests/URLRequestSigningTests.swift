// SPDX-License-Identifier: Apache-2.0
// Foundation's requests: signed as published, and sent byte for byte as signed.

internal import ConnectionTokens
internal import S3Signing
internal import Foundation
internal import RequestSigning
internal import RequestSigningFoundation
internal import SigningTestSupport
internal import Testing

@Suite struct URLRequestSigningTests {
  // Keys, requests and signatures: Amazon S3 API Reference, "Examples: Signature Calculations" and
  // "Authenticating Requests: Using Query Parameters".
  static let date = Date(timeIntervalSince1970: 1_369_353_600)

  static func signer(_ service: SigV4.Service = .s3) throws -> SigV4.Signer {
    try SigV4.Signer(
      credentials: SigV4.Credentials(
        accessKeyID: "AKIAIOSFODNN7EXAMPLE",
        secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
      region: "us-east-1", service: service)
  }

  static func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  @Test("The published GET of an object gets its published signature")
  func publishedGet() throws {
    var request = URLRequest(url: try Self.url("https://examplebucket.s3.amazonaws.com/test.txt"))
    request.setValue("bytes=0-9", forHTTPHeaderField: "Range")
    let signed = try Self.signer().sign(request, at: Self.date)
    #expect(
      signed.value(forHTTPHeaderField: "Authorization")?.hasSuffix(
        "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41") == true)
    #expect(signed.value(forHTTPHeaderField: "X-Amz-Date") == "20130524T000000Z")
    #expect(signed.value(forHTTPHeaderField: "Host") == nil)
    // The steps, by hand. Source: the same example of the S3 API Reference, "String to Sign".
    let steps = try Self.signer().sign(
      SigV4.Request(request), at: Self.date)
    #expect(steps.canonicalRequest.text.hasPrefix("GET\n/test.txt\n\nhost:examplebucket."))
    #expect(
      steps.stringToSign.text == """
        AWS4-HMAC-SHA256
        20130524T000000Z
        20130524/us-east-1/s3/aws4_request
        7344ae5b7ee6c3e7e6b0fe0640412a37625d1fbfff95c48bbb2dc43964946972
        """)
  }

  @Test("The published PUT of an object gets its published signature from httpBody")
  func publishedPut() throws {
    var request = URLRequest(
      url: try Self.url("https://examplebucket.s3.amazonaws.com/test$file.text"))
    request.httpMethod = "PUT"
    request.httpBody = Data("Welcome to Amazon S3.".utf8)
    request.setValue("Fri, 24 May 2013 00:00:00 GMT", forHTTPHeaderField: "Date")
    request.setValue("REDUCED_REDUNDANCY", forHTTPHeaderField: "x-amz-storage-class")
    let core = try #require(
      try? SigV4.Request(
        "PUT", url: "https://examplebucket.s3.amazonaws.com/test$file.text",
        headers: [
          "date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY",
        ], payload: .text("Welcome to Amazon S3.")))
    let signature = "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
    let fromCore = try URLRequest(Self.signer().sign(core, at: Self.date))
    #expect(fromCore.value(forHTTPHeaderField: "Authorization")?.hasSuffix(signature) == true)
    #expect(
      fromCore.url?.absoluteString == "https://examplebucket.s3.amazonaws.com/test%24file.text")
    // The loader would add an unsigned Content-Type, so a request of Foundation gets a signed one.
    let signed = try Self.signer().sign(request, at: Self.date)
    #expect(signed.value(forHTTPHeaderField: "Content-Type") == "application/octet-stream")
    #expect(
      signed.value(forHTTPHeaderField: "Authorization")?.contains(
        "SignedHeaders=content-type;date;host;") == true)
  }

  @Test("The published presigned URL comes out of a URL, and of an object")
  func publishedURL() throws {
    let signature = "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
    let url = try Self.url("https://examplebucket.s3.amazonaws.com/test.txt")
    let signed = try Self.signer().presignedURL(
      for: url, expiresIn: .seconds(86_400), at: Self.date)
    #expect(signed.absoluteString.hasSuffix("X-Amz-Signature=" + signature))
    let request = try Self.signer().sign(
      URLRequest(url: url), expiresIn: .seconds(86_400), at: Self.date)
    #expect(request.url == signed)
    let bucket = try SigV4.Bucket(
      "examplebucket", at: .custom(url: "https://s3.amazonaws.com", region: "us-east-1"),
      addressing: .virtualHosted)
    #expect(
      try Self.signer().presignedURL(
        for: bucket.object("test.txt"), expiresIn: .seconds(86_400), at: Self.date) == signed)
    let core = try bucket.object("test.txt").getRequest()
    #expect(
      try Self.signer().presignedURL(for: core, expiresIn: .seconds(86_400), at: Self.date)
        == signed)
    #expect(
      try Self.signer().presignedURL(for: core, expiresIn: .seconds(86_400), at: Self.date).url
        == signed.absoluteString)
  }

  @Test("A date and its timestamp create the same signatures")
  func times() throws {
    let (signer, timestamp) = try (Self.signer(), SigV4.Timestamp("20130524T000000Z"))
    let request = URLRequest(url: try Self.url("https://examplebucket.s3.amazonaws.com/test.txt"))
    let core = try SigV4.Request(request)
    #expect(try signer.sign(request, at: timestamp) == signer.sign(request, at: Self.date))
    #expect(
      try URLRequest(signer.sign(core, at: timestamp))
        == URLRequest(signer.sign(core, at: Self.date)))
    #expect(
      try signer.presignedURL(for: core, at: timestamp)
        == signer.presignedURL(for: core, at: Self.date))
    #expect(
      try signer.sign(core, at: timestamp).authorization
        == signer.sign(core, at: Self.date).authorization)
    let now = try signer.sign(core, at: .now).timestamp
    #expect(try abs(now.unixSeconds - SigV4.Timestamp(Date()).unixSeconds) < 60)
  }

  @Test("A lifetime of less than a second is rejected, and a fraction is left out")
  func lifetimes() throws {
    let url = try Self.url("https://examplebucket.s3.amazonaws.com/test.txt")
    for lifetime in [Duration.zero, .milliseconds(999), .seconds(-1), .seconds(604_801)] {
      #expect(throws: SigV4.SigningError.self) {
        try Self.signer().presignedURL(for: url, expiresIn: lifetime, at: Self.date)
      }
    }
    let signed = try Self.signer().presignedURL(
      for: url, expiresIn: .milliseconds(1_999), at: Self.date)
    #expect(signed.query?.contains("X-Amz-Expires=1&") == true)
  }

  static let hostile = [
    "/", "", "/a%20b", "/a+b", "/a%2Bb", "/a%2Fb", "//a//b/", "/%C3%A9t%C3%A9", "/e%CC%81",
    "/a;b=c,d:e@f!g$h&i'j(k)*l", "/%7Etilde~", "/a?", "/?a", "/?a=", "/?a=&b&c==&a=1&a=0",
    "/?q=a+b",
    "/?q=a%2Bb%26%3D", "/?q=%C3%A9/?:@", "/a#fragment", "/?a=1#b?c=2", "/%25", "/%2525",
    "/a%5B0%5D", "/?a[]=1", "/key%3Fwith%23marks",
  ]

  @Test(
    "Every byte arrives as signed, for S3 and for other services",
    arguments: hostile)
  func wire(target: String) async throws {
    let server = try LoopbackServer(.init())
    for service in [SigV4.Service.s3, .executeAPI] {
      let request = try URLRequest(url: server.url(target))
      let signed = try Self.signer(service).sign(request, at: Self.date)
      _ = try await URLSession.shared.data(for: signed)
      let received = try #require(try server.received().last)
      let url = try #require(signed.url?.absoluteString)
      #expect("http://127.0.0.1:\(server.port)" + received.target == url)
      #expect(received.values("host") == ["127.0.0.1:\(server.port)"])
      // The signature is that of what arrived, computed again from its bytes.
      let again = try SigV4.Request(
        received.method, scheme: .http, host: "127.0.0.1:\(server.port)",
        path: .encoded(String(received.target.prefix { $0 != "?" })),
        query: .encoded(String(received.target.drop { $0 != "?" }.dropFirst())))
      let expected = try Self.signer(service).sign(again, at: Self.date)
      #expect(received.values("authorization") == [expected.authorization])
    }
  }

  @Test("Dot segments, which loaders resolve, are rejected where they're signed")
  func dotSegments() async throws {
    for path in ["/a/../b", "/./a", "/a/..", "/a/%2E%2E/b"] {
      let request = URLRequest(url: try Self.url("https://example.com" + path))
      let error = #expect(throws: TransferError.self) {
        try Self.signer().sign(request, at: Self.date)
      }
      #expect(error?.code == .requestWouldChange)
      #expect(throws: Never.self) {
        try Self.signer(.executeAPI).sign(request, at: Self.date)
      }
    }
  }

  @Test("User, password, default port and fragment are neither signed nor sent")
  func dropped() throws {
    let request = URLRequest(
      url: try Self.url("https://user:password@Example.com:443/a?b=c#d"))
    let signed = try Self.signer().sign(request, at: Self.date)
    #expect(signed.url?.absoluteString == "https://example.com/a?b=c")
  }

  @Test("Headers that the loader writes are sent as it likes, and not signed")
  func loadersHeaders() async throws {
    let server = try LoopbackServer(.init())
    var request = URLRequest(url: try server.url("/"))
    request.httpMethod = "POST"
    request.httpBody = Data("a=b".utf8)
    for (name, value) in [
      "Host": "127.0.0.1:\(server.port)", "Cookie": "a=b", "Content-Length": "3",
      "Connection": "close", "User-Agent": "test", "Accept": "text/plain",
    ] {
      request.setValue(value, forHTTPHeaderField: name)
    }
    request.addValue("1", forHTTPHeaderField: "X-Twice")
    request.addValue("2", forHTTPHeaderField: "x-twice")
    _ = try await URLSession.shared.data(for: Self.signer().sign(request, at: Self.date))
    request.httpShouldHandleCookies = false
    _ = try await URLSession.shared.data(for: Self.signer().sign(request, at: Self.date))
    let received = try server.received()
    let names = [
      "accept", "content-type", "host", "x-amz-content-sha256", "x-amz-date", "x-twice",
    ]
    try #require(received.count == 2)
    #expect(received[0].signedNames == names)
    #expect(received[1].signedNames == (names + ["cookie"]).sorted())
    #expect(received[0].values("content-type") == ["application/x-www-form-urlencoded"])
    #expect(received[0].values("content-length") == ["3"])
    #expect(received[0].values("x-twice") == ["1,2"])
    // printf 'a=b' | sha256sum
    #expect(
      received[0].values("x-amz-content-sha256") == [
        "42144f3939c3ffbbf0bf8b1f12affb5c23a4c5bd41e0ff672d54a5754f062058"
      ])
  }

  @Test("A Host header that contradicts the URL is rejected, and so is a request without URL")
  func refusals() throws {
    var request = URLRequest(url: try Self.url("https://example.com/"))
    request.setValue("example.org", forHTTPHeaderField: "Host")
    #expect(throws: SigV4.SigningError.self) { try Self.signer().sign(request, at: Self.date) }
    request.url = nil
    let error = #expect(throws: TransferError.self) {
      try Self.signer().sign(request, at: Self.date)
    }
    #expect(error?.code == .missingURL)
  }

  @Test("A stream is rejected as a body, unless its payload is passed")
  func stream() throws {
    var request = URLRequest(url: try Self.url("https://example.com/"))
    request.httpMethod = "PUT"
    request.httpBodyStream = InputStream(data: Data("abc".utf8))
    let error = #expect(throws: TransferError.self) {
      try Self.signer().sign(request, at: Self.date)
    }
    #expect(error?.code == .streamWithoutPayload)
    let signed = try Self.signer().sign(request, payload: .unsigned, at: Self.date)
    #expect(signed.value(forHTTPHeaderField: "x-amz-content-sha256") == "UNSIGNED-PAYLOAD")
  }

  @Test("A URL that needs headers is rejected, and a request has both")
  func requiredHeaders() throws {
    let url = try Self.url("https://example.com/")
    let error = #expect(throws: TransferError.self) {
      try Self.signer(.vpcLattice).presignedURL(for: url, at: Self.date)
    }
    #expect(error?.code == .headersRequired)
    #expect(error?.fix.contains("sign(_:expiresIn:)") == true)
    let request = try Self.signer(.vpcLattice).sign(
      URLRequest(url: url), expiresIn: .seconds(60), at: Self.date)
    #expect(request.value(forHTTPHeaderField: "x-amz-content-sha256") == "UNSIGNED-PAYLOAD")
  }

  @Test("A file's digest is its bytes' digest")
  func file() throws {
    let folder = try TemporaryFolder()
    // FIPS 180-4's examples: "abc", and a million times "a".
    for (data, digest) in [
      (
        Data("abc".utf8), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
      ),
      (
        Data(repeating: UInt8(ascii: "a"), count: 1_000_000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ] {
      let file = folder.url.appendingPathComponent("\(data.count)")
      try data.write(to: file)
      var request = URLRequest(url: try Self.url("https://example.com/"))
      request.httpMethod = "PUT"
      let signed = try Self.signer().sign(request, payload: .file(file), at: Self.date)
      #expect(signed.value(forHTTPHeaderField: "x-amz-content-sha256") == digest)
    }
    for file in [folder.url, folder.url.appendingPathComponent("missing")] {
      let error = #expect(throws: TransferError.self) { try SigV4.Payload.file(file) }
      #expect(error?.code == .invalidFile)
    }
  }
}
