// SPDX-License-Identifier: Apache-2.0
// The server that the environment names, and a bucket of it for each suite.

internal import S3Signing
internal import RequestSigning
import Testing

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A server on this machine with the protocol of Amazon S3.
struct RealServer {
  let port: UInt16
  let signer: SigV4.Signer

  /// Whether the environment names one.
  static var isNamed: Bool { variable("SIGV4_S3_ENDPOINT") != nil }

  static let reason: Comment =
    "SIGV4_S3_ENDPOINT names no server; .ci/gates real-server starts one, and runs these tests"

  init() throws {
    let url = try #require(Self.variable("SIGV4_S3_ENDPOINT"))
    port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
    try #require(url == "http://127.0.0.1:\(port)", "SIGV4_S3_ENDPOINT is http://127.0.0.1:PORT")
    signer = try SigV4.Signer(credentials: Self.credentials(), region: "us-east-1", service: .s3)
  }

  /// The credentials in the environment.
  static func credentials() throws -> SigV4.Credentials {
    try SigV4.Credentials(
      accessKeyID: #require(variable("AWS_ACCESS_KEY_ID")),
      secretAccessKey: #require(variable("AWS_SECRET_ACCESS_KEY")))
  }

  /// The server's response to these bytes.
  func answer(to request: WireRequest) throws -> WireAnswer {
    try WireAnswer(LoopbackExchange.answer(to: request.bytes, fromPort: port))
  }

  /// Seconds since 1970, now: the server compares the time of a request with its own.
  static func now() throws -> SigV4.Timestamp {
    try SigV4.Timestamp(unixSeconds: Int64(time(nil)))
  }

  static func variable(_ name: String) -> String? {
    // Safety: the text is copied at once, and nothing changes the environment.
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}

/// A bucket of the server, with what signs and sends requests to it.
struct Store {
  let server: RealServer
  let bucket: SigV4.Bucket

  /// The bucket of a name, which is created unless it is there.
  ///
  /// `virtualHosted` names it in the host, below the domain that the server takes for its own.
  init(_ name: String, addressing: SigV4.Bucket.Addressing = .path) throws {
    server = try RealServer()
    let host = addressing == .virtualHosted ? "s3.test" : "127.0.0.1"
    bucket = try SigV4.Bucket(
      name, at: .custom(url: "http://\(host):\(server.port)", region: "us-east-1"),
      addressing: addressing)
    let answer = try send(bucket.request("PUT"))
    try #require([200, 409].contains(answer.status), "\(answer.text)")
  }

  /// A header-signed request, as sent.
  func signed(_ request: SigV4.Request, body: [UInt8] = []) throws -> WireRequest {
    WireRequest(request, try server.signer.sign(request, at: RealServer.now()), body: body)
  }

  /// A URL-signed request, as sent.
  func presigned(
    _ request: SigV4.Request, body: [UInt8] = [], expiresIn lifetime: Duration = .seconds(900),
    secondsAgo: Int = 0
  ) throws -> WireRequest {
    let timestamp = try SigV4.Timestamp(
      unixSeconds: RealServer.now().unixSeconds - Int64(secondsAgo))
    let url = try server.signer.presignedURL(for: request, expiresIn: lifetime, at: timestamp)
    return WireRequest(url, body: body)
  }

  func send(_ request: SigV4.Request, body: [UInt8] = []) throws -> WireAnswer {
    try send(signed(request, body: body))
  }

  func send(_ request: WireRequest) throws -> WireAnswer { try server.answer(to: request) }

  /// The bytes of an object; nil when there is none.
  func contents(of key: String) throws -> [UInt8]? {
    let answer = try send(bucket.object(key).getRequest())
    if answer.status == 404 { return nil }
    try #require(answer.status == 200, "\(answer.text)")
    return answer.body
  }

  /// Stores an object whose digest is signed.
  func put(_ body: [UInt8], at key: String) throws {
    let answer = try send(bucket.object(key).putRequest(.bytes(body)), body: body)
    try #require(answer.status == 200, "\(answer.text)")
  }

  /// All keys, in the order of the server.
  func keys(prefix: String? = nil) throws -> [String] {
    let answer = try send(bucket.listRequest(prefix: prefix))
    try #require(answer.status == 200, "\(answer.text)")
    return answer.texts(of: "Key")
  }

  /// Expects the server to reject a request with a status and an error (HEAD has no error).
  func expectRefusal(
    of request: WireRequest, _ status: Int = 403, _ code: String? = "SignatureDoesNotMatch",
    _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let answer = try send(request)
    #expect(answer.status == status, comment, sourceLocation: sourceLocation)
    #expect(answer.code == code, comment, sourceLocation: sourceLocation)
  }
}

/// Bytes that differ from place to place.
func pattern(ofSize byteCount: Int) -> [UInt8] {
  (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
}
