// SPDX-License-Identifier: Apache-2.0
// The loop of XXH3 over stripes of 64 bytes, in one vector of eight words: the source that each
// kernel module compiles for its own processors, whose registers hold a quarter, a half or all of
// it.

/// The eight accumulators of XXH3 (xxHash specification, "XXH3 Algorithm Description (for large
/// inputs)").
@frozen
@usableFromInline struct XXHash3Accumulators: BitwiseCopyable {
  @usableFromInline typealias Words = SIMD8<UInt64>

  /// The accumulators without the words in `added`.
  @usableFromInline var sums: Words

  /// The words of the stripes, each to be added to the neighboring word's accumulator.
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

  /// Step 2-1 for one stripe. The product of a word's two halves is one instruction.
  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func accumulate(_ stripe: UnsafeRawPointer, _ secret: UnsafeRawPointer) {
    // Safety: both are 64 bytes long.
    let words = unsafe Self.load(stripe)
    let keyed = unsafe words ^ Self.load(secret)
    added = added &+ words
    sums =
      sums &+ (keyed & Words(repeating: 0xffff_ffff)) &* (keyed &>> Words(repeating: 32))
  }

  /// Step 2-1 for the sixteen stripes of a block. Unrolled, because in a loop, the compiler
  /// assembles each vector of the secret from words of the previous one.
  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func accumulateBlock(_ block: UnsafeRawPointer, _ secret: UnsafeRawPointer) {
    // Safety: a block is 1,024 bytes long, and the secret 192.
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

  /// The accumulators. This swaps neighbors, once for many stripes.
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
    // Safety: the secret is 192 bytes long.
    words = unsafe (words ^ (words &>> Words(repeating: 47))) ^ Self.load(secret + 128)
    // Splits a 64-bit product into two 32-bit ones, which are instructions.
    let high = (words &>> Words(repeating: 32)) &* prime
    sums = (words & low) &* prime &+ (high &<< Words(repeating: 32))
    added = .zero
  }
}

/// Accumulates stripes that are followed by more bytes. `position`, 0 to 15, is the number of
/// earlier stripes in their block.
@_alwaysEmitIntoClient
@inline(__always)
package func accumulateXXHash3(
  _ accumulators: UnsafeMutableRawPointer, _ stripes: UnsafeRawPointer, _ stripeCount: Int,
  _ position: Int, _ secret: UnsafeRawPointer
) {
  // Safety: there are 64 bytes of accumulators, `stripeCount` stripes, and 192 bytes of the secret.
  var state = unsafe XXHash3Accumulators(XXHash3Accumulators.load(accumulators))
  unsafe accumulateXXHash3(&state, stripes, stripeCount, position, secret)
  unsafe accumulators.storeBytes(of: state.joined, as: XXHash3Accumulators.Words.self)
}

/// Computes the accumulators of a whole message longer than 240 bytes.
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
  // Safety: there are `byteCount` bytes, 192 of the secret, and 64 of accumulators.
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
    // Safety: `count` is at most the remaining stripes, and at most 16 per block.
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
