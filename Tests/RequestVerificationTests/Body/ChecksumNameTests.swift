// SPDX-License-Identifier: Apache-2.0
// Checksums that the verifier can't compute: it takes none of them for right.

internal import RequestSigning
internal import RequestVerification
internal import S3Signing
internal import SigningTestSupport
internal import Testing

/// Names: Amazon S3 API Reference, "PutObject" and "POST Object"; `x-amz-checksum-none` is none of them.
@Suite("Verification: names of checksums")
struct ChecksumNameTests {
  static let unknown = [
    "x-amz-checksum-sha384", "x-amz-checksum-xxh3", "x-amz-checksum-none", "x-amz-checksum-",
  ]

  let forms: FormServer
  let server: ExampleServer

  init() throws {
    forms = try FormServer()
    server = try ExampleServer(unsignedPayloads: .allowed)
  }

  /// A form whose policy allows these fields.
  func form(_ fields: [(String, String)]) throws -> WireForm {
    let conditions = fields.map { #"["eq", "$\#($0.0)", "\#($0.1)"]"# }.joined(separator: ", ")
    return try forms.form(
      document: forms.document(#"{"key": "a"}, "# + conditions), [("key", "a")] + fields)
  }

  @Test("A form with a checksum of an unknown algorithm is rejected, whatever its file is")
  func unknownInForms() throws {
    for name in Self.unknown + ["X-Amz-Checksum-SHA384"] {
      let form = try form([(name, "AAAA")])
      expectRefused(.unsupportedChecksum) { try forms.check(form) }
    }
  }

  /// "abc" in base64: FIPS 180-4 (SHA-256, SHA-512) and RFC 1321, A.5, by `openssl base64`; XXH3 by
  /// the package xxhash 4.1.0.
  @Test("A form has one checksum, of a known algorithm, and its file is compared with it")
  func knownInForms() throws {
    let sha256 = ("x-amz-checksum-sha256", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
    let md5 = ("Content-MD5", "kAFQmDzST7DWlj99KOF/cg==")
    let sha512 = (
      "x-amz-checksum-sha512",
      "3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw=="
    )
    let xxHash3 = ("x-amz-checksum-xxhash3", "eK9flIkvOVA=")
    for checksum in [sha256, md5, sha512, ("x-amz-checksum-md5", md5.1), xxHash3] {
      let form = try form([checksum])
      try forms.check(form, file: Array("abc".utf8))
      expectRefused(.checksumMismatch) { try forms.check(form, file: Array("abd".utf8)) }
    }
    // versity/versitygw #1186: S3 expects a single checksum.
    let two = try form([sha256, md5])
    expectRefused(.unsupportedChecksum) { try forms.check(two) }
  }

  /// S3 API Reference, "POST Object": an algorithm's name requires its checksum.
  @Test("The algorithm in a form must match its checksum")
  func namedAlgorithms() throws {
    let sha256 = ("x-amz-checksum-sha256", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
    for field in ["x-amz-checksum-algorithm", "X-Amz-Sdk-Checksum-Algorithm"] {
      for value in ["SHA256", "sha256"] {
        try forms.check(form([(field, value), sha256]), file: Array("abc".utf8))
      }
      for value in ["SHA512", "CRC32", "MD5", ""] {
        let form = try form([(field, value), sha256])
        expectRefused(.unsupportedChecksum) { try forms.check(form) }
      }
      let alone = try form([(field, "SHA256")])
      expectRefused(.unsupportedChecksum) { try forms.check(alone) }
    }
  }

  func sent(_ names: String, _ word: String) throws -> WireRequest {
    try SentToS3.signed(
      "PUT", headers: ["x-amz-decoded-content-length": "5", "x-amz-trailer": names],
      payload: .literal(word))
  }

  /// "The value specified in the x-amz-trailer header is not supported": versity/versitygw #1632.
  @Test("Unsigned chunks have no trailer but a checksum that's compared with the body")
  func unsignedTrailers() throws {
    let word = "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
    for name in Self.unknown + ["x-other", "content-md5x", "X-Amz-Checksum-SHA384"] {
      let sent = try sent(name, word)
      expectRefused(.unsupportedChecksum) { try server.check(sent) }
    }
    for names in ["x-amz-checksum-crc32,x-other", "x-amz-checksum-crc32,x-amz-checksum-sha256"] {
      let sent = try sent(names, word)
      expectRefused(.unsupportedChecksum) { try server.check(sent) }
    }
    _ = try server.bodyVerifier(of: sent("x-amz-checksum-crc32", word))
    // Without trailers the body is unsigned, as the policy allows: versity/versitygw #1632, S3 takes it.
    var bare = try SentToS3.signed(
      "PUT", headers: ["x-amz-decoded-content-length": "5"], payload: .literal(word))
    bare.body = Array("5\r\nhello\r\n0\r\n\r\n".utf8)
    #expect(try server.verify(bare) == Array("hello".utf8))
  }

  @Test("Signed chunks may have other trailers, but no unverified checksum")
  func signedTrailers() throws {
    let word = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
    for name in Self.unknown {
      let sent = try sent(name, word)
      expectRefused(.unsupportedChecksum) { try server.check(sent) }
    }
    let two = try sent("x-amz-checksum-crc32,x-amz-checksum-sha256", word)
    expectRefused(.unsupportedChecksum) { try server.check(two) }
    for names in ["x-other", "x-amz-checksum-crc32,x-other"] {
      _ = try server.bodyVerifier(of: sent(names, word))
    }
  }
}
