// SPDX-License-Identifier: Apache-2.0
// The search for a byte, eight at a time, against the one of the standard library.

internal import SigningSupport
internal import Testing

@Suite("Search for a byte")
struct BytewiseSearchTests {
  @Test("The first byte of a value is found at each place, beside its neighbours and its high bit")
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
}
