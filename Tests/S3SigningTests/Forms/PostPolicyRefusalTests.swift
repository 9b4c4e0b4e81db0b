// SPDX-License-Identifier: Apache-2.0
// Policies that no upload can satisfy, or that can't be used, are rejected at once.

internal import SigningTestSupport
internal import S3Signing
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("POST policies: rejections")
struct PostPolicyRefusalTests {
  typealias Condition = SigV4.PostPolicy.Condition

  @Test("A form is valid for 1 to 604,800 seconds")
  func lifetimes() {
    for seconds in [0, -1, 604_801, .max, .min] as [Int] {
      expectRefusal(.invalidLifetime, showing: String(seconds)) {
        try policy([.key("a")], expiresIn: .seconds(seconds))
      }
    }
  }

  @Test("A form doesn't outlive its credentials by a second, and they must be valid")
  func credentials() throws {
    let now = try Example.moment()
    let credentials = try Example.credentials(
      sessionToken: Example.token, expiration: now.advanced(bySeconds: 600))
    let signer = try bucket().signer(credentials: credentials)
    #expect(
      try signer.sign(policy([.key("a")], expiresIn: .seconds(600)), at: now).expiration != nil)
    expectRefusal(.lifetimeExceedsCredentials, showing: "600 seconds") {
      try signer.sign(policy([.key("a")], expiresIn: .seconds(601)), at: now)
    }
    let document = try SigV4.PostPolicy(bucket: bucket(), document: "{}".utf8)
    expectRefusal(.credentialsExpired) {
      try signer.sign(document, at: now.advanced(bySeconds: 600))
    }
  }

  // botocore 1.43.11, generate_presigned_post: "Access points are not supported for this operation",
  // and UnsupportedSignatureVersionError for one of several regions.
  @Test("Access points have no forms")
  func accessPoints() throws {
    for bucket in [
      try SigV4.Bucket.accessPoint("arn:aws:s3:us-west-2:123456789012:accesspoint/films"),
      try .multiRegionAccessPoint("mfzwi23gnjvgw.mrap"),
    ] {
      expectRefusal(.conflictingEndpoint, showing: "access point") {
        try SigV4.PostPolicy(bucket: bucket, conditions: [.key("a")])
      }
      expectRefusal(.conflictingEndpoint, showing: "access point") {
        try SigV4.PostPolicy(bucket: bucket, document: "{}".utf8)
      }
    }
  }

  @Test("At the end of time a form is rejected without a trap")
  func endOfTime() throws {
    let signer = try bucket().signer(credentials: Example.credentials())
    expectRefusal(.timestampOutOfRange) {
      try signer.sign(policy([.key("a")]), at: SigV4.Timestamp("99991231T235959Z"))
    }
  }

  @Test("A length is a range in order, from 0 to 5 GiB")
  func lengths() {
    for (lowest, highest) in [
      (-1, 1), (2, 1), (0, 5_368_709_121), (.min, .max), (0, -1), (.max, .max),
    ] as [(Int64, Int64)] {
      expectRefusal(.invalidPostPolicy, showing: String(highest)) {
        try policy([.key("a"), .contentLength(from: lowest, through: highest)])
      }
    }
  }

  @Test("The shortest and the longest range are accepted")
  func goodLengths() throws {
    _ = try policy([.key("a"), .contentLength(from: 0, through: 0)])
    _ = try policy([.key("a"), .contentLength(from: 5_368_709_120, through: 5_368_709_120)])
  }

  @Test("A form needs a key")
  func keys() {
    for conditions in [[], [Condition.acl("private")], [.key("")]] as [[Condition]] {
      expectRefusal(.invalidPostPolicy, showing: "key") { try policy(conditions) }
    }
  }

  @Test("A field that the signer or the page writes has no condition of the caller's")
  func names() {
    for name in [
      "bucket", "Bucket", "policy", "file", "signature", "AWSAccessKeyId", "x-amz-algorithm",
      "X-Amz-Credential", "x-amz-date", "x-amz-security-token", "x-amz-signature",
      "content-length-range", "", "a b", "é", "a:b", "x-amz-meta-\n",
    ] {
      expectRefusal(.invalidPostPolicy, showing: name) {
        try policy([.key("a"), .field(name, "1")])
      }
      expectRefusal(.invalidPostPolicy, showing: name) {
        try policy([.key("a"), .field(name, startsWith: "1")])
      }
    }
  }

  @Test("A value has no control characters")
  func values() {
    for value in ["\n", "a\r\nb", "\0", "\u{7F}", "\t"] {
      expectRefusal(.invalidPostPolicy) { try policy([.key(value)]) }
      expectRefusal(.invalidPostPolicy) { try policy([.key(startsWith: value)]) }
    }
  }

  @Test("Two conditions on one field are rejected in any letter case")
  func twice() {
    expectRefusal(.invalidPostPolicy, showing: "KEY") {
      try policy([.key("a"), .field("KEY", startsWith: "a")])
    }
    expectRefusal(.invalidPostPolicy, showing: "content-length-range") {
      try policy([
        .key("a"), .contentLength(from: 0, through: 1), .contentLength(from: 0, through: 2),
      ])
    }
  }

  @Test("A key that S3 doesn't accept is rejected")
  func longKey() throws {
    _ = try policy([.key(String(repeating: "k", count: 1_024))])
    expectRefusal(.invalidPostPolicy, showing: "1,024 bytes") {
      try policy([.key(String(repeating: "k", count: 1_025))])
    }
  }

  @Test("What S3 would ignore without a word is rejected")
  func ignored() {
    for status in ["200 ", "302", ""] {
      expectRefusal(.invalidPostPolicy, showing: status) {
        try policy([.key("a"), .field("success_action_status", status)])
      }
    }
    for url in ["example.com", "/done", "", "ftp://example.com"] {
      expectRefusal(.invalidPostPolicy, showing: url) {
        try policy([.key("a"), .successRedirect(url)])
      }
    }
    expectRefusal(.invalidPostPolicy, showing: "${filename}") {
      try policy([.key(startsWith: "u/${filename}")])
    }
  }

  /// S3 API Reference, "POST Policy": all types in a list must begin with the prefix.
  @Test("A prefix that no content type has is rejected")
  func contentTypes() throws {
    for prefix in ["image/png,image/jpeg", ",", " image/"] {
      for name in ["Content-Type", "content-type"] {
        expectRefusal(.invalidPostPolicy, showing: prefix) {
          try policy([.key("a"), .field(name, startsWith: prefix)])
        }
      }
    }
    _ = try policy([
      .key("a"), .contentType(startsWith: "image/"), .metadata("a", startsWith: "b,c"),
    ])
  }

  /// S3 API Reference, "POST Policy": all types in a list must begin with the prefix.
  @Test("A list with a type that the policy doesn't allow isn't added to a form")
  func listOfTypes() throws {
    let images = try form([.key("a"), .contentType(startsWith: "image/")])
    for types in ["image/png", "image/png,image/jpeg", "image/png, image/jpeg"] {
      _ = try images.adding("Content-Type", types)
    }
    for types in [
      "", "text/html", "image/png,text/html", "image/png,", ",image/png", " image/png",
    ] {
      expectRefusal(.conflictingFormField, showing: "image/") {
        try images.adding("content-type", types)
      }
    }
    let labels = try form([.key("a"), .metadata("a", startsWith: "b")])
    _ = try labels.adding("x-amz-meta-a", "b,c")
  }

  /// S3 API Reference, "POST Policy": S3 puts the name in before it compares, so that "a,b.png" would
  /// make the list "image/a,b.png", whose second type does not begin with "image/".
  @Test("A file name can't be part of a content type")
  func contentTypeOfFileName() throws {
    let images = try form([.key("a"), .contentType(startsWith: "image/")])
    for type in ["image/${filename}", "image/a,${filename}", "image/png;name=${filename}"] {
      expectRefusal(.invalidPostPolicy, showing: type) {
        try policy([.key("a"), .contentType(type)])
      }
      expectRefusal(.invalidPostPolicy, showing: type) { try images.adding("content-type", type) }
    }
    _ = try policy([.key("a"), .contentType("a,b"), .metadata("a", "b,${filename}")])
    // Any type begins with nothing.
    _ = try policy([.key("a"), .contentType("${filename}")])
    let open = try form([.key("a"), .contentType(startsWith: "")])
    _ = try open.adding("Content-Type", "image/${filename}")
  }

  @Test("A checksum is in base64 and of its size")
  func checksums() throws {
    for value in ["", "AAAA", "AAAAAA=", "AAAA*A=="] {
      expectRefusal(.invalidPostPolicy, showing: value) {
        try policy([.key("a"), .field("X-Amz-Checksum-CRC32C", value)])
      }
    }
    _ = try policy([.key("a"), .field("x-amz-checksum-crc32c", "AAAAAA==")])
    _ = try policy([.key("a"), .checksum(SigV4.Checksum(.crc32c, base64: "AAAAAA=="))])
  }

  @Test("S3 Express accepts no forms")
  func express() throws {
    let directory = try SigV4.Bucket.directory("b--use1-az4--x-s3", region: "us-east-1")
    expectRefusal(.conflictingEndpoint, showing: "b--use1-az4--x-s3") {
      try SigV4.PostPolicy(bucket: directory, conditions: [.key("a")])
    }
    expectRefusal(.conflictingEndpoint) {
      try SigV4.PostPolicy(bucket: directory, document: "{}".utf8)
    }
  }

  @Test("An empty document is rejected")
  func emptyDocument() {
    expectRefusal(.invalidPostPolicy) { try SigV4.PostPolicy(bucket: bucket(), document: []) }
  }

  func bucket() throws -> SigV4.Bucket { try .aws("photos", region: "us-east-1") }

  func form(_ conditions: [Condition]) throws -> SigV4.PostForm {
    try bucket().signer(credentials: Example.credentials())
      .sign(policy(conditions), at: Example.moment())
  }

  func policy(
    _ conditions: [Condition], expiresIn lifetime: Duration = .seconds(3_600)
  ) throws -> SigV4.PostPolicy {
    try SigV4.PostPolicy(bucket: bucket(), expiresIn: lifetime, conditions: conditions)
  }
}
