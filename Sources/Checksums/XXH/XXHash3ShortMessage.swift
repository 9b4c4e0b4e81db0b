// SPDX-License-Identifier: Apache-2.0
// XXH3 of messages of up to 240 bytes. With seed 0, the parts of the secret used by the shortest
// ones are constants.

extension XXHash3 {
  /// A message of up to 240 bytes.
  @safe
  struct ShortMessage {
    let bytes: UnsafeRawPointer
    let count: Int
    let secret: UnsafeRawPointer

    /// 64-bit XXH3.
    @inline(__always)
    var checksum64: UInt64 {
      if count <= 16 { return upTo16 }
      if count <= 128 { return upTo128 }
      return upTo240
    }

    /// 128-bit XXH3.
    @inline(__always)
    var checksum128: XXHash128Checksum.Checksum {
      if count <= 16 { return upTo16Wide }
      return wide(count <= 128 ? upTo128Wide : upTo240Wide)
    }

    // Safety, throughout this file: offsets are below `count`, or below 192 for the secret.

    @inline(__always)
    func word(_ offset: Int) -> UInt64 { unsafe XXHash3.word(bytes, offset) }

    /// `mixStep`: mixes 16 bytes of the message with 16 of the secret.
    @inline(__always)
    func mix(_ offset: Int, _ secretOffset: Int) -> UInt64 {
      unsafe XXHash3.foldedProduct(
        word(offset) ^ XXHash3.word(secret, secretOffset),
        word(offset &+ 8) ^ XXHash3.word(secret, secretOffset &+ 8))
    }

    /// Up to 3 bytes and their count in one word, for nonempty messages.
    @inline(__always)
    var combined: UInt32 {
      @inline(__always) func byte(_ index: Int) -> UInt32 {
        unsafe UInt32(bytes.load(fromByteOffset: index, as: UInt8.self))
      }
      return byte(count &- 1) | UInt32(truncatingIfNeeded: count) &<< 8 | byte(0) &<< 16
        | byte(count &>> 1) &<< 24
    }
  }
}

// MARK: - 64 bits

extension XXHash3.ShortMessage {
  @inline(__always)
  var upTo16: UInt64 {
    if count > 8 { return from9 }
    if count >= 4 { return from4 }
    if count > 0 { return XXHash3.avalancheXXH64(0x8727_5a9b ^ UInt64(combined)) }
    return XXHash3.avalancheXXH64(0x8726_f910_5dc2_1ddc)
  }

  @inline(__always)
  var from4: UInt64 {
    let first = unsafe UInt64(XXHash3.halfWord(bytes, 0))
    let last = unsafe UInt64(XXHash3.halfWord(bytes, count &- 4))
    let keyed = (last | first &<< 32) ^ 0xc73a_b174_c5ec_d5a2
    let turned = (keyed &<< 49 | keyed &>> 15) ^ (keyed &<< 24 | keyed &>> 40)
    let product = (keyed ^ turned) &* XXHashPrime.secondOfXXH3
    let sum = product &>> 35 &+ UInt64(truncatingIfNeeded: count)
    let end = (product ^ sum) &* XXHashPrime.secondOfXXH3
    return end ^ end &>> 28
  }

  @inline(__always)
  var from9: UInt64 {
    let low = word(0) ^ 0x6782_737b_ea42_39b9
    let high = word(count &- 8) ^ 0xaf56_bc3b_0996_523a
    let sum = UInt64(truncatingIfNeeded: count) &+ low.byteSwapped &+ high
    return XXHash3.avalanche(sum &+ XXHash3.foldedProduct(low, high))
  }

  /// Pairs of 16 bytes from both ends. Unrolled, because the loop is slower.
  @inline(__always)
  var upTo128: UInt64 {
    var sum = UInt64(truncatingIfNeeded: count) &* XXHashPrime.first
    if count > 32 {
      if count > 64 {
        if count > 96 { sum &+= mix(48, 96) &+ mix(count &- 64, 112) }
        sum &+= mix(32, 64) &+ mix(count &- 48, 80)
      }
      sum &+= mix(16, 32) &+ mix(count &- 32, 48)
    }
    return XXHash3.avalanche(sum &+ (mix(0, 0) &+ mix(count &- 16, 16)))
  }

  @inline(__always)
  var upTo240: UInt64 {
    var sum = UInt64(truncatingIfNeeded: count) &* XXHashPrime.first
    sum &+= (mix(0, 0) &+ mix(16, 16)) &+ (mix(32, 32) &+ mix(48, 48))
    sum &+= (mix(64, 64) &+ mix(80, 80)) &+ (mix(96, 96) &+ mix(112, 112))
    sum = XXHash3.avalanche(sum)
    var offset = 128
    while offset &+ 16 <= count {
      sum &+= mix(offset, offset &- 125)
      offset &+= 16
    }
    return XXHash3.avalanche(sum &+ mix(count &- 16, 119))
  }
}

