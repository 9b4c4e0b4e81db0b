// SPDX-License-Identifier: Apache-2.0
// A sent request: the signed one, translated into the received one.

internal import SigningTestSupport
internal import RequestVerification
internal import RequestSigning
internal import SecureHashing
internal import TestSupport
internal import Testing

/// The bytes that a server receives, each of which can be changed.
struct WireRequest {
  var method: [UInt8]
  var target: [UInt8]
  var headers: [(name: [UInt8], value: [UInt8])]
  var body: [UInt8] = []

  /// A request signed in its headers, with its own headers and those that signing adds.
  init(_ signed: SigV4.SignedRequest, _ headers: SigV4.Headers, path: [UInt8]? = nil) {
    method = Array(signed.method.utf8)
    target = Self.target(signed.target, path)
    self.headers = Self.fields(headers + signed.addedHeaders, host: signed.host)
  }

  /// A presigned URL, with the headers that its holder must send.
  init(_ presigned: SigV4.PresignedURL, path: [UInt8]? = nil) {
    method = Array(presigned.method.utf8)
    target = Self.target(presigned.target, path)
    headers = Self.fields(presigned.requiredHeaders, host: presigned.host)
  }

  /// A request in texts.
  init(_ method: String, _ target: String, _ headers: [(String, String)]) {
    self.method = Array(method.utf8)
    self.target = Array(target.utf8)
    self.headers = headers.map { (Array($0.0.utf8), Array($0.1.utf8)) }
  }

  func received(_ scheme: SigV4.Scheme? = nil) -> SigV4.ReceivedRequest {
    var request = SigV4.ReceivedRequest(
      String(decoding: method, as: UTF8.self), target: target, scheme: scheme)
    for header in headers { request.append(header.name, header.value) }
    return request
  }

  /// The same request with other headers of a name: none, one or several.
  func replacing(_ name: String, with values: [String]) -> WireRequest {
    var copy = self
    copy.headers.removeAll { $0.name.elementsEqual(name.utf8) }
    copy.headers += values.map { (Array(name.utf8), Array($0.utf8)) }
    return copy
  }

  /// The same request with a part of its target replaced, which must exist.
  func replacingInTarget(_ old: String, with new: String) throws -> WireRequest {
    var copy = self
    let text = String(decoding: target, as: UTF8.self)
    try #require(text.contains(old))
    copy.target = Array(text.replacing(old, with: new).utf8)
    return copy
  }

  func header(_ name: String) throws -> String {
    String(
      decoding: try #require(headers.first { $0.name.elementsEqual(name.utf8) }).value,
      as: UTF8.self)
  }

  private static func fields(
    _ headers: SigV4.Headers, host: String
  ) -> [(name: [UInt8], value: [UInt8])] {
    [(Array("Host".utf8), Array(host.utf8))]
      + headers.map { (Array($0.name.utf8), Array($0.value.utf8)) }
  }

  /// A path of any bytes is in no text: it is put before the query.
  private static func target(_ text: String, _ path: [UInt8]?) -> [UInt8] {
    guard let path else { return Array(text.utf8) }
    let query = text.utf8.drop { $0 != UInt8(ascii: "?") }
    return (path.isEmpty ? [UInt8(ascii: "/")] : path) + query
  }
}

/// A generated request, its signed form, and the verifier for it.
struct WireCase {
  let caller: PlainCaller
  let request: WireRequest
  let plain: PlainRequest
  let now: SigV4.Timestamp
  let isPresigned: Bool

  /// Nil if the path is invalid in a request line, or rejected there.
  init?(_ plain: PlainSigner, isPresigned: Bool, after seconds: Int) throws {
    let plain = isPresigned ? plain.ofURL : plain
    caller = plain.caller
    self.plain = plain.request
    self.isPresigned = isPresigned
    var path: [UInt8]?
    if case .received(let bytes) = plain.request.path {
      let refused = Array("? #\\\u{7F}".utf8)
      if bytes.contains(where: { $0 < 0x20 || refused.contains($0) }) { return nil }
      path = bytes
    }
    let signer = try caller.signer()
    let date = try SigV4.Timestamp(unixSeconds: caller.time)
    let request = try plain.request.signable()
    var wire: WireRequest
    if !isPresigned {
      wire = WireRequest(try signer.sign(request, at: date), request.headers, path: path)
      now = try date.advanced(bySeconds: Int64(seconds % 300))
    } else if caller.service.hasLifetime {
      wire = WireRequest(
        try signer.presignedURL(for: request, expiresIn: .seconds(caller.lifetime), at: date),
        path: path)
      now = try date.advanced(bySeconds: Int64(seconds % (caller.lifetime + 1)))
    } else {
      wire = WireRequest(
        try signer.presignedURL(for: request, expiresIn: nil, at: date), path: path)
      now = try date.advanced(bySeconds: Int64(seconds % 300))
    }
    switch plain.request.payload {
    case .bytes(let body), .digest(let body): wire.body = body
    case .empty, .unsigned, .literal: break
    }
    self.request = wire
  }

  /// Payload keywords that aren't checked here.
  var isPayloadInWords: Bool {
    if case .literal = plain.payload { return true }
    return false
  }

  /// Verifies a request that may have been changed in transit.
  func verify(_ request: WireRequest) throws(SigV4.VerificationError) {
    var policy = SigV4.Verifier(
      services: [caller.service.signable], regions: [caller.region])
    policy.unsignedPayloads = .allowed
    policy.dotSegments = .allowed
    let unverified = try policy.check(request.received(), at: now)
    guard unverified.accessKeyID == caller.accessKeyID else { throw unverified.unknownAccessKey }
    let credentials = try? SigV4.Credentials(
      accessKeyID: caller.accessKeyID, secretAccessKey: caller.secret, sessionToken: caller.token)
    guard let credentials else { throw unverified.unknownAccessKey }
    if unverified.needsBodyDigest {
      let digest = SHA256.hash(data: request.body)
      _ = try unverified.verify(with: credentials, bodyDigest: digest).body(request.body)
    } else {
      _ = try unverified.verify(with: credentials).body(request.body)
    }
  }
}
