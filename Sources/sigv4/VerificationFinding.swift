// SPDX-License-Identifier: Apache-2.0
// What verifying a request has brought to light, whether or not it is valid.

internal import RequestVerification
internal import RequestSigning
internal import SecureHashing

/// Why a request is not valid.
struct Refusal {
  /// The name of a code of `SigV4.VerificationError`.
  let code: String
  let message: String

  /// Ours, when the signature is not the one of the request.
  let canonicalRequest: String?

  init(_ code: String, _ message: String, canonicalRequest: String? = nil) {
    self.code = code
    self.message = message
    self.canonicalRequest = canonicalRequest
  }
}

/// Why verifying stopped: the request is not valid, or nobody knows since it cannot be read.
enum VerificationStop: Error {
  case refused(Refusal)
  case failed(CommandError)

  init(_ error: SigV4.VerificationError) {
    self = .refused(
      Refusal(
        error.code.name, error.message, canonicalRequest: error.canonicalRequest?.text))
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
  enum Body {
    case unsigned
    case digest
    case signedChunks(decodedByteCount: Int, trailers: SigV4.Headers)
    case unsignedChunks(decodedByteCount: Int, trailers: SigV4.Headers)
  }

  /// Verifies a request to the end of its body.
  init(
    _ acceptance: VerificationAcceptance, _ credentials: SigV4.Credentials,
    at now: SigV4.Timestamp, of open: () throws(VerificationStop) -> ReceivedMessage
  ) throws(CommandError) {
    self.now = now
    do throws(VerificationStop) {
      var message = try open()
      // What is refused later shows how much of the body was read until then.
      defer { bodyByteCount = message.bodyByteCount }
      try verify(&message, acceptance, credentials)
    } catch {
      switch error {
      case .refused(let refusal): self.refusal = refusal
      case .failed(let error): throw error
      }
    }
  }

  private mutating func verify(
    _ message: inout ReceivedMessage, _ acceptance: VerificationAcceptance,
    _ credentials: SigV4.Credentials
  ) throws(VerificationStop) {
    let verifier = SigV4.Verifier(acceptance.policy(for: message))
    let claim: SigV4.Claim
    do {
      claim = try verifier.claim(of: message.request, at: now)
    } catch {
      throw VerificationStop(error)
    }
    self.claim = claim
    let digest = claim.needsBodyDigest ? try Self.digest(ofBody: &message) : nil
    let verified: SigV4.VerifiedRequest
    do throws(SigV4.VerificationError) {
      verified =
        if let digest { try claim.verify(with: credentials, bodyDigest: digest) } else {
          try claim.verify(with: credentials)
        }
    } catch {
      throw VerificationStop(error)
    }
    signedHeaders = verified.signedHeaders
    canonicalRequest = verified.canonicalRequest.text
    unsignedHeaders = Self.headers(of: message, without: verified.signedHeaders)
    body = try Self.check(verified.payloadCheck(), &message, digest)
  }

  private static func headers(
    of message: ReceivedMessage, without signedHeaders: String
  ) -> [String] {
    let signed = signedHeaders.split(separator: ";").map(String.init) + ["authorization"]
    return Set(message.headers.map { $0.name.lowercased() }).subtracting(signed).sorted()
  }

  private static func digest(
    ofBody message: inout ReceivedMessage
  ) throws(VerificationStop) -> SHA256.Digest {
    var hash = SHA256()
    while let portion = try message.nextPortion() { hash.update(data: portion) }
    return hash.finalize()
  }

  /// Checks the body, of which the digest is known if it has been read.
  private static func check(
    _ check: consuming SigV4.PayloadCheck, _ message: inout ReceivedMessage,
    _ digest: SHA256.Digest?
  ) throws(VerificationStop) -> Body {
    switch consume check {
    case .unsigned:
      while try message.nextPortion() != nil {}
      return .unsigned
    case .digest(let verifier):
      let digest = if let digest { digest } else { try Self.digest(ofBody: &message) }
      do {
        try verifier.finish(digest)
      } catch {
        throw VerificationStop(error)
      }
      return .digest
    case .chunks(let chunks):
      return try Self.check(chunks, &message)
    }
  }

  private static func check(
    _ chunks: consuming SigV4.ChunkVerifier, _ message: inout ReceivedMessage
  ) throws(VerificationStop) -> Body {
    let byteCount = chunks.decodedByteCount
    var decoded: [UInt8] = []
    while let portion = try message.nextPortion() {
      do {
        try chunks.update(portion, into: &decoded)
      } catch {
        throw VerificationStop(error)
      }
      decoded.removeAll(keepingCapacity: true)
    }
    let trailers: SigV4.Headers
    do {
      trailers = try chunks.finish()
    } catch {
      throw VerificationStop(error)
    }
    let isUnsigned = message.headers.values(named: "x-amz-content-sha256")
      .contains("STREAMING-UNSIGNED-PAYLOAD-TRAILER")
    return isUnsigned
      ? .unsignedChunks(decodedByteCount: byteCount, trailers: trailers)
      : .signedChunks(decodedByteCount: byteCount, trailers: trailers)
  }
}
