// SPDX-License-Identifier: Apache-2.0
// What verifying a request has found out, whether or not it is valid.

internal import MultiRegionVerification
internal import RequestSigning
internal import RequestVerification
internal import SecureHashing

/// Why a request is not valid.
struct Refusal: Error {
  /// The name of a code of `SigV4.VerificationError`.
  let code: String
  let message: String

  /// Ours, when the signature is not the one of the request.
  var canonicalRequest: String?

  init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }

  init(_ error: SigV4.VerificationError) {
    self.init(error.code.name, error.message)
    canonicalRequest = error.canonicalRequest?.text
  }
}

/// What is known of a request when verifying it has ended.
struct VerificationFinding {
  let now: SigV4.Timestamp

  /// Proved when nothing is refused.
  private(set) var claim: SigV4.Claim?
  private(set) var signedHeaders: String?
  private(set) var canonicalRequest: String?

  /// Names in lowercase, sorted.
  private(set) var unsignedHeaders: [String] = []
  private(set) var body: Body?
  private(set) var bodyByteCount = 0
  private(set) var refusal: Refusal?

  /// What was checked of a body.
  struct Body {
    let kind: Kind
    var decodedByteCount = 0
    var trailers: SigV4.Headers?

    enum Kind: String {
      case unsigned
      case digest
      case signedChunks
      case unsignedChunks
    }
  }

  /// Verifies a request to the end of its body.
  init(
    _ acceptance: VerificationAcceptance, _ credentials: SigV4.Credentials,
    at now: SigV4.Timestamp, of open: () throws -> HTTPMessage
  ) throws {
    self.now = now
    do {
      var message = try open()
      // What is refused later shows how much of the body was read until then.
      defer { bodyByteCount = message.bodyByteCount }
      try verify(&message, acceptance, credentials)
    } catch let error as Refusal {
      refusal = error
    } catch let error as SigV4.VerificationError {
      refusal = Refusal(error)
    }
  }

  private mutating func verify(
    _ message: inout HTTPMessage, _ acceptance: VerificationAcceptance,
    _ credentials: SigV4.Credentials
  ) throws {
    let claim = try acceptance.verifier(for: message)
      .claim(of: message.request, at: now)
    self.claim = claim
    let digest = claim.needsBodyDigest ? try Self.digest(ofBody: &message) : nil
    let verified =
      if claim.algorithm == .ecdsaP256SHA256 {
        try claim.verify(with: SigV4.MultiRegionPublicKey(credentials), bodyDigest: digest)
      } else {
        try claim.verify(with: credentials, bodyDigest: digest)
      }
    signedHeaders = verified.signedHeaders
    canonicalRequest = verified.canonicalRequest.text
    unsignedHeaders = Self.headers(of: message, without: verified.signedHeaders)
    body = try Self.check(verified.payloadCheck(), &message, digest)
  }

  private static func headers(
    of message: HTTPMessage, without signedHeaders: String
  ) -> [String] {
    let signed = signedHeaders.split(separator: ";").map(String.init) + ["authorization"]
    return Set(message.headers.map { $0.name.lowercased() }).subtracting(signed).sorted()
  }

  private static func digest(ofBody message: inout HTTPMessage) throws -> SHA256.Digest {
    var hash = SHA256()
    while let portion = try message.nextPortion() { hash.update(data: portion) }
    return hash.finalize()
  }

  /// Checks the body, of which the digest is known if it has been read.
  private static func check(
    _ check: consuming SigV4.PayloadCheck, _ message: inout HTTPMessage,
    _ digest: SHA256.Digest?
  ) throws -> Body {
    switch consume check {
    case .unsigned:
      while try message.nextPortion() != nil {}
      return Body(kind: .unsigned)
    case .digest(let verifier):
      try verifier.finish(digest ?? Self.digest(ofBody: &message))
      return Body(kind: .digest)
    case .chunks(let chunks):
      return try Self.check(chunks, &message)
    }
  }

  private static func check(
    _ chunks: consuming SigV4.ChunkVerifier, _ message: inout HTTPMessage
  ) throws -> Body {
    let byteCount = chunks.decodedByteCount
    var decoded: [UInt8] = []
    while let portion = try message.nextPortion() {
      try chunks.update(portion, into: &decoded)
      decoded.removeAll(keepingCapacity: true)
    }
    let isUnsigned = message.headers.values(named: "x-amz-content-sha256")
      .contains("STREAMING-UNSIGNED-PAYLOAD-TRAILER")
    return Body(
      kind: isUnsigned ? .unsignedChunks : .signedChunks, decodedByteCount: byteCount,
      trailers: try chunks.finish())
  }
}
