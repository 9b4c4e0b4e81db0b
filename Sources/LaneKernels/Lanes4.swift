// SPDX-License-Identifier: Apache-2.0
// Four lanes in a vector of 128 bits, which every x86-64 and arm64 processor has, and wasm with SIMD.

/// Four words, one to a lane.
@frozen
public struct Lanes4: LaneWord {
  /// 4.
  @_alwaysEmitIntoClient
  public static var laneCount: Int {
    @inline(__always) get { 4 }
  }

  @usableFromInline
  var words: SIMD4<UInt32>

  @_alwaysEmitIntoClient
  @inline(__always)
  init(_ words: SIMD4<UInt32>) {
    self.words = words
  }

  /// The same word in every lane.
  @_alwaysEmitIntoClient
  @inline(__always)
  public init(repeating word: UInt32) {
    words = SIMD4(repeating: word)
  }

  /// The words of the lanes in memory, lane 0 first.
  @_alwaysEmitIntoClient
  @inline(__always)
  public func store(in words: UnsafeMutablePointer<UInt32>) {
    // Safety: there are 4 words.
    unsafe UnsafeMutableRawPointer(words).storeBytes(of: self.words, as: SIMD4<UInt32>.self)
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
  func right(_ count: Int32) -> Self {
    Self(words &>> SIMD4(repeating: UInt32(truncatingIfNeeded: count)))
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  func left(_ count: Int32) -> Self {
    Self(words &<< SIMD4(repeating: UInt32(truncatingIfNeeded: count)))
  }

  /// In an order in which no two neighbours are a rotation: of one the compiler would make instructions on
  /// integers, or multiplications.
  @_alwaysEmitIntoClient
  @inline(__always)
  public func sigma(rotations first: Int32, _ second: Int32, _ third: Int32) -> Self {
    (right(first) ^ left(32 &- second)) ^ (right(second) ^ left(32 &- third))
      ^ (right(third) ^ left(32 &- first))
  }

  /// FIPS 180-4, 4.1.2: see ``LaneWord``.
  @_alwaysEmitIntoClient
  @inline(__always)
  public func sigma(rotations first: Int32, _ second: Int32, shift: Int32) -> Self {
    (right(first) ^ left(32 &- second)) ^ (right(second) ^ left(32 &- first)) ^ right(shift)
  }
}

extension Lanes4 {
  /// The states of the lanes, one after the other in memory.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func load(_ states: UnsafeMutablePointer<UInt32>) -> Octet {
    // Safety: there are 4 states of 8 words.
    @inline(__always) func word(_ index: Int) -> Self {
      unsafe Self(
        SIMD4(states[index], states[index &+ 8], states[index &+ 16], states[index &+ 24]))
    }
    return (word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7))
  }

  /// Writes a state for each lane, one after the other.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func store(_ octet: Octet, in states: UnsafeMutablePointer<UInt32>) {
    // Safety: there are 4 states of 8 words.
    @inline(__always) func store(_ word: Self, _ index: Int) {
      unsafe (states[index], states[index &+ 8]) = (word.words[0], word.words[1])
      unsafe (states[index &+ 16], states[index &+ 24]) = (word.words[2], word.words[3])
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

  /// 8 big-endian words of each lane.
  @_alwaysEmitIntoClient
  @inline(__always)
  public static func load(_ blocks: UnsafePointer<UnsafeRawPointer>, _ offset: Int) -> Octet {
    // Safety: each of the 4 lanes has 32 bytes there.
    @inline(__always) func word(_ lane: Int, _ index: Int) -> UInt32 {
      unsafe UInt32(
        bigEndian: blocks[lane].loadUnaligned(
          fromByteOffset: offset &+ index &* 4, as: UInt32.self))
    }
    @inline(__always) func words(_ index: Int) -> Self {
      Self(SIMD4(word(0, index), word(1, index), word(2, index), word(3, index)))
    }
    return (words(0), words(1), words(2), words(3), words(4), words(5), words(6), words(7))
  }
}
