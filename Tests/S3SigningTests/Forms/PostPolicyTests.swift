// SPDX-License-Identifier: Apache-2.0
// Forms for uploads from a browser: their policy, their signature, their fields in order.

internal import SigningTestSupport
internal import S3Signing
internal import RequestSigning
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("POST policies")
struct PostPolicyTests {
  static func generated() throws -> [VectorRecord] {
    try VectorTable(named: "post-policies.txt").records
  }

  static func published() throws -> [VectorRecord] {
    try VectorTable(named: "post-policies-published.txt").records
  }

  @Test("No vector is missing: 7 policies of conditions, 2 documents")
  func count() throws {
    #expect(try Set(Self.generated().map(\.name)).count == 7)
    #expect(try Set(Self.published().map(\.name)).count == 2)
  }

  /// Source: botocore, by `post-policies.py`.
  @Test("A form has botocore's policy, byte for byte, and its signature and fields")
  func conditions() throws {
    try PostPolicyTests.generated().forEachCase { vector in
      let form = try vector.signer(of: vector.bucket()).sign(
        vector.policy(), at: vector.timestamp())
      let document = String(decoding: try Base64.decode(form.policy), as: UTF8.self)
      try expect("\(vector): document", document, is: vector.text("document"))
      try expect("\(vector): signature", form.signature.hexString, is: vector.text("signature"))
      try expect(
        "\(vector): fields", lines(of: form), is: vector.texts("field").joined(separator: "\n"))
      #expect(
        form.url == "https://photos.s3.\(try vector.text("region")).amazonaws.com/", "\(vector)")
      let end = try vector.timestamp().advanced(bySeconds: Int64(vector.integer("lifetime")))
      #expect(form.expiration == end, "\(vector)")
    }
  }

  @Test("The form of one object is that of the policy with its key, sizes and type")
  func oneObject() throws {
    let bucket = try SigV4.Bucket.aws("photos", region: "us-east-1")
    let signer = try bucket.signer(credentials: Example.credentials())
    let policy = try SigV4.PostPolicy(
      bucket: bucket, expiresIn: .seconds(60),
      conditions: [.key("a"), .contentLength(from: 1, through: 9), .contentType("image/png")])
    let form = try signer.presignedPost(
      for: bucket.object("a"), contentLength: 1...9, contentType: "image/png",
      expiresIn: .seconds(60), at: Example.moment())
    #expect(try lines(of: form) == lines(of: signer.sign(policy, at: Example.moment())))
    expectRefusal(.invalidPostPolicy) {
      try signer.presignedPost(for: bucket.object(bytes: [0xFF]), at: Example.moment())
    }
  }

  @Test("Your own document is signed unchanged")
  func document() throws {
    try PostPolicyTests.published().forEachCase { vector in
      let bytes = try Base64.decode(vector.text("policy"))
      // A store that allows any name: the signature doesn't depend on the endpoint.
      let bucket = try SigV4.Bucket.minIO(vector.text("bucket"), endpoint: "https://example.com")
      let policy = try SigV4.PostPolicy(bucket: bucket, document: bytes)
      let form = try vector.signer(of: bucket).sign(policy, at: vector.timestamp())
      try expect("\(vector): policy", form.policy, is: vector.text("policy"))
      try expect("\(vector): signature", form.signature.hexString, is: vector.text("signature"))
      #expect(form.expiration == nil, "\(vector)")
      let names =
        ["x-amz-algorithm", "x-amz-credential", "x-amz-date"]
        + (try vector.optionalText("token") == nil ? [] : ["x-amz-security-token"])
        + ["policy", "x-amz-signature"]
      #expect(form.fields.map(\.name) == names, "\(vector)")
      let whole = try form.adding("key", "user/user1/a.jpg").adding("acl", "public-read")
      #expect(whole.fields.map(\.name) == ["key", "acl"] + names, "\(vector)")
    }
  }

  @Test("Signing in two phases, elsewhere, creates the same form")
  func twoPhases() throws {
    let vector = try VectorTable(named: "post-policies.txt").record(named: "temporary credentials")
    let signer = try vector.signer(of: vector.bucket())
    let prepared = try signer.prepare(vector.policy(), at: vector.timestamp())
    let key = try signer.signingKey(at: vector.timestamp()).key
    let code = HMAC<SHA256>.authenticationCode(for: prepared.stringToSign.bytes, using: key)
    let form = prepared.signed(with: SigV4.Signature(code))
    try expect("fields", lines(of: form), is: vector.texts("field").joined(separator: "\n"))
    #expect(prepared.credentialScope.text == "20240102/eu-west-1/s3/aws4_request")
  }

  @Test("The page fills in what has no value yet, and hears what the policy allows")
  func fieldsToFill() throws {
    let form = try form([
      .key(startsWith: "u/"), .contentType(startsWith: "image/"), .metadata("tag", startsWith: ""),
      .acl("private"), .contentLength(from: 0, through: 9),
    ])
    #expect(form.fieldsToFill == ["key", "Content-Type", "x-amz-meta-tag"])
    let filled = try form.adding("Key", "u/${filename}").adding("content-type", "image/png")
      .adding("x-ignore-csrf", "1")
    #expect(filled.fieldsToFill == ["x-amz-meta-tag"])
    #expect(
      filled.fields.map(\.name) == [
        "acl", "Key", "content-type", "x-ignore-csrf", "x-amz-algorithm", "x-amz-credential",
        "x-amz-date", "policy", "x-amz-signature",
      ])
    #expect(form.fields.count == 6)
    expectRefusal(.fieldNotInPolicy, showing: "Cache-Control") {
      try form.adding("Cache-Control", "no-store")
    }
    expectRefusal(.conflictingFormField, showing: "image/") {
      try form.adding("Content-Type", "text/html")
    }
    for name in ["acl", "ACL", "x-amz-date", "Policy"] {
      expectRefusal(.conflictingFormField, showing: name) { try form.adding(name, "private") }
    }
    for name in ["file", "", "a b", "x-amz-security-token", "é"] {
      expectRefusal(.invalidPostPolicy, showing: name) { try form.adding(name, "a") }
    }
    expectRefusal(.invalidPostPolicy, showing: "x-amz-meta-tag") {
      try form.adding("x-amz-meta-tag", "a\r\nb")
    }
  }

  @Test("Hidden inputs are escaped, so a value can't end its attribute")
  func hiddenInputs() throws {
    let form = try form([.key("a"), .metadata("x", "\"><script>'&é\u{1F600}")])
    let line = form.hiddenInputs.split(separator: "\n")[1]
    #expect(
      line == "<input type=\"hidden\" name=\"x-amz-meta-x\" "
        + "value=\"&#34;&#62;&#60;script&#62;&#39;&#38;&#233;&#128512;\">")
    #expect(form.hiddenInputs.split(separator: "\n").count == form.fields.count)
  }

  @Test("The URL is the bucket's, in the host or in the path")
  func urls() throws {
    let minIO = try SigV4.Bucket.minIO("photos", endpoint: "http://127.0.0.1:9000")
    let policy = try SigV4.PostPolicy(bucket: minIO, conditions: [.key("a")])
    let form = try minIO.signer(credentials: Example.credentials())
      .sign(policy, at: Example.moment())
    #expect(form.url == "http://127.0.0.1:9000/photos")
    let dots = try SigV4.Bucket.aws("www.example.com", region: "eu-west-1")
    let other = try dots.signer(credentials: Example.credentials())
      .sign(SigV4.PostPolicy(bucket: dots, conditions: [.key("a")]), at: Example.moment())
    #expect(other.url == "https://s3.eu-west-1.amazonaws.com/www.example.com")
  }

  func form(_ conditions: [SigV4.PostPolicy.Condition]) throws -> SigV4.PostForm {
    let bucket = try SigV4.Bucket.aws("photos", region: "us-east-1")
    let policy = try SigV4.PostPolicy(bucket: bucket, conditions: conditions)
    return try bucket.signer(credentials: Example.credentials()).sign(policy, at: Example.moment())
  }

  func lines(of form: SigV4.PostForm) -> String {
    form.fields.map { $0.name + "=" + $0.value }.joined(separator: "\n")
  }
}

extension VectorRecord {
  func bucket() throws -> SigV4.Bucket {
    try .aws(text("bucket"), region: text("region"))
  }

  func signer(of bucket: SigV4.Bucket) throws -> SigV4.Signer {
    try bucket.signer(credentials: credentials())
  }

  /// The policy of the record's conditions: values, prefixes, a range of lengths.
  func policy() throws -> SigV4.PostPolicy {
    var conditions: [SigV4.PostPolicy.Condition] = []
    for (name, value) in try pairs("value") { conditions.append(.field(name, value)) }
    for (name, prefix) in try pairs("prefix") {
      conditions.append(.field(name, startsWith: prefix))
    }
    for (lowest, highest) in try pairs("length") {
      let range = (try #require(Int64(lowest)), try #require(Int64(highest)))
      conditions.append(.contentLength(from: range.0, through: range.1))
    }
    return try SigV4.PostPolicy(
      bucket: .aws(text("bucket"), region: text("region")),
      expiresIn: .seconds(integer("lifetime")),
      conditions: conditions)
  }

  private func pairs(_ field: String) throws -> [(String, String)] {
    try texts(field).map { line in
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), String(parts[1]))
    }
  }
}
