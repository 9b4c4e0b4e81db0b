// SPDX-License-Identifier: Apache-2.0
// Downloads whose connection is lost, and that a retry continues in the same call.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct ContinuedDownloadTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func session() throws -> SigningSession {
    var options = SigningSession.Options()
    options.pause = .zero
    return SigningSession(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      region: "us-east-1", service: .s3, options: options)
  }

  /// The first four of ten bytes, after which the connection is closed.
  static func cut(eTag: String = "\"t\"") -> LoopbackServer.Answer {
    .init(raw: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nETag: \(eTag)\r\n\r\n0123")
  }

  static func rest(
    _ text: String = "456789", range: String = "bytes 4-9/10", eTag: String = "\"t\"",
    headers: [String: String] = [:]
  ) -> LoopbackServer.Answer {
    .init(
      status: 206, headers: ["Content-Range": range, "ETag": eTag].merging(headers) { $1 },
      body: text)
  }

  func download(_ server: LoopbackServer) async throws -> String {
    let file = folder.url.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try await session().download(server.bucket().object("a"), to: file)
    return try String(decoding: Data(contentsOf: file), as: UTF8.self)
  }

  /// The values of a header, or an empty string, of each request.
  func values(_ name: String, _ server: LoopbackServer) throws -> [String] {
    try server.received().map { $0.values(name).joined(separator: ", ") }
  }

  // RFC 9110, 13.1.1 and 14.2. The response that's returned is the first, with all headers.
  @Test("A retry requests the missing bytes of the same object")
  func continued() async throws {
    let server = try LoopbackServer(Self.cut(), Self.rest())
    let file = folder.url.appendingPathComponent("a")
    let progress = Guarded<[TransferProgress]>([])
    let response = try await session().download(server.bucket().object("a"), to: file) { step in
      progress.withLock { $0.append(step) }
    }
    #expect(try Data(contentsOf: file) == Data("0123456789".utf8))
    #expect(response.statusCode == 200)
    #expect(try values("range", server) == ["", "bytes=4-"])
    #expect(try values("if-match", server) == ["", "\"t\""])
    #expect(try values("if-range", server) == ["", ""])
    #expect(try values("accept-encoding", server).last == "identity")
    #expect(progress.withLock { $0.allSatisfy { $0.totalByteCount == 10 } })
    #expect(progress.withLock { $0.last?.byteCount } == 10)
  }

  // CRC-32 of "0123456789": 0xA684C7C6, python3 -c 'import zlib; print(hex(zlib.crc32(b"0123456789")))'.
  @Test("The checksum of the first response is that of all bytes")
  func checksum() async throws {
    for (text, isRight) in [("456789", true), ("45678X", false)] {
      var first = Self.cut()
      first.raw = first.raw?.replacingOccurrences(
        of: "ETag", with: "x-amz-checksum-crc32: poTHxg==\r\nETag")
      let server = try LoopbackServer(first, Self.rest(text))
      if isRight {
        #expect(try await download(server) == "0123456789")
      } else {
        let error = await #expect(throws: TransferError.self) { try await download(server) }
        #expect(error?.code == .checksumMismatch)
      }
    }
  }

  @Test(
    "What isn't the rest of the same object is never appended: the download starts over",
    arguments: [
      .init(status: 412), .init(status: 416),
      rest(eTag: "\"u\""), rest(eTag: "W/\"t\""), rest(range: "bytes 4-9/11"),
      rest(range: "bytes 3-8/10"), rest(range: "bytes 4-9/*"), rest(range: "bytes 4-9"),
      rest(range: "bytes +4-9/10"), rest(range: "bytes 9-4/10"), rest(range: ""),
      rest("4567", range: "bytes 4-7/10"), rest("4567"), rest(""), rest("456789a"),
      rest(headers: ["Content-Encoding": "gzip"]),
    ] as [LoopbackServer.Answer])
  func startedOver(second: LoopbackServer.Answer) async throws {
    let server = try LoopbackServer(
      Self.cut(), second, .init(headers: ["ETag": "\"u\""], body: "ABCDEFGHIJ"))
    #expect(try await download(server) == "ABCDEFGHIJ")
    #expect(try values("range", server) == ["", "bytes=4-", ""])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }

  @Test("A whole response to a request for a range replaces what was there")
  func whole() async throws {
    let server = try LoopbackServer(
      Self.cut(), .init(headers: ["ETag": "\"u\""], body: "ABCDEFGH"))
    #expect(try await download(server) == "ABCDEFGH")
    #expect(try values("range", server) == ["", "bytes=4-"])
  }

  @Test("Without a strong entity tag, a retry requests everything", arguments: ["W/\"t\"", ""])
  func weak(eTag: String) async throws {
    let server = try LoopbackServer(Self.cut(eTag: eTag), .init(body: "ABCDEFGHIJ"))
    #expect(try await download(server) == "ABCDEFGHIJ")
    #expect(try values("range", server) == ["", ""])
  }

  @Test("A request with a range, a condition or another method isn't continued")
  func others() async throws {
    for (method, headers) in [
      ("GET", ["Range": "bytes=0-9"]), ("GET", ["If-None-Match": "\"u\""]), ("PUT", [:]),
    ] as [(String, SigV4.Headers)] {
      let server = try LoopbackServer(Self.cut(), .init(body: "ABCDEFGHIJ"))
      let request = try SigV4.Request(method, url: server.url().absoluteString, headers: headers)
      let file = folder.url.appendingPathComponent(UUID().uuidString)
      try await session().download(request, to: file)
      #expect(try Data(contentsOf: file) == Data("ABCDEFGHIJ".utf8))
      #expect(try values("if-match", server) == ["", ""])
    }
  }

  @Test("An object that's replaced again and again is an error, after four beginnings")
  func bounded() async throws {
    let pair = [Self.cut(), LoopbackServer.Answer(status: 412)]
    let server = try LoopbackServer(
      pair[0], pair[1], pair[0], pair[1], pair[0], pair[1], pair[0], pair[1], .init(body: "late"))
    let error = await #expect(throws: TransferError.self) { try await download(server) }
    #expect(error?.code == .objectReplaced)
    #expect(try server.received().count == 8)
  }
}
