// SPDX-License-Identifier: Apache-2.0
// The searches for a byte, eight at a time, and for a part, against those of the standard library.

internal import RequestSigning
internal import Testing

@Suite("Search for a byte")
struct BytewiseSearchTests {
  @Test("The first byte of a value is found at each index, among similar values")
  func firstPosition() {
    for byte in UInt8.min...UInt8.max {
      let others = [byte &+ 1, byte &- 1, byte ^ 0x80, 0, 0xFF].filter { $0 != byte }
      for other in others {
        for place in 0..<20 {
          var bytes = [UInt8](repeating: other, count: 20)
          bytes[place] = byte
          bytes[19] = byte
          for start in 0...20 {
            let slice = bytes[start...]
            let expected = slice.firstIndex(of: byte) ?? slice.endIndex
            if slice.firstPosition(of: byte) != expected {
              Issue.record("\(byte) among \(other) at \(place), from \(start) on")
            }
          }
        }
        let without = [UInt8](repeating: other, count: 17)[...]
        #expect(without.firstPosition(of: byte) == without.endIndex)
      }
    }
  }

  @Test("A part is found where the standard library finds it, in every string of two letters")
  func range() {
    func letters(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { number >> $0 & 1 == 0 ? ASCIIByte.slash : ASCIIByte.backslash }
    }
    for text in 0..<1 << 9 {
      let slice = letters(text, 9)[2...]
      for count in 1...4 {
        for part in 0..<1 << count {
          let part = letters(part, count)
          if BytewiseSearch.range(ofBytes: part, in: slice) != slice.firstRange(of: part) {
            Issue.record("\(part) in \(slice)")
          }
        }
      }
      #expect(BytewiseSearch.range(ofBytes: [], in: slice) == nil)
      #expect(BytewiseSearch.range(ofBytes: letters(text, 9), in: slice) == nil)
    }
  }
}
