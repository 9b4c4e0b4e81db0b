// SPDX-License-Identifier: Apache-2.0
// Received forms of POST policies: allowed ones are accepted, and all others rejected.

internal import SigningTestSupport
internal import RequestVerification
internal import S3Signing
internal import RequestSigning
internal import SecureHashing
internal import TestSupport
internal import Testing

/// Source of the rules: Amazon S3 API Reference, "POST Policy" and "Browser-Based Uploads Using
/// POST".
@Suite("Verification: forms")
struct FormVerificationTests {
  let server: FormServer

  init() throws {
    server = try FormServer()
  }

  /// Source: botocore, by `post-policies.py`.
  @Test("A form that botocore has signed is accepted with what its page fills in")
  func botocore() throws {
    try VectorTable(named: "post-policies.txt").records.forEachCase { (vector: VectorRecord) in
      var server = server
      server.verifier.regions = [try vector.text("region")]
      server.now = try vector.timestamp()
      server.credentials = try vector.credentials()
      var form = WireForm(
        try vector.texts("field").map { line in
          let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
          return (String(parts[0]), String(parts[1]))
        })
      form.bucket = try vector.text("bucket")
      for prefix in try vector.texts("prefix") {
        let parts = prefix.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        form.fields.append((Array(parts[0].utf8), Array((parts[1] + "png").utf8)))
      }
      let verified = try server.verify(form)
      #expect(verified.form.bucket == form.bucket)
      let end = try server.now.advanced(bySeconds: Int64(vector.integer("lifetime")))
      #expect(verified.form.expiration == end)
      let key = verified.key
      #expect(!key.isEmpty && !key.contains("${filename}"))
    }
  }

  @Test("AWS's documented form is accepted until the second in which it ends, and not after it")
  func published() throws {
    let vector = try #require(VectorTable(named: "post-policies-published.txt").records.first)
    var server = server
    server.credentials = try vector.credentials()
    // S3 API Reference: the fields of "Example: Browser-Based Upload using HTTP POST".
    var form = WireForm([
      ("key", "user/user1/${filename}"), ("acl", "public-read"),
      (
        "success_action_redirect",
        "http://sigv4examplebucket.s3.amazonaws.com/successful_upload.html"
      ),
      ("Content-Type", "image/jpeg"), ("x-amz-meta-uuid", "14365123651274"),
      ("x-amz-server-side-encryption", "AES256"),
      ("X-Amz-Credential", "AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request"),
      ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"), ("X-Amz-Date", "20151229T000000Z"),
      ("x-amz-meta-tag", ""), ("Policy", try vector.text("policy")),
      ("X-Amz-Signature", try vector.text("signature")),
    ])
    form.bucket = "sigv4examplebucket"
    server.now = try SigV4.Timestamp("20151230T120000Z")
    let verified = try server.verify(form)
    #expect(verified.key == "user/user1/a.jpg")
    #expect(verified.fields.count == 10)
    #expect(verified.value(named: "CONTENT-TYPE") == "image/jpeg")
    #expect(verified.allowedByteCounts == 0...5_368_709_120)
    server.now = try SigV4.Timestamp("20151230T120001Z")
    expectRefused(.policyExpired) { try server.check(form) }
  }

  @Test("Every changed byte of a form is rejected, except the case of names and ignored fields")
  func everyByte() throws {
    var server = server
    server.credentials = try Example.credentials(sessionToken: Example.token)
    var form = try server.form([
      .key("uploads/2024.jpg"), .contentType("image/png"), .acl("private"),
      .metadata("album", "a \"b\" é $"),
    ])
    form.fields.append((Array("x-ignore-csrf".utf8), Array("1".utf8)))
    try server.check(form)
    for index in form.fields.indices {
      let isIgnored = form.fields[index].name.starts(with: "x-ignore-".utf8)
      for change: UInt8 in [0x01, 0x20, 0x80] {
        for offset in form.fields[index].name.indices {
          var changed = form
          changed.fields[index].name[offset] ^= change
          let isCase = change == 0x20 && (form.fields[index].name[offset] | 0x20) >= 0x61
          let isOther = isIgnored && offset >= "x-ignore-".utf8.count && change == 0x01
          let isAccepted = (try? server.check(changed)) != nil
          #expect(isAccepted == (isCase || isOther), "name \(index) \(offset) \(change)")
        }
        for offset in form.fields[index].value.indices {
          var changed = form
          changed.fields[index].value[offset] ^= change
          let isAccepted = (try? server.check(changed)) != nil
          #expect(isAccepted == (isIgnored && change != 0x80), "value \(index) \(offset) \(change)")
        }
      }
    }
  }

