// SPDX-License-Identifier: Apache-2.0
// The arithmetic of XXH3 with seed 0, except the loop over stripes: the secret, messages of up to
// 240 bytes, and the end of longer ones. The headings are those of the xxHash specification.

/// The parts that 64-bit and 128-bit XXH3 share.
enum XXHash3 {
  /// Calls `body` with the secret: 192 bytes.
  @inline(__always)
  static func withSecret<Result>(_ body: (UnsafeRawPointer) -> Result) -> Result {
    // Safety: the table is 192 bytes long and doesn't escape the closure.
    unsafe secret.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { preconditionFailure("the secret isn't empty") }
      return unsafe body(start)
    }
  }

  @inline(__always)
  static func word(_ bytes: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    // Safety: 8 bytes are readable there.
    unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
  }

  @inline(__always)
  static func halfWord(_ bytes: UnsafeRawPointer, _ offset: Int) -> UInt32 {
    // Safety: 4 bytes are readable there.
    unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian
  }

  // MARK: - Final mixing step

  @inline(__always)
  static func avalanche(_ x: UInt64) -> UInt64 {
    let y = (x ^ (x &>> 37)) &* XXHashPrime.firstOfXXH3
    return y ^ (y &>> 32)
  }

  @inline(__always)
  static func avalancheXXH64(_ x: UInt64) -> UInt64 {
    let y = (x ^ (x &>> 33)) &* XXHashPrime.second
    let z = (y ^ (y &>> 29)) &* XXHashPrime.third
    return z ^ (z &>> 32)
  }

  /// Returns the two halves of a product, added without carries.
  @inline(__always)
  static func foldedProduct(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.low ^ product.high
  }

  // MARK: - Large inputs, step 4

  /// Returns the product of the accumulators with 64 bytes of the secret.
  @inline(__always)
  static func merge(
    _ accumulators: UnsafeRawPointer, _ secret: UnsafeRawPointer, from start: UInt64
  ) -> UInt64 {
    @inline(__always) func pair(_ offset: Int) -> UInt64 {
      // Safety: both are 64 bytes long, and the accumulators are in native byte order.
      unsafe foldedProduct(
        accumulators.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ word(secret, offset),
        accumulators.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self)
          ^ word(secret, offset &+ 8))
    }
    return avalanche(start &+ (pair(0) &+ pair(16)) &+ (pair(32) &+ pair(48)))
  }

  /// Returns 64-bit XXH3, which is also the lower half of 128-bit XXH3.
  @inline(__always)
  static func merge(
    _ accumulators: UnsafeRawPointer, _ byteCount: UInt64, _ secret: UnsafeRawPointer
  ) -> UInt64 {
    // Safety: the secret is 192 bytes long.
    unsafe merge(accumulators, secret + 11, from: byteCount &* XXHashPrime.first)
  }

  /// Returns the upper half of 128-bit XXH3.
  @inline(__always)
  static func mergeUpperHalf(
    _ accumulators: UnsafeRawPointer, _ byteCount: UInt64, _ secret: UnsafeRawPointer
  ) -> UInt64 {
    // Safety: the secret is 192 bytes long.
    unsafe merge(accumulators, secret + 117, from: ~(byteCount &* XXHashPrime.second))
  }

  // MARK: - Seed and secret

  /// The default secret.
  static let secret: [UInt8] = [
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c,
    0xf7, 0x21, 0xad, 0x1c, 0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb,
    0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f, 0xcb, 0x79, 0xe6, 0x4e,
    0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6,
    0x81, 0x3a, 0x26, 0x4c, 0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb,
    0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3, 0x71, 0x64, 0x48, 0x97,
    0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7,
    0xc7, 0x0b, 0x4f, 0x1d, 0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31,
    0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64, 0xea, 0xc5, 0xac, 0x83,
    0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26,
    0x29, 0xd4, 0x68, 0x9e, 0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc,
    0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce, 0x45, 0xcb, 0x3a, 0x8f,
    0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
  ]
}
