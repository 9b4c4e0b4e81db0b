// SPDX-License-Identifier: Apache-2.0
// The signing key: derived, exported, imported, and rejected for another scope.

internal import SigningTestSupport
internal import RequestSigning
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Signing keys")
struct SigningKeyTests {
  static func keys() throws -> [VectorRecord] {
    try VectorTable(named: "signing-keys.txt").records
  }

  @Test("A derived key is the published or recomputed one")
  func derivation() throws {
    try SigningKeyTests.keys().forEachCase { (vector: VectorRecord) in
      let key = try SigV4.SigningKey(
        SigV4.Credentials(
          accessKeyID: "AKIDEXAMPLE", secretAccessKey: vector.text("secret-access-key")),
        scope: SigV4.CredentialScope(vector.text("scope")))
      #expect(bytes(of: key) == (try vector.hexadecimal("key")))
      #expect(key.accessKeyID == "AKIDEXAMPLE")
      #expect(key.scope.text == (try vector.text("scope")))
    }
  }

  @Test("An exported and imported key signs as the secret does")
  func exportedKey() throws {
    try (PublishedVectorTests.published() + PublishedVectorTests.presigned()).forEachCase {
      (vector: VectorRecord) in
      let signer = try vector.signer()
      let derived = try signer.signingKey(at: vector.timestamp())
      let imported = try SigV4.SigningKey(
        key: SymmetricKey(data: bytes(of: derived)), accessKeyID: derived.accessKeyID,
        scope: SigV4.CredentialScope(derived.scope.text))
      let second = try SigV4.Signer(
        signingKey: imported, sessionToken: vector.optionalText("token"),
        service: signer.service)
      try vector.expectEveryStep(by: second)
    }
  }

  @Test("A key signs at every moment of its day, and never on another day")
  func anotherDay() throws {
    let key = try publishedKey()
    let signer = try SigV4.Signer(signingKey: key, service: .standard("iam"))
    let request = try SigV4.Request("GET", url: "https://iam.amazonaws.com/")
    for inside in ["20150830T000000Z", "20150830T235959Z"] {
      let signed = try signer.sign(request, at: SigV4.Timestamp(inside))
      #expect(signed.credentialScope == key.scope)
    }
    for outside in ["20150829T235959Z", "20150831T000000Z"] {
      let timestamp = try SigV4.Timestamp(outside)
      expectCode(.scopeMismatch) { try signer.sign(request, at: timestamp) }
      expectCode(.scopeMismatch) {
        try signer.presignedURL(for: request, expiresIn: .seconds(60), at: timestamp)
      }
      expectCode(.scopeMismatch) { try signer.signingKey(at: timestamp) }
    }
  }

  @Test("A key of one service creates no signer for another, and the region is the key's")
  func anotherService() throws {
    let key = try publishedKey()
    expectCode(.scopeMismatch) { try SigV4.Signer(signingKey: key, service: .standard("sts")) }
    expectCode(.scopeMismatch) { try SigV4.Signer(signingKey: key, service: .s3) }
    let signer = try SigV4.Signer(signingKey: key, service: .standard("iam"))
    #expect(signer.region == "us-east-1")
  }

  @Test("A key must have 32 bytes")
  func wrongSize() {
    [0, 31, 33, 64].forEachCase { (count: Int) in
      let scope = try SigV4.CredentialScope("20150830/us-east-1/iam/aws4_request")
      let key = SymmetricKey(data: [UInt8](repeating: 7, count: count))
      expectCode(.invalidSigningKey) {
        try SigV4.SigningKey(key: key, accessKeyID: "AKIDEXAMPLE", scope: scope)
      }
    }
  }

  @Test("A key that's printed shows neither itself nor the secret")
  func description() throws {
    let vector = try VectorTable(named: "signing-keys.txt").records[0]
    let key = try publishedKey()
    for text in ["\(key)", "\(key.key)", String(reflecting: key)] {
      #expect(!text.contains(try vector.text("key")))
      #expect(!text.contains(try vector.text("secret-access-key")))
    }
  }

  /// The key of 2015-08-30, us-east-1, iam, that AWS published.
  func publishedKey() throws -> SigV4.SigningKey {
    let vector = try VectorTable(named: "signing-keys.txt").records[0]
    return try SigV4.SigningKey(
      key: SymmetricKey(data: vector.hexadecimal("key")), accessKeyID: "AKIDEXAMPLE",
      scope: SigV4.CredentialScope(vector.text("scope")))
  }

  func bytes(of key: SigV4.SigningKey) -> [UInt8] {
    // Safety: the bytes are copied before the closure ends.
    unsafe key.key.withUnsafeBytes { unsafe Array($0) }
  }

  func expectCode<Result>(
    _ code: SigV4.SigningError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Result
  ) {
    let error = #expect(throws: SigV4.SigningError.self, sourceLocation: sourceLocation) {
      _ = try body()
    }
    #expect(error?.code == code, sourceLocation: sourceLocation)
  }
}
