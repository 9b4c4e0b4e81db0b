// SPDX-License-Identifier: Apache-2.0
// Unreadable policies, disguised forms and wrong clocks, which allow nothing.

internal import SigningTestSupport
internal import RequestVerification
internal import S3Signing
internal import DocumentSupport
internal import RequestSigning
internal import SecureHashing
internal import Testing

@Suite("Verification: holes of forms")
struct FormHoleTests {
  let server: FormServer

  init() throws {
    server = try FormServer()
  }

  @Test("A form with a second signature, or without POST, is rejected")
  func multipleSignatures() throws {
    var form = try server.form()
    form.request = form.request.replacing("Authorization", with: ["AWS4-HMAC-SHA256 a"])
    expectRefused(.multipleSignatures) { try server.check(form) }
    form = try server.form()
    form.request.target = Array("/?X-Amz-Algorithm=AWS4-HMAC-SHA256".utf8)
    expectRefused(.multipleSignatures) { try server.check(form) }
    form = try server.form()
    for method in ["PUT", "GET", "post", "", "P OST"] {
      form.request.method = Array(method.utf8)
      expectRefused(.invalidRequest) { try server.check(form) }
    }
  }

  @Test("Another scope, algorithm or signature than the verifier's is rejected")
  func scopes() throws {
    let form = try server.form()
    for scope in [
      "20150830/us-east-1/iam", "20150830/eu-west-1/s3", "20150829/us-east-1/s3",
    ] {
      expectRefused(.wrongScope) {
        try server.check(
          form.replacing("x-amz-credential", with: "AKIDEXAMPLE/\(scope)/aws4_request"))
      }
    }
    for credential in [
      "AKIDEXAMPLE", "AKIDEXAMPLE/20150830/us-east-1/s3", "a b/1/2/3/aws4_request",
    ] {
      expectRefused(.malformedForm) {
        try server.check(form.replacing("x-amz-credential", with: credential))
      }
    }
    for algorithms in [[SigV4.Verifier.Algorithm.ecdsaP256SHA256], []] {
      var other = server
      other.verifier.algorithms = algorithms
      expectRefused(.unsupportedAlgorithm) { try other.check(form) }
    }
    expectRefused(.unsupportedAlgorithm) {
      try server.check(form.replacing("x-amz-algorithm", with: "AWS4-ECDSA-P256-SHA256"))
    }
    for signature in ["0", String(repeating: "A", count: 64), String(repeating: "0", count: 65)] {
      expectRefused(.malformedForm) {
        try server.check(form.replacing("x-amz-signature", with: signature))
      }
    }
    expectRefused(.signatureMismatch) {
      try server.check(
        form.replacing("x-amz-signature", with: String(repeating: "0", count: 64)))
    }
  }

