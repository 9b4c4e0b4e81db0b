// SPDX-License-Identifier: Apache-2.0
// The checksum of event messages: CRC-32 as in Ethernet and gzip.

nonisolated extension SigV4.EventMessage {
  /// CRC-32 (ISO/IEC 8802-3): polynomial 0x04C11DB7, bits reflected, all ones before and after.
  static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var remainder: UInt32 = .max
    for byte in bytes {
      remainder ^= UInt32(byte)
      for _ in 0..<8 {
        let isOdd = remainder & 1
        remainder = remainder &>> 1 ^ (0 &- isOdd) & 0xEDB8_8320
      }
    }
    return ~remainder
  }
}
