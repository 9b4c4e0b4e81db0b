// SPDX-License-Identifier: Apache-2.0
// Checkpoints of downloads that don't fit, and what's left after a download.

internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct DownloadCheckpointTests {
  typealias Answer = LoopbackServer.Answer

  let folder: DownloadFolder

  init() throws { folder = try DownloadFolder() }

  func download(
    _ object: SigV4.Bucket.Object, checkpoint: URL? = nil, headers: SigV4.Headers = [:],
    checksums: SigningSession.Options.Checksums = .automatic
  ) async throws {
    try await folder.session(partByteCount: 4, checksums: checksums).download(
      object, to: folder.file, checkpoint: checkpoint ?? folder.checkpoint, headers: headers)
  }

  /// Leaves a download with the first four bytes of ten.
  func interrupt(_ server: LoopbackServer) async throws {
    await #expect(throws: TransferError.self) {
      try await download(server.bucket().object("a"))
    }
    #expect(try folder.finished().ranges == [0..<4])
    #expect(try folder.names() == ["film.json", folder.partial().lastPathComponent])
  }

  static let interrupted = [Answer.object(), .part("0123", from: 0), Answer(status: 404)]

  func server(_ rest: Answer...) throws -> LoopbackServer {
    try LoopbackServer(inOrder: Self.interrupted + rest)
  }

  @Test("The checkpoint of another object is an error, without a request")
  func otherObject() async throws {
    let server = try server(.init())
    try await interrupt(server)
    let other = try LoopbackServer(.init())
    let region = try SigV4.Bucket(
      "films", at: .custom(url: "http://127.0.0.1:\(server.port)", region: "eu-west-1"),
      addressing: .path)
    let before = try Data(contentsOf: folder.checkpoint)
    for object in [
      try server.bucket().object("b"), try server.bucket("other").object("a"),
      try other.bucket().object("a"), try region.object("a"),
    ] {
      let error = await #expect(throws: TransferError.self) { try await download(object) }
      #expect(error?.code == .invalidCheckpoint)
    }
    #expect(try server.received().count == 3)
    #expect(try other.received().isEmpty)
    #expect(try Data(contentsOf: folder.checkpoint) == before)
    #expect(try folder.names() == ["film.json", folder.partial().lastPathComponent])
  }

  @Test("A checkpoint that can't be read is an error, and nothing is lost")
  func unreadable() async throws {
    let server = try server(.part("4567", from: 4), .part("89", from: 8))
    try await interrupt(server)
    let whole = try String(decoding: Data(contentsOf: folder.checkpoint), as: UTF8.self)
    for text in [
      "", "{", String(whole.prefix(whole.count / 2)), "[]", "null",
      whole.replacingOccurrences(of: "\"version\":1", with: "\"version\":2"),
      whole.replacingOccurrences(of: "\"download\"", with: "\"upload\""),
      whole.replacingOccurrences(of: "[0,4]", with: "[0,11]"),
      whole.replacingOccurrences(of: "[0,4]", with: "[-1,4]"),
      whole.replacingOccurrences(of: "[0,4]", with: "[4,0]"),
      whole.replacingOccurrences(of: "\"byteCount\":10", with: "\"byteCount\":-10"),
      whole.replacingOccurrences(of: "\"partialNumber\":", with: "\"partialNumber\":-1"),
      whole.replacingOccurrences(of: "\"partialNumber\":", with: "\"partialNumber\":\"/\",\"x\":"),
    ] {
      #expect(text != whole)
      try Data(text.utf8).write(to: folder.checkpoint)
      let error = await #expect(throws: TransferError.self) {
        try await download(server.bucket().object("a"))
      }
      #expect(error?.code == .invalidCheckpoint)
      #expect(try Data(contentsOf: folder.checkpoint) == Data(text.utf8))
    }
    #expect(try server.received().count == 3)
    try Data(whole.utf8).write(to: folder.checkpoint)
    try await download(server.bucket().object("a"))
    #expect(try Data(contentsOf: folder.file) == Data("0123456789".utf8))
    #expect(
      try server.received().dropFirst(3).flatMap { $0.values("range") } == [
        "bytes=4-7", "bytes=8-9",
      ])
  }

  @Test("A checkpoint that another download uses is an error, and a header that names a range")
  func conflicts() async throws {
    let server = try LoopbackServer(.init())
    let used = try CheckpointFile<DownloadCheckpoint>(folder.checkpoint)
    let error = await #expect(throws: TransferError.self) {
      try await download(server.bucket().object("a"))
    }
    #expect(error?.code == .checkpointInUse)
    withExtendedLifetime(used) {}
    for name in ["Range", "If-Match", "if-none-match", "Accept-Encoding"] {
      let error = await #expect(throws: TransferError.self) {
        try await download(server.bucket().object("a"), headers: [name: "\"t\""])
      }
      #expect(error?.code == .conflictingHeader)
    }
    #expect(try server.received().isEmpty)
  }

  @Test("The destination isn't the checkpoint, which a finished download removes")
  func oneFile() async throws {
    let server = try server(.object(), .part("0123456789", from: 0))
    let other = folder.file.deletingLastPathComponent().appendingPathComponent("b/../film.mov")
    for checkpoint in [folder.file, other] {
      let error = await #expect(throws: TransferError.self) {
        try await download(server.bucket().object("a"), checkpoint: checkpoint)
      }
      #expect(error?.code == .invalidFile)
      #expect(error?.problem.contains("both the file and the checkpoint of the download") == true)
    }
    #expect(try server.received().isEmpty)
    #expect(try folder.names() == [])
  }

  @Test("Two checkpoints for one file never mix their bytes")
  func twoCheckpoints() async throws {
    let server = try server(.part("4567", from: 4), .part("89", from: 8))
    try await interrupt(server)
    let other = try LoopbackServer(
      .object("ABCDEFGHIJ"), .part("ABCD", from: 0), .init(status: 404))
    await #expect(throws: TransferError.self) {
      try await download(
        other.bucket().object("b"),
        checkpoint: folder.folder.url.appendingPathComponent("other.json"))
    }
    // Two checkpoints, and two partial files.
    #expect(try folder.names().count == 4)
    try await download(server.bucket().object("a"))
    #expect(try Data(contentsOf: folder.file) == Data("0123456789".utf8))
    #expect(
      try server.received().dropFirst(3).flatMap { $0.values("range") } == [
        "bytes=4-7", "bytes=8-9",
      ])
  }

  @Test("If the partial file can't be created, nothing is left")
  func uncreatable() async throws {
    let server = try LoopbackServer(.object())
    let missing = folder.folder.url.appendingPathComponent("no/film.mov")
    let error = await #expect(throws: TransferError.self) {
      try await folder.session(partByteCount: 4).download(
        server.bucket().object("a"), to: missing, checkpoint: folder.checkpoint)
    }
    #expect(error?.code == .invalidFile)
    #expect(try folder.names() == [])
  }

  @Test("Without the partial file, or if its size differs, the download starts over")
  func lostFile() async throws {
    for change in [0, 9, 11] {
      let server = try server(
        .object(), .part("0123", from: 0), .part("4567", from: 4), .part("89", from: 8))
      try await interrupt(server)
      if change == 0 {
        try FileManager.default.removeItem(at: folder.partial())
      } else {
        try Data(count: change).write(to: folder.partial())
      }
      try await download(server.bucket().object("a"))
      #expect(try Data(contentsOf: folder.file) == Data("0123456789".utf8))
      #expect(try folder.names() == ["film.mov"])
      try FileManager.default.removeItem(at: folder.file)
    }
  }

  // CRC-32 of "0123456789": 0xA684C7C6 (Python's zlib.crc32), of "0123": 0xA6669D7D.
  @Test("The checksum of the whole object is verified, and that of its parts isn't")
  func checksum() async throws {
    func server(_ value: String) throws -> LoopbackServer {
      try LoopbackServer(
        .object("0123456789", "\"t\"", ["x-amz-checksum-crc32": value]), .part("0123", from: 0),
        .part("4567", from: 4), .part("89", from: 8))
    }
    for value in ["poTHxg==", "pmadfQ==-3"] {
      let server = try server(value)
      try await download(server.bucket().object("a"), checksums: .always(.crc32))
      #expect(try folder.names() == ["film.mov"])
      #expect(try server.received()[0].values("x-amz-checksum-mode") == ["ENABLED"])
    }
    let wrong = [try server("pmadfQ=="), try server("pmadfQ==")]
    try await download(wrong[0].bucket().object("a"), checksums: .off)
    try FileManager.default.removeItem(at: folder.file)
    let error = await #expect(throws: TransferError.self) {
      try await download(wrong[1].bucket().object("a"))
    }
    #expect(error?.code == .checksumMismatch)
    #expect(try folder.names() == [])
  }

  /// Leaves a finished download whose process ended after the file was replaced.
  func end(
    _ server: LoopbackServer, _ eTag: String, _ checksum: SigV4.Checksum?
  ) throws -> SigV4.Bucket.Object {
    let object = try server.bucket().object("a")
    let answer = try #require(
      HTTPURLResponse(
        url: server.url(), statusCode: 200, httpVersion: nil,
        headerFields: ["ETag": eTag, "Content-Length": "10"]))
    var state = DownloadCheckpoint(
      object, try #require(DownloadVersion(answer)), answer, checksum, partialNumber: 7)
    state.finished.insert(0..<10)
    try CheckpointFile(folder.checkpoint).write(state)
    try Data("0123456789".utf8).write(to: folder.file)
    return object
  }

  // The MD5 is Python's: hashlib.md5(b"0123456789").hexdigest().
  @Test(
    "If the process ended after the file was replaced, nothing is requested again",
    arguments: [("\"t\"", "poTHxg=="), ("\"781e5e245d69b566979b86e28d23f2c7\"", nil)])
  func replacedFile(eTag: String, checksum: String?) async throws {
    let server = try LoopbackServer(.init())
    let object = try end(
      server, eTag, checksum.map { try SigV4.Checksum(.crc32, base64: $0) })
    try await download(object)
    #expect(try server.received().isEmpty)
    #expect(try folder.names() == ["film.mov"])
  }

  @Test(
    "If nothing proves that the file is the object, it's downloaded again",
    arguments: [
      "\"t\"", "\"781e5e245d69b566979b86e28d23f2c8\"", "\"781e5e245d69b566979b86e28d23f2c7-1\"",
    ])
  func unprovenFile(eTag: String) async throws {
    let server = try LoopbackServer(.object("9876543210", eTag))
    try await download(end(server, eTag, nil))
    #expect(try !server.received().isEmpty)
    #expect(try Data(contentsOf: folder.file) == Data("9876543210".utf8))
    #expect(try folder.names() == ["film.mov"])
  }

  @Test("An empty object, and an object that can't be downloaded in ranges")
  func others() async throws {
    let empty = try LoopbackServer(.init(headers: ["ETag": "\"t\""]))
    try await download(empty.bucket().object("a"))
    #expect(try Data(contentsOf: folder.file) == Data())
    for eTag in ["W/\"t\"", ""] {
      let server = try LoopbackServer(.object("0123456789", eTag))
      try await download(server.bucket().object("a"))
      #expect(try Data(contentsOf: folder.file) == Data("0123456789".utf8))
      #expect(try server.received().flatMap { $0.values("range") } == [])
    }
    // loopback-server.py compresses it, and URLSession decodes it.
    let encoded = try LoopbackServer(.object("0123456789", "\"t\"", ["Content-Encoding": "gzip"]))
    try await download(encoded.bucket().object("a"))
    #expect(try Data(contentsOf: folder.file) == Data("0123456789".utf8))
    #expect(try folder.names() == ["film.mov"])
  }

  @Test("An object that doesn't exist is an error, and the file stays")
  func missing() async throws {
    try Data("old".utf8).write(to: folder.file)
    let server = try LoopbackServer(.init(status: 404))
    let error = await #expect(throws: TransferError.self) {
      try await download(server.bucket().object("a"))
    }
    #expect(error?.status == 404)
    #expect(try folder.names() == ["film.mov"])
  }

  @Test("Ranges merge, and what's missing is the rest, in parts", arguments: 1...9)
  func ranges(partByteCount: Int) {
    // Every order of three ranges of ten bytes, compared with a set of bytes.
    let all: [Range<Int64>] = [0..<3, 2..<5, 5..<6, 7..<7, 8..<10, 0..<10, 9..<10]
    for first in all {
      for second in all {
        for third in all {
          var ranges = ByteRanges()
          for range in [first, second, third] { ranges.insert(range) }
          let bytes = Set(first).union(second).union(third)
          #expect(ranges.byteCount == Int64(bytes.count))
          #expect(ranges.ranges.flatMap { $0 } == bytes.sorted())
          #expect(
            zip(ranges.ranges, ranges.ranges.dropFirst()).allSatisfy {
              $0.upperBound < $1.lowerBound
            })
          var missing = ranges.missing(of: 10, partByteCount: partByteCount)
          var rest: [Int64] = []
          while let range = missing.next() {
            #expect(!range.isEmpty && range.count <= partByteCount)
            rest += range
          }
          #expect(rest == (0..<10).filter { !bytes.contains($0) })
        }
      }
    }
  }
}
