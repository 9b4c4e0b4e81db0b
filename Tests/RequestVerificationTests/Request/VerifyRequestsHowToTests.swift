// SPDX-License-Identifier: Apache-2.0
// The how-to page on verification: its code compiles and works.

internal import SigningTestSupport
internal import RequestVerification
internal import S3Signing
internal import Foundation
internal import RequestSigning
internal import SecureHashing
internal import Testing

/// The lines of the page are here, and a test compares the two.
@Suite("How-to: verify requests")
struct VerifyRequestsHowToTests {
  func handle(
    _ method: String, _ target: String, _ headers: [(String, String)], _ body: [UInt8],
    at now: SigV4.Timestamp, findCredentials: @Sendable (String) async -> SigV4.Credentials?
  ) async throws -> [UInt8] {
    let verifier = SigV4.Verifier(region: "us-east-1", service: .s3)
    let request = SigV4.ReceivedRequest(
      method, target: target, scheme: .https, headers: SigV4.Headers(headers))
    let verified = try await verifier.verify(request, body: body, at: now) { accessKeyID in
      await findCredentials(accessKeyID)
    }
    return try verified.body(body)
  }

  func receive(
    _ verified: consuming SigV4.VerifiedRequest, read: () -> [UInt8]?, store: ([UInt8]) -> Void
  ) throws(SigV4.VerificationError) -> SigV4.Headers {
    var body = verified.bodyVerifier()
    var received: [UInt8] = []
    while let portion = read() {
      try body.update(portion, into: &received)
      store(received)
      received.removeAll(keepingCapacity: true)
    }
    return try body.finish()
  }

  @Test("A request with its body in memory is accepted, and one with an unknown key isn't")
  func inMemory() async throws {
    let now = try Example.moment()
    let body = Array("hello".utf8)
    let signed = try Example.signer(.s3).sign(
      SentToS3.request("PUT", payload: .bytes(body)), at: now)
    let headers =
      [("Host", "bucket.s3.amazonaws.com")] + signed.addedHeaders.map { ($0.name, $0.value) }
    let credentials = try Example.credentials()
    let received = try await handle("PUT", signed.target, headers, body, at: now) { id in
      id == Example.accessKeyID ? credentials : nil
    }
    #expect(received == body)
    await #expect(throws: SigV4.VerificationError.self) {
      try await handle("PUT", signed.target, headers, body, at: now) { _ in nil }
    }
  }

  @Test("Bodies that arrive in portions are stored, whatever was signed of them")
  func inPortions() throws {
    let body = Array("hello, world".utf8)
    var server = try ExampleServer()
    server.verifier.unsignedPayloads = .allowed
    var requests = try SentChunks.Kind.allCases.map { try SentChunks(body, $0).request }
    for payload in [SigV4.Payload.unsigned, .bytes(body)] {
      requests.append(try SentToS3.signed(payload: payload))
      requests[requests.count - 1].body = body
    }
    for request in requests {
      let verified = try server.check(request).verify(with: Example.credentials())
      var rest = request.body[...]
      var stored: [UInt8] = []
      let trailers = try receive(verified) {
        let portion = rest.prefix(5)
        rest = rest.dropFirst(5)
        return portion.isEmpty ? nil : Array(portion)
      } store: {
        stored += $0
      }
      #expect(stored == body)
      let isAnnounced = request.headers.contains { $0.name.elementsEqual("x-amz-trailer".utf8) }
      #expect(trailers.isEmpty != isAnnounced)
    }
  }

  func receive(
    _ fields: [(String, String)], _ file: [UInt8], named fileName: String,
    of request: SigV4.ReceivedRequest, at now: SigV4.Timestamp,
    findCredentials: @Sendable (String) async -> SigV4.Credentials?
  ) async throws(SigV4.VerificationError) -> (key: String, file: [UInt8]) {
    var form = SigV4.ReceivedForm(request, bucket: "photos")  // the bucket that the URL names
    for field in fields { form.append(field.0.utf8, field.1.utf8) }  // those before the file
    form.fileName = fileName

    let verifier = SigV4.Verifier(region: "us-east-1", service: .s3)
    let unverified = try verifier.check(form, at: now)
    guard let credentials = await findCredentials(unverified.accessKeyID) else {
      throw unverified.unknownAccessKey
    }
    let verified = try unverified.verify(with: credentials)
    let key = verified.key
    return (key, try verified.file(file))
  }

  @Test("A form is parsed, and its file and key are returned")
  func form() async throws {
    let server = try FormServer()
    let form = try server.form([.key("u/${filename}"), .contentLength(from: 1, through: 9)])
    let fields = form.fields.map {
      (String(decoding: $0.name, as: UTF8.self), String(decoding: $0.value, as: UTF8.self))
    }
    let received = try await receive(
      fields, [1, 2], named: "a.jpg", of: form.request.received(), at: server.now
    ) { _ in server.credentials }
    #expect(received.key == "u/a.jpg" && received.file == [1, 2])
    await #expect(throws: SigV4.VerificationError.self) {
      try await receive(
        fields, [], named: "a.jpg", of: form.request.received(), at: server.now
      ) { _ in server.credentials }
    }
  }

  func report(_ error: SigV4.VerificationError, log: (String) -> Void) {
    log("\(error.code.name): \(error.message)")
  }

  @Test("The log has the error's code and message, but not the canonical request")
  func reports() throws {
    let sent = try SentToS3.signed().replacing("x-amz-acl", with: ["public-read"])
    let unverified = try ExampleServer().check(sent)
    let mismatch = #expect(throws: SigV4.VerificationError.self) {
      _ = try unverified.verify(with: Example.credentials())
    }
    for error in [try #require(mismatch), unverified.unknownAccessKey] {
      let text = error.canonicalRequest?.text ?? ""
      #expect(text.contains("x-amz-acl:public-read") == (error.code == .signatureMismatch))
      report(error) {
        #expect($0 == "\(error)")
        #expect(!$0.contains("public-read"))
      }
    }
  }

  @Test("Every line of code on the page is in this file")
  func page() throws {
    try HowToPage("verify-requests.md").expectCode(in: #filePath, count: 31)
  }
}
