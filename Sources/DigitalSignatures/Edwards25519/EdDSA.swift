// SPDX-License-Identifier: Apache-2.0
// Ed25519: signing in constant time, and verification in variable time.

internal import SecureHashing

/// Ed25519 of RFC 8032, 5.1.
enum EdDSA {
  /// Signs a message (5.1.6). Secret: the key. A separate function, so that its stack can be wiped.
  @inline(never)
  static func sign(
    _ message: UnsafeRawBufferPointer, _ key: UnsafePointer<KeySecrets>, publicKey: Words256,
    entropy: UnsafeRawBufferPointer
  ) -> Numbers {
    // Safety: message, key and entropy outlive the call.
    var nonce = unsafe nonce(of: message, key, entropy: entropy)
    var point = Edwards25519.BasePoint.times(nonce)
    defer {
      Secret.erase(&nonce)
      Secret.erase(&point)
    }
    let r = point.encoding
    let challenge = unsafe challenge(r, publicKey, message)
    let product = unsafe Edwards25519.Scalar.montgomeryProduct(
      challenge.words, key.pointee.scalar)
    return Numbers(r: r, s: (product + nonce).words)
  }

  /// Step 2: the hash of the prefix and the message.
  ///
  /// With entropy, the first half of the hash of the prefix and the entropy replaces the prefix
  /// (draft-irtf-cfrg-det-sigs-with-noise-05, 3).
  private static func nonce(
    of message: UnsafeRawBufferPointer, _ key: UnsafePointer<KeySecrets>,
    entropy: UnsafeRawBufferPointer
  ) -> Edwards25519.Scalar {
    var hash = SHA512()
    // Safety: the callers pass memory that outlives the call.
    unsafe key.pointee.prefix.withBytes { unsafe hash.update(bufferPointer: $0) }
    if unsafe !entropy.isEmpty {
      var prefix = unsafe hash.finalize(appending: entropy)
      hash = SHA512()
      unsafe prefix.withUnsafeBytes {
        unsafe hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[..<32]))
      }
      Secret.erase(&prefix)
    }
    var digest = unsafe hash.finalize(appending: message)
    defer {
      Secret.erase(&hash)
      Secret.erase(&digest)
    }
    return Edwards25519.Scalar(reducing: digest)
  }

  /// Step 4, the hash of R, the public key and the message.
  private static func challenge(
    _ r: Words256, _ publicKey: Words256, _ message: UnsafeRawBufferPointer
  ) -> Edwards25519.Scalar {
    var hash = SHA512()
    // Safety: the bytes outlive the closures, and the message outlives the call.
    unsafe Secret.Bytes(r.reversed).withBytes { unsafe hash.update(bufferPointer: $0) }
    unsafe Secret.Bytes(publicKey.reversed).withBytes { unsafe hash.update(bufferPointer: $0) }
    return unsafe Edwards25519.Scalar(reducing: hash.finalize(appending: message))
  }

  /// Verifies a signature (5.1.7) in variable time, by the equation without the cofactor: encodes
  /// S B - k A and compares it with the bytes of R, which is never decoded.
  static func isValid(
    _ signature: Numbers, for message: UnsafeRawBufferPointer, publicKey: Words256,
    negated point: Edwards25519.Point
  ) -> Bool {
    if !Edwards25519.Scalar.isReduced(signature.s) { return false }
    // Safety: the message outlives the call.
    let challenge = unsafe challenge(signature.r, publicKey, message)
    let sum = Edwards25519.BasePoint.sum(
      Edwards25519.Scalar(reduced: signature.s), plus: challenge, times: point)
    return sum.encoding == signature.r
  }

  /// The two halves of a signature: the encoding of the point R, and the scalar S.
  struct Numbers: BitwiseCopyable, Sendable {
    let r: Words256
    let s: Words256
  }

  /// The stored form of a private key. Secret.
  struct KeySecrets: BitwiseCopyable {
    /// The 32 bytes that the key is made of.
    let seed: Secret.Bytes
    /// The scalar s of 5.1.5, in Montgomery form.
    let scalar: Edwards25519.Scalar
    /// The upper half of the seed's hash.
    let prefix: Secret.Bytes

    /// Computes the hash of the seed (5.1.5, steps 1 and 2).
    init(seed: Secret.Bytes) {
      var digest = unsafe seed.withBytes { unsafe SHA512.hash(bufferPointer: $0) }
      // Safety: a digest is 64 bytes long.
      var (low, high) = unsafe digest.withUnsafeBytes { bytes in
        unsafe (
          Words256(littleEndian: UnsafeRawBufferPointer(rebasing: bytes[..<32])),
          Words256(bigEndian: UnsafeRawBufferPointer(rebasing: bytes[32...]))
        )
      }
      low.w0 &= ~7
      low.w3 = low.w3 & (.max &>> 1) | 1 &<< 62
      self.seed = seed
      scalar = Edwards25519.Scalar(reducing: low).inMontgomeryForm
      prefix = Secret.Bytes(high)
      Secret.erase(&digest)
      Secret.erase(&low)
      Secret.erase(&high)
    }

    /// The scalar s times the base point.
    var point: Edwards25519.Point {
      // A product with 1 leaves Montgomery form.
      Edwards25519.BasePoint.times(
        .montgomeryProduct(Words256(1, 0, 0, 0), scalar))
    }
  }
}
