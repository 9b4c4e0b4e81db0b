// SPDX-License-Identifier: Apache-2.0
// The results of comparison and range masks. .ci/check-secrets-memcheck checks their time.

@testable internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Constant time")
struct ConstantTimeTests {
  @Test("Bytes equal themselves, whatever kind of collection holds them", arguments: 0...70)
  func equal(_ length: Int) {
    var generator = Xorshift64(seed: 0xE0A1)
    let bytes = generator.bytes(length)
    #expect(ConstantTime.equal(bytes, bytes))
    #expect(ConstantTime.equal(bytes, Pieces(bytes, each: 7)))
    #expect(ConstantTime.equal(bytes.lazy.map { $0 }, ([0] + bytes)[1...]))
  }

  @Test("Bytes with one bit flipped aren't equal, whichever bit it is", arguments: [1, 2, 32, 70])
  func flippedBits(_ length: Int) {
    var generator = Xorshift64(seed: 0xE0A1)
    let bytes = generator.bytes(length)
    for bit in 0..<8 * length {
      var other = bytes
      other[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(!ConstantTime.equal(bytes, other))
      #expect(!ConstantTime.equal(other, bytes))
    }
  }

  @Test("Two differences don't cancel each other out")
  func twoDifferences() {
    for difference: UInt8 in 1...255 {
      #expect(!ConstantTime.equal([difference, difference], [0, 0]))
      #expect(!ConstantTime.equal([difference, ~difference &+ 1], [0, 0]))
      #expect(!ConstantTime.equal([0, difference, 0], [difference, 0, 0]))
    }
  }

  @Test("Bytes of different lengths aren't equal, even if one is a prefix of the other")
  func lengths() {
    let bytes: [UInt8] = [0, 0, 0, 0, 0]
    for left in 0...5 {
      for right in 0...5 {
        let isEqual = ConstantTime.equal(bytes.prefix(left), bytes.prefix(right))
        #expect(isEqual == (left == right))
      }
    }
    #expect(ConstantTime.equal([], EmptyCollection()))
    #expect(!ConstantTime.equal([], [0]))
    #expect(!ConstantTime.equal([0], EmptyCollection()))
  }

  @Test("A mask is 255 inside of its range and 0 outside, for every byte and every range")
  func masks() throws {
    for first in UInt8.min...UInt8.max {
      for last in first...UInt8.max {
        for byte in [first, last, first &- 1, last &+ 1, 0, 127, 128, 255] {
          let expected: UInt8 = (first...last).contains(byte) ? 255 : 0
          try #require(ConstantTime.mask(byte, from: first, through: last) == expected)
        }
      }
    }
  }

  @Test("Wiping sets every byte to zero and no other", arguments: [0, 1, 7, 8, 64, 100])
  func wipe(_ count: Int) {
    var bytes = [UInt8](repeating: 0xFF, count: count + 2)
    unsafe bytes.withUnsafeMutableBytes { bytes in
      // Safety: the part lies within the array.
      unsafe ConstantTime.wipe(UnsafeMutableRawBufferPointer(rebasing: bytes[1..<count + 1]))
    }
    #expect(bytes == [0xFF] + [UInt8](repeating: 0, count: count) + [0xFF])
  }
}