  @Test("A form from the future, with too long a lifetime, or without a date is rejected")
  func clocks() throws {
    let form = try server.form()
    var early = server
    early.now = try server.now.advanced(bySeconds: -901)
    expectRefused(.requestTimeTooSkewed) { try early.check(form) }
    early.now = try server.now.advanced(bySeconds: -900)
    try early.check(form)
    expectRefused(.malformedForm) {
      try server.check(form.replacing("x-amz-date", with: "20150830T123660Z"))
    }
    var strict = server
    strict.verifier.maximumLifetime = .seconds(3_599)
    expectRefused(.malformedPolicy) { try strict.check(form) }
    let endless = try server.form(
      document: server.document(#"{"key": "a"}"#, until: "2030-01-01T00:00:00Z"), [("key", "a")])
    expectRefused(.malformedPolicy) { try server.check(endless) }
  }

  @Test("Both spellings of a condition, and one on two fields at once, mean the same")
  func spellings() throws {
    for conditions in [
      #"{"key": "a", "acl": "private"}"#,
      #"["eq", "$key", "a"], {"acl": "private"}"#,
      #"["starts-with", "$key", ""], ["eq", "$ACL", "private"], ["starts-with", "$acl", "p"]"#,
      #"["content-length-range", "0", 10], ["content-length-range", 0, 5], {"key": "\u0061"},"#
        + #"{"acl":"private"}"#,
    ] {
      let form = try server.form(
        document: server.document(conditions), [("key", "a"), ("acl", "private")])
      try server.check(form)
      expectRefused(.policyConditionFailed) {
        try server.check(form.replacing("acl", with: "public-read"))
      }
    }
  }

  @Test("Two ranges of lengths hold together, in either order")
  func ranges() throws {
    let ranges = [#"["content-length-range", 2, 10]"#, #"["content-length-range", 0, 5]"#]
    for order in [ranges, ranges.reversed()] {
      let form = try server.form(
        document: server.document(#"{"key": "a"}, "# + order.joined(separator: ", ")),
        [("key", "a")])
      #expect(try server.verify(form).allowedByteCounts == 2...5)
    }
    let one = try server.form(
      document: server.document(#"{"key": "a"}, ["content-length-range", 5, 5]"#), [("key", "a")])
    #expect(try server.verify(one).allowedByteCounts == 5...5)
  }

  @Test("A policy that isn't read completely allows nothing")
  func unreadable() {
    [
      #"["equals", "$key", "a"]"#, #"["EQ", "$key", "a"]"#, #"["eq", "key", "a"]"#,
      #"["eq", "$key"]"#, #"["eq", "$key", "a", "b"]"#, #"["eq", "$key", 1]"#, #"{"key": 1}"#,
      #"{"key": null}"#, #""key""#, "1", "[]", "[[]]",
      #"["content-length-range", 2, 1]"#, #"["content-length-range", -1, 1]"#,
      #"["content-length-range", 0.5, 1]"#, #"["content-length-range", 0, 99999999999999999999]"#,
      #"["content-length-range", 0, ""]"#, #"["content-length-range", 0]"#,
      #"["content-length-range", 6000000000, 7000000000]"#,
      #"["content-length-range", 0, 1], ["content-length-range", 2, 3]"#,
      #"{"key": "a", "key": "b"}"#, #"{"key": "\$a"}"#, #"{"key": "a"},"#,
    ].forEachCase { (conditions: String) in
      let form = try server.form(
        document: server.document(#"["starts-with", "$key", ""], "# + conditions), [("key", "a")])
      expectRefused(.malformedPolicy) { try server.check(form) }
    }
  }

  @Test("A document that isn't a policy allows nothing")
  func noPolicy() {
    [
      "{}", "[]", "null", "{", "\u{FEFF}{}", #"{"conditions": []}"#,
      #"{"expiration": "2015-08-30T13:00:00Z"}"#,
      #"{"expiration": "2015-08-30 13:00:00Z", "conditions": []}"#,
      #"{"expiration": 1440939600, "conditions": []}"#,
      #"{"expiration": "2015-08-30T13:00:00Z", "conditions": {}}"#,
      #"{"expiration": "2015-08-30T13:00:00Z", "conditions": [], "more": 1}"#,
      String(repeating: "[", count: 5_000),
    ].forEachCase { (document: String) in
      let form = try server.form(document: document, [("key", "a")])
      expectRefused(.malformedPolicy) { try server.check(form) }
    }
  }

  @Test("A policy without a condition on the bucket, or on a part of the signature, is rejected")
  func uncoveredParts() throws {
    let document = server.document(#"{"key": "a"}"#)
    try server.check(server.form(document: document, [("key", "a")]))
    for part in [
      #"{"bucket": "photos"}, "#, #"{"x-amz-algorithm": "AWS4-HMAC-SHA256"},"#,
      #"{"x-amz-credential": "AKIDEXAMPLE/20150830/us-east-1/s3/aws4_request"},"#,
    ] {
      try #require(document.contains(part))
      let form = try server.form(
        document: document.replacing(part, with: ""), [("key", "a")])
      expectRefused(.policyConditionFailed) { try server.check(form) }
    }
  }

  @Test("A policy that isn't base64, and fields that aren't UTF-8, are rejected")
  func encodings() throws {
    let form = try server.form()
    for policy in ["e30", "e30=\n", "e3\u{e9}=", "{}"] {
      expectRefused(.malformedPolicy) { try server.check(form.replacing("policy", with: policy)) }
    }
    var broken = form
    broken.fields.append((Array("x-ignore-a".utf8), [0xFF]))
    expectRefused(.malformedForm) { try server.check(broken) }
    broken = form
    broken.fields.append(([0x78, 0xFF], []))
    expectRefused(.malformedForm) { try server.check(broken) }
  }

  @Test("Forms above 20 KB, and long names of files, are rejected, whatever is in them")
  func limits() throws {
    var form = try server.form()
    let used = form.fields.reduce(0) { $0 + $1.name.count + $1.value.count }
    let rest = SigV4.ReceivedForm.byteLimit - used - "x-ignore-a".utf8.count
    try server.check(form.replacing("x-ignore-a", with: String(repeating: "a", count: rest)))
    expectRefused(.formTooLarge) {
      try server.check(form.replacing("x-ignore-a", with: String(repeating: "a", count: rest + 1)))
    }
    var flood = form.received
    for index in 0..<100_000 { flood.append("x-ignore-\(index)".utf8, []) }
    expectRefused(.formTooLarge) {
      _ = try server.verifier.check(flood, at: server.now)
    }
    var empty = form.received
    for _ in 0..<100_000 { empty.append([], []) }
    expectRefused(.formTooLarge) {
      _ = try server.verifier.check(empty, at: server.now)
    }
    form.fileName = "/" + String(repeating: "a", count: 1_024)
    try server.check(form)
    form.fileName += "a"
    expectRefused(.malformedForm) { try server.check(form) }
  }

  @Test("The response to a wrong signature contains the sent policy, never the signature")
  func answer() throws {
    let form = try server.form()
    let wrong = form.replacing("x-amz-signature", with: String(repeating: "0", count: 64))
    let error = #expect(throws: SigV4.VerificationError.self) { try server.check(wrong) }
    let answer = try #require(error).xmlResponse(requestID: "1")
    #expect(answer.status == 403 && answer.errorType == "SignatureDoesNotMatch")
    let fields = try XMLFieldReader(answer.body.utf8, root: ["Error"])
    let policy = try #require(form.fields.first { $0.name == Array("policy".utf8) })
    #expect(fields.text(named: "StringToSign").map { Array($0.utf8) } == policy.value)
    let signature = try #require(form.fields.first { $0.name == Array("x-amz-signature".utf8) })
    #expect(!answer.body.contains(String(decoding: signature.value, as: UTF8.self)))
  }

  @Test("Claims, forms and fields are never printed with their secrets")
  func secrecy() throws {
    var server = server
    server.credentials = try Example.credentials(sessionToken: Example.token)
    let form = try server.form()
    let unverified = try server.unverified(form)
    var dumped = ""
    dump(unverified, to: &dumped)
    dump(form.received, to: &dumped)
    dumped += "\(unverified) \(form.received)"
    for field in form.fields where field.value.count > 30 {
      #expect(!dumped.contains(String(decoding: field.value, as: UTF8.self)))
    }
    #expect(!dumped.contains(Example.token))
  }
}
