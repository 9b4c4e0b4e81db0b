// SPDX-License-Identifier: Apache-2.0
// Numbers of a few thousand bits: 64-bit limbs in memory, lowest first, a multiple of eight of
// them. All operations take constant time for a given size. Functions that process secrets aren't
// inlined if the compiler would otherwise turn a mask into a branch.

/// Functions on limbs. All numbers passed to a function have the same size unless documented
/// otherwise.
enum Limbs {
  typealias Words = UnsafeMutablePointer<UInt64>
  typealias Source = UnsafePointer<UInt64>

  // Safety, throughout this file: the callers pass as many limbs as they state.

  /// Adds `a * factor` to as many limbs of `sum`, and returns the carry.
  ///
  /// Processes eight products at a time: their lower halves in one chain of additions with carry,
  /// and their upper halves in a second one, one limb higher.
  @inline(__always)
  static func addProduct(_ sum: Words, _ a: Source, _ count: Int, _ factor: UInt64) -> UInt64 {
    var above: UInt64 = 0
    var offset = 0
    while offset < count {
      above = unsafe addEightProducts(sum + offset, a + offset, factor, above)
      offset &+= 8
    }
    return above
  }

  @inline(__always)
  private static func addEightProducts(
    _ sum: Words, _ a: Source, _ factor: UInt64, _ below: UInt64
  ) -> UInt64 {
    let p0 = unsafe a[0].multipliedFullWidth(by: factor)
    let p1 = unsafe a[1].multipliedFullWidth(by: factor)
    let p2 = unsafe a[2].multipliedFullWidth(by: factor)
    let p3 = unsafe a[3].multipliedFullWidth(by: factor)
    var (low, high): (UInt64, UInt64) = (0, 0)
    var s0 = unsafe Carry.add(sum[0], p0.low, &low)
    var s1 = unsafe Carry.add(sum[1], p1.low, &low)
    var s2 = unsafe Carry.add(sum[2], p2.low, &low)
    var s3 = unsafe Carry.add(sum[3], p3.low, &low)
    s0 = Carry.add(s0, below, &high)
    s1 = Carry.add(s1, p0.high, &high)
    s2 = Carry.add(s2, p1.high, &high)
    s3 = Carry.add(s3, p2.high, &high)
    unsafe (sum[0], sum[1], sum[2], sum[3]) = (s0, s1, s2, s3)
    let p4 = unsafe a[4].multipliedFullWidth(by: factor)
    let p5 = unsafe a[5].multipliedFullWidth(by: factor)
    let p6 = unsafe a[6].multipliedFullWidth(by: factor)
    let p7 = unsafe a[7].multipliedFullWidth(by: factor)
    var s4 = unsafe Carry.add(sum[4], p4.low, &low)
    var s5 = unsafe Carry.add(sum[5], p5.low, &low)
    var s6 = unsafe Carry.add(sum[6], p6.low, &low)
    var s7 = unsafe Carry.add(sum[7], p7.low, &low)
    s4 = Carry.add(s4, p3.high, &high)
    s5 = Carry.add(s5, p4.high, &high)
    s6 = Carry.add(s6, p5.high, &high)
    s7 = Carry.add(s7, p6.high, &high)
    unsafe (sum[4], sum[5], sum[6], sum[7]) = (s4, s5, s6, s7)
    return p7.high &+ low &+ high
  }

  /// Computes the product, with twice as many limbs.
  @inline(never)
  static func multiply(_ product: Words, _ a: Source, _ b: Source, _ count: Int) {
    unsafe clear(product, count)
    for index in 0..<count {
      unsafe product[count &+ index] = addProduct(product + index, a, count, b[index])
    }
  }

  /// Computes the square, with twice as many limbs: the products of different limbs once, doubled,
  /// plus the squares of the limbs.
  @inline(never)
  static func square(_ product: Words, _ a: Source, _ count: Int) {
    unsafe clear(product, 2 &* count)
    for index in 0..<(count &- 1) {
      let left = count &- 1 &- index
      let single = left & 7
      let factor = unsafe a[index]
      var sum = unsafe product + (2 &* index &+ 1)
      var next = unsafe a + (index &+ 1)
      var above: UInt64 = 0
      for _ in 0..<single {
        let term = unsafe next.pointee.multipliedFullWidth(by: factor)
        var carry: UInt64 = 0
        let partial = Carry.add(term.low, above, &carry)
        above = term.high &+ carry
        carry = 0
        unsafe sum.pointee = Carry.add(sum.pointee, partial, &carry)
        above &+= carry
        unsafe sum += 1
        unsafe next += 1
      }
      var blocks = left &- single
      while blocks > 0 {
        above = unsafe addEightProducts(sum, next, factor, above)
        unsafe sum += 8
        unsafe next += 8
        blocks &-= 8
      }
      unsafe sum.pointee = above
    }
    unsafe doubleAndAddSquares(product, a, count)
  }

  @inline(__always)
  private static func doubleAndAddSquares(_ product: Words, _ a: Source, _ count: Int) {
    var (carry, moved): (UInt64, UInt64) = (0, 0)
    for index in 0..<count {
      let (low, high) = unsafe (product[2 &* index], product[2 &* index &+ 1])
      let square = unsafe a[index].multipliedFullWidth(by: a[index])
      unsafe product[2 &* index] = Carry.add(low &<< 1 | moved, square.low, &carry)
      unsafe product[2 &* index &+ 1] = Carry.add(high &<< 1 | low &>> 63, square.high, &carry)
      moved = high &>> 63
    }
  }

