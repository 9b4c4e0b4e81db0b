// SPDX-License-Identifier: Apache-2.0
// Claims that are proved side by side: each verdict is the one that the claim gets alone.

internal import RequestSigning
internal import RequestVerification
internal import SecureHashing
@testable internal import SigningTestSupport
internal import TestSupport
internal import Testing

@Suite("Claims proved side by side")
struct ClaimBatchTests {
  /// Requests of real clients, all of which an open policy takes.
  static func claims() throws -> [SigV4.Claim] {
    let requests = try VectorTable(named: "recorded-requests.txt").records
      .map { try RecordedRequest($0) }
    return requests.compactMap { try? $0.claim(under: RecordedRequestTests.policies[2]) }
  }

  /// The code of each refusal, nil for what is proved.
  static func codes(
    _ verify: ((Int, consuming SigV4.Claim.Verdict) -> Void) -> Void
  ) -> [String?] {
    var codes: [String?] = []
    verify { index, verdict in
      #expect(index == codes.count)
      switch consume verdict {
      case .success: codes.append(nil)
      case .failure(let error): codes.append(error.code.name)
      }
    }
    return codes
  }

  @Test("Requests of real clients are proved, by credentials and by keys, in batches of any size")
  func realClients() throws {
    let claims = try Self.claims()
    let credentials = try Example.credentials()
    try #require(claims.count > 100)
    for count in [0, 1, 2, 15, 16, 17, claims.count] {
      let proved = [String?](repeating: nil, count: count)
      #expect(
        Self.codes {
          SigV4.Claim.verifyBatch(claims.prefix(count).map { ($0, credentials, nil) }, $0)
        } == proved)
      #expect(
        Self.codes {
          SigV4.Claim.verifyBatch(
            claims.prefix(count).map {
              ($0, SigV4.SigningKey(credentials, scope: $0.scope), nil, nil)
            }, $0)
        } == proved)
    }
  }

  @Test("Another secret proves none of them, and spoils none of its neighbours")
  func anotherSecret() throws {
    let claims = try Self.claims()
    let right = try Example.credentials()
    let wrong = try SigV4.Credentials(
      accessKeyID: Example.accessKeyID, secretAccessKey: Example.secret + "0")
    for wrongOnes in [Set([0]), Set([1, 16, 33]), Set(0..<claims.count)] {
      let codes = Self.codes {
        SigV4.Claim.verifyBatch(
          claims.enumerated().map { ($1, wrongOnes.contains($0) ? wrong : right, nil) }, $0)
      }
      #expect(codes == claims.indices.map { wrongOnes.contains($0) ? "signatureMismatch" : nil })
    }
  }

  @Test("Each refusal is the one that the claim gets alone")
  func refusals() throws {
    let server = try ExampleServer()
    let right = try Example.credentials()
    let temporary = try Example.credentials(sessionToken: Example.token)
    let other = try SigV4.Credentials(accessKeyID: "AKIDOTHER", secretAccessKey: Example.secret)
    let expired = try SigV4.Credentials(
      accessKeyID: Example.accessKeyID, secretAccessKey: Example.secret, expiration: server.now)
    let plain = try server.claim(of: SentToS3.signed())
    let withToken = try server.claim(of: SentToS3.signed(token: Example.token))
    let body = Array("a body".utf8)
    let withBody = try server.claim(of: SentToS3.signed(payload: .bytes(body)))
    let digest = SHA256.hash(data: body)
    let batch: [(SigV4.Claim, SigV4.Credentials, SHA256.Digest?)] = [
      (plain, right, nil), (plain, other, nil), (plain, expired, nil), (plain, temporary, nil),
      (withToken, temporary, nil), (withToken, right, nil), (withBody, right, digest),
      (withBody, right, SHA256.hash(data: [])), (plain, right, nil),
    ]
    let expected = [
      nil, "wrongKey", "credentialsExpired", "sessionTokenMismatch", nil, "sessionTokenMismatch",
      nil, "bodyMismatch", nil,
    ]
    #expect(Self.codes { SigV4.Claim.verifyBatch(batch, $0) } == expected)
    let alone = batch.map { claim, credentials, digest -> String? in
      do throws(SigV4.VerificationError) {
        _ = try claim.verify(with: credentials, bodyDigest: digest)
        return nil
      } catch { return error.code.name }
    }
    #expect(alone == expected)
  }

  @Test(
    "Keys of another scope or access key ID, and tokens that do not belong to them, are refused")
  func wrongKeys() throws {
    let server = try ExampleServer()
    let plain = try server.claim(of: SentToS3.signed())
    let withToken = try server.claim(of: SentToS3.signed(token: Example.token))
    let right = SigV4.SigningKey(try Example.credentials(), scope: plain.scope)
    let otherDay = SigV4.SigningKey(
      try Example.credentials(),
      scope: try SigV4.CredentialScope("20150831/us-east-1/s3/aws4_request"))
    #expect(
      Self.codes {
        SigV4.Claim.verifyBatch(
          [
            (plain, right, nil, nil), (plain, otherDay, nil, nil),
            (plain, right, Example.token, nil), (withToken, right, Example.token, nil),
            (withToken, right, nil, nil),
          ], $0)
      } == [nil, "wrongKey", "sessionTokenMismatch", nil, "sessionTokenMismatch"])
  }
}
