// SPDX-License-Identifier: Apache-2.0
// The parts that URLSession writes itself are signed as sent, or rejected before anything is sent.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import TestSupport
internal import Testing

@testable internal import RequestSigningFoundation

@Suite(.serialized) struct LoaderRulesTests {
  static let five = Data("12345".utf8)

  func session() throws -> SigningSession {
    var options = SigningSession.Options()
    options.maximumAttempts = 1
    return SigningSession(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      region: "us-east-1", service: .s3, options: options)
  }

  func request(
    _ server: LoopbackServer, _ method: String = "PUT", body: Data? = five,
    headers: [String: String] = [:]
  ) throws -> URLRequest {
    var request = URLRequest(url: try server.url("/a"))
    request.httpMethod = method
    request.httpBody = body
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    return request
  }

  // RFC 9112, 6.2 and 6.3: the length is one decimal number, without a transfer coding.
  @Test(
    "Headers that contradict the body are rejected before anything is sent",
    arguments: [
      ("Content-Length", "3"), ("content-length", "99"), ("Content-Length", "05"),
      ("Content-Length", "+5"), ("Content-Length", "5, 5"), ("Content-Length", ""),
      ("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "gzip"), ("Connection", "keep-alive"),
      ("Connection", "upgrade"),
    ])
  func contradictions(name: String, value: String) async throws {
    let server = try LoopbackServer(.init())
    let request = try request(server, headers: [name: value])
    let core = try SigV4.Request("PUT", url: server.url("/a").absoluteString)
    let signer = try URLRequestSigningTests.signer()
    func expectConflict(_ work: () async throws -> Void) async {
      let error = await #expect(throws: TransferError.self) { try await work() }
      #expect(error?.code == .conflictingHeader)
      // FoundationNetworking writes names in its own way.
      #expect(
        error?.message.lowercased().hasPrefix("\(name): \"\(value)\"".lowercased()) == true)
    }
    await expectConflict { _ = try await session().send(request) }
    await expectConflict { _ = try await session().send(request, body: .data(Self.five)) }
    await expectConflict { _ = try signer.sign(request, at: Date.now) }
    await expectConflict {
      let core = try core.addingHeaders([SigV4.Header(name, value)])
      _ = try await session().send(core, body: .data(Self.five))
    }
    #expect(try server.received().isEmpty)
  }

  @Test("Headers that describe what URLSession does are accepted")
  func agreements() async throws {
    let server = try LoopbackServer(.init())
    let headers = ["Content-Length": "5", "Connection": "close"]
    _ = try await session().send(request(server, headers: headers))
    _ = try await session().send(
      request(server, body: nil, headers: headers), body: .data(Self.five))
    let received = try server.received()
    #expect(received.map(\.byteCount) == [5, 5])
    #expect(received.map(\.isSignatureRight) == [true, true])
    #expect(received.flatMap { $0.values("content-length") } == ["5", "5"])
    #expect(received.flatMap { $0.values("connection") } == ["close", "close"])
  }

