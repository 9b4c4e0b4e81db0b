// SPDX-License-Identifier: Apache-2.0
// The page of Checksums: its code compiles and works.

internal import Checksums
import SecureHashing  // for hash(data:) of MD5
internal import Testing

@Suite("Pages: Checksums")
struct ChecksumsPagesTests {
  @Test("Checksums have the values that their standards publish")
  func checksums() {
    let checksum: UInt32 = CRC32.checksum(of: "123456789".utf8)  // 0xcbf43926
    let header = CRC64NVME.base64(of: CRC64NVME.checksum(of: "123456789".utf8))
    let tag = Insecure.MD5.hash(data: "abc".utf8).hexString
    // ISO 3309; NVM Command Set Specification, 5.2.1.3.4, in base64 by Python; RFC 1321, A.5
    #expect(checksum == 0xcbf4_3926 && header == "rosUhgp5mIg=")
    #expect(tag == "900150983cd24fb0d6963f7d28e17f72")
  }
}
