// SPDX-License-Identifier: Apache-2.0
// Values that S3 misreads or rejects: response headers, copy sources, tags, keys, locks and paths.

internal import SigningTestSupport
internal import S3Signing
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Object storage: values that S3 misreads or rejects")
struct RequestWarningValueTests {
  let origin = "https://b.s3.eu-west-1.amazonaws.com"

  func warnings(
    _ method: String, _ target: String, _ headers: SigV4.Headers = [:], origin: String? = nil
  ) throws -> [SigV4.Bucket.Warning] {
    let all = try SigV4.Request(
      method, url: (origin ?? self.origin) + target, headers: headers, payload: .unsigned
    ).objectStorageWarnings
    for warning in all {
      #expect(problems(ofWarning: warning.message).isEmpty, "\(warning)")
    }
    return all
  }

  /// Source: S3's response in guardian/grid 1716 and IQSS/dataverse 4524; RFC 9110, 5.5.
  @Test(
    "A response header outside ISO-8859-1 or with a control character has a warning",
    arguments: [
      "cache-control", "content-disposition", "content-encoding", "content-language",
      "content-type", "expires",
    ])
  func responseHeaders(name: String) throws {
    // A right quotation mark, an en dash, CJK, a decomposed letter, a lone byte of Latin-1, the
    // first character beyond it; line breaks and other controls.
    for value in [
      "D%E2%80%99Arcy.jpg", "1976%E2%80%932016.md", "%E5%80%89", "e%CC%81", "%E9", "%C4%80",
      "a%0D%0Ab", "a%0Ab", "a%0D", "%00", "%7F", "a%1Fb",
    ] {
      let found = try warnings("GET", "/k?response-\(name)=\(value)")
      #expect(found.map(\.name) == ["responseHeader"], "\(value)")
      #expect(found.first?.message.contains("\"response-\(name)\"") == true)
    }
    for value in [
      "attachment;%20filename=%22a.jpg%22", "%C3%A9%C3%BF", "a%09b", "",
      "attachment;%20filename*=UTF-8%27%27%25E2%2582%25AC.txt", "%C2%A0",
    ] {
      #expect(try warnings("GET", "/k?response-\(name)=\(value)").isEmpty, "\(value)")
    }
  }

  /// Source: botocore's model of S3, `querystring` members and the parameters of operations.
  @Test(
    "A parameter in a different case is ignored, and the warning has its right name",
    arguments: [
      ("Response-Content-Type", "response-content-type"),
      ("RESPONSE-CONTENT-DISPOSITION", "response-content-disposition"),
      ("response-Expires", "response-expires"), ("VersionId", "versionId"),
      ("versionid", "versionId"), ("versionID", "versionId"), ("uploadID", "uploadId"),
      ("partnumber", "partNumber"), ("ACL", "acl"), ("Tagging", "tagging"),
      ("Uploads", "uploads"), ("Delete", "delete"),
    ])
  func cases(name: String, known: String) throws {
    let found = try warnings("GET", "/k?\(name)=1")
    #expect(found.map(\.name) == ["ignoredParameter"])
    #expect(found.first?.message.contains("\"\(name)\"") == true)
    #expect(found.first?.message.hasSuffix("Write it as \(known).") == true)
    #expect(try warnings("GET", "/k?\(known)=1").isEmpty)
  }

  /// Source: S3 API Reference, CopyObject, "x-amz-copy-source": a version is added as
  /// ?versionId=, and the key is URL-encoded (versity/versitygw 835, aws/aws-sdk-cpp 1574).
  @Test("A raw '?' in a copy source has a warning unless a version follows it")
  func copySources() throws {
    for (value, position) in [
      ("b/what?.txt", 6), ("/b/a?", 4), ("b/a?b?versionId=1", 3), ("b/a?versionId=1?", 3),
      ("b/a?VersionId=1", 3), ("b/a?partNumber=1", 3),
      ("arn:aws:s3:us-west-2:123456789012:accesspoint/films/object/a?b", 60),
    ] {
      for (target, headers) in [
        ("/k", ["x-amz-copy-source": value] as SigV4.Headers),
        ("/k?partNumber=1&uploadId=u", ["X-Amz-Copy-Source": value]),
      ] {
        let found = try warnings("PUT", target, headers)
        #expect(found.map(\.name) == ["copySource"], "\(value)")
        #expect(found.first?.message.contains("at offset \(position) ") == true, "\(found)")
      }
    }
    let encoded = try warnings(
      "PUT", "/k", ["x-amz-copy-source": "b/a%3FversionId%3D6LfRKv8tGuFvrH.z4WzLq"])
    #expect(encoded.map(\.name) == ["copySource"])
    for value in ["b/what%3F.txt", "b/a%3fb?versionId=1", "b/a?versionId=3/L4kqtJl%2BX.y_z"] {
      #expect(try warnings("PUT", "/k", ["x-amz-copy-source": value]).isEmpty, "\(value)")
    }
    let parameter = try warnings("PUT", "/k?x-amz-copy-source=b/a%3Fb")
    #expect(parameter.map(\.name) == ["ignoredParameter", "copySource"])
  }

