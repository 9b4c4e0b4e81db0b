// SPDX-License-Identifier: Apache-2.0
// ECDSA: signing a digest in constant time, and verification in variable time.

internal import SecureHashing

/// FIPS 186-5, 6.4, with the nonces of RFC 6979.
enum ECDSA {
  /// Signs a digest. Secret: the key. A separate function, so that its stack can be wiped.
  @inline(never)
  static func sign(
    _ digest: SHA256.Digest, _ key: UnsafePointer<KeySecrets>, entropy: UnsafeRawBufferPointer
  ) -> Numbers {
    let hash = Scalar(reducing: Words256(bigEndian: digest))
    // Safety: the key outlives the call.
    var nonces = unsafe Nonces(hash, key, entropy: entropy)
    defer { Secret.erase(&nonces) }
    while true {
      var nonce = nonces.next()
      defer { Secret.erase(&nonce) }
      // Whether a number satisfies 0 < k < n reveals nothing about the next one, which is used
      // instead.
      let isUsable = Scalar.isReducedMask(nonce) & ~nonce.isZeroMask
      if isUsable == 0 { continue }
      // r and s are public.
      let numbers = unsafe sign(hash, key.pointee.scalar, nonce: nonce)
      if !numbers.r.isZero && !numbers.s.isZero { return numbers }
    }
  }

  /// FIPS 186-5, 6.4.1, steps 5 to 10: returns r and s, either of which may be zero.
  ///
  /// Secret: the key, in Montgomery form, and the nonce.
  static func sign(_ hash: Scalar, _ key: Scalar, nonce: Words256) -> Numbers {
    var point = BasePoint.times(Scalar(reduced: nonce))
    var inverse = Scalar(reduced: nonce).inverted().inMontgomeryForm
    defer {
      Secret.erase(&point)
      Secret.erase(&inverse)
    }
    let r = Scalar(reducing: (point.x * point.z.inverted()).number)
    let s = Scalar.montgomeryProduct(inverse, hash + .montgomeryProduct(key, r))
    return Numbers(r: r.words, s: s.words)
  }

  /// FIPS 186-5, 6.4.2, in variable time. `sum` computes u1 * G + u2 * Q.
  static func isValid(
    _ signature: Numbers, for digest: SHA256.Digest, sum: (Scalar, Scalar) -> JacobianPoint
  ) -> Bool {
    let areReduced = Scalar.isReducedMask(signature.r) & Scalar.isReducedMask(signature.s)
    if areReduced == 0 || signature.r.isZero || signature.s.isZero { return false }
    let hash = Scalar(reducing: Words256(bigEndian: digest))
    let inverse = Scalar(reduced: signature.s).inverted().inMontgomeryForm
    let u1 = Scalar.montgomeryProduct(hash, inverse)
    let u2 = Scalar.montgomeryProduct(Scalar(reduced: signature.r), inverse)
    return sum(u1, u2).hasX(signature.r)
  }

  /// r and s.
  struct Numbers: BitwiseCopyable, Sendable {
    let r: Words256
    let s: Words256
  }
}

/// The stored form of a private key. Secret.
struct KeySecrets: BitwiseCopyable {
  /// The key in Montgomery form.
  let scalar: Scalar
  /// The first message of RFC 6979, 3.2, step d, up to the key: V, 0x00, int2octets(x).
  let nonceStart: HMAC<SHA256>
  /// int2octets(x)
  let bytes: Secret.Bytes

  /// Creates the secrets of a number above zero and below n.
  init(_ number: Words256) {
    scalar = Scalar(reduced: number).inMontgomeryForm
    bytes = Secret.Bytes(number)
    // RFC 6979, 3.2, steps b and c: V is 32 bytes of 0x01, and K 32 bytes of 0x00.
    let (zeros, ones) = (Secret.Bytes(repeating: 0), Secret.Bytes(repeating: 1))
    var start = unsafe zeros.withBytes { unsafe HMAC<SHA256>(keyBytes: $0) }
    unsafe ones.withBytes { unsafe start.update(bufferPointer: $0) }
    Nonces.append(0, to: &start)
    unsafe bytes.withBytes { unsafe start.update(bufferPointer: $0) }
    nonceStart = start
    Secret.erase(&start)
  }
}

