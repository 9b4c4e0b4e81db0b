// SPDX-License-Identifier: Apache-2.0
// A request whose signature is proved, and what remains to be checked: its body.

public import RequestSigning
public import SecureHashing

extension SigV4 {
  /// A request whose signature is the right one. Its body is not checked yet: that is what
  /// ``body(_:)`` and ``payloadCheck()`` are for, and they take the value, which cannot be copied.
  @frozen  // so that a part of it can be consumed, with library evolution too
  public struct VerifiedRequest: ~Copyable, Sendable {
    /// Who signed, for what, and when: proved from here on.
    public let claim: Claim

    /// The canonical request.
    public let canonicalRequest: CanonicalRequest

    /// The string to sign.
    public let stringToSign: StringToSign

    let check: PayloadCheck

    /// The names of the signed headers, lowercase and sorted, separated by ';'. Do not act on others:
    /// they were not signed.
    public var signedHeaders: String { canonicalRequest.signedHeaders }

    /// Checks a body that is in memory, and returns it: decoded when it was sent in chunks.
    ///
    /// Throws `bodyMismatch`, and what ``ChunkVerifier`` throws.
    public consuming func body(
      _ bytes: some Collection<UInt8>
    ) throws(VerificationError) -> [UInt8] {
      switch payloadCheck() {
      case .unsigned: return Array(bytes)
      case .digest(let check):
        try check.finish(SHA256.hash(data: bytes))
        return Array(bytes)
      case .chunks(var chunks):
        var decoded: [UInt8] = []
        try chunks.update(bytes, into: &decoded)
        _ = try chunks.finish()
        return decoded
      }
    }

    /// What has to be done with the body, for one that arrives in portions.
    public consuming func payloadCheck() -> PayloadCheck { check }
  }

  /// What has to be done with the body of a verified request.
  public enum PayloadCheck: ~Copyable, Sendable {
    /// Nothing: the signature does not cover the body, and the policy accepts that.
    case unsigned
    /// Hash the body, and compare.
    case digest(DigestVerifier)
    /// Take the body out of its chunks.
    case chunks(ChunkVerifier)
  }

  /// Compares the digest of a body with the one that was signed.
  ///
  ///     while let portion = read() { digest.update(portion) }
  ///     try digest.finish()       // before anything of the body is believed
  public struct DigestVerifier: ~Copyable, Sendable {
    let expected: SHA256.Digest?
    var function = SHA256()

    init(expected: SHA256.Digest?) {
      self.expected = expected
    }

    /// Takes the next bytes of the body.
    public mutating func update(_ bytes: some Collection<UInt8>) {
      function.update(data: bytes)
    }

    /// Takes the next bytes of the body.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
      unsafe function.update(bufferPointer: bytes)
    }

    /// Ends the body. Throws `bodyMismatch` when it is another one than was signed.
    public consuming func finish() throws(VerificationError) {
      let digest = function.finalize()
      try finish(digest)
    }

    /// Takes the digest of the whole body, computed elsewhere. Throws `bodyMismatch`.
    public consuming func finish(_ digest: SHA256.Digest) throws(VerificationError) {
      guard let expected, ConstantTime.equal(digest, expected) else { throw .bodyMismatch }
    }
  }
}
