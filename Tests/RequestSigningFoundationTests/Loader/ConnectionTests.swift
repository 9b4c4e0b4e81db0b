// SPDX-License-Identifier: Apache-2.0
// URLSession below a session: caches, passwords and persistent connections.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

@Suite(.serialized) struct ConnectionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func session(
    _ configuration: URLSessionConfiguration = .ephemeral, attempts: Int = 1
  ) throws -> SigningSession {
    var options = SigningSession.Options()
    options.maximumAttempts = attempts
    return SigningSession(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      region: "us-east-1", service: .s3, options: options, configuration: configuration)
  }

  // RFC 9111, 4.2: such a response may be used again for an hour without a request.
  static var cacheable: [String: String] {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return ["Cache-Control": "max-age=3600", "Date": formatter.string(from: .now)]
  }

  @Test("No response comes from a cache", arguments: [false, true])
  func cache(isDefault: Bool) async throws {
    let server = try LoopbackServer(
      .init(headers: Self.cacheable, body: "first"),
      .init(headers: Self.cacheable, body: "second"))
    let session = try session(isDefault ? .default : .ephemeral)
    let request = URLRequest(url: try server.url())
    #expect(try await session.send(request).0 == Data("first".utf8))
    #expect(try await session.send(request).0 == Data("second".utf8))
  }

  // RFC 9110, 11.6.1, and the schemes that URLSession knows.
  @Test(
    "A server that requests a password gets none, and its response is returned",
    .endsIfItHangs,
    arguments: [
      #"Basic realm="x""#, #"Digest realm="x", nonce="a", qop="auth""#, "Negotiate", "NTLM",
      "Bearer",
      "AWS4-HMAC-SHA256", "",
    ])
  func password(challenge: String) async throws {
    let server = try LoopbackServer(
      .init(status: 401, headers: ["WWW-Authenticate": challenge], body: "no"))
    let (data, response) = try await session().send(URLRequest(url: server.url()))
    #expect(response.statusCode == 401)
    #expect(data == Data("no".utf8))
    #expect(try server.received().count == 1)
  }

  @Test("An upload and a download that meet a request for a password end", .endsIfItHangs)
  func passwordOfTransfers() async throws {
    let server = try LoopbackServer(
      .init(status: 401, headers: ["WWW-Authenticate": #"Basic realm="x""#], body: "no"))
    let session = try session(attempts: 3)
    let url = try server.url("/film.mov")
    let put = try SigV4.Request("PUT", url: url.absoluteString)
    let file = try folder.zeros(1_000_000)
    #expect(try await session.send(put, body: .file(file)).1.statusCode == 401)
    let error = await #expect(throws: TransferError.self) {
      try await session.download(URLRequest(url: url), to: file)
    }
    #expect(error?.status == 401)
    #expect(try server.received().count == 2)
  }

  @Test("Of a failed download, only the start of the response is read", .endsIfItHangs)
  func endlessFailure() async throws {
    // The second half never arrives.
    let server = try LoopbackServer(.init(status: 403, zeros: 3_000_000, pause: 600))
    let url = try server.url("/film.mov")
    let error = await #expect(throws: TransferError.self) {
      try await session(attempts: 1).download(URLRequest(url: url), to: folder.zeros(1))
    }
    #expect(error?.status == 403)
  }

  /// One request of each kind, the second one after the first.
  func eachKind(_ session: SigningSession, _ url: URL) async throws {
    let file = try folder.zeros(100_000)
    let put = try SigV4.Request("PUT", url: url.absoluteString)
    for method in ["GET", "POST", "DELETE", "HEAD"] {
      var request = URLRequest(url: url)
      request.httpMethod = method
      #expect(try await session.send(request).1.statusCode == 200)
    }
    #expect(try await session.send(put, body: .data(Data("abc".utf8))).1.statusCode == 200)
    #expect(try await session.send(put, body: .file(file)).1.statusCode == 200)
    #expect(
      try await session.send(put, body: .file(file, payload: .signedChunks())).1.statusCode == 200
    )
    try await session.download(URLRequest(url: url), to: file)
  }

  // libcurl 7.88 sends any request again, up to five times, if a persistent connection is dead.
  #if canImport(FoundationNetworking)
    @Test(
      "A server that drops persistent connections gets each request once",
      .endsIfItHangs, arguments: ["close", "mute"])
    func keptConnections(kept: String) async throws {
      let server = try LoopbackServer(.init(kept: kept))
      let session = try session()
      try await eachKind(session, server.url())
      let received = try server.received()
      #expect(
        received.map(\.method) == ["GET", "POST", "DELETE", "HEAD", "PUT", "PUT", "PUT", "GET"])
      #expect(Set(received.map(\.connection)).count == received.count)
    }
  #endif

  // FoundationNetworking 6.3.1, EasyHandle.set(url:): curl's host has brackets, and URL's has none.
  #if canImport(FoundationNetworking)
    @Test("An IPv6 address as a host is rejected, and the message says why")
    func addresses() async throws {
      for host in ["[::1]:9000", "[2001:db8::1]"] {
        let url = try #require(URL(string: "http://\(host)/a"))
        let error = await #expect(throws: TransferError.self) {
          try await session().send(URLRequest(url: url))
        }
        #expect(error?.code == .unsupportedURL)
        #expect(error?.message.contains("IPv6") == true)
      }
    }
  #endif

  // Apple, URLSessionConfiguration, "identifier": only background configurations have one.
  @Test("A background configuration is rejected, and nothing is sent")
  func background() async throws {
    #if canImport(FoundationNetworking)
      let configuration = URLSessionConfiguration.ephemeral
      configuration.identifier = "uploads"
    #else
      let configuration = URLSessionConfiguration.background(withIdentifier: "uploads")
    #endif
    let server = try LoopbackServer(.init(body: "received"))
    let session = try session(configuration)
    let error = await #expect(throws: TransferError.self) {
      try await session.send(URLRequest(url: server.url()))
    }
    #expect(error?.code == .backgroundConfiguration)
    // The only response is still there.
    let other = try self.session()
    #expect(try await other.send(URLRequest(url: server.url())).0 == Data("received".utf8))
  }

  // printf 'Z\xc3\xbcrich'
  @Test("A header in UTF-8 is rejected, or signed and sent if the store accepts it")
  func utf8() async throws {
    let server = try LoopbackServer(.init())
    var request = URLRequest(url: try server.url("/a"))
    request.setValue("Zürich", forHTTPHeaderField: "x-amz-meta-place")
    await #expect(throws: SigV4.SigningError.self) { try await session().send(request) }
    var options = SigningSession.Options()
    options.headerEncoding = .utf8
    let credentials = try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret")
    let utf8 = SigningSession(
      credentials: credentials, region: "us-east-1", service: .s3, options: options)
    _ = try await utf8.send(request)
    let put = try SigV4.Request("PUT", url: server.url("/a").absoluteString)
    let core = try put.addingHeaders(
      Array((["x-amz-meta-place": "Zürich"] as SigV4.Headers).encodedAsUTF8))
    _ = try await utf8.send(core, body: .data(Data("abc".utf8)))
    let signer = try SigV4.Signer(credentials: credentials, region: "us-east-1", service: .s3)
    #expect(throws: SigV4.SigningError.self) { try signer.sign(request, at: Date.now) }
    let signed = try signer.sign(request, headerEncoding: .utf8, at: Date.now)
    _ = try await URLSession.shared.data(for: signed)
    let received = try server.received()
    #expect(received.map(\.isSignatureRight) == [true, true, true])
    // The server reads headers as Latin-1.
    #expect(
      received.flatMap { $0.values("x-amz-meta-place") } == Array(repeating: "ZÃ¼rich", count: 3))
    let presigned = try signer.sign(
      request, headerEncoding: .utf8, expiresIn: .seconds(60), at: Date.now)
    #expect(presigned.value(forHTTPHeaderField: "x-amz-meta-place") == "Zürich")
  }
}