  @Test("A missing, repeated or added field is rejected")
  func fields() throws {
    let form = try server.form([.key("a.jpg"), .acl("private")])
    try server.check(form)
    expectRefused(.notSigned) { try server.check(form.replacing("x-amz-algorithm")) }
    for name in ["x-amz-credential", "x-amz-date", "x-amz-signature", "policy"] {
      expectRefused(.malformedForm) { try server.check(form.replacing(name)) }
      expectRefused(.malformedForm) { try server.check(form.replacing(name, with: "")) }
    }
    for name in ["key", "acl"] {
      expectRefused(.policyConditionFailed) { try server.check(form.replacing(name)) }
      expectRefused(.repeatedField) { try server.check(form.replacing(name, with: "a", "a")) }
    }
    expectRefused(.repeatedField) { try server.check(form.replacing("ACL", with: "private")) }
    for name in ["Cache-Control", "x-amz-meta-a", "file", "AWSAccessKeyId", "signature", ""] {
      expectRefused(.policyConditionFailed) { try server.check(form.replacing(name, with: "a")) }
    }
    try server.check(form.replacing("x-ignore-a", with: "a").replacing("X-Ignore-", with: ""))
  }

  @Test("A condition on an ignored field is checked, and the field needs none")
  func ignoredFields() throws {
    let form = try server.form([
      .key("a"), .field("x-ignore-a", "b"), .field("X-Ignore-C", startsWith: "d"),
    ])
    try server.check(form.replacing("x-ignore-c", with: "de"))
    try server.check(form.replacing("x-ignore-c", with: "d").replacing("x-ignore-e", with: ""))
    expectRefused(.policyConditionFailed) { try server.check(form) }
    expectRefused(.policyConditionFailed) {
      try server.check(form.replacing("x-ignore-c", with: "e"))
    }
    for value in ["", "c"] {
      expectRefused(.policyConditionFailed) {
        try server.check(
          form.replacing("x-ignore-c", with: "d").replacing("x-ignore-a", with: value))
      }
    }
    // It isn't returned, with or without a condition.
    let verified = try server.verify(form.replacing("x-ignore-c", with: "d"))
    #expect(verified.value(named: "x-ignore-a") == nil)
    #expect(!verified.fields.contains { $0.name.lowercased().hasPrefix("x-ignore-") })
    for name in ["policy", "x-amz-signature"] {
      let own = try server.form(
        document: server.document(#"{"key": "a"}, ["starts-with", "$\#(name)", ""]"#),
        [("key", "a")])
      expectRefused(.policyConditionFailed) { try server.check(own) }
    }
  }

  @Test(
    "A name of the file that makes the fields too large is rejected before a condition is looked at"
  )
  func largeFileName() throws {
    var form = try server.form([.key("a.jpg"), .contentType(startsWith: "")])
    form = form.replacing("Content-Type", with: String(repeating: "${filename}", count: 21))
    form.fileName = String(repeating: ",", count: 1_000)
    expectRefused(.formTooLarge) { try server.check(form) }
    form = form.replacing("Content-Type", with: "${filename}/${filename}")
    try server.check(form)
    // 1,024 bytes more than the maximum size of fields, as sent, and then one more.
    let used = form.fields.reduce(0) { $0 + $1.name.count + $1.value.count }
    let rest = SigV4.ReceivedForm.byteLimit - used - "x-ignore-a".utf8.count
    form = form.replacing("x-ignore-a", with: String(repeating: "a", count: rest))
    form.fileName = String(repeating: "a", count: "${filename}".utf8.count + 512)
    try server.check(form)
    form.fileName += "a"
    expectRefused(.formTooLarge) { try server.check(form) }
    form.fileName = String(repeating: ",", count: 1_025)
    expectRefused(.malformedForm) { try server.check(form) }
  }

  @Test("The bucket comes from the request, even if the form contains a different one")
  func bucket() throws {
    var form = try server.form()
    try server.check(form.replacing("bucket", with: "photos"))
    expectRefused(.policyConditionFailed) { try server.check(form.replacing("bucket", with: "b")) }
    form.bucket = "other"
    expectRefused(.policyConditionFailed) { try server.check(form) }
    expectRefused(.policyConditionFailed) {
      try server.check(form.replacing("bucket", with: "photos"))
    }
  }

  @Test("The file name replaces its variable before the policy is checked")
  func fileName() {
    [
      ("a.jpg", "u/42/a.jpg"), ("C:\\pictures\\a b.jpg", "u/42/a b.jpg"), ("../../é", "u/42/é"),
      ("${filename}", "u/42/${filename}"), ("", "u/42/"),
    ].forEachCase { (name: String, key: String) in
      var form = try server.form([.key("u/42/${filename}")])
      form.fileName = name
      #expect(try server.verify(form).key == key)
      form = form.replacing("key", with: "u/43/${filename}")
      expectRefused(.policyConditionFailed) { try server.check(form) }
    }
  }

  @Test("A file above or below the range of its policy is rejected, in one portion or in many")
  func length() throws {
    let form = try server.form([.key("a"), .contentLength(from: 2, through: 4)])
    for count in 0...6 {
      let file = [UInt8](repeating: 0x61, count: count)
      switch count {
      case ..<2: expectRefused(.fileTooSmall) { try server.check(form, file: file) }
      case 2...4: #expect(try server.verify(form).file(file) == file)
      default: expectRefused(.fileTooLarge) { try server.check(form, file: file) }
      }
    }
    let verified = try server.verify(form)
    #expect(verified.allowedByteCounts == 2...4)
    var check = verified.fileVerifier()
    var file: [UInt8] = []
    try check.update([1, 2, 3], into: &file)
    #expect(file == [1, 2, 3] && !check.isSigned)
    expectRefused(.fileTooLarge) { try check.update([4, 5], into: &file) }
    expectRefused(.fileTooLarge) { try check.update([], into: &file) }
    #expect(file == [1, 2, 3])
    do throws(SigV4.VerificationError) {
      _ = try check.finish()
      Issue.record("a file that was too large is accepted at its end")
    } catch {
      #expect(error.code == .fileTooLarge)
    }
  }

  @Test("A file with another checksum than its form names is rejected")
  func checksum() throws {
    // SHA-256 of "abc", FIPS 180-4 example; in base64 by `openssl base64`.
    let checksum = try SigV4.Checksum(
      .sha256, base64: "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
    let form = try server.form([.key("a"), .checksum(checksum)])
    try server.check(form, file: Array("abc".utf8))
    expectRefused(.checksumMismatch) { try server.check(form, file: Array("abd".utf8)) }
    expectRefused(.checksumMismatch) { try server.check(form) }
  }

  @Test("Every type in a list must begin with the policy's prefix")
  func listOfTypes() throws {
    let form = try server.form([.key("a"), .contentType(startsWith: "image/")])
    for types in ["image/png", "image/png,image/jpeg", "image/png, image/jpeg"] {
      try server.check(form.replacing("Content-Type", with: types))
    }
    for types in ["", "text/html", "image/png,text/html", "image/png,", ",image/png", "Image/png"] {
      expectRefused(.policyConditionFailed) {
        try server.check(form.replacing("Content-Type", with: types))
      }
    }
    expectRefused(.policyConditionFailed) { try server.check(form) }
  }

  @Test("A session token must belong to its key, and the policy must allow it")
  func sessionToken() throws {
    var server = server
    server.credentials = try Example.credentials(sessionToken: Example.token)
    let form = try server.form()
    try server.check(form)
    #expect(try server.unverified(form).sessionToken == Example.token)
    var strict = server
    strict.verifier.sessionTokens = .rejected
    expectRefused(.sessionTokenNotAllowed) { try strict.check(form) }
    strict = server
    strict.credentials = try Example.credentials()
    expectRefused(.sessionTokenMismatch) { try strict.check(form) }
    expectRefused(.sessionTokenMismatch) { try server.check(FormServer().form()) }
    expectRefused(.policyConditionFailed) {
      try server.check(FormServer().form().replacing("x-amz-security-token", with: Example.token))
    }
  }

  @Test("A signing key verifies a form as credentials do, and another account's key doesn't")
  func signingKey() throws {
    let form = try server.form()
    let unverified = try server.unverified(form)
    let key = try Example.signer(.s3).signingKey(at: server.now)
    #expect(try unverified.verify(with: key).key == "uploads/a.jpg")
    expectRefused(.sessionTokenMismatch) {
      _ = try unverified.verify(with: key, sessionToken: Example.token)
    }
    let tomorrow = try Example.signer(.s3).signingKey(at: server.now.advanced(bySeconds: 86_400))
    expectRefused(.wrongKey) { _ = try unverified.verify(with: tomorrow) }
    let other = try SigV4.Credentials(accessKeyID: "OTHER", secretAccessKey: Example.secret)
    expectRefused(.wrongKey) { _ = try unverified.verify(with: other) }
    let wrong = try SigV4.Credentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "wrong")
    expectRefused(.signatureMismatch) { _ = try unverified.verify(with: wrong) }
    let ended = try Example.credentials(expiration: server.now)
    expectRefused(.credentialsExpired) { _ = try unverified.verify(with: ended) }
    #expect(unverified.unknownAccessKey.code == .unknownAccessKey)
  }
}
