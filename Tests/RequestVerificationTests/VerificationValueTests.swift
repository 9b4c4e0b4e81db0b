// SPDX-License-Identifier: Apache-2.0
// Policies, claims and refusals as values: what is equal, and what is printed.

@testable internal import SigningTestSupport
internal import RequestVerification
internal import RequestSigning
internal import Testing
internal import TestSupport

@Suite("Verification: values")
struct VerificationValueTests {
  @Test("Policies are equal when they accept the same")
  func policies() throws {
    let policy = try ExampleServer().policy
    let changes: [(inout SigV4.Verifier.Policy) -> Void] = [
      { $0.services = [.s3Express] }, { $0.regions = ["eu-west-1"] }, { $0.clockWindow = 60 },
      { $0.longestLifetime = 60 }, { $0.unsignedPayloads = .accepted },
      { $0.unsignedPayloads = .refused }, { $0.signedHeaders = ["range"] },
      { $0.sessionTokens = .refused }, { $0.largestChunk = 1 }, { $0.plusInPaths = .space },
      { $0.plusInQueries = .literal }, { $0.services = [.s3.with(\.payloadRule, .declared)] },
    ]
    #expect(try policy == ExampleServer().policy)
    for (index, change) in changes.enumerated() {
      var other = policy
      change(&other)
      #expect(other != policy, "\(index)")
    }
  }

  @Test("Claims are equal when they say the same of the same request")
  func claims() throws {
    let server = try ExampleServer()
    let sent = try SentToS3.signed(token: Example.token)
    let claim = try server.claim(of: sent)
    #expect(try claim == server.claim(of: sent))
    #expect(claim.mechanism == .header && "\(claim.mechanism)" == "header")
    let others = try [
      SentToS3.signed(token: "other"), SentToS3.presigned(token: Example.token),
      SentToS3.signed(token: Example.token, at: "20150830T123601Z"),
      sent.replacing("x-amz-acl", with: ["public-read"]),
      sent.replacingInTarget("x=%2B", with: "x=1"), sent.replacingInTarget("/c?", with: "/d?"),
    ]
    for (index, other) in others.enumerated() {
      #expect(try server.claim(of: other) != claim, "\(index)")
    }
    let forms = try FormServer()
    let form = try forms.form()
    let formClaim = try forms.claim(of: form)
    #expect(try formClaim == forms.claim(of: form))
    var renamed = form
    renamed.fileName = "b.jpg"
    #expect(try forms.claim(of: renamed) != formClaim)
  }

  @Test("Refusals are equal when code, message and canonical request are, and dump shows no token")
  func refusals() throws {
    let server = try ExampleServer()
    func refusal(_ sent: WireRequest) throws -> SigV4.VerificationError {
      try #require(throws: SigV4.VerificationError.self) {
        let other = try SigV4.Credentials(
          accessKeyID: Example.accessKeyID, secretAccessKey: "another", sessionToken: Example.token)
        _ = try server.claim(of: sent).verify(with: other)
      }
    }
    let sent = try SentToS3.signed(token: Example.token)
    let error = try refusal(sent)
    #expect(error.code == .signatureMismatch)
    #expect(try error == refusal(sent))
    #expect(try error != refusal(sent.replacing("x-amz-acl", with: ["public-read"])))
    #expect(error.canonicalRequest?.text.contains(Example.token) == true)
    var dumped = ""
    dump(error, to: &dumped)
    #expect(dumped.contains("message: " + String(reflecting: error.message)))
    #expect(!dumped.contains(Example.token))
  }

  @Test("A clock window below zero is one of zero seconds")
  func window() throws {
    var server = try ExampleServer()
    server.policy.clockWindow = .min
    try server.verify(SentToS3.signed())
    server.now = try server.now.advanced(bySeconds: 1)
    expectRefused(.requestTimeTooSkewed) { try server.verify(SentToS3.signed()) }
    server.policy.clockWindow = .max
    server.now = try SigV4.Timestamp(unixSeconds: 253_402_300_799)
    try server.verify(SentToS3.signed())
  }
}
