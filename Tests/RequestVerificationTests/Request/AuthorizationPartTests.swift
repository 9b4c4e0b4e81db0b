// SPDX-License-Identifier: Apache-2.0
// The parts of an Authorization header, one of which is missing or is no part.

internal import SigningTestSupport
internal import RequestVerification
internal import S3Signing
internal import RequestSigning
internal import SecureHashing
internal import Testing

@Suite("Verification: parts of the Authorization header")
struct AuthorizationPartTests {
  let server: ExampleServer

  init() throws {
    server = try ExampleServer()
  }

  @Test("A credential without an access key ID, or with fewer parts, is rejected")
  func credentialParts() throws {
    let sent = try SentToS3.signed()
    let authorization = try sent.header("Authorization")
    let right = "AKIDEXAMPLE/20150830/us-east-1/s3/aws4_request"
    for credential in [
      right.dropFirst("AKIDEXAMPLE".count), right.dropFirst("AKIDEXAMPLE/".count),
      right.prefix("AKIDEXAMPLE".count), right.dropLast("/aws4_request".count),
    ] {
      let changed = sent.replacing(
        "Authorization", with: [authorization.replacing(right, with: credential)])
      expectRefused(.malformedAuthorization) { try server.verify(changed) }
    }
  }

  @Test("A word of an Authorization header that may be a key isn't in the message")
  func loneKeys() throws {
    let sent = try SentToS3.signed()
    let parts = try sent.header("Authorization").dropFirst("AWS4-HMAC-SHA256 ".count)
    for secret in ["0123456789abcdef0123456789abcdef", "k", "aGVsbG8", "aGVsbG8=", "aGVsbA=="] {
      for header in [
        secret, "AWS4-HMAC-SHA256 \(secret)", "AWS4-HMAC-SHA256 \(secret), \(parts)",
        "AWS4-HMAC-SHA256 \(parts), \(secret)",
      ] {
        let changed = sent.replacing("Authorization", with: [header])
        let error = try #require(throws: SigV4.VerificationError.self) {
          try server.check(changed)
        }
        #expect(error.code == .malformedAuthorization, "\(header): \(error)")
        #expect(!error.problem.contains("\"\(secret.prefix { $0 != "=" })"), "\(error)")
      }
    }
    for (header, word) in [
      ("Bearer aGVsbG8", #""Bearer""#), ("AWS4-HMAC-SHA256 Key=a, \(parts)", #""Key""#),
    ] {
      let error = #expect(throws: SigV4.VerificationError.self) {
        try server.check(sent.replacing("Authorization", with: [header]))
      }
      #expect(error?.problem.contains(word) == true, "\(header)")
    }
  }

  @Test("The message for another scheme names all that are accepted", arguments: [false, true])
  func schemes(isOfAll: Bool) throws {
    let bearer = WireRequest("GET", "/", [("Host", "a"), ("Authorization", "Bearer aGVsbG8")])
    for (services, accepted) in [
      ([.s3], ["AWS4-HMAC-SHA256"]), ([.tos, .s3], ["TOS4-HMAC-SHA256", "AWS4-HMAC-SHA256"]),
      ([.googleCloudStorage], ["GOOG4-HMAC-SHA256"]), ([], ["AWS4-HMAC-SHA256"]),
    ] as [([SigV4.Service], [String])] {
      var other = server
      other.verifier.services = services
      if isOfAll { other.verifier.algorithms = [.hmacSHA256, .ecdsaP256SHA256] }
      let names = (accepted + (isOfAll ? ["AWS4-ECDSA-P256-SHA256"] : [])).joined(separator: " or ")
      let error = #expect(throws: SigV4.VerificationError.self) { try other.check(bearer) }
      #expect(error?.code == .unsupportedAlgorithm)
      #expect(error?.problem == #"The verifier accepts \#(names), not "Bearer"."#)
      #expect(
        error?.xmlResponse(requestID: "1").body.contains("Please use \(names).</Message>") == true)
    }
  }

  /// The scope is what's wrong, not the algorithm.
  @Test("A verifier without services rejects the scope of a signature")
  func noServices() throws {
    var other = server
    other.verifier.services = []
    expectRefused(.wrongScope) { try other.check(SentToS3.signed()) }
    expectRefused(.wrongScope) { try other.check(SentToS3.presigned()) }
  }

  @Test("The response names the missing part of the Authorization header, or the invalid name")
  func missingParts() throws {
    let sent = try SentToS3.signed()
    let authorization = try sent.header("Authorization")
    let parts = authorization.dropFirst("AWS4-HMAC-SHA256 ".count).split(separator: ", ")
    try #require(parts.count == 3)
    for part in parts {
      let rest = parts.filter { $0 != part }.joined(separator: ", ")
      let changed = sent.replacing("Authorization", with: ["AWS4-HMAC-SHA256 " + rest])
      let error = #expect(throws: SigV4.VerificationError.self) { try server.verify(changed) }
      #expect(error?.code == .malformedAuthorization)
      #expect(error?.message.contains("lacks Credential, SignedHeaders or Signature") == true)
    }
    var named = sent
    named.headers.append((Array(":path".utf8), Array("/".utf8)))
    let error = #expect(throws: SigV4.VerificationError.self) { try server.verify(named) }
    #expect(error?.message.contains("isn't a valid header name") == true)
    named.headers = sent.headers + [(Array("authorization: Bearer hush".utf8), [])]
    let line = #expect(throws: SigV4.VerificationError.self) { try server.verify(named) }
    #expect(line?.message.contains("hush") == false)
  }
}