  /// Source: S3, User Guide, "Categorizing your objects using tags"; botocore's model of S3
  /// Control, `TagKeyString` and `TagValueString`.
  @Test("Tags that S3 rejects have a warning, in a header or a parameter")
  func tags() throws {
    let ten = (1...10).map { "k\($0)=v" }.joined(separator: "&")
    let longest = String(repeating: "k", count: 128) + "=" + String(repeating: "v", count: 256)
    for value in [
      ten + "&k11=v", "k" + longest, longest + "v", "=v", "a=1&a=2", "a%20b=1&a+b=2", "aws:a=1",
      "a=b%2Cc", "a=b,c", "a=(b)", "a=b%26c", "a%23=b", "a=%F0%9F%98%80", "a=e%CC%81", "a=%FF",
      "a=100%", "a=%2", "a=b;c", "a=b%0A", "a=%22b%22", "a=b!", "a=*", "a='b'", "a={b}",
      // 129 UTF-16 code units: 64 letters outside the Basic Multilingual Plane, and one more.
      String(repeating: "%F0%9D%94%B8", count: 64) + "a=b",
    ] {
      let found = try warnings("PUT", "/k", ["x-amz-tagging": value])
      #expect(found.map(\.name) == ["tagging"], "\(value)")
      #expect(
        try warnings("POST", "/k?uploads", ["X-Amz-Tagging": value]).map(\.name) == ["tagging"])
    }
    for value in [
      ten, longest, "", "a", "a=", "a=1&b=1", "A=1&a=1", "a=+-%3D._:/@", "a%20b=c+d", "a=b=c",
      "a=%C3%A9%E5%80%89%D9%A3", "a=%C2%A0", "project-x=a%2Bb", "AWS=1", "aws=1",
      String(repeating: "%F0%9D%94%B8", count: 64) + "=b",
    ] {
      #expect(try warnings("PUT", "/k", ["x-amz-tagging": value]).isEmpty, "\(value)")
    }
    #expect(
      try warnings("PUT", "/k?x-amz-tagging=a%3Db%252Cc").map(\.name)
        == ["ignoredParameter", "tagging"])
    #expect(try warnings("PUT", "/k?x-amz-tagging=a%3Db").map(\.name) == ["ignoredParameter"])
    #expect(try warnings("PUT", "/k", ["x-amz-tagging-directive": "COPY,"]).isEmpty)
  }

  /// Source: S3, User Guide, "Using server-side encryption with customer-provided keys (SSE-C)".
  @Test("A customer-provided key over http has a warning")
  func customerKeys() throws {
    let names = ["algorithm", "key", "key-MD5"].flatMap {
      [
        "x-amz-server-side-encryption-customer-" + $0,
        "X-Amz-Copy-Source-Server-Side-Encryption-Customer-" + $0,
      ]
    }
    for name in names {
      for (origin, expected) in [
        ("http://127.0.0.1:9000", ["customerKey"]), ("http://b.s3.amazonaws.com", ["customerKey"]),
        ("https://b.s3.amazonaws.com", []),
      ] {
        for method in ["PUT", "GET", "HEAD"] {
          let found = try warnings(method, "/k", SigV4.Headers([(name, "AES256")]), origin: origin)
          #expect(found.map(\.name) == expected, "\(name)")
        }
      }
      #expect(
        try warnings("GET", "/k?\(name)=AES256", origin: "http://127.0.0.1:9000").map(\.name).last
          == "customerKey")
    }
    for name in ["x-amz-server-side-encryption", "x-amz-server-side-encryption-aws-kms-key-id"] {
      #expect(try warnings("PUT", "/k", SigV4.Headers([(name, "a")]), origin: "http://a:1").isEmpty)
    }
  }

  /// Source: S3 API Reference, PutObject and UploadPart, "Content-MD5"; S3's message in
  /// versity/versitygw 1776: "Content-MD5 OR x-amz-checksum- HTTP header is required for Put Object
  /// requests with Object Lock parameters".
  @Test(
    "An upload with Object Lock and without a checksum has a warning",
    arguments: [
      "x-amz-object-lock-mode", "X-Amz-Object-Lock-Retain-Until-Date",
      "x-amz-object-lock-legal-hold", "x-amz-object-lock-event-hold",
    ])
  func locks(name: String) throws {
    let lock = SigV4.Headers([(name, "ON")])
    for target in ["/k", "/k?partNumber=1&uploadId=u", "/k?x-id=PutObject"] {
      let found = try warnings("PUT", target, lock)
      #expect(found.map(\.name) == ["missingChecksum"])
      #expect(found.first?.message.contains("\"\(name)\"") == true)
    }
    for other in [
      "x-amz-checksum-algorithm", "x-amz-checksum-type", "x-amz-checksum-mode",
      "x-amz-sdk-checksum-algorithm", "x-amz-content-sha256-of-parts",
    ] {
      let found = try warnings("PUT", "/k", lock + SigV4.Headers([(other, "CRC32")]))
      #expect(found.map(\.name) == ["missingChecksum"], "\(other)")
    }
    for checksum in SigV4.Checksum.Algorithm.all.map(\.headerName) + ["X-Amz-Trailer"] {
      #expect(try warnings("PUT", "/k", lock + SigV4.Headers([(checksum, "AAAAAA==")])).isEmpty)
    }
    // The start of a multipart upload and a copy have no body.
    #expect(try warnings("POST", "/k?uploads", lock).isEmpty)
    #expect(try warnings("PUT", "/k", lock + ["x-amz-copy-source": "b/a"]).isEmpty)
    #expect(try warnings("HEAD", "/k", lock).isEmpty)
    let empty = try SigV4.Request("PUT", url: origin + "/k", headers: lock, payload: .empty)
    #expect(empty.objectStorageWarnings.map(\.name) == ["missingChecksum"])
  }

  @Test("A bucket that may have locks, and what changes a lock, need no checksum for that")
  func otherLocks() throws {
    #expect(try warnings("PUT", "/b", ["x-amz-bucket-object-lock-enabled": "true"]).isEmpty)
    #expect(try warnings("DELETE", "/k", ["x-amz-bypass-governance-retention": "true"]).isEmpty)
  }

  /// The warnings of the same key: `SigV4.Bucket.Object.warnings`.
  @Test("A URL whose path changes in transit has the warnings of its key")
  func paths() throws {
    for path in [
      "/a/../b", "/./a", "/..", "/a/.", "/a/%2e%2E/b", "/.%2e/b", "/a//b", "//a", "/a/..//b",
    ] {
      let found = try warnings("GET", path)
      let key = path.dropFirst().replacing("%2e", with: ".").replacing("%2E", with: ".")
      let object = try SigV4.Bucket.aws("b12", region: "eu-west-1").object(String(key))
      #expect(!found.isEmpty)
      #expect(found.map(\.description) == object.warnings.map(\.description), "\(path)")
      #expect(
        try object.getRequest().objectStorageWarnings.map(\.name) == object.warnings.map(\.name))
    }
    for path in ["", "/", "/a/", "/a/..b/c..", "/...", "/a/.b", "/b/a%2Fb", "/a..%2Fb"] {
      #expect(try warnings("GET", path).isEmpty, "\(path)")
    }
    let inPath = "https://s3.eu-west-1.amazonaws.com"
    #expect(try warnings("GET", "/b12/a/../b", origin: inPath).map(\.name) == ["dotSegments"])
    #expect(try warnings("GET", "/b12", origin: inPath).isEmpty)
  }
}