  // RFC 9110, 9.3.1 and 9.3.2: a body of GET and HEAD has no meaning.
  @Test(
    "A body for GET or HEAD is rejected, because URLSession sends none", arguments: ["GET", "HEAD"])
  func bodies(method: String) async throws {
    let server = try LoopbackServer(.init())
    let request = try request(server, method)
    let error = await #expect(throws: TransferError.self) {
      try await session().send(request)
    }
    #expect(error?.code == .requestWouldChange)
    #expect(try server.received().isEmpty)
  }

  @Test("A method is signed as URLRequest writes it, or rejected")
  func methods() async throws {
    let server = try LoopbackServer(.init())
    _ = try await session().send(request(server, "delete", body: nil))
    _ = try await session().send(request(server, "patch"))
    _ = try await session().send(request(server, "PROPFIND"))
    let received = try server.received()
    #expect(received.map(\.method) == ["DELETE", "patch", "PROPFIND"])
    #expect(received.map(\.isSignatureRight) == [true, true, true])
    let core = try SigV4.Request("get", url: server.url("/a").absoluteString)
    let error = await #expect(throws: TransferError.self) { try await session().send(core) }
    #expect(error?.code == .requestWouldChange)
    #expect(try server.received().count == 3)
  }

  // The length of a stream goes out without HTTP's chunks: RFC 9112, 6.3, forbids both.
  @Test("A stream is sent in its Content-Length, or fails when it's shorter or longer")
  func streams() async throws {
    let server = try LoopbackServer(.init())
    for (byteCount, announced) in [(5, "5"), (200_000, "200000"), (0, "0")] {
      var request = try request(server, body: nil, headers: ["Content-Length": announced])
      request.httpBodyStream = InputStream(data: Data(count: byteCount))
      _ = try await session().send(request, payload: .unsigned)
    }
    let received = try server.received()
    #expect(received.map(\.byteCount) == [5, 200_000, 0])
    #expect(received.map(\.isSignatureRight) == [true, true, true])
    #expect(received.flatMap { $0.values("transfer-encoding") } == [])
    #if canImport(FoundationNetworking)
      for (byteCount, announced) in [(4, "5"), (6, "5"), (200_000, "100000")] {
        var request = try request(server, body: nil, headers: ["Content-Length": announced])
        request.httpBodyStream = InputStream(data: Data(count: byteCount))
        let error = await #expect(throws: TransferError.self) {
          try await session().send(request, payload: .unsigned)
        }
        #expect(error?.code == .conflictingHeader)
      }
      let more = try server.received().dropFirst(3)
      #expect(more.allSatisfy { !$0.isWhole })
    #endif
  }

  /// A request of a random kind, or nil if it's rejected.
  private func send(
    _ random: inout Xorshift64, to server: LoopbackServer, _ session: SigningSession
  ) async throws -> Bool {
    let byteCount = Int.random(in: 0...3_000, using: &random)
    let body = Data((0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &random) })
    let method = try #require(
      ["GET", "put", "POST", "DELETE", "patch", "HEAD", "OPTIONS", "PUT"].randomElement(
        using: &random))
    var headers: [String: String] = [:]
    for (name, values) in [
      ("Content-Length", ["\(byteCount)", "\(byteCount + 1)", "3"]),
      ("Transfer-Encoding", ["chunked", "identity"]), ("Connection", ["close", "keep-alive"]),
      ("Host", ["127.0.0.1:\(server.port)"]), ("Content-Type", ["a/b", ""]),
      ("X-Space", [" ", "\t", "", "  a   b  "]), ("X-List", ["a,b", "a, b ", ";"]),
      ("Accept", ["*/*", "text/plain"]), ("Expect", ["100-continue"]), ("Range", ["bytes=0-9"]),
      ("Accept-Encoding", ["identity", "gzip"]), ("User-Agent", ["test"]), ("TE", ["trailers"]),
      ("x-amz-meta-A", ["1", "  two  words"]), ("Cookie", ["a=b"]), ("If-Match", [#""a""#]),
    ] where Int.random(in: 0..<6, using: &random) == 0 {
      headers[name] = values.randomElement(using: &random)
    }
    var request = URLRequest(
      url: try server.url(
        ["/", "/a%20b", "/a?x=1&y=%2F", "/?b&a="].randomElement(using: &random) ?? "/"))
    request.httpMethod = method
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    do {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: _ = try await session.send(request)
      case 1:
        request.httpBody = body
        _ = try await session.send(request)
      case 2:
        request.httpBodyStream = InputStream(data: body)
        _ = try await session.send(request, payload: .bytes(body))
      default: _ = try await session.send(request, body: .data(body))
      }
      return true
    } catch let error as TransferError {
      #expect([.conflictingHeader, .requestWouldChange].contains(error.code))
      return false
    }
  }

  @Test("Of 500 random requests, every sent one arrives as signed")
  func random() async throws {
    let server = try LoopbackServer(.init())
    let session = try session()
    var random = Xorshift64(seed: 46)
    var sentCount = 0
    for _ in 0..<500 where try await send(&random, to: server, session) { sentCount += 1 }
    let received = try server.received()
    // A stream of another length ends its request.
    #expect(received.filter(\.isWhole).count == sentCount)
    #expect(sentCount > 250 && sentCount < 450)
    #expect(received.filter { !$0.isSignatureRight }.isEmpty)
    for request in received
    where request.isWhole && request.values("x-amz-content-sha256") != ["UNSIGNED-PAYLOAD"] {
      #expect(request.values("x-amz-content-sha256") == [request.sha256])
    }
  }
}
