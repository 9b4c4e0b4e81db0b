// SPDX-License-Identifier: Apache-2.0
// Sixteen bytes side by side: a vector, or two numbers where the processor has none.

#if arch(x86_64) || arch(arm64) || arch(arm64_32)
  typealias ByteVector = SIMD16<UInt8>

  extension ByteVector {
    /// The bytes as two numbers.
    @inline(__always)
    var halves: (UInt64, UInt64) {
      // Safety: both are sixteen bytes.
      let halves = unsafe unsafeBitCast(self, to: SIMD2<UInt64>.self)
      return (halves[0], halves[1])
    }
  }
#else
  struct ByteVector: BitwiseCopyable {
    let halves: (UInt64, UInt64)

    @inline(__always)
    init(repeating byte: UInt8) {
      self.init(EightBytes.ones &* UInt64(byte), EightBytes.ones &* UInt64(byte))
    }

    @inline(__always)
    private init(_ first: UInt64, _ second: UInt64) { halves = (first, second) }

    @inline(__always)
    static func | (left: Self, right: Self) -> Self {
      Self(left.halves.0 | right.halves.0, left.halves.1 | right.halves.1)
    }

    @inline(__always)
    static func & (left: Self, right: Self) -> Self {
      Self(left.halves.0 & right.halves.0, left.halves.1 & right.halves.1)
    }

    @inline(__always)
    static func ^ (left: Self, right: Self) -> Self {
      Self(left.halves.0 ^ right.halves.0, left.halves.1 ^ right.halves.1)
    }

    @inline(__always)
    static prefix func ~ (value: Self) -> Self { Self(~value.halves.0, ~value.halves.1) }

    /// The bytes with their bits moved down.
    @inline(__always)
    static func &>> (value: Self, count: UInt64) -> Self {
      let kept = EightBytes.ones &* (0xFF &>> count)
      return Self(value.halves.0 &>> count & kept, value.halves.1 &>> count & kept)
    }

    /// The sums of the bytes, without what is carried.
    @inline(__always)
    static func &+ (left: Self, right: Self) -> Self {
      Self(
        sum(left.halves.0, right.halves.0), sum(left.halves.1, right.halves.1))
    }

    @inline(__always)
    private static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
      let high = EightBytes.highBits
      return (left & ~high) &+ (right & ~high) ^ (left ^ right) & high
    }
  }
#endif