  /// `result = a - b`. Returns 1 if that is below zero.
  @inline(never)
  static func subtract(_ result: Words, _ a: Source, _ b: Source, _ count: Int) -> UInt64 {
    var borrow: UInt64 = 0
    for index in 0..<count {
      unsafe result[index] = Carry.subtract(a[index], b[index], &borrow)
    }
    return borrow
  }

  /// `result = a + b`. Returns the carry.
  @inline(never)
  static func add(_ result: Words, _ a: Source, _ b: Source, _ count: Int) -> UInt64 {
    var carry: UInt64 = 0
    for index in 0..<count {
      unsafe result[index] = Carry.add(a[index], b[index], &carry)
    }
    return carry
  }

  /// Adds a number if all bits of the mask are set, and nothing if none is.
  ///
  /// This is a separate function, because the compiler creates a branch if it sees how the mask was
  /// computed.
  @inline(never)
  static func addMasked(_ result: Words, _ a: Source, _ mask: UInt64, _ count: Int) {
    var carry: UInt64 = 0
    for index in 0..<count {
      unsafe result[index] = Carry.add(result[index], a[index] & mask, &carry)
    }
  }

  /// Returns a mask with all bits set if two numbers are equal, and none otherwise.
  @inline(never)
  static func equalMask(_ a: Source, _ b: Source, _ count: Int) -> UInt64 {
    var difference: UInt64 = 0
    for index in 0..<count { difference |= unsafe a[index] ^ b[index] }
    return ((difference | (0 &- difference)) &>> 63) &- 1
  }

  /// Selects an entry of a table, whose entries start every `stride` limbs. Reads every entry.
  @inline(never)
  static func select(
    _ result: Words, _ index: UInt64, of entryCount: Int, _ table: Source, _ count: Int,
    stride: Int
  ) {
    typealias Pair = SIMD2<UInt64>
    let bytes = unsafe UnsafeRawPointer(table)
    let output = UnsafeMutableRawPointer(result)
    let wanted = Pair(repeating: index)
    var offset = 0
    while offset < count &* 8 {
      var position = Pair.zero
      var (a, b, c, d) = (Pair.zero, Pair.zero, Pair.zero, Pair.zero)
      var entry = unsafe bytes + offset
      for _ in 0..<entryCount {
        // All bits set if the positions are equal, because only 0 has a negative predecessor.
        let mask =
          Pair.zero &- (((position ^ wanted) &- Pair(repeating: 1)) &>> Pair(repeating: 63))
        a |= unsafe entry.loadUnaligned(as: Pair.self) & mask
        b |= unsafe entry.loadUnaligned(fromByteOffset: 16, as: Pair.self) & mask
        c |= unsafe entry.loadUnaligned(fromByteOffset: 32, as: Pair.self) & mask
        d |= unsafe entry.loadUnaligned(fromByteOffset: 48, as: Pair.self) & mask
        position &+= Pair(repeating: 1)
        unsafe entry += stride &* 8
      }
      unsafe output.storeBytes(of: a, toByteOffset: offset, as: Pair.self)
      unsafe output.storeBytes(of: b, toByteOffset: offset &+ 16, as: Pair.self)
      unsafe output.storeBytes(of: c, toByteOffset: offset &+ 32, as: Pair.self)
      unsafe output.storeBytes(of: d, toByteOffset: offset &+ 48, as: Pair.self)
      offset &+= 64
    }
  }

  static func clear(_ words: Words, _ count: Int) {
    for index in 0..<count { unsafe words[index] = 0 }
  }

  static func copy(_ result: Words, _ a: Source, _ count: Int) {
    for index in 0..<count { unsafe result[index] = a[index] }
  }

  /// `result = a modulo m`, where `a` has `longCount` limbs. Processes one bit at a time, for
  /// one-time computations.
  static func remainder(
    _ result: Words, of a: Source, _ longCount: Int, _ m: Source, _ count: Int, _ scratch: Words
  ) {
    unsafe clear(result, count)
    var position = longCount &* 64
    while position > 0 {
      position &-= 1
      let bit = unsafe a[position &>> 6] &>> UInt64(truncatingIfNeeded: position & 63) & 1
      let carry = unsafe add(result, result, result, count)
      unsafe result[0] |= bit
      unsafe reduceOnce(result, carry, m, count, scratch)
    }
  }

  /// Subtracts `m` once, unless the number, with a carry above it, is below `m`. Scratch has as
  /// many limbs.
  static func reduceOnce(
    _ result: Words, _ carry: UInt64, _ m: Source, _ count: Int, _ scratch: Words
  ) {
    let borrow = unsafe subtract(scratch, result, m, count)
    unsafe copy(result, scratch, count)
    unsafe addMasked(result, m, carry &- borrow, count)
  }

  // MARK: - Bytes

  /// Reads a big-endian number of at most `count` limbs. (`reversed()` would copy the bytes of any
  /// other collection, and the copy isn't wiped.)
  static func read(
    _ result: Words, _ bytes: some BidirectionalCollection<UInt8>, _ count: Int
  ) {
    unsafe clear(result, count)
    for (index, byte) in bytes.reversed().enumerated() where index < count &* 8 {
      unsafe result[index &>> 3] |= UInt64(byte) &<< UInt64(truncatingIfNeeded: 8 &* (index & 7))
    }
  }

  /// Returns the big-endian bytes.
  static func bytes(_ a: Source, _ count: Int) -> [UInt8] {
    (0..<(count &* 8)).reversed().map { index in
      unsafe UInt8(
        truncatingIfNeeded: a[index &>> 3] &>> UInt64(truncatingIfNeeded: 8 &* (index & 7)))
    }
  }
}
