// SPDX-License-Identifier: Apache-2.0
// Requests of another signer: what botocore sends is accepted, and nothing of it may be changed.

internal import SigningTestSupport
internal import RequestVerification
internal import RequestSigning
internal import SecureHashing
internal import TestSupport
internal import Testing

/// Source: botocore, by `verified-requests.py`.
@Suite("Verification: botocore's requests")
struct VerifiedRequestTests {
  @Test(
    "Each of 400 requests and URLs of botocore is accepted, and rejected with another key")
  func accepted() throws {
    let vectors = try VectorTable(named: "verified-requests.txt").records
    #expect(vectors.count == 400)
    var failures: [String] = []
    for vector in vectors {
      do {
        let body = try vector.optionalBytes("body") ?? []
        #expect(try verify(vector, secret: Example.secret) == body)
      } catch {
        failures.append("record \(vector.name): \(error)")
      }
      expectRefused(.signatureMismatch) { try verify(vector, secret: Example.secret + "x") }
    }
    #expect(failures.isEmpty, "\(failures.count), the first is \(failures.first ?? "none")")
  }

  func verify(_ vector: VectorRecord, secret: String) throws -> [UInt8] {
    let name = try vector.text("service")
    var policy = SigV4.Verifier(services: [try .named(name)], regions: ["us-east-1"])
    policy.unsignedPayloads = .allowed
    policy.dotSegments = .allowed
    var request = SigV4.ReceivedRequest(
      try vector.text("method"), target: try vector.bytes("target"))
    for header in try vector.headers() { request.append(header.name.utf8, header.value.utf8) }
    let body = try vector.optionalBytes("body") ?? []
    let unverified = try policy.check(request, at: vector.timestamp())
    let credentials = try SigV4.Credentials(
      accessKeyID: unverified.accessKeyID, secretAccessKey: secret,
      sessionToken: vector.optionalText("token"))
    if unverified.needsBodyDigest {
      return try unverified.verify(with: credentials, bodyDigest: SHA256.hash(data: body)).body(
        body)
    }
    return try unverified.verify(with: credentials).body(body)
  }
}
