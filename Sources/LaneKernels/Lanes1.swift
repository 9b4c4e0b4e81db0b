// SPDX-License-Identifier: Apache-2.0
// One lane: the schedule of a single block in integers, for a few blocks at a time.

extension UInt32: LaneWord {
  /// 1.
  @_alwaysEmitIntoClient
  public static var laneCount: Int {
    @inline(__always) get { 1 }
  }

  /// The same word in every lane.
  @_alwaysEmitIntoClient
  @inline(__always)
  public init(repeating word: UInt32) {
    self = word
  }

  /// The words of the lanes in memory, lane 0 first.
  @_alwaysEmitIntoClient
  @inline(__always)
  public func store(in words: UnsafeMutablePointer<UInt32>) {
    unsafe words.pointee = self
  }

  /// The states of the lanes, one after the other in memory.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func load(_ states: UnsafeMutablePointer<UInt32>) -> Octet {
    // Safety: a state has 8 words.
    unsafe (
      states[0], states[1], states[2], states[3], states[4], states[5], states[6], states[7]
    )
  }

  /// Writes a state for each lane, one after the other.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func store(_ octet: Octet, in states: UnsafeMutablePointer<UInt32>) {
    // Safety: a state has 8 words.
    unsafe (states[0], states[1], states[2], states[3]) = (octet.0, octet.1, octet.2, octet.3)
    unsafe (states[4], states[5], states[6], states[7]) = (octet.4, octet.5, octet.6, octet.7)
  }

  /// 8 big-endian words of each lane.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func load(_ blocks: UnsafePointer<UnsafeRawPointer>, _ offset: Int) -> Octet {
    // Safety: the block has 32 bytes there.
    @inline(__always) func word(_ index: Int) -> UInt32 {
      unsafe UInt32(
        bigEndian: blocks.pointee.loadUnaligned(
          fromByteOffset: offset &+ index &* 4, as: UInt32.self))
    }
    return (word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7))
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  func rotatedRight(_ count: Int32) -> UInt32 {
    let count = UInt32(truncatingIfNeeded: count)
    return (self &>> count) | (self &<< (32 &- count))
  }

  /// FIPS 180-4, 4.1.2: see ``LaneWord``.
  @_alwaysEmitIntoClient
  @inline(__always)
  public func sigma(rotations first: Int32, _ second: Int32, _ third: Int32) -> UInt32 {
    rotatedRight(first) ^ rotatedRight(second) ^ rotatedRight(third)
  }

  /// FIPS 180-4, 4.1.2: see ``LaneWord``.
  @_alwaysEmitIntoClient
  @inline(__always)
  public func sigma(rotations first: Int32, _ second: Int32, shift: Int32) -> UInt32 {
    rotatedRight(first) ^ rotatedRight(second) ^ (self &>> UInt32(truncatingIfNeeded: shift))
  }
}
