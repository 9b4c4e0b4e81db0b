// SPDX-License-Identifier: Apache-2.0
// Verifies a request and collects the findings, even if it's invalid.

internal import MultiRegionVerification
internal import RequestSigning
internal import RequestVerification
internal import SecureHashing

/// The reason a request is invalid.
struct Rejection: Error, CustomStringConvertible {
  /// The name of a `SigV4.VerificationError` code.
  let code: String
  let message: String

  /// The canonical request as received, if the signature doesn't match.
  var canonicalRequest: String?

  /// The code and the message, for commands without a report.
  var description: String { code + ": " + message }

  init(_ code: String, _ problem: String, fix: String) {
    self.code = code
    message = problem + " " + fix
  }

  init(_ error: SigV4.VerificationError) {
    self.init(error.code.name, error.problem, fix: error.fix)
    canonicalRequest = error.canonicalRequest?.text
  }
}

/// The findings of a verification.
struct VerificationFinding {
  let now: SigV4.Timestamp

  /// The parsed request. It's verified if there's no refusal.
  private(set) var claim: SigV4.UnverifiedRequest?
  private(set) var signedHeaders: String?
  private(set) var canonicalRequest: String?

  /// The sorted, lowercase names of unsigned headers.
  private(set) var unsignedHeaders: [String] = []
  private(set) var body: Body?
  private(set) var bodyByteCount = 0
  private(set) var refusal: Rejection?

  /// How the body was verified.
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
    at now: SigV4.Timestamp, of open: () throws -> ReceivedMessage
  ) throws {
    self.now = now
    do {
      var message = try open()
      // Report how much of the body was read before a rejection.
      defer { bodyByteCount = message.bodyByteCount }
      try verify(&message, acceptance, credentials)
    } catch let error as Rejection {
      refusal = error
    } catch let error as SigV4.VerificationError {
      refusal = Rejection(error)
    }
  }

  private mutating func verify(
    _ message: inout ReceivedMessage, _ acceptance: VerificationAcceptance,
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
    of message: ReceivedMessage, without signedHeaders: String
  ) -> [String] {
    let signed = signedHeaders.split(separator: ";").map(String.init) + ["authorization"]
    return Set(message.headers.map { $0.name.lowercased() }).subtracting(signed).sorted()
  }

  private static func digest(ofBody message: inout ReceivedMessage) throws -> SHA256.Digest {
    var hash = SHA256()
    while let portion = try message.nextPortion() { hash.update(data: portion) }
    return hash.finalize()
  }

  /// Verifies the body unless its hash was verified with the signature.
  private static func body(
    _ verifier: consuming SigV4.BodyVerifier, _ message: inout ReceivedMessage, isRead: Bool
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
