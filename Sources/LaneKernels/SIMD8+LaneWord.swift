// SPDX-License-Identifier: Apache-2.0
// Eight lanes, in 256 bits, for modules compiled for processors with such vectors.

extension SIMD8: LaneWord where Scalar == UInt32 {
  /// The number of lanes: 8.
  @_alwaysEmitIntoClient
  package static var laneCount: Int {
    @inline(__always) get { 8 }
  }

  /// Loads the states of the lanes.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func load(_ states: UnsafeMutablePointer<UInt32>) -> Octet {
    // Safety: there are 8 states of 8 words.
    unsafe transposed(
      (
        row(states, 0), row(states, 32), row(states, 64), row(states, 96),
        row(states, 128), row(states, 160), row(states, 192), row(states, 224)
      ))
  }

  /// Stores a state for each lane.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func store(_ octet: Octet, in states: UnsafeMutablePointer<UInt32>) {
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

  /// Loads 8 words of each block.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func load(_ blocks: UnsafePointer<UnsafeRawPointer>, _ offset: Int) -> Octet {
    // Safety: each of the 8 lanes has 32 bytes there.
    unsafe transposed(
      (
        row(blocks[0], offset).bigEndian, row(blocks[1], offset).bigEndian,
        row(blocks[2], offset).bigEndian, row(blocks[3], offset).bigEndian,
        row(blocks[4], offset).bigEndian, row(blocks[5], offset).bigEndian,
        row(blocks[6], offset).bigEndian, row(blocks[7], offset).bigEndian
      ))
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  static func row(_ bytes: UnsafeRawPointer, _ offset: Int) -> Self {
    // Safety: 32 bytes are readable there.
    unsafe (bytes + offset).loadUnaligned(as: Self.self)
  }

  /// The words with their bytes reversed, written so that it compiles to one instruction.
  @_alwaysEmitIntoClient
  var bigEndian: Self {
    @inline(__always) get {
      let (odd, even) = (Self(repeating: 0xFF00_FF00), Self(repeating: 0x00FF_00FF))
      return ((left(8) & odd) | (right(8) & even)).rotated(16)
    }
  }

  /// Transposes rows into columns: pairs of words, then pairs of pairs, then halves.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func transposed(_ rows: Octet) -> Octet {
    let (a0, a1) = words(rows.0, rows.1)
    let (a2, a3) = words(rows.2, rows.3)
    let (a4, a5) = words(rows.4, rows.5)
    let (a6, a7) = words(rows.6, rows.7)
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
  static func words(_ a: Self, _ b: Self) -> (Self, Self) {
    (
      Self(a[0], b[0], a[1], b[1], a[4], b[4], a[5], b[5]),
      Self(a[2], b[2], a[3], b[3], a[6], b[6], a[7], b[7])
    )
  }

  /// Uses 64-bit elements, because with words, the compiler generates one instruction for each.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func pairs(_ a: Self, _ b: Self) -> (Self, Self) {
    // Safety: all of them are 32 plain bytes.
    let (x, y) = unsafe (
      unsafeBitCast(a, to: SIMD4<UInt64>.self), unsafeBitCast(b, to: SIMD4<UInt64>.self)
    )
    return unsafe (
      unsafeBitCast(SIMD4(x[0], y[0], x[2], y[2]), to: Self.self),
      unsafeBitCast(SIMD4(x[1], y[1], x[3], y[3]), to: Self.self)
    )
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  static func low(_ first: Self, _ second: Self) -> Self {
    Self(lowHalf: first.lowHalf, highHalf: second.lowHalf)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  static func high(_ first: Self, _ second: Self) -> Self {
    Self(lowHalf: first.highHalf, highHalf: second.highHalf)
  }
}
