// SPDX-License-Identifier: Apache-2.0
// Object keys: unchanged, encoded once, and with a warning if something may change them.

internal import SigningTestSupport
internal import S3Signing
internal import Foundation
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Object storage: keys")
struct ObjectKeyTests {
  /// Expected paths: RFC 3986, 2.1, strictly; checked with Python's `quote(key, safe="/~")`.
  @Test("A key is encoded once, and its slashes and dots are unchanged")
  func paths() throws {
    for (key, encoded) in [
      ("photos/été +1.jpg", "photos/%C3%A9t%C3%A9%20%2B1.jpg"), ("a//b", "a//b"),
      ("/a", "/a"), ("a/", "a/"), ("a/../b/.", "a/../b/."), ("..", ".."), ("%2e%2E", "%252e%252E"),
      ("e\u{301}", "e%CC%81"), ("\u{E9}", "%C3%A9"), ("~-._", "~-._"), (" ", "%20"),
      ("a?b#c&d=e", "a%3Fb%23c%26d%3De"), ("\n", "%0A"), ("☃", "%E2%98%83"),
    ] as [(String, String)] {
      let inHost = try SigV4.Bucket.aws("photos", region: "us-east-1")
      let inPath = try SigV4.Bucket.minIO("photos", endpoint: "http://localhost:9000")
      #expect(try url(inHost, key) == "https://photos.s3.us-east-1.amazonaws.com/" + encoded)
      #expect(try url(inPath, key) == "http://localhost:9000/photos/" + encoded)
      #expect(try Array(inHost.object(key).key.utf8) == Array(key.utf8))
    }
  }

  @Test("A key of any bytes stays unchanged, too")
  func bytes() throws {
    let bucket = try SigV4.Bucket.aws("photos", region: "us-east-1")
    let signer = try bucket.signer(credentials: Example.credentials())
    let object = try bucket.object(bytes: [0xFF, 0x00, 0x2F])
    #expect(object.keyBytes == [0xFF, 0x00, 0x2F])
    #expect(try signer.sign(object.getRequest(), at: Example.moment()).target == "/%FF%00/")
  }

  @Test("A key that HTTP libraries change has a warning")
  func warnings() throws {
    for (key, expected) in [
      ("a/../b", [SigV4.Bucket.Warning.dotSegments]), ("..", [.dotSegments]),
      ("./a", [.dotSegments]), ("a//b", [.emptySegments]), ("/a", [.emptySegments]),
      ("/", [.emptySegments]), ("//../", [.dotSegments, .emptySegments]),
      ("a/b..c/...", []), ("a/", []), ("%2e%2e/a", []),
      (String(repeating: "é", count: 512), []), (String(repeating: "é", count: 513), [.tooLong]),
    ] as [(String, [SigV4.Bucket.Warning])] {
      for bucket in [
        try SigV4.Bucket.aws("photos", region: "us-east-1"),
        try .r2("photos", account: "0123456789abcdef0123456789abcdef"),
      ] {
        let object = try bucket.object(key)
        #expect(object.warnings == expected)
        for warning in expected {
          #expect(object.description.contains(warning.message))
          #expect(problems(ofWarning: warning.message).isEmpty)
        }
        #expect(object.description.contains("warning") == !expected.isEmpty)
      }
    }
  }

  @Test("Foundation's URLs do collapse what is warned of")
  func foundation() throws {
    let bucket = try SigV4.Bucket.aws("photos", region: "us-east-1")
    let url = try #require(URL(string: url(bucket, "a/../b")))
    #expect(url.standardized.path == "/b")
  }

  @Test("An empty key is rejected: it would name the bucket")
  func emptyKey() throws {
    let stores = [
      try SigV4.Bucket.aws("photos", region: "us-east-1"),
      try .minIO("photos", endpoint: "http://localhost:9000"),
    ]
    for bucket in stores {
      expectRefusal(.invalidPath) { try bucket.object("") }
      expectRefusal(.invalidPath) { try bucket.object(bytes: []) }
    }
    let directory = try SigV4.Bucket.directory("b--use1-az4--x-s3", region: "us-east-1")
    expectRefusal(.invalidPath) { try directory.object("") }
  }

  func url(_ bucket: SigV4.Bucket, _ key: String) throws -> String {
    let signer = try bucket.signer(credentials: Example.credentials())
    return try signer.sign(bucket.object(key).getRequest(), at: Example.moment()).url
  }
}
