// SPDX-License-Identifier: Apache-2.0
// Room 2 for what follows a signed request: chunks, trailers and events, each covering the one before.

package import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// The string to sign of a chunk, a trailer or an event. It is written once; for each one after
  /// the first only digits are replaced.
  package struct ChunkStringToSign {
    /// The string to sign. It holds no secret.
    package private(set) var bytes: [UInt8]

    /// Where the lines of 64 digits begin: the signature before, then the digests.
    private let digitsOffset: Int

    /// The string to sign of a chunk or an event: two digests.
    package static func chunk(at timestamp: Timestamp, _ scope: CredentialScope)
      -> ChunkStringToSign
    {
      ChunkStringToSign("AWS4-HMAC-SHA256-PAYLOAD", timestamp, scope, digestCount: 2)
    }

    /// The string to sign of the trailers: one digest.
    package static func trailer(at timestamp: Timestamp, _ scope: CredentialScope)
      -> ChunkStringToSign
    {
      ChunkStringToSign("AWS4-HMAC-SHA256-TRAILER", timestamp, scope, digestCount: 1)
    }

    private init(
      _ algorithm: String, _ timestamp: Timestamp, _ scope: CredentialScope, digestCount: Int
    ) {
      bytes = Array(algorithm.utf8)
      bytes.append(ASCIIByte.newline)
      bytes.append(contentsOf: timestamp.text.utf8)
      bytes.append(ASCIIByte.newline)
      bytes.append(contentsOf: scope.text.utf8)
      bytes.append(ASCIIByte.newline)
      digitsOffset = bytes.count
      for line in 0...digestCount {
        if line > 0 { bytes.append(ASCIIByte.newline) }
        bytes.append(contentsOf: repeatElement(0x30, count: 64))
      }
    }

    /// Replaces the signature of what came before: 64 digits.
    package mutating func replaceSignature(_ digits: [UInt8]) {
      var offset = digitsOffset
      for digit in digits.prefix(64) {
        bytes[offset] = digit
        offset &+= 1
      }
    }

    /// Replaces the last digest, or the one before it.
    package mutating func replaceDigest(_ digest: SHA256.Digest, fromEnd position: Int = 0) {
      let start = bytes.count &- 64 &- position &* 65
      Self.writeDigits(of: digest, to: &bytes, at: start)
    }

    /// Writes two lowercase digits for each byte over what is there.
    static func writeDigits(
      of digest: some Collection<UInt8>, to bytes: inout [UInt8], at start: Int
    ) {
      var offset = start
      for byte in digest.prefix(32) {
        bytes[offset] = digit(byte &>> 4)
        bytes[offset &+ 1] = digit(byte & 15)
        offset &+= 2
      }
    }

    /// The lowercase digit of a value of 0 to 15.
    package static func digit(_ value: UInt8) -> UInt8 {
      value < 10 ? value &+ 0x30 : value &+ 0x57
    }
  }

  /// Signatures of which each covers the one before; the first covers that of the request.
  package struct SignatureChain {
    /// Secret.
    let key: SigningKey

    /// What was signed last, or will be signed first.
    package private(set) var stringToSign: ChunkStringToSign

    /// The last signature in 64 digits.
    package private(set) var signature: [UInt8]

    package init(seed: Signature, key: SigningKey, at timestamp: Timestamp) {
      self.key = key
      stringToSign = .chunk(at: timestamp, key.scope)
      signature = Array(seed.hexadecimal.utf8)
      // A chunk has no headers: their place holds the digest of nothing.
      stringToSign.replaceDigest(SHA256().finalize(), fromEnd: 1)
    }

    /// Signs a chunk by its digest. Nothing is allocated.
    package mutating func sign(chunk digest: SHA256.Digest) {
      stringToSign.replaceSignature(signature)
      stringToSign.replaceDigest(digest)
      replaceSignature()
    }

    /// Signs the trailers by the digest of their canonical form.
    package mutating func sign(trailers digest: SHA256.Digest, with template: ChunkStringToSign) {
      stringToSign = template
      sign(chunk: digest)
    }

    private mutating func replaceSignature() {
      // Safety: the bytes live as long as the closure runs.
      let next = unsafe stringToSign.bytes.withUnsafeBytes { unsafe key.signature(ofBytes: $0) }
      ChunkStringToSign.writeDigits(of: next.digest, to: &signature, at: 0)
    }
  }
}

extension SigV4.SigningError {
  package static func streamFinished() -> SigV4.SigningError {
    SigV4.SigningError(
      .streamFinished,
      """
      the stream has ended with its last signature, and nothing can follow it; sign a request of \
      its own for what comes now
      """)
  }
}
