// SPDX-License-Identifier: Apache-2.0
// A download with a checkpoint from a store that sends something else than was requested.

internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct LyingStoreDownloadTests {
  typealias Answer = LoopbackServer.Answer

  let folder: DownloadFolder

  init() throws { folder = try DownloadFolder() }

  func download(_ server: LoopbackServer, attempts: Int = 1) async throws {
    try await folder.session(partByteCount: 4, attempts: attempts).download(
      server.bucket().object("a"), to: folder.file, checkpoint: folder.checkpoint)
  }

  @Test(
    "Another range, or something else, is an error, and the next call continues",
    arguments: [
      .part("4567", "0-3/10"), .part("4567", "5-8/10"), .part("4567", "3-6/10"),
      .part("456789", "4-9/10"), .part("4567", "4-7/*"), .part("4567", "4-5/10"),
      .part("", "4-7/10"), .part("45", "4-7/10"), .part("4567", ""),
      .init(status: 206, headers: ["ETag": "\"t\""]),
      .init(body: "<html>Sign in</html>"), .init(status: 204), .init(status: 403),
      .init(status: 301), .init(raw: "HTTP/1.1 206 x\r\nContent-Length: 4\r\n\r\n"), .init(raw: ""),
      .init(raw: "garbage"),
    ] as [Answer])
  func rejected(second: Answer) async throws {
    let server = try LoopbackServer(
      .object(), .part("0123", "0-3/10"), second, Answer(status: 403))
    await #expect(throws: (any Error).self) { try await download(server) }
    #expect(!FileManager.default.fileExists(atPath: folder.file.path))
    let there = try folder.finished()
    #expect(there.ranges.count == 1 && there.byteCount >= 4)
    let start = Int(there.byteCount)
    let honest = try LoopbackServer(
      .part(String("01234567".dropFirst(start)), "\(start)-7/10"), .part("89", "8-9/10"))
    try moveCheckpoint(from: server, to: honest)
    // What's there is in parts of four bytes from its end.
    try await folder.session(partByteCount: 8 - start).download(
      honest.bucket().object("a"), to: folder.file, checkpoint: folder.checkpoint)
    #expect(try Data(contentsOf: folder.file) == Data("0123456789".utf8))
    #expect(try folder.names() == ["film.mov"])
  }

  /// Changes the port in the checkpoint.
  func moveCheckpoint(from server: LoopbackServer, to other: LoopbackServer) throws {
    let text = try String(decoding: Data(contentsOf: folder.checkpoint), as: UTF8.self)
    try Data(text.replacingOccurrences(of: ":\(server.port)", with: ":\(other.port)").utf8)
      .write(to: folder.checkpoint)
  }

  @Test(
    "Bytes of another version are never added: the download starts over",
    arguments: [
      .init(status: 412), .init(status: 416), .part("4567", "4-7/10", "\"u\""),
      .part("4567", "4-7/10", "W/\"t\""), .part("4567", "4-7/10", ""), .part("4567", "4-7/11"),
      .object("ABCDEF", "\"u\""),
    ] as [Answer])
  func replaced(second: Answer) async throws {
    let server = try LoopbackServer(
      .object(), .part("0123", "0-3/10"), second, .object("ABCDEF", "\"u\""),
      .part("ABCD", "0-3/6", "\"u\""), .part("EF", "4-5/6", "\"u\""))
    try await download(server)
    #expect(try Data(contentsOf: folder.file) == Data("ABCDEF".utf8))
    #expect(try folder.names() == ["film.mov"])
    #expect(try server.received().allSatisfy { $0.values("if-range").isEmpty })
    #expect(
      try server.received().map { $0.values("if-match") } == [
        [], ["\"t\""], ["\"t\""], [], ["\"u\""], ["\"u\""],
      ])
  }

  @Test(
    "A store without ranges, and one that encodes them, sends the whole object in one request",
    arguments: [
      .object(), .part("4567", "4-7/10", "\"t\"", ["Content-Encoding": "gzip"]),
    ] as [Answer])
  func whole(second: Answer) async throws {
    let server = try LoopbackServer(
      .object(), .part("0123", "0-3/10"), second, .object("ABCDEF", "\"u\""))
    try await download(server)
    #expect(try Data(contentsOf: folder.file) == Data("ABCDEF".utf8))
    #expect(try folder.names() == ["film.mov"])
    #expect(try server.received().last?.values("range") == [])
  }

  @Test("An object that's replaced again and again is downloaded in one request")
  func restless() async throws {
    let pair = [Answer.object(), Answer(status: 412)]
    let server = try LoopbackServer(
      pair[0], pair[1], pair[0], pair[1], pair[0], pair[1], pair[0], pair[1], .object("ABCDEF"))
    try await download(server)
    #expect(try Data(contentsOf: folder.file) == Data("ABCDEF".utf8))
    #expect(try server.received().count == 9)
  }

  // RFC 9110, 15.3.7: a server may send less than was requested.
  @Test("A shorter range than requested is added, and its rest is requested")
  func shorter() async throws {
    let server = try LoopbackServer(
      .object(), .part("0123", "0-3/10"), .part("45", "4-5/10"),
      .part("67", "6-7/10"), .part("89", "8-9/10"))
    try await download(server)
    #expect(try Data(contentsOf: folder.file) == Data("0123456789".utf8))
    #expect(
      try server.received().flatMap { $0.values("range") } == [
        "bytes=0-3", "bytes=4-7", "bytes=6-7", "bytes=8-9",
      ])
  }

  @Test("A range that's cut off is continued by the retry")
  func cut() async throws {
    let server = try LoopbackServer(
      .object(), .part("0123", "0-3/10"),
      .init(
        raw: "HTTP/1.1 206 x\r\nContent-Length: 4\r\nContent-Range: bytes 4-7/10\r\n"
          + "ETag: \"t\"\r\n\r\n45"),
      .part("67", "6-7/10"), .part("89", "8-9/10"))
    try await download(server, attempts: 2)
    #expect(try Data(contentsOf: folder.file) == Data("0123456789".utf8))
  }

  @Test("A connection that's lost after the last byte of a range needs no other request")
  func complete() async throws {
    let server = try LoopbackServer(
      .object(), .part("0123", "0-3/10"),
      .init(
        raw: "HTTP/1.1 206 x\r\nContent-Length: 5\r\nContent-Range: bytes 4-7/10\r\n"
          + "ETag: \"t\"\r\n\r\n4567"),
      .part("89", "8-9/10"))
    try await download(server, attempts: 2)
    #expect(try Data(contentsOf: folder.file) == Data("0123456789".utf8))
    #expect(try server.received().count == 4)
  }

  @Test("A server that stays silent in the middle keeps what arrived before")
  func silent() async throws {
    let server = try LoopbackServer(
      .object(), .part("0123", "0-3/10"),
      .init(
        status: 206, headers: ["Content-Range": "bytes 4-7/10", "ETag": "\"t\""], body: "4567",
        pause: 1_000))
    let error = await #expect(throws: URLError.self) {
      try await folder.session(partByteCount: 4, timeout: 2).download(
        server.bucket().object("a"), to: folder.file, checkpoint: folder.checkpoint)
    }
    #expect(error?.code == .timedOut)
    #expect(try folder.finished().ranges == [0..<6])
  }
}
