// SPDX-License-Identifier: Apache-2.0
// SHA-512 of one long message: the schedules of four of its blocks in parallel in a vector, and the
// rounds one after the other in integers. A kernel module compiles this source for its own
// processors. Nothing here generates code in this module.

/// Sixteen words of the message schedules of four blocks: a window that advances one word per
/// round.
@frozen
@usableFromInline struct SHA512Schedules: BitwiseCopyable {
  @usableFromInline typealias Words = SIMD4<UInt64>

  @usableFromInline var w0, w1, w2, w3, w4, w5, w6, w7: Words
  @usableFromInline var w8, w9, w10, w11, w12, w13, w14, w15: Words

  /// Whether the processor has instructions that rotate a vector. Constant in each kernel module.
  @usableFromInline let canRotate: Bool

  /// Step 1, t < 16.
  @_alwaysEmitIntoClient
  @inline(__always)
  init(_ blocks: UnsafeRawPointer, canRotate: Bool) {
    self.canRotate = canRotate
    // Whole vectors, transposed: for single words, the compiler would generate slow gathers.
    typealias Halves = SIMD8<UInt32>
    @inline(__always) func row(_ offset: Int) -> Halves {
      // Safety: there are four blocks of 128 bytes.
      unsafe blocks.loadUnaligned(fromByteOffset: offset, as: Halves.self).bigEndian
    }
    @inline(__always) func joined(_ h: Halves) -> Words {
      // Safety: both are 32 plain bytes.
      unsafe unsafeBitCast(
        Halves(h[1], h[0], h[3], h[2], h[5], h[4], h[7], h[6]), to: Words.self)
    }
    @inline(__always) func four(_ index: Int) -> (Words, Words, Words, Words) {
      let offset = index &* 8
      let (a0, a1) = Halves.pairs(row(offset), row(offset &+ 128))
      let (b0, b1) = Halves.pairs(row(offset &+ 256), row(offset &+ 384))
      return (
        joined(Halves.low(a0, b0)), joined(Halves.low(a1, b1)),
        joined(Halves.high(a0, b0)), joined(Halves.high(a1, b1))
      )
    }
    (w0, w1, w2, w3) = four(0)
    (w4, w5, w6, w7) = four(4)
    (w8, w9, w10, w11) = four(8)
    (w12, w13, w14, w15) = four(12)
  }

  /// Two rotations and a shift. Without instructions that rotate a vector, in an order in which no
  /// two adjacent terms form one rotation, for which the compiler would generate integer
  /// instructions.
  @_alwaysEmitIntoClient
  @inline(__always)
  func sigma(_ x: Words, rotations first: UInt64, _ second: UInt64, shift: UInt64) -> Words {
    @inline(__always) func right(_ n: UInt64) -> Words { x &>> Words(repeating: n) }
    @inline(__always) func left(_ n: UInt64) -> Words { x &<< Words(repeating: 64 &- n) }
    if canRotate {
      return (right(first) | left(first)) ^ (right(second) | left(second)) ^ right(shift)
    }
    return (right(first) ^ left(second)) ^ (right(second) ^ left(first)) ^ right(shift)
  }

  /// Returns this round's words. Step 1, t >= 16, also computes those for 16 rounds later.
  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func next() -> Words {
    // FIPS 180-4, 4.1.3 (4.12) and (4.13)
    let sigma0 = sigma(w1, rotations: 1, 8, shift: 7)
    let sigma1 = sigma(w14, rotations: 19, 61, shift: 6)
    let words = w0
    let later = (w0 &+ sigma0) &+ (w9 &+ sigma1)
    (w0, w1, w2, w3, w4, w5, w6, w7) = (w1, w2, w3, w4, w5, w6, w7, w8)
    (w8, w9, w10, w11, w12, w13, w14, w15) = (w9, w10, w11, w12, w13, w14, w15, later)
    return words
  }

  /// Stores the round's constant plus its words, for sixteen rounds.
  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func sixteen(_ k: UnsafePointer<UInt64>, into schedule: UnsafeMutablePointer<UInt64>) {
    let bytes = UnsafeMutableRawPointer(schedule)
    @inline(__always) func store(_ index: Int, _ words: Words) {
      // Safety: both have 16 entries from here.
      unsafe bytes.storeBytes(
        of: words &+ Words(repeating: k[index]), toByteOffset: index &* 32, as: Words.self)
    }
    store(0, next())
    store(1, next())
    store(2, next())
    store(3, next())
    store(4, next())
    store(5, next())
    store(6, next())
    store(7, next())
    store(8, next())
    store(9, next())
    store(10, next())
    store(11, next())
    store(12, next())
    store(13, next())
    store(14, next())
    store(15, next())
  }
}

/// Compresses 128-byte blocks into `state` (8 words), four at a time. Returns the number of
/// compressed blocks, a multiple of four.
///
/// `k` is 80 words long, `schedule` 320. The caller must wipe `schedule`, which depends on the
/// message. `canRotate` is whether the processor has instructions that rotate a vector.
@_alwaysEmitIntoClient
@inline(__always)
package func compressSHA512Stream(
  _ state: UnsafeMutablePointer<UInt64>, _ blocks: UnsafeRawPointer, _ blockCount: Int,
  _ k: UnsafePointer<UInt64>, _ schedule: UnsafeMutablePointer<UInt64>, canRotate: Bool
) -> Int {
  // Safety: `state` is 8 words long, `blocks` is `blockCount` blocks, `k` 80 words and `schedule`
  // 320.
  var v = unsafe StreamVariables(state)
  var done = 0
  while blockCount &- done >= 4 {
    var w = unsafe SHA512Schedules(blocks + done &* 128, canRotate: canRotate)
    var t = 0
    while t < 80 {
      unsafe w.sixteen(k + t, into: schedule + t &* 4)
      t &+= 16
    }
    for lane in 0..<4 {
      let start = v
      for sixteen in 0..<5 {
        unsafe v.sixteenRounds(schedule + (sixteen &* 64 &+ lane), stride: 4)
      }
      v.add(start)
    }
    done &+= 4
  }
  unsafe v.store(in: state)
  return done
}
