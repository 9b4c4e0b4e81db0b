// SPDX-License-Identifier: Apache-2.0
// Sixteen lanes, in 512 bits: twice eight.

extension SIMD16: LaneWord where Scalar == UInt32 {
  /// The number of lanes: 16.
  @_alwaysEmitIntoClient
  package static var laneCount: Int {
    @inline(__always) get { 16 }
  }

  /// Loads the states of the lanes.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func load(_ states: UnsafeMutablePointer<UInt32>) -> Octet {
    // Safety: there are 16 states of 8 words.
    unsafe joined(SIMD8<UInt32>.load(states), SIMD8.load(states + 64))
  }

  /// Stores a state for each lane.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func store(_ octet: Octet, in states: UnsafeMutablePointer<UInt32>) {
    // Safety: there are 16 states of 8 words.
    unsafe SIMD8<UInt32>.store(
      (
        octet.0.lowHalf, octet.1.lowHalf, octet.2.lowHalf, octet.3.lowHalf,
        octet.4.lowHalf, octet.5.lowHalf, octet.6.lowHalf, octet.7.lowHalf
      ), in: states)
    unsafe SIMD8<UInt32>.store(
      (
        octet.0.highHalf, octet.1.highHalf, octet.2.highHalf, octet.3.highHalf,
        octet.4.highHalf, octet.5.highHalf, octet.6.highHalf, octet.7.highHalf
      ), in: states + 64)
  }

  /// Loads 8 words of each block.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func load(_ blocks: UnsafePointer<UnsafeRawPointer>, _ offset: Int) -> Octet {
    // Safety: each of the 16 lanes has 32 bytes there.
    unsafe joined(SIMD8<UInt32>.load(blocks, offset), SIMD8.load(blocks + 8, offset))
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  static func joined(_ low: SIMD8<UInt32>.Octet, _ high: SIMD8<UInt32>.Octet) -> Octet {
    (
      Self(lowHalf: low.0, highHalf: high.0), Self(lowHalf: low.1, highHalf: high.1),
      Self(lowHalf: low.2, highHalf: high.2), Self(lowHalf: low.3, highHalf: high.3),
      Self(lowHalf: low.4, highHalf: high.4), Self(lowHalf: low.5, highHalf: high.5),
      Self(lowHalf: low.6, highHalf: high.6), Self(lowHalf: low.7, highHalf: high.7)
    )
  }
}
