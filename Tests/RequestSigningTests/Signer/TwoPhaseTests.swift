// SPDX-License-Identifier: Apache-2.0
// The two phases: prepare here, sign elsewhere, finish here.

internal import SigningTestSupport
internal import RequestSigning
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Two phases")
struct TwoPhaseTests {
  @Test("A signature made elsewhere finishes a request or URL that was prepared without the secret")
  func published() throws {
    try (PublishedVectorTests.published() + PublishedVectorTests.presigned()).forEachCase {
      (vector: VectorRecord) in
      let signer = try vector.signer()
      let preparing = try SigV4.Signer(
        identity: vector.credentials().identity, region: vector.text("region"),
        service: signer.service)
      let signature = try SigV4.Signature(hexString: vector.text("signature"))
      if try vector.optionalText("presigned-url") == nil {
        let prepared = try preparing.prepare(vector.request(), at: vector.timestamp())
        expect("string to sign", prepared.stringToSign.text, is: try vector.text("string-to-sign"))
        let finished = prepared.signed(with: signature)
        try vector.expectSteps(of: finished)
        expectSame(finished, try vector.signed(by: signer))
      } else {
        let prepared = try vector.preparedURL(by: preparing)
        expect("string to sign", prepared.stringToSign.text, is: try vector.text("string-to-sign"))
        let finished = prepared.signed(with: signature)
        try vector.expectSteps(of: finished)
        expectSame(finished, try vector.presigned(by: signer))
      }
    }
  }

  @Test("HMAC-SHA-256 under the day's published key is the published signature")
  func separateKey() throws {
    let vector = try VectorTable(named: "published-vectors.txt").record(named: "IAM ListUsers")
    let key = try VectorTable(named: "signing-keys.txt").records[0].hexadecimal("key")
    let prepared = try vector.signer().prepare(vector.request(), at: vector.timestamp())
    let code = HMAC<SHA256>.authenticationCode(
      for: prepared.stringToSign.bytes, using: SymmetricKey(data: key))
    try vector.expectSteps(of: prepared.signed(with: SigV4.Signature(code)))
  }

  @Test("A prepared request accepts any signature, because it can't be checked here")
  func uncheckedSignature() throws {
    let request = try SigV4.Request("GET", url: "https://iam.amazonaws.com/")
    let preparing = try SigV4.Signer(
      identity: SigV4.Identity(accessKeyID: "AKIDEXAMPLE"), region: "us-east-1",
      service: .standard("iam"))
    let digits = String(repeating: "0a", count: 32)
    let prepared = try preparing.prepare(request, at: SigV4.Timestamp("20150830T123600Z"))
    let signed = try prepared.signed(with: SigV4.Signature(hexString: digits))
    #expect(signed.authorization.hasSuffix(", Signature=\(digits)"))
  }

  func expectSame(_ left: SigV4.SignedRequest, _ right: SigV4.SignedRequest) {
    #expect(left.method == right.method)
    expect("URL", left.url, is: right.url)
    #expect(left.addedHeaders.map(\.name) == right.addedHeaders.map(\.name))
    #expect(left.addedHeaders.map(\.value) == right.addedHeaders.map(\.value))
    #expect(left.signature == right.signature)
  }

  func expectSame(_ left: SigV4.PresignedURL, _ right: SigV4.PresignedURL) {
    #expect(left.method == right.method)
    expect("URL", left.url, is: right.url)
    #expect(lines(of: left.requiredHeaders) == lines(of: right.requiredHeaders))
    #expect(left.expiration == right.expiration)
    #expect(left.signature == right.signature)
  }

  @Test("A signer without a secret signs nothing, and its error says what to do")
  func withoutSecret() throws {
    let signer = try SigV4.Signer(
      identity: Example.credentials().identity, region: "us-east-1", service: .s3)
    #expect(signer.identity.accessKeyID == Example.accessKeyID)
    #expect(signer.region == "us-east-1" && signer.service.name == "s3")
    let now = try Example.moment()
    #expect(signer.scope(at: now).text == "20150830/us-east-1/s3/aws4_request")
    let request = try SigV4.Request("GET", url: "https://example.com/")
    expectRefusal(.secretRequired) { try signer.sign(request, at: now) }
    expectRefusal(.secretRequired) {
      try signer.presignedURL(for: request, expiresIn: .seconds(60), at: now)
    }
    expectRefusal(.secretRequired) { try signer.signingKey(at: now) }
  }
}
