// SPDX-License-Identifier: Apache-2.0
// Responses that URLSession may not be able to read, although other HTTP clients do.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct UnreadableResponseTests {
  func session(_ server: LoopbackServer) throws -> SigningSession {
    var options = SigningSession.Options()
    options.pause = .milliseconds(1)
    return try server.bucket().session(
      credentials: SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      options: options)
  }

  static let length = "Content-Length: 3\r\n"

  /// Responses that Python's http.client reads, and curl 7.88.1 without --compressed.
  static func response(_ fields: String, status: String = "200 OK") -> LoopbackServer.Answer {
    .init(raw: "HTTP/1.1 \(status)\r\n\(fields)\(length)\r\nabc")
  }

  // versity/versitygw and noobaa/noobaa-core decode the chunks of an upload, and return its
  // Content-Encoding with the object. The others are metadata that a client may set.
  @Test(
    "A Content-Encoding that the client doesn't know is read, or refused once with the cause",
    arguments: ["aws-chunked", "AWS-Chunked", "aws-chunked,gzip", "base64", "UTF-8"])
  func unknownCoding(coding: String) async throws {
    let server = try LoopbackServer(Self.response("Content-Encoding: \(coding)\r\n"))
    let object = try server.bucket().object("a")
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("a")
    #if canImport(FoundationNetworking)
      for isDownload in [false, true] {
        let error = await #expect(throws: TransferError.self) {
          if isDownload {
            try await session(server).download(object, to: file)
          } else {
            _ = try await session(server).data(for: object)
          }
        }
        #expect(error?.code == .invalidResponse && error?.status == 200)
        let name = coding.lowercased().components(separatedBy: ",")[0]
        #expect(error?.message.contains("Content-Encoding \"\(name)\"") == true)
        #expect(error?.fix.contains("without chunks") == (name == "aws-chunked"))
      }
      #expect(try server.received().count == 2)
      #expect(!FileManager.default.fileExists(atPath: file.path))
    #else
      if coding.contains("gzip") { return }
      #expect(try await session(server).data(for: object) == Data("abc".utf8))
      try await session(server).download(object, to: file)
      #expect(try Data(contentsOf: file) == Data("abc".utf8))
    #endif
  }

  @Test("A coding that means nothing is read", arguments: ["identity", "Identity", ""])
  func noCoding(coding: String) async throws {
    let server = try LoopbackServer(Self.response("Content-Encoding: \(coding)\r\n"))
    let object = try server.bucket().object("a")
    #expect(try await session(server).data(for: object) == Data("abc".utf8))
  }

  @Test("A busy server is retried, whatever its Content-Encoding")
  func busy() async throws {
    let server = try LoopbackServer(
      Self.response("Content-Encoding: aws-chunked\r\n", status: "503 Busy"), Self.response(""))
    let object = try server.bucket().object("a")
    #expect(try await session(server).data(for: object) == Data("abc".utf8))
  }

  // CRC-32 of "abc": zlib.crc32(b"abc") is 0x352441C2.
  @Test("With a different client, such an object is read and verified")
  func differentClient() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("a")
    for (checksum, isRight) in [("NSRBwg==", true), ("NSRBww==", false)] {
      let bucket = try SigV4.Bucket.aws("films", region: "eu-west-1")
      let session = bucket.session(
        credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
        http: { _ in
          SigV4.HTTPResponse(
            status: 200,
            headers: ["Content-Encoding": "aws-chunked", "x-amz-checksum-crc32": checksum],
            body: Array("abc".utf8))
        })
      let object = try bucket.object("a")
      if isRight {
        #expect(try await session.data(for: object) == Data("abc".utf8))
        try await session.download(object, to: file)
        #expect(try Data(contentsOf: file) == Data("abc".utf8))
      } else {
        let error = await #expect(throws: TransferError.self) {
          try await session.data(for: object)
        }
        #expect(error?.code == .checksumMismatch)
      }
    }
  }

  #if canImport(FoundationNetworking)
    /// The rows of the table in docs/how-to/urlsession-on-linux.md.
    @Test(
      "Heads that only FoundationNetworking refuses",
      arguments: [
        "HTTP/1.1 200\r\n\(length)\r\nabc",
        "HTTP/1.1 200 OK\r\nX-A: caf\u{E9}\r\n\(length)\r\nabc",
        "HTTP/1.1 200 OK\nContent-Length: 3\n\nabc",
      ])
    func heads(raw: String) async throws {
      let server = try LoopbackServer(.init(raw: raw))
      let object = try server.bucket().object("a")
      let error = await #expect(throws: URLError.self) {
        try await session(server).data(for: object)
      }
      #expect(error?.code == .unknown)
      #expect(try server.received().count == 3)
      let readable = raw.replacingOccurrences(of: "200\r", with: "200 \r")
        .replacingOccurrences(of: "\u{E9}", with: "\u{C3}\u{A9}")
        .replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\n", with: "\r\n")
      let other = try LoopbackServer(.init(raw: readable))
      #expect(try await session(other).data(for: self.object(other)) == Data("abc".utf8))
    }

    func object(_ server: LoopbackServer) throws -> SigV4.Bucket.Object {
      try server.bucket().object("a")
    }
  #endif
}
