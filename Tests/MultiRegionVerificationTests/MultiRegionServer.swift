// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of Signature Version 4a on a server: sent requests, and the server.

internal import MultiRegionSigning
internal import MultiRegionVerification
internal import SecureHashing
internal import SigningTestSupport
internal import TestSupport
internal import Testing

/// A request in texts, each of which can be changed.
struct SentRequest {
  var method: String
  var target: String
  var headers: [(name: String, value: String)]
  var body: [UInt8] = []

  init(_ signed: SigV4.SignedRequest, _ headers: SigV4.Headers = [:]) {
    method = signed.method
    target = signed.target
    self.headers =
      [("host", signed.host)] + (headers + signed.addedHeaders).map { ($0.name, $0.value) }
  }

  init(_ presigned: SigV4.PresignedURL) {
    method = presigned.method
    target = presigned.target
    headers =
      [("host", presigned.host)] + presigned.requiredHeaders.map { ($0.name, $0.value) }
  }

  func received(_ scheme: SigV4.Scheme? = nil) -> SigV4.ReceivedRequest {
    var request = SigV4.ReceivedRequest(method, target: target.utf8, scheme: scheme)
    for header in headers { request.append(header.name.utf8, header.value.utf8) }
    return request
  }

  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name }?.value
  }

  /// The same request with other headers of a name: none, one or several.
  func replacing(_ name: String, with values: [String]) -> SentRequest {
    var copy = self
    copy.headers.removeAll { $0.name.lowercased() == name }
    copy.headers += values.map { (name, $0) }
    return copy
  }

  /// The same request with every occurrence of a string replaced. There must be one.
  func replacing(_ old: String, with new: String) throws -> SentRequest {
    var copy = self
    copy.target = target.replacing(old, with: new)
    copy.headers = headers.map { ($0.name, $0.value.replacing(old, with: new)) }
    try #require(copy.target != target || !zip(copy.headers, headers).allSatisfy { $0 == $1 })
    return copy
  }
}

/// A server in us-east-1 that takes Signature Version 4a, and knows the key of the example.
struct MultiRegionServer {
  var verifier = SigV4.Verifier(services: [.s3], regions: ["us-east-1"])
  var now: SigV4.Timestamp
  var key: SigV4.MultiRegionPublicKey

  init(_ service: SigV4.Service = .s3) throws {
    verifier.services = [service]
    verifier.algorithms = [.ecdsaP256SHA256]
    now = try Example.moment()
    key = SigV4.MultiRegionPublicKey(try Example.credentials())
  }

  func check(_ request: SentRequest) throws(SigV4.VerificationError) -> SigV4.UnverifiedRequest {
    try verifier.check(request.received(), at: now)
  }

  /// Passes both phases and checks the body.
  @discardableResult
  func verify(_ request: SentRequest) throws(SigV4.VerificationError) -> [UInt8] {
    let unverified = try check(request)
    if unverified.needsBodyDigest {
      let digest = SHA256.hash(data: request.body)
      return try unverified.verify(with: key, bodyDigest: digest).body(request.body)
    }
    return try unverified.verify(with: key).body(request.body)
  }
}

/// Requests to S3 that nothing is wrong with, signed for a set of regions.
enum SentToRegions {
  static func signer(
    _ regions: SigV4.RegionSet = .all, token: String? = nil
  ) throws -> SigV4.Signer {
    try SigV4.Signer(
      credentials: Example.credentials(sessionToken: token), regionSet: regions, service: .s3)
  }

  static func request(
    _ method: String = "GET", headers: SigV4.Headers = [:], payload: SigV4.Payload = .empty
  ) throws -> SigV4.Request {
    try SigV4.Request(
      method,
      url: "https://mfzwi23gnjvgw.mrap.accesspoint.s3-global.amazonaws.com/a%20b/c?x=%2B",
      headers: headers, payload: payload)
  }

  static func signed(
    _ regions: SigV4.RegionSet = .all, token: String? = nil
  ) throws -> SentRequest {
    let headers: SigV4.Headers = ["x-amz-acl": "private", "content-type": "text/plain"]
    return SentRequest(
      try signer(regions, token: token).sign(request(headers: headers), at: Example.moment()),
      headers)
  }

  static func presigned(
    _ regions: SigV4.RegionSet = .all, token: String? = nil
  ) throws -> SentRequest {
    SentRequest(
      try signer(regions, token: token).presignedURL(
        for: request(), expiresIn: .seconds(3_600), at: Example.moment()))
  }
}
