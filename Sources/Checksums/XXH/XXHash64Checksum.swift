// SPDX-License-Identifier: Apache-2.0
// XXH64, a 64-bit checksum, in plain Swift.

internal import SecureHashing

/// XXH64 of the xxHash specification with seed 0: a 64-bit checksum.
///
/// Amazon S3 uses it for `x-amz-checksum-xxhash64`. ``XXHash3Checksum`` is faster.
public struct XXHash64Checksum: ChecksumFunction {
  /// The type of the checksum.
  public typealias Checksum = UInt64

  /// 32 bytes in memory order.
  typealias Stripe = (UInt64, UInt64, UInt64, UInt64)

  var accumulators = Accumulators()
  var buffer = BlockBuffer<Stripe>(pending: (0, 0, 0, 0), messageByteCount: 0)

  /// Creates a computation with an empty message.
  public init() {}

  /// Appends bytes to the message.
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    var accumulators = accumulators
    // Safety: the buffer passes whole stripes.
    unsafe buffer.append(bufferPointer) { unsafe accumulators.update($0, $1) }
    self.accumulators = accumulators
  }

  /// Returns the checksum of the message so far. You can keep updating it afterward.
  public func finalize() -> UInt64 {
    // Safety: fewer than 32 bytes are pending, and they outlive the closure.
    unsafe withUnsafeBytes(of: buffer.pending) { bytes in
      guard let start = bytes.baseAddress else { return 0 }
      return unsafe accumulators.finish(start, afterAll: buffer.messageByteCount)
    }
  }

  /// Computes the checksum of a whole message.
  public static func checksum(bufferPointer bytes: UnsafeRawBufferPointer) -> UInt64 {
    guard let start = bytes.baseAddress else { return Self().finalize() }
    var accumulators = Accumulators()
    let stripeCount = bytes.count / 32
    // Safety: there are `stripeCount` stripes, followed by the remaining bytes.
    unsafe accumulators.update(start, stripeCount)
    return unsafe accumulators.finish(
      start + stripeCount &* 32, afterAll: UInt64(truncatingIfNeeded: bytes.count))
  }
}

extension XXHash64Checksum: CustomStringConvertible {
  /// The kind of computation, never its state. The message may be secret.
  public var description: String { "XXH64 computation" }
}

extension XXHash64Checksum {
  /// The steps of the xxHash specification, "XXH64 Algorithm Description", by number.
  struct Accumulators: BitwiseCopyable {
    // Step 1: sums of primes.
    var a: UInt64 = 0x60ea_27ee_adc0_b5d6
    var b = XXHashPrime.second
    var c: UInt64 = 0
    var d = 0 &- XXHashPrime.first

    /// Step 2.
    @inline(__always)
    mutating func update(_ stripes: UnsafeRawPointer, _ count: Int) {
      // Safety: there are `count` stripes of 32 bytes.
      let end = unsafe stripes + count &* 32
      var stripe = unsafe stripes
      while unsafe stripe < end {
        a = unsafe Self.round(a, XXHash3.word(stripe, 0))
        b = unsafe Self.round(b, XXHash3.word(stripe, 8))
        c = unsafe Self.round(c, XXHash3.word(stripe, 16))
        d = unsafe Self.round(d, XXHash3.word(stripe, 24))
        unsafe stripe += 32
      }
    }

    /// Steps 3 to 6, with the bytes left over after the last stripe.
    @inline(__always)
    func finish(_ rest: UnsafeRawPointer, afterAll byteCount: UInt64) -> UInt64 {
      // Safety: `rest` points to the last byteCount % 32 bytes.
      let count = Int(truncatingIfNeeded: byteCount & 31)
      var sum = (byteCount < 32 ? XXHashPrime.fifth : merged) &+ byteCount
      var position = 0
      while position &+ 8 <= count {
        sum ^= unsafe Self.round(0, XXHash3.word(rest, position))
        sum = Self.rotated(sum, 27) &* XXHashPrime.first &+ XXHashPrime.fourth
        position &+= 8
      }
      if position &+ 4 <= count {
        sum ^= unsafe UInt64(XXHash3.halfWord(rest, position)) &* XXHashPrime.first
        sum = Self.rotated(sum, 23) &* XXHashPrime.second &+ XXHashPrime.third
        position &+= 4
      }
      while position < count {
        let byte = unsafe rest.load(fromByteOffset: position, as: UInt8.self)
        sum ^= UInt64(byte) &* XXHashPrime.fifth
        sum = Self.rotated(sum, 11) &* XXHashPrime.first
        position &+= 1
      }
      return XXHash3.avalancheXXH64(sum)
    }

    /// Step 3.
    var merged: UInt64 {
      let sum =
        (Self.rotated(a, 1) &+ Self.rotated(b, 7)) &+ (Self.rotated(c, 12) &+ Self.rotated(d, 18))
      return Self.merge(Self.merge(Self.merge(Self.merge(sum, a), b), c), d)
    }

    @inline(__always)
    static func merge(_ sum: UInt64, _ accumulator: UInt64) -> UInt64 {
      (sum ^ round(0, accumulator)) &* XXHashPrime.first &+ XXHashPrime.fourth
    }

    @inline(__always)
    static func round(_ accumulator: UInt64, _ word: UInt64) -> UInt64 {
      rotated(accumulator &+ word &* XXHashPrime.second, 31) &* XXHashPrime.first
    }

    @inline(__always)
    static func rotated(_ x: UInt64, _ n: UInt64) -> UInt64 { (x &<< n) | (x &>> (64 &- n)) }
  }
}

/// The primes of the xxHash specification, in its order.
enum XXHashPrime {
  static var first: UInt64 { 0x9e37_79b1_85eb_ca87 }
  static var second: UInt64 { 0xc2b2_ae3d_27d4_eb4f }
  static var third: UInt64 { 0x1656_67b1_9e37_79f9 }
  static var fourth: UInt64 { 0x85eb_ca77_c2b2_ae63 }
  static var fifth: UInt64 { 0x27d4_eb2f_1656_67c5 }

  // The 32-bit primes.
  static var shortFirst: UInt64 { 0x9e37_79b1 }
  static var shortSecond: UInt64 { 0x85eb_ca77 }
  static var shortThird: UInt64 { 0xc2b2_ae3d }

  // PRIME_MX1 and PRIME_MX2 of XXH3.
  static var firstOfXXH3: UInt64 { 0x1656_6791_9e37_79f9 }
  static var secondOfXXH3: UInt64 { 0x9fb2_1c65_1e98_df25 }
}
