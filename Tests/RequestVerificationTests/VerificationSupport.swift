// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of verification: a server, its expected errors, and requests to it.

internal import SigningTestSupport
internal import RequestVerification
internal import S3Signing
internal import RequestSigning
internal import SecureHashing
internal import Testing

/// A server of S3 in us-east-1 at the moment of the examples, which knows the example key.
struct ExampleServer {
  var verifier = SigV4.Verifier(services: [.s3], regions: ["us-east-1"])
  var now: SigV4.Timestamp
  var token: String?
  var scheme: SigV4.Scheme?

  init(
    _ service: SigV4.Service = .s3,
    unsignedPayloads: SigV4.Acceptance = .allowedInURLs
  ) throws {
    verifier.services = [service]
    verifier.unsignedPayloads = unsignedPayloads
    now = try Example.moment()
  }

  func check(_ request: WireRequest) throws(SigV4.VerificationError) -> SigV4.UnverifiedRequest {
    try verifier.check(request.received(scheme), at: now)
  }

  /// Passes both phases and checks the body.
  @discardableResult
  func verify(_ request: WireRequest) throws -> [UInt8] {
    let unverified = try check(request)
    guard unverified.accessKeyID == Example.accessKeyID else { throw unverified.unknownAccessKey }
    let credentials = try Example.credentials(sessionToken: token)
    if unverified.needsBodyDigest {
      let digest = SHA256.hash(data: request.body)
      return try unverified.verify(with: credentials, bodyDigest: digest).body(request.body)
    }
    return try unverified.verify(with: credentials).body(request.body)
  }

  /// The verifier of the body.
  func bodyVerifier(of request: WireRequest) throws -> SigV4.BodyVerifier {
    try check(request).verify(with: Example.credentials()).bodyVerifier()
  }
}

/// Requests of S3 that nothing is wrong with.
enum SentToS3 {
  static func request(
    _ method: String = "GET", headers: SigV4.Headers = [:], payload: SigV4.Payload = .empty
  ) throws -> SigV4.Request {
    try SigV4.Request(
      method, url: "https://bucket.s3.amazonaws.com/a%20b/c?list-type=2&x=%2B", headers: headers,
      payload: payload)
  }

  static func signed(
    _ method: String = "GET",
    headers: SigV4.Headers = ["x-amz-acl": "private", "content-type": "text/plain"],
    payload: SigV4.Payload = .empty, token: String? = nil, at date: String = "20150830T123600Z"
  ) throws -> WireRequest {
    let request = try request(method, headers: headers, payload: payload)
    let signer = try Example.signer(.s3, sessionToken: token)
    return WireRequest(try signer.sign(request, at: SigV4.Timestamp(date)), headers)
  }

  static func presigned(
    _ seconds: Int = 3600, headers: SigV4.Headers = [:], payload: SigV4.Payload = .empty,
    token: String? = nil, at date: String = "20150830T123600Z"
  ) throws -> WireRequest {
    let request = try request(headers: headers, payload: payload)
    let signer = try Example.signer(.s3, sessionToken: token)
    return WireRequest(
      try signer.presignedURL(for: request, expiresIn: .seconds(seconds), at: SigV4.Timestamp(date))
    )
  }
}
