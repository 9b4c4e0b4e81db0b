// SPDX-License-Identifier: Apache-2.0
// Signing keys: two that AWS published, and what they are good for.

internal import SigningTestSupport
internal import RequestSigning
internal import SecureHashing
internal import Testing

@Suite("Facts: signing keys")
struct SigningKeyFactsTests {
  // "Create a signed AWS API request" and "Examples of how to derive a signing key", AWS General
  // Reference; both were derived again with hmac of Python.
  @Test("The signing keys that AWS published")
  func publishedKeys() {
    [
      ("20150830", "c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9"),
      ("20120215", "f4780e2d9f65fa895f9c67b32ce1baf0b0d8a43505a000a1a9e090d414db404d"),
    ].forEachCase { (day: String, expected: String) in
      let scope = try SigV4.CredentialScope(day + "/us-east-1/iam/aws4_request")
      let key = SigV4.SigningKey(try Example.credentials(), scope: scope)
      #expect(hexadecimal(key.key) == expected)
      #expect(key.accessKeyID == Example.accessKeyID)
      #expect(key.scope == scope)

      let signer = try Example.signer(.standard("iam"))
      let moment = try SigV4.Timestamp(day + "T235959Z")
      #expect(hexadecimal(try signer.signingKey(at: moment).key) == expected)
    }
  }

  @Test("A derived key creates the same signatures as the secret")
  func shippedKey() throws {
    let signer = try Example.signer(.s3, sessionToken: Example.token)
    let shipped = try SigV4.SigningKey(
      key: SymmetricKey(data: Hexadecimal.decode(hexadecimal(signer.signingKey(at: noon()).key))),
      accessKeyID: Example.accessKeyID,
      scope: SigV4.CredentialScope("20150830/us-east-1/s3/aws4_request"))
    let other = try SigV4.Signer(
      signingKey: shipped, sessionToken: Example.token, service: .s3)
    let request = try SigV4.Request("GET", host: "example.com")
    for time in ["20150830T000000Z", "20150830T123600Z", "20150830T235959Z"] {
      let moment = try SigV4.Timestamp(time)
      #expect(
        try signer.sign(request, at: moment).authorization
          == other.sign(request, at: moment).authorization)
      #expect(
        try signer.presignedURL(for: request, expiresIn: .seconds(60), at: moment).url
          == other.presignedURL(for: request, expiresIn: .seconds(60), at: moment).url)
    }
  }

  @Test("A derived key is good for its day only")
  func otherDays() {
    [
      "20150829T235959Z", "20150831T000000Z", "20160830T123600Z",
    ].forEachCase { (time: String) in
      let key = try Example.signer(.s3).signingKey(at: noon())
      let signer = try SigV4.Signer(signingKey: key, service: .s3)
      let moment = try SigV4.Timestamp(time)
      let request = try SigV4.Request("GET", host: "example.com")
      #expect(codeOfError { try signer.sign(request, at: moment) } == .scopeMismatch)
      #expect(
        codeOfError { try signer.presignedURL(for: request, expiresIn: .seconds(60), at: moment) }
          == .scopeMismatch)
      #expect(codeOfError { try signer.signingKey(at: moment) } == .scopeMismatch)
    }
  }

  @Test("Another secret under the same access key ID has another key on the same day")
  func rotatedSecret() throws {
    let scope = try SigV4.CredentialScope("20150830/us-east-1/iam/aws4_request")
    let first = SigV4.SigningKey(try Example.credentials(), scope: scope)
    let rotated = SigV4.SigningKey(
      try SigV4.Credentials(
        accessKeyID: Example.accessKeyID, secretAccessKey: Example.secret + "0"), scope: scope)
    #expect(first.key != rotated.key)
  }

  @Test("Day, region, service and secret each change the key")
  func partsOfScope() throws {
    let credentials = try Example.credentials()
    let keys = [
      "20150830/us-east-1/iam", "20150831/us-east-1/iam", "20150830/us-east-2/iam",
      "20150830/us-east-1/sts", "20150830/us-east-/1iam", "20150830/iam/us-east-1",
    ].compactMap { text in
      (try? SigV4.CredentialScope(text + "/aws4_request")).map {
        hexadecimal(SigV4.SigningKey(credentials, scope: $0).key)
      }
    }
    try #require(keys.count == 6)
    #expect(Set(keys).count == keys.count)
  }

  @Test("The scope's day is the first eight characters of x-amz-date, at both ends of a day")
  func dayOfScope() throws {
    for time in ["20150830T000000Z", "20150830T235959Z", "00010101T000000Z", "99991231T235959Z"] {
      let moment = try SigV4.Timestamp(time)
      let signed = try Example.signer(.s3).sign(
        SigV4.Request("GET", host: "example.com"), at: moment)
      let date = try #require(signed.addedHeaders.values(named: "x-amz-date").first)
      #expect(date == time)
      #expect(signed.credentialScope.day == String(date.prefix(8)))
      #expect(signed.stringToSign.text.hasPrefix("AWS4-HMAC-SHA256\n\(time)\n\(date.prefix(8))/"))
      #expect(signed.authorization.contains("Credential=AKIDEXAMPLE/\(date.prefix(8))/"))
    }
  }

  @Test("Two signatures of one second are equal")
  func sameSecond() throws {
    let request = try SigV4.Request("GET", host: "example.com")
    #expect(
      try Example.signed(request, .s3).authorization == Example.signed(request, .s3).authorization)
  }

  func noon() throws -> SigV4.Timestamp { try SigV4.Timestamp("20150830T120000Z") }

  func hexadecimal(_ key: SymmetricKey) -> String {
    // Safety: the bytes are copied into the text before the closure ends.
    unsafe key.withUnsafeBytes { unsafe Hexadecimal.encode($0) }
  }
}
