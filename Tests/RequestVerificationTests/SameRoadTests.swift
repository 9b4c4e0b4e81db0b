// SPDX-License-Identifier: Apache-2.0
// A header-signed request, a presigned URL and a form take the same road: what is wrong with their
// signature is rejected with the same words.

internal import SigningTestSupport
internal import RequestVerification
internal import RequestSigning
internal import S3Signing
internal import Testing

@Suite("Verification: requests and forms take the same road")
struct SameRoadTests {
  /// A signature before it's verified, in each of the three places.
  private enum Sent: CaseIterable {
    case header
    case url
    case form

    var malformed: SigV4.VerificationError.Code {
      switch self {
      case .header: .malformedAuthorization
      case .url: .malformedQueryAuthorization
      case .form: .malformedForm
      }
    }
  }

  private var server: ExampleServer
  private var forms: FormServer

  init() throws {
    server = try ExampleServer(unsignedPayloads: .allowed)
    forms = try FormServer()
  }

  /// Checks a request or form in which a text is replaced, and verifies it with a key.
  private func verify(
    _ sent: Sent, _ old: String = "", _ new: String = "", with credentials: SigV4.Credentials
  ) throws {
    switch sent {
    case .header:
      let request = try SentToS3.signed()
      let value = try request.header("Authorization")
      if !old.isEmpty { try #require(value.contains(old)) }
      let changed = request.replacing(
        "Authorization", with: [old.isEmpty ? value : value.replacing(old, with: new)])
      _ = try server.check(changed).verify(with: credentials)
    case .url:
      var request = try SentToS3.presigned()
      if !old.isEmpty {
        request = try request.replacingInTarget(
          old.replacing("/", with: "%2F"), with: new.replacing("/", with: "%2F"))
      }
      _ = try server.check(request).verify(with: credentials)
    case .form:
      var form = try forms.form()
      for index in form.fields.indices where !old.isEmpty {
        let value = String(decoding: form.fields[index].value, as: UTF8.self)
        form.fields[index].value = Array(value.replacing(old, with: new).utf8)
      }
      _ = try forms.unverified(form).verify(with: credentials)
    }
  }

  private func message(
    _ code: SigV4.VerificationError.Code, _ body: () throws -> Void
  ) throws -> String {
    let error = try #require(throws: SigV4.VerificationError.self) { try body() }
    #expect(error.code == code, "\(error)")
    return error.message
  }

  @Test("A key of another owner, an expired one and one with a token are rejected alike")
  func keys() throws {
    let owner = Example.accessKeyID
    let keys: [(SigV4.VerificationError.Code, SigV4.Credentials)] = [
      (.wrongKey, try SigV4.Credentials(accessKeyID: "OTHER", secretAccessKey: Example.secret)),
      (
        .credentialsExpired,
        try SigV4.Credentials(
          accessKeyID: owner, secretAccessKey: Example.secret, expiration: Example.moment())
      ),
      (.sessionTokenMismatch, try Example.credentials(sessionToken: "t")),
    ]
    for (code, key) in keys {
      let messages = try Sent.allCases.map { sent in
        try message(code) { try verify(sent, with: key) }
      }
      #expect(Set(messages).count == 1, "\(messages)")
    }
    for sent in Sent.allCases { try verify(sent, with: Example.credentials()) }
  }

  @Test("A credential for another day, region or service is rejected alike")
  func scopes() throws {
    let scope = "20150830/us-east-1/s3"
    for other in ["20150829/us-east-1/s3", "20150830/eu-west-1/s3", "20150830/us-east-1/iam"] {
      let messages = try Sent.allCases.map { sent in
        try message(.wrongScope) {
          try verify(sent, scope, other, with: Example.credentials())
        }
      }
      #expect(Set(messages).count == 1, "\(messages)")
    }
  }

  @Test("A credential in another form is rejected as malformed, with the same words")
  func credentials() throws {
    let credential = "AKIDEXAMPLE/20150830/us-east-1/s3/aws4_request"
    for other in [
      "AKIDEXAMPLE/20150830/us-east-1/s3", "/20150830/us-east-1/s3/aws4_request",
      "AKIDEXAMPLE/20151330/us-east-1/s3/aws4_request", "AKIDEXAMPLE/20150830//s3/aws4_request",
      "AKIDEXAMPLE/20150830/us-east-1/~/aws4_request", "AKIDEXAMPLE/20150830/us-east-1/s3/aws4",
      "AKIDEXAMPLE",
    ] {
      let messages = try Sent.allCases.map { sent in
        try message(sent.malformed) {
          try verify(sent, credential, other, with: Example.credentials())
        }
      }
      #expect(Set(messages).count == 1, "\(messages)")
    }
  }

  @Test("An access key ID with slashes is split from the scope at the right place")
  func slashes() throws {
    let credentials = try SigV4.Credentials(
      accessKeyID: "a/b/c", secretAccessKey: Example.secret)
    // A host of AWS would reject the ID.
    let request = try SigV4.Request("GET", url: "https://example.com/a")
    let signer = try SigV4.Signer(
      credentials: credentials, region: "us-east-1", service: .s3)
    let unverified = try server.check(
      WireRequest(signer.sign(request, at: Example.moment()), [:]))
    #expect(unverified.accessKeyID == "a/b/c")
    #expect(unverified.scope.text == "20150830/us-east-1/s3/aws4_request")
    _ = try unverified.verify(with: credentials)
  }
}

// SHA-256 codes have 64 digits (FIPS 180-4), and AWS writes them in lowercase (SigV4, step 5).
extension SameRoadTests {
  /// The digits of the signature in a request or form.
  private func digits(_ sent: Sent) throws -> String {
    switch sent {
    case .header: String(try SentToS3.signed().header("Authorization").suffix(64))
    case .url: String(String(decoding: try SentToS3.presigned().target, as: UTF8.self).suffix(64))
    case .form:
      String(
        decoding: try #require(
          forms.form().fields.first { $0.name.elementsEqual("x-amz-signature".utf8) }
        ).value, as: UTF8.self)
    }
  }

  @Test("Digits of another number or case are rejected before a key is looked up")
  func malformedDigits() throws {
    for sent in Sent.allCases {
      let digits = try digits(sent)
      try #require(digits.utf8.count == 64)
      let letter = try #require(digits.first { $0.isLetter })
      for other in [
        String(digits.dropLast()), digits + "0", digits.uppercased(), digits + digits,
        digits.replacing(String(letter), with: "g"), digits.replacing(String(letter), with: "`"),
        String(repeating: ":", count: 64), String(digits.dropLast()) + "@",
        "é" + digits.dropFirst(2),
      ] {
        let message = try message(sent.malformed) {
          try verify(sent, digits, other, with: Example.credentials())
        }
        #expect(message.hasPrefix("The signature (\(other.utf8.count) characters)"), "\(message)")
      }
    }
  }

  @Test("Each of the 64 digits is compared")
  func eachDigit() throws {
    for sent in Sent.allCases {
      let digits = Array(try digits(sent).utf8)
      for index in digits.indices {
        var other = digits
        other[index] = digits[index] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
        let (old, new) = (
          String(decoding: digits, as: UTF8.self), String(decoding: other, as: UTF8.self)
        )
        expectRefused(.signatureMismatch) {
          try verify(sent, old, new, with: Example.credentials())
        }
      }
    }
  }
}
