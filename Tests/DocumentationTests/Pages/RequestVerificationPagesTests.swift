// SPDX-License-Identifier: Apache-2.0
// The pages of RequestVerification: their code compiles and works.

internal import RequestVerification
internal import SigningTestSupport
internal import Testing

@Suite("Pages: RequestVerification")
struct RequestVerificationPagesTests {
  func signer(
    of request: SigV4.ReceivedRequest, at now: SigV4.Timestamp,
    find: (String) -> SigV4.Credentials?
  ) throws(SigV4.VerificationError) -> String {
    let verifier = SigV4.Verifier(region: "us-east-1", service: .s3)
    let unverified = try verifier.check(request, at: now)
    guard let credentials = find(unverified.accessKeyID) else {
      throw unverified.unknownAccessKey
    }
    let verified = try unverified.verify(with: credentials)
    return verified.request.accessKeyID
  }

  func handle(
    _ method: String, _ target: String, _ headers: [(String, String)],
    _ body: [UInt8], at now: SigV4.Timestamp,
    findCredentials: @Sendable (String) async -> SigV4.Credentials?
  ) async throws -> [UInt8] {
    let verifier = SigV4.Verifier(region: "us-east-1", service: .s3)
    let request = SigV4.ReceivedRequest(
      method, target: target, scheme: .https, headers: SigV4.Headers(headers))

    let verified = try await verifier.verify(request, body: body, at: now) {
      await findCredentials($0)
    }
    return try verified.body(body)
  }

  @Test("The signer of a request is found, and its body comes back")
  func landing() async throws {
    let (credentials, now) = try (Example.credentials(), Example.moment())
    let request = try SigV4.Request(
      "PUT", url: "https://bucket.s3.amazonaws.com/a", payload: .bytes([1, 2]))
    let signed = try Example.signer(.s3).sign(request, at: now)
    let headers =
      [("Host", "bucket.s3.amazonaws.com")] + signed.addedHeaders.map { ($0.name, $0.value) }
    let received = SigV4.ReceivedRequest(
      "PUT", target: signed.target, headers: SigV4.Headers(headers))
    #expect(try signer(of: received, at: now) { _ in credentials } == Example.accessKeyID)
    let body = try await handle("PUT", signed.target, headers, [1, 2], at: now) { _ in credentials }
    #expect(body == [1, 2])
  }
}