/// The nonces of a key and a digest: RFC 6979, 3.2. Secret.
struct Nonces: BitwiseCopyable {
  /// HMAC under K. Its state is reused for each message.
  private var function: HMAC<SHA256>
  private var value: HMAC<SHA256>.MAC
  private var isFirst = true

  /// Steps a to g. Entropy follows the digest, as the additional data of section 3.6.
  init(_ hash: Scalar, _ key: UnsafePointer<KeySecrets>, entropy: UnsafeRawBufferPointer) {
    // Safety: key and entropy outlive the call.
    let digest = Secret.Bytes(hash.words)  // bits2octets(h1)
    var message = unsafe key.pointee.nonceStart
    unsafe digest.withBytes { unsafe message.update(bufferPointer: $0) }
    unsafe message.update(bufferPointer: entropy)
    function = Self.keyed(message.finalize())  // d
    value = function.finalize(appending: Secret.Bytes(repeating: 1))  // e

    message = function
    message.update(data: value)
    Self.append(1, to: &message)
    unsafe key.pointee.bytes.withBytes { unsafe message.update(bufferPointer: $0) }
    unsafe digest.withBytes { unsafe message.update(bufferPointer: $0) }
    unsafe message.update(bufferPointer: entropy)
    function = Self.keyed(message.finalize())  // f
    value = function.finalize(appending: value)  // g
    Secret.erase(&message)
  }

  /// Step h: returns the next 256-bit number, which may be zero or too large.
  mutating func next() -> Words256 {
    if !isFirst {
      var message = function
      message.update(data: value)
      Self.append(0, to: &message)
      function = Self.keyed(message.finalize())
      value = function.finalize(appending: value)
      Secret.erase(&message)
    }
    isFirst = false
    value = function.finalize(appending: value)
    return Words256(bigEndian: value.digest)
  }

  static func keyed(_ key: consuming HMAC<SHA256>.MAC) -> HMAC<SHA256> {
    defer { Secret.erase(&key) }
    // Safety: the bytes are those of the code, which outlives the closure.
    return unsafe key.withUnsafeBytes { unsafe HMAC(keyBytes: $0) }
  }

  static func append(_ byte: UInt8, to message: inout HMAC<SHA256>) {
    message.update(data: CollectionOfOne(byte))
  }
}

enum Secret {
  /// Wipes a value on the stack.
  @inline(__always)
  static func erase<Value: BitwiseCopyable>(_ value: inout Value) {
    // Safety: the bytes are those of the value.
    unsafe withUnsafeMutableBytes(of: &value) { unsafe ConstantTime.wipe($0) }
  }

  /// A 256-bit number as 32 bytes, most significant first.
  struct Bytes: BitwiseCopyable, RandomAccessCollection {
    private let words: Words256

    init(_ number: Words256) {
      words = Words256(
        number.w3.bigEndian, number.w2.bigEndian, number.w1.bigEndian, number.w0.bigEndian)
    }

    init(repeating byte: UInt8) {
      let word = UInt64(byte) &* 0x0101_0101_0101_0101
      words = Words256(word, word, word, word)
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
      // Safety: four words are 32 bytes, and they outlive the closure.
      unsafe withUnsafeBytes(of: self) { unsafe body($0) }
    }

    var startIndex: Int { 0 }
    var endIndex: Int { 32 }
    subscript(position: Int) -> UInt8 { unsafe withBytes { unsafe $0[position] } }
  }
}

extension Words256 {
  /// Creates the number of a big-endian digest.
  init(bigEndian digest: SHA256.Digest) {
    // Safety: a digest is 32 bytes long.
    self = unsafe digest.withUnsafeBytes { unsafe Words256(bigEndian: $0) }
  }

  /// Creates the number of 32 big-endian bytes, or zero for any other count.
  init(bigEndian bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 32 else {
      self = .zero
      return
    }
    // Safety: there are four words of 8 bytes.
    func word(_ offset: Int) -> UInt64 {
      unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    self.init(word(24), word(16), word(8), word(0))
  }
}