// MARK: - 128 bits

extension XXHash3.ShortMessage {
  typealias Checksum = XXHash128Checksum.Checksum

  @inline(__always)
  var upTo16Wide: Checksum {
    if count > 8 { return from9Wide }
    if count >= 4 { return from4Wide }
    if count > 0 {
      let swapped = combined.byteSwapped
      let turned = UInt64(swapped &<< 13 | swapped &>> 19)
      return Checksum(
        high: XXHash3.avalancheXXH64(0x302c_208b ^ turned),
        low: XXHash3.avalancheXXH64(0x8727_5a9b ^ UInt64(combined)))
    }
    return Checksum(
      high: XXHash3.avalancheXXH64(0x9655_d30b_d1a7_7d49),
      low: XXHash3.avalancheXXH64(0x682e_908a_3037_f8b4))
  }

  @inline(__always)
  var from4Wide: Checksum {
    let first = unsafe UInt64(XXHash3.halfWord(bytes, 0))
    let last = unsafe UInt64(XXHash3.halfWord(bytes, count &- 4))
    let keyed = (first | last &<< 32) ^ 0xc4f0_2334_4dc9_94ac
    let factor = XXHashPrime.first &+ UInt64(truncatingIfNeeded: count) &<< 2
    var (high, low) = keyed.multipliedFullWidth(by: factor)
    high &+= low &<< 1
    low ^= high &>> 3
    low = (low ^ low &>> 35) &* XXHashPrime.secondOfXXH3
    return Checksum(high: XXHash3.avalanche(high), low: low ^ low &>> 28)
  }

  @inline(__always)
  var from9Wide: Checksum {
    let last = word(count &- 8)
    let first = word(0) ^ last ^ 0x5997_3f00_3336_2349
    let second = last ^ 0xc202_7976_92d6_3d58
    let product = first.multipliedFullWidth(by: XXHashPrime.first)
    let low = product.low &+ UInt64(truncatingIfNeeded: count &- 1) &<< 54
    let high =
      product.high &+ second
      &+ UInt64(truncatingIfNeeded: second & 0xffff_ffff) &* (XXHashPrime.shortSecond &- 1)
    // 128 bits times 64.
    let end = (low ^ high.byteSwapped).multipliedFullWidth(by: XXHashPrime.second)
    return Checksum(
      high: XXHash3.avalanche(end.high &+ high &* XXHashPrime.second),
      low: XXHash3.avalanche(end.low))
  }

  /// The two accumulators of messages of 17 to 240 bytes.
  struct Sums {
    var low: UInt64
    var high: UInt64
  }

  @inline(__always)
  var start: Sums { Sums(low: UInt64(truncatingIfNeeded: count) &* XXHashPrime.first, high: 0) }

  /// `mixTwoChunks`: mixes two chunks of 16 bytes of the message with 32 bytes of the secret.
  @inline(__always)
  func mix(_ first: Int, _ second: Int, _ secretOffset: Int, into sums: inout Sums) {
    sums.low = sums.low &+ mix(first, secretOffset) ^ (word(second) &+ word(second &+ 8))
    sums.high =
      sums.high &+ mix(second, secretOffset &+ 16) ^ (word(first) &+ word(first &+ 8))
  }

  @inline(__always)
  var upTo128Wide: Sums {
    var sums = start
    if count > 32 {
      if count > 64 {
        if count > 96 { mix(48, count &- 64, 96, into: &sums) }
        mix(32, count &- 48, 64, into: &sums)
      }
      mix(16, count &- 32, 32, into: &sums)
    }
    mix(0, count &- 16, 0, into: &sums)
    return sums
  }

  @inline(__always)
  var upTo240Wide: Sums {
    var sums = start
    mix(0, 16, 0, into: &sums)
    mix(32, 48, 32, into: &sums)
    mix(64, 80, 64, into: &sums)
    mix(96, 112, 96, into: &sums)
    sums = Sums(low: XXHash3.avalanche(sums.low), high: XXHash3.avalanche(sums.high))
    var offset = 128
    while offset &+ 32 <= count {
      mix(offset, offset &+ 16, offset &- 125, into: &sums)
      offset &+= 32
    }
    mix(count &- 16, count &- 32, 103, into: &sums)
    return sums
  }

  /// Step 3.
  @inline(__always)
  func wide(_ sums: Sums) -> Checksum {
    let byteCount = UInt64(truncatingIfNeeded: count)
    let high =
      sums.low &* XXHashPrime.first &+ sums.high &* XXHashPrime.fourth
      &+ byteCount &* XXHashPrime.second
    return Checksum(
      high: 0 &- XXHash3.avalanche(high), low: XXHash3.avalanche(sums.low &+ sums.high))
  }
}
