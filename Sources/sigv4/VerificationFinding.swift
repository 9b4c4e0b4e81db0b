// SPDX-License-Identifier: Apache-2.0
// What verifying a request has found out, whether or not it is valid.

internal import MultiRegionVerification
internal import RequestSigning
internal import RequestVerification
internal import SecureHashing

/// Why a request is not valid.
struct Rejection: Error {
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
  private(set) var claim: SigV4.UnverifiedRequest?
  private(set) var signedHeaders: String?
  private(set) var canonicalRequest: String?

  /// Names in lowercase, sorted.
  private(set) var unsignedHeaders: [String] = []
  private(set) var body: Body?
  private(set) var bodyByteCount = 0
  private(set) var refusal: Rejection?

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
    } catch let error as Rejection {
      refusal = error
    } catch let error as SigV4.VerificationError {
      refusal = Rejection(error)
    }
  }

  private mutating func verify(
    _ message: inout HTTPMessage, _ acceptance: VerificationAcceptance,
    _ credentials: SigV4.Credentials
  ) throws {
    let claim = try acceptance.verifier(for: message)
      .check(message.request, at: now)
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
    body = try Self.body(verified.bodyVerifier(), &message, isRead: digest != nil)
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

  /// Verifies the body, unless its digest was verified with the signature.
  private static func body(
    _ verifier: consuming SigV4.BodyVerifier, _ message: inout HTTPMessage, isRead: Bool
  ) throws -> Body {
    if isRead { return Body(kind: .digest) }
    let (isSigned, decodedByteCount) = (verifier.isSigned, verifier.decodedByteCount)
    var decoded: [UInt8] = []
    while let portion = try message.nextPortion() {
      try verifier.update(portion, into: &decoded)
      decoded.removeAll(keepingCapacity: true)
    }
    let trailers = try verifier.finish()
    guard let decodedByteCount else { return Body(kind: isSigned ? .digest : .unsigned) }
    return Body(
      kind: isSigned ? .signedChunks : .unsignedChunks, decodedByteCount: decodedByteCount,
      trailers: trailers)
  }
}
