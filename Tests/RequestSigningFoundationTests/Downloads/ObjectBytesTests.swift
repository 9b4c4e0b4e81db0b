// SPDX-License-Identifier: Apache-2.0
// Objects that are read part after part.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct ObjectBytesTests {
  func bytes(
    _ server: LoopbackServer, partByteCount: Int = 4, headers: SigV4.Headers = [:]
  ) throws -> ObjectBytes {
    var options = SigningSession.Options()
    options.partByteCount = partByteCount
    options.maximumAttempts = 1
    let session = SigningSession(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      region: "us-east-1", service: .s3, options: options)
    return session.bytes(for: try server.bucket().object("a"), headers: headers)
  }

  /// A part of ten bytes, as RFC 9110, 14.4, writes it.
  func part(
    _ text: String, from first: Int, of total: Int = 10, eTag: String = "\"t\""
  ) -> LoopbackServer.Answer {
    .init(
      status: 206,
      headers: [
        "Content-Range": "bytes \(first)-\(first + text.count - 1)/\(total)", "ETag": eTag,
      ],
      body: text)
  }

  func text(_ bytes: ObjectBytes) async throws -> [String] {
    var parts: [String] = []
    for try await part in bytes { parts.append(String(decoding: part, as: UTF8.self)) }
    return parts
  }

  @Test("Each part is requested by its range, from the same object")
  func parts() async throws {
    let server = try LoopbackServer(
      part("0123", from: 0), part("4567", from: 4), part("89", from: 8))
    #expect(try await text(bytes(server)) == ["0123", "4567", "89"])
    let received = try server.received()
    #expect(received.flatMap { $0.values("range") } == ["bytes=0-3", "bytes=4-7", "bytes=8-11"])
    #expect(received.map { $0.values("if-match") } == [[], ["\"t\""], ["\"t\""]])
    #expect(received.allSatisfy { $0.values("if-range").isEmpty })
    #expect(received.allSatisfy { $0.values("accept-encoding") == ["identity"] })
  }

  @Test("A header of a range, a condition or an encoding is refused before a request")
  func conflicts() async throws {
    let server = try LoopbackServer(.init())
    for name in ["range", "If-Match", "If-Range", "Accept-Encoding"] {
      let error = await #expect(throws: TransferError.self) {
        for try await _ in try bytes(server, headers: [name: "a"]) {}
      }
      #expect(error?.code == .conflictingHeader)
    }
    #expect(try server.received().isEmpty)
  }

  @Test("An empty object has no parts, and a server without ranges sends one")
  func edges() async throws {
    let empty = try LoopbackServer(.init(status: 416))
    #expect(try await text(bytes(empty)) == [])
    let whole = try LoopbackServer(.init(body: "0123456789"))
    #expect(try await text(bytes(whole)) == ["0123456789"])
  }

  // 416: what MinIO sends if the object became smaller. 206: a server that ignores If-Match.
  @Test("A replaced object is an error that says so, whatever the server sends")
  func replaced() async throws {
    let second: [LoopbackServer.Answer] = [
      .init(status: 412, body: "<Error><Code>PreconditionFailed</Code></Error>"),
      .init(status: 416, body: "<Error><Code>InvalidRange</Code></Error>"),
      part("4567", from: 4, eTag: "\"u\""), part("4567", from: 4, of: 11),
    ]
    for answer in second {
      let server = try LoopbackServer(part("0123", from: 0), answer)
      let error = await #expect(throws: TransferError.self) { try await text(bytes(server)) }
      #expect(error?.code == .objectReplaced)
      #expect(error?.status == answer.status)
    }
  }

  @Test("Without a strong entity tag, a second part isn't requested", arguments: ["", "W/\"t\""])
  func weak(eTag: String) async throws {
    let server = try LoopbackServer(part("0123", from: 0, eTag: eTag))
    let error = await #expect(throws: TransferError.self) { try await text(bytes(server)) }
    #expect(error?.code == .invalidResponse)
    #expect(try server.received().count == 1)
    let whole = try LoopbackServer(part("0123456789", from: 0, eTag: eTag))
    #expect(try await text(bytes(whole, partByteCount: 10)) == ["0123456789"])
  }

  @Test("A range that wasn't requested is an error")
  func faults() async throws {
    for answer in [part("4567", from: 3), part("", from: 4), .init(body: "0123456789")] {
      let server = try LoopbackServer(part("0123", from: 0), answer)
      let error = await #expect(throws: TransferError.self) { try await text(bytes(server)) }
      #expect(error?.code == .invalidResponse)
    }
  }

  /// The parts that a client with its own rules returns.
  private func text(
    partByteCount: Int, _ responses: [SigV4.HTTPResponse]
  ) async throws -> (parts: [String], ranges: [String]) {
    let left = Guarded(responses)
    let ranges = Guarded<[String]>([])
    var options = SigningSession.Options()
    options.partByteCount = partByteCount
    let bucket = try SigV4.Bucket.aws("films", region: "eu-west-1")
    let session = bucket.session(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      options: options
    ) { request in
      ranges.withLock { $0 += request.headers.values(named: "range") }
      return left.withLock { $0.removeFirst() }
    }
    let parts = try await text(session.bytes(for: bucket.object("a")))
    return (parts, ranges.withLock(\.self))
  }

  // The client decodes, as URLSession does: 30 bytes of an object, 10 bytes of text.
  @Test("An object that the client decodes is read if it's one part, else it's an error")
  func encoded() async throws {
    func part(_ range: String) -> SigV4.HTTPResponse {
      SigV4.HTTPResponse(
        status: 206, headers: ["Content-Range": "bytes \(range)/30", "Content-Encoding": "gzip"],
        body: Array("0123456789".utf8))
    }
    #expect(try await text(partByteCount: 30, [part("0-29")]).parts == ["0123456789"])
    for range in ["0-19", "1-29"] {
      let error = await #expect(throws: TransferError.self) {
        try await text(partByteCount: 20, [part(range)])
      }
      #expect(error?.code == .invalidResponse)
      #expect(error?.message.contains("\"gzip\"") == (range == "0-19"))
    }
  }

  @Test("The largest part doesn't overflow after a smaller one than requested")
  func largest() async throws {
    let responses = [(0, "0123"), (4, "456789")].map { first, text in
      SigV4.HTTPResponse(
        status: 206,
        headers: [
          "Content-Range": "bytes \(first)-\(first + text.utf8.count - 1)/10", "ETag": "\"t\"",
        ],
        body: Array(text.utf8))
    }
    let (parts, ranges) = try await text(partByteCount: .max, responses)
    #expect(parts == ["0123", "456789"])
    #expect(
      ranges == ["bytes=0-9223372036854775806", "bytes=4-9223372036854775806"])
  }
}
