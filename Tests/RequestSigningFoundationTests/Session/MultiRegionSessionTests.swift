// SPDX-License-Identifier: Apache-2.0
// The session of a Multi-Region Access Point, which signs for all regions.

internal import Foundation
internal import MultiRegionVerification
internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

/// The server is the library's verifier, which accepts the signatures of awscrt and OpenSSL
/// (`ForeignSignatureTests`). It accepts only Signature Version 4a here.
@Suite struct MultiRegionSessionTests {
  static let alias = "mfzwi23gnjvgw.mrap"
  static let host = alias + ".accesspoint.s3-global.amazonaws.com"

  let folder: TemporaryFolder
  let bucket: SigV4.Bucket
  let server: Server

  init() throws {
    folder = try TemporaryFolder()
    bucket = try .multiRegionAccessPoint(Self.alias)
    server = Server(
      credentials: try SigV4.Credentials(
        accessKeyID: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI", sessionToken: "token"))
  }

  var session: SigningSession {
    bucket.session(credentials: server.credentials, http: server.answer)
  }

  @Test("The verbs of an object, and a link")
  func verbs() async throws {
    let object = try bucket.object("é b.txt")
    #expect(try await session.upload(Data("hello".utf8), to: object).eTag == "\"e\"")
    #expect(try await session.data(for: object) == Data("hello".utf8))
    try await session.delete(object)
    let link = try await session.presignedURL(for: object)
    #expect(link.absoluteString.contains("?X-Amz-Algorithm=AWS4-ECDSA-P256-SHA256&"))
    #expect(link.absoluteString.contains("&X-Amz-Region-Set=%2A&"))
    _ = try await server.answer(
      SigV4.HTTPRequest("GET", link.absoluteString, timeout: .seconds(1)))
    let path = "https://\(Self.host)/%C3%A9%20b.txt"
    #expect(
      server.received.withLock { $0 } == [
        "PUT \(path) 5", "GET \(path) 0", "DELETE \(path) 0", "GET \(path) 0",
      ])
  }

  @Test("A file in signed chunks, whose signatures are Signature Version 4a's, too")
  func chunks() async throws {
    let request = try bucket.object("film").putRequest(.empty)
    let (_, response) = try await session.send(
      request, body: .file(folder.zeros(100_000), payload: .signedChunks()))
    #expect(response.statusCode == 200)
    #expect(
      server.received.withLock { $0 } == ["PUT https://\(Self.host)/film 100000"])
  }

  @Test("A Multi-Region Access Point isn't the source of a copy, but can be its target")
  func copies() async throws {
    let other = try SigV4.Bucket.aws("films", region: "eu-west-1").object("a")
    let error = await #expect(throws: SigV4.SigningError.self) {
      try await session.copy(bucket.object("a"), to: other)
    }
    #expect(error?.code == .conflictingEndpoint)
    #expect(error?.problem.contains(Self.alias) == true)
    #expect(server.received.withLock { $0 } == [])
    _ = try? await session.copy(other, to: bucket.object("b"))
    #expect(server.received.withLock { $0 } == ["PUT https://\(Self.host)/b 0"])
  }
}

/// Verifies each request and its body, and responds with an ETag.
struct Server: Sendable {
  let credentials: SigV4.Credentials
  let received = Guarded<[String]>([])

  @Sendable func answer(_ request: SigV4.HTTPRequest) async throws -> SigV4.HTTPResponse {
    let url = try #require(URLComponents(string: request.url))
    let host = try #require(url.host)
    let target = request.url.dropFirst("https://\(host)".count)
    var sent = SigV4.ReceivedRequest(request.method, target: target.utf8, scheme: .https)
    sent.append("host".utf8, host.utf8)
    for header in request.headers { sent.append(header.name.utf8, header.value.utf8) }
    var verifier = SigV4.Verifier(services: [.s3], regions: ["eu-west-1"])
    verifier.algorithms = [.ecdsaP256SHA256]
    let unverified = try verifier.check(sent, at: SigV4.Timestamp(.now))
    var body = try unverified.verify(with: SigV4.MultiRegionPublicKey(credentials)).bodyVerifier()
    var decoded: [UInt8] = []
    try body.update(request.body, into: &decoded)
    _ = try body.finish()
    let byteCount = decoded.count
    let place = request.url.prefix { $0 != "?" }
    received.withLock { $0.append("\(request.method) \(place) \(byteCount)") }
    return SigV4.HTTPResponse(
      status: request.method == "DELETE" ? 204 : 200, headers: ["ETag": "\"e\""],
      body: Array((request.method == "GET" ? "hello" : "").utf8))
  }
}
