// SPDX-License-Identifier: Apache-2.0
// The loop of XXH3 over stripes of 64 bytes, in one vector of eight words: the text that each kernel module compiles
// for its own processors, whose registers have a quarter, a half or all of it.

/// The eight accumulators of XXH3 (xxHash specification, "XXH3 Algorithm Description (for large inputs)").
@frozen
@usableFromInline struct XXHash3Accumulators: BitwiseCopyable {
  @usableFromInline typealias Words = SIMD8<UInt64>

  /// The accumulators without the words in `added`.
  @usableFromInline var sums: Words

  /// The words of the stripes, each to be added to its neighbor's accumulator.
  @usableFromInline var added: Words

  @_alwaysEmitIntoClient
  @inline(__always)
  init(_ accumulators: Words) {
    sums = accumulators
    added = .zero
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  static func load(_ bytes: UnsafeRawPointer) -> Words {
    // Safety: 64 bytes are readable there.
    unsafe bytes.loadUnaligned(as: Words.self)
  }

  /// Step 2-1 for one stripe. The product of two halves of a word is one instruction.
  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func accumulate(_ stripe: UnsafeRawPointer, _ secret: UnsafeRawPointer) {
    // Safety: both have 64 bytes.
    let words = unsafe Self.load(stripe)
    let keyed = unsafe words ^ Self.load(secret)
    added = added &+ words
    sums =
      sums &+ (keyed & Words(repeating: 0xffff_ffff)) &* (keyed &>> Words(repeating: 32))
  }

  /// Step 2-1 for the sixteen stripes of a block. Written out: in a loop, the compiler puts each vector of the
  /// secret together from the words of the one before.
  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func accumulateBlock(_ block: UnsafeRawPointer, _ secret: UnsafeRawPointer) {
    // Safety: a block has 1,024 bytes, and the secret 192.
    unsafe accumulate(block, secret)
    unsafe accumulate(block + 64, secret + 8)
    unsafe accumulate(block + 128, secret + 16)
    unsafe accumulate(block + 192, secret + 24)
    unsafe accumulate(block + 256, secret + 32)
    unsafe accumulate(block + 320, secret + 40)
    unsafe accumulate(block + 384, secret + 48)
    unsafe accumulate(block + 448, secret + 56)
    unsafe accumulate(block + 512, secret + 64)
    unsafe accumulate(block + 576, secret + 72)
    unsafe accumulate(block + 640, secret + 80)
    unsafe accumulate(block + 704, secret + 88)
    unsafe accumulate(block + 768, secret + 96)
    unsafe accumulate(block + 832, secret + 104)
    unsafe accumulate(block + 896, secret + 112)
    unsafe accumulate(block + 960, secret + 120)
  }

  /// The accumulators. Neighbors are swapped here, once for many stripes.
  @_alwaysEmitIntoClient
  var joined: Words {
    @inline(__always) get {
      let swapped = Words(
        added[1], added[0], added[3], added[2], added[5], added[4], added[7], added[6])
      return sums &+ swapped
    }
  }

  /// Step 2-2, with the last 64 bytes of the secret.
  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func scramble(_ secret: UnsafeRawPointer) {
    let (prime, low) = (Words(repeating: 0x9e37_79b1), Words(repeating: 0xffff_ffff))
    var words = joined
    // Safety: the secret has 192 bytes.
    words = unsafe (words ^ (words &>> Words(repeating: 47))) ^ Self.load(secret + 128)
    // A product of 64 bits in two of 32, which are instructions.
    let high = (words &>> Words(repeating: 32)) &* prime
    sums = (words & low) &* prime &+ (high &<< Words(repeating: 32))
    added = .zero
  }
}

/// Accumulates stripes that other bytes follow. `position` stripes of their block came before, 0 to 15.
@_alwaysEmitIntoClient
@inline(__always)
package func accumulateXXHash3(
  _ accumulators: UnsafeMutableRawPointer, _ stripes: UnsafeRawPointer, _ stripeCount: Int,
  _ position: Int, _ secret: UnsafeRawPointer
) {
  // Safety: there are 64 bytes of accumulators, so many stripes, and 192 bytes of the secret.
  var state = unsafe XXHash3Accumulators(XXHash3Accumulators.load(accumulators))
  unsafe accumulateXXHash3(&state, stripes, stripeCount, position, secret)
  unsafe accumulators.storeBytes(of: state.joined, as: XXHash3Accumulators.Words.self)
}

/// The accumulators of a whole message of more than 240 bytes.
@_alwaysEmitIntoClient
@inline(__always)
package func accumulateXXHash3(
  whole bytes: UnsafeRawPointer, _ byteCount: Int, _ secret: UnsafeRawPointer,
  into accumulators: UnsafeMutableRawPointer
) {
  // Step 1.
  var state = XXHash3Accumulators(
    XXHash3Accumulators.Words(
      0xc2b2_ae3d, 0x9e37_79b1_85eb_ca87, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9,
      0x85eb_ca77_c2b2_ae63, 0x85eb_ca77, 0x27d4_eb2f_1656_67c5, 0x9e37_79b1))
  // Safety: there are so many bytes, 192 of the secret, and 64 of accumulators.
  unsafe accumulateXXHash3(&state, bytes, (byteCount &- 1) / 64, 0, secret)
  // Step 3, end.
  unsafe state.accumulate(bytes + (byteCount &- 64), secret + 121)
  unsafe accumulators.storeBytes(of: state.joined, as: XXHash3Accumulators.Words.self)
}

@_alwaysEmitIntoClient
@inline(__always)
func accumulateXXHash3(
  _ state: inout XXHash3Accumulators, _ stripes: UnsafeRawPointer, _ stripeCount: Int,
  _ position: Int, _ secret: UnsafeRawPointer
) {
  var (next, left, position) = unsafe (stripes, stripeCount, position)
  while left > 0 {
    // Safety: no more than the stripes that are left, and no more than 16 of a block.
    let count = Swift.min(16 &- position, left)
    if count == 16 {
      unsafe state.accumulateBlock(next, secret)
    } else {
      for index in 0..<count {
        unsafe state.accumulate(next + index &* 64, secret + (position &+ index) &* 8)
      }
    }
    unsafe next += count &* 64
    position &+= count
    left &-= count
    if position == 16 {
      unsafe state.scramble(secret)
      position = 0
    }
  }
}
