// SPDX-License-Identifier: Apache-2.0
// Eight lanes in a vector of 256 bits, for the modules that are compiled for processors that have it.

/// Eight words, one to a lane.
@frozen
public struct Lanes8: LaneWord {
  /// 8.
  @_alwaysEmitIntoClient
  public static var laneCount: Int {
    @inline(__always) get { 8 }
  }

  @usableFromInline
  var words: SIMD8<UInt32>

  @_alwaysEmitIntoClient
  @inline(__always)
  init(_ words: SIMD8<UInt32>) {
    self.words = words
  }

  /// The same word in every lane.
  @_alwaysEmitIntoClient
  @inline(__always)
  public init(repeating word: UInt32) {
    words = SIMD8(repeating: word)
  }

  /// The words of the lanes in memory, lane 0 first.
  @_alwaysEmitIntoClient
  @inline(__always)
  public func store(in words: UnsafeMutablePointer<UInt32>) {
    // Safety: there are 8 words.
    unsafe UnsafeMutableRawPointer(words).storeBytes(of: self.words, as: SIMD8<UInt32>.self)
  }

  /// The sums, lane by lane, modulo 2^32.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func &+ (_ left: Self, _ right: Self) -> Self {
    Self(left.words &+ right.words)
  }

  /// Exclusive or.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func ^ (_ left: Self, _ right: Self) -> Self {
    Self(left.words ^ right.words)
  }

  /// And.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func & (_ left: Self, _ right: Self) -> Self {
    Self(left.words & right.words)
  }

  /// Not.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static prefix func ~ (_ word: Self) -> Self {
    Self(~word.words)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  func shiftedRight(_ count: Int32) -> Self {
    Self(words &>> SIMD8(repeating: UInt32(truncatingIfNeeded: count)))
  }

  /// Written so that the compiler makes one instruction of it where there is one.
  @_alwaysEmitIntoClient
  @inline(__always)
  func rotatedRight(_ count: Int32) -> Self {
    let left = SIMD8(repeating: UInt32(truncatingIfNeeded: 32 &- count))
    return Self(shiftedRight(count).words | (words &<< left))
  }

  /// FIPS 180-4, 4.1.2: see ``LaneWord``.
  @_alwaysEmitIntoClient
  @inline(__always)
  public func sigma(rotations first: Int32, _ second: Int32, _ third: Int32) -> Self {
    rotatedRight(first) ^ rotatedRight(second) ^ rotatedRight(third)
  }

  /// FIPS 180-4, 4.1.2: see ``LaneWord``.
  @_alwaysEmitIntoClient
  @inline(__always)
  public func sigma(rotations first: Int32, _ second: Int32, shift: Int32) -> Self {
    rotatedRight(first) ^ rotatedRight(second) ^ shiftedRight(shift)
  }
}

extension Lanes8 {
  /// The states of the lanes, one after the other in memory.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func load(_ states: UnsafeMutablePointer<UInt32>) -> Octet {
    // Safety: there are 8 states of 8 words.
    unsafe transposed(
      (
        row(states, 0), row(states, 32), row(states, 64), row(states, 96),
        row(states, 128), row(states, 160), row(states, 192), row(states, 224)
      ))
  }

  /// Writes a state for each lane, one after the other.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func store(_ octet: Octet, in states: UnsafeMutablePointer<UInt32>) {
    let rows = transposed(octet)
    // Safety: there are 8 states of 8 words.
    unsafe rows.0.store(in: states)
    unsafe rows.1.store(in: states + 8)
    unsafe rows.2.store(in: states + 16)
    unsafe rows.3.store(in: states + 24)
    unsafe rows.4.store(in: states + 32)
    unsafe rows.5.store(in: states + 40)
    unsafe rows.6.store(in: states + 48)
    unsafe rows.7.store(in: states + 56)
  }

  /// 8 big-endian words of each lane.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func load(_ blocks: UnsafePointer<UnsafeRawPointer>, _ offset: Int) -> Octet {
    // Safety: each of the 8 lanes has 32 bytes there.
    unsafe transposed(
      (
        row(blocks[0], offset).byteSwapped, row(blocks[1], offset).byteSwapped,
        row(blocks[2], offset).byteSwapped, row(blocks[3], offset).byteSwapped,
        row(blocks[4], offset).byteSwapped, row(blocks[5], offset).byteSwapped,
        row(blocks[6], offset).byteSwapped, row(blocks[7], offset).byteSwapped
      ))
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  static func row(_ bytes: UnsafeRawPointer, _ offset: Int) -> Self {
    // Safety: 32 bytes are readable there.
    unsafe Self((bytes + offset).loadUnaligned(as: SIMD8<UInt32>.self))
  }

  /// Written so that the compiler makes one instruction of it.
  @_alwaysEmitIntoClient
  var byteSwapped: Self {
    @inline(__always) get {
      let (even, odd) = (
        SIMD8<UInt32>(repeating: 0x00FF_00FF), SIMD8<UInt32>(repeating: 0xFF00_FF00)
      )
      let e = SIMD8<UInt32>(repeating: 8)
      let halves = ((words &<< e) & odd) | ((words &>> e) & even)
      return Self(halves).rotatedRight(16)
    }
  }

  /// Rows become columns: pairs of words, then pairs of pairs, then halves.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func transposed(_ rows: Octet) -> Octet {
    let (a0, a1) = words(rows.0.words, rows.1.words)
    let (a2, a3) = words(rows.2.words, rows.3.words)
    let (a4, a5) = words(rows.4.words, rows.5.words)
    let (a6, a7) = words(rows.6.words, rows.7.words)
    let (b0, b1) = pairs(a0, a2)
    let (b2, b3) = pairs(a1, a3)
    let (b4, b5) = pairs(a4, a6)
    let (b6, b7) = pairs(a5, a7)
    return (
      low(b0, b4), low(b1, b5), low(b2, b6), low(b3, b7),
      high(b0, b4), high(b1, b5), high(b2, b6), high(b3, b7)
    )
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  static func words(
    _ a: SIMD8<UInt32>, _ b: SIMD8<UInt32>
  ) -> (SIMD8<UInt32>, SIMD8<UInt32>) {
    (
      SIMD8(a[0], b[0], a[1], b[1], a[4], b[4], a[5], b[5]),
      SIMD8(a[2], b[2], a[3], b[3], a[6], b[6], a[7], b[7])
    )
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  static func pairs(
    _ a: SIMD8<UInt32>, _ b: SIMD8<UInt32>
  ) -> (SIMD8<UInt32>, SIMD8<UInt32>) {
    // Safety: all of them are 32 plain bytes.
    let (x, y) = unsafe (
      unsafeBitCast(a, to: SIMD4<UInt64>.self), unsafeBitCast(b, to: SIMD4<UInt64>.self)
    )
    return unsafe (
      unsafeBitCast(SIMD4(x[0], y[0], x[2], y[2]), to: SIMD8<UInt32>.self),
      unsafeBitCast(SIMD4(x[1], y[1], x[3], y[3]), to: SIMD8<UInt32>.self)
    )
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  static func low(_ first: SIMD8<UInt32>, _ second: SIMD8<UInt32>) -> Self {
    Self(SIMD8(lowHalf: first.lowHalf, highHalf: second.lowHalf))
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  static func high(_ first: SIMD8<UInt32>, _ second: SIMD8<UInt32>) -> Self {
    Self(SIMD8(lowHalf: first.highHalf, highHalf: second.highHalf))
  }
}
