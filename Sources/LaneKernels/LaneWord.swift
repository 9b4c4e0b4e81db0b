// SPDX-License-Identifier: Apache-2.0
// A word in each of several lanes: an integer for one lane, a vector for four, eight or sixteen.

/// One SHA-256 word (32 bits) in every lane.
@usableFromInline package protocol LaneWord: BitwiseCopyable {
  /// The number of lanes.
  static var laneCount: Int { get }

  /// Creates the same word in every lane.
  init(repeating word: UInt32)

  /// Loads the 8 words of a state for each lane. The states are contiguous.
  static func load(_ states: UnsafeMutablePointer<UInt32>) -> Octet

  /// Stores the 8 words of a state for each lane.
  static func store(_ octet: Octet, in states: UnsafeMutablePointer<UInt32>)

  /// Loads 8 big-endian words of each lane: 32 bytes at an offset in its block.
  static func load(_ blocks: UnsafePointer<UnsafeRawPointer>, _ offset: Int) -> Octet

  static func &+ (_ left: Self, _ right: Self) -> Self
  static func ^ (_ left: Self, _ right: Self) -> Self
  static func & (_ left: Self, _ right: Self) -> Self
  static func | (_ left: Self, _ right: Self) -> Self
  static func &>> (_ left: Self, _ right: Self) -> Self
  static func &<< (_ left: Self, _ right: Self) -> Self

  /// FIPS 180-4, 4.1.2 (4.4) and (4.5): three rotations to the right.
  func sigma(rotations first: UInt32, _ second: UInt32, _ third: UInt32) -> Self

  /// FIPS 180-4, 4.1.2 (4.6) and (4.7): two rotations and a shift to the right.
  func sigma(rotations first: UInt32, _ second: UInt32, shift: UInt32) -> Self
}

extension LaneWord {
  /// Eight words of each lane.
  @usableFromInline package typealias Octet = (Self, Self, Self, Self, Self, Self, Self, Self)

  /// Stores a word of each lane, lane 0 first.
  @_alwaysEmitIntoClient
  @inline(__always)
  func store(in words: UnsafeMutablePointer<UInt32>) {
    // Safety: there are as many words as lanes.
    unsafe UnsafeMutableRawPointer(words).storeBytes(of: self, as: Self.self)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  func right(_ count: UInt32) -> Self { self &>> Self(repeating: count) }

  @_alwaysEmitIntoClient
  @inline(__always)
  func left(_ count: UInt32) -> Self { self &<< Self(repeating: count) }

  /// Written so that it compiles to one instruction, if there is one.
  @_alwaysEmitIntoClient
  @inline(__always)
  func rotated(_ count: UInt32) -> Self { right(count) | left(32 &- count) }

  /// Three rotations.
  @_alwaysEmitIntoClient
  @inline(__always)
  package func sigma(rotations first: UInt32, _ second: UInt32, _ third: UInt32) -> Self {
    rotated(first) ^ rotated(second) ^ rotated(third)
  }

  /// Two rotations and a shift.
  @_alwaysEmitIntoClient
  @inline(__always)
  package func sigma(rotations first: UInt32, _ second: UInt32, shift: UInt32) -> Self {
    rotated(first) ^ rotated(second) ^ right(shift)
  }
}

/// One lane, for a few consecutive blocks.
extension UInt32: LaneWord {
  /// The number of lanes: 1.
  @_alwaysEmitIntoClient
  package static var laneCount: Int {
    @inline(__always) get { 1 }
  }

  /// Creates the word.
  @_alwaysEmitIntoClient
  @inline(__always)
  package init(repeating word: UInt32) {
    self = word
  }

  /// Loads a state.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func load(_ states: UnsafeMutablePointer<UInt32>) -> Octet {
    // Safety: a state is 8 words long.
    unsafe (
      states[0], states[1], states[2], states[3], states[4], states[5], states[6], states[7]
    )
  }

  /// Stores a state.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func store(_ octet: Octet, in states: UnsafeMutablePointer<UInt32>) {
    // Safety: a state is 8 words long.
    unsafe (states[0], states[1], states[2], states[3]) = (octet.0, octet.1, octet.2, octet.3)
    unsafe (states[4], states[5], states[6], states[7]) = (octet.4, octet.5, octet.6, octet.7)
  }

  /// Loads 8 words of the block.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func load(_ blocks: UnsafePointer<UnsafeRawPointer>, _ offset: Int) -> Octet {
    // Safety: the block has 32 bytes there.
    @inline(__always) func word(_ index: Int) -> UInt32 {
      unsafe bigEndian(blocks.pointee, offset &+ index &* 4)
    }
    return (word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7))
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  static func bigEndian(_ block: UnsafeRawPointer, _ offset: Int) -> UInt32 {
    // Safety: the block has 4 bytes there.
    unsafe UInt32(bigEndian: block.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}

/// Four lanes, in 128 bits, which every x86-64 and arm64 processor has, and wasm with SIMD.
extension SIMD4: LaneWord where Scalar == UInt32 {
  /// The number of lanes: 4.
  @_alwaysEmitIntoClient
  package static var laneCount: Int {
    @inline(__always) get { 4 }
  }

  /// Three rotations, in an order in which no two adjacent terms form one rotation. For a rotation,
  /// the compiler would generate integer instructions, or multiplications.
  @_alwaysEmitIntoClient
  @inline(__always)
  package func sigma(rotations first: UInt32, _ second: UInt32, _ third: UInt32) -> Self {
    (right(first) ^ left(32 &- second)) ^ (right(second) ^ left(32 &- third))
      ^ (right(third) ^ left(32 &- first))
  }

  /// Two rotations and a shift, in such an order.
  @_alwaysEmitIntoClient
  @inline(__always)
  package func sigma(rotations first: UInt32, _ second: UInt32, shift: UInt32) -> Self {
    (right(first) ^ left(32 &- second)) ^ (right(second) ^ left(32 &- first)) ^ right(shift)
  }

  /// Loads the states of the lanes.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func load(_ states: UnsafeMutablePointer<UInt32>) -> Octet {
    // Safety: there are 4 states of 8 words.
    @inline(__always) func word(_ index: Int) -> Self {
      unsafe Self(states[index], states[index &+ 8], states[index &+ 16], states[index &+ 24])
    }
    return (word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7))
  }

  /// Stores a state for each lane.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func store(_ octet: Octet, in states: UnsafeMutablePointer<UInt32>) {
    // Safety: there are 4 states of 8 words.
    @inline(__always) func store(_ word: Self, _ index: Int) {
      unsafe (states[index], states[index &+ 8]) = (word[0], word[1])
      unsafe (states[index &+ 16], states[index &+ 24]) = (word[2], word[3])
    }
    store(octet.0, 0)
    store(octet.1, 1)
    store(octet.2, 2)
    store(octet.3, 3)
    store(octet.4, 4)
    store(octet.5, 5)
    store(octet.6, 6)
    store(octet.7, 7)
  }

  /// Loads 8 words of each block.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func load(_ blocks: UnsafePointer<UnsafeRawPointer>, _ offset: Int) -> Octet {
    // Safety: each of the 4 lanes has 32 bytes there.
    @inline(__always) func words(_ index: Int) -> Self {
      let place = offset &+ index &* 4
      return unsafe Self(
        UInt32.bigEndian(blocks[0], place), UInt32.bigEndian(blocks[1], place),
        UInt32.bigEndian(blocks[2], place), UInt32.bigEndian(blocks[3], place))
    }
    return (words(0), words(1), words(2), words(3), words(4), words(5), words(6), words(7))
  }
}
