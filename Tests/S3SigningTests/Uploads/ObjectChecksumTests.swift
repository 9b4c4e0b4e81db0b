// SPDX-License-Identifier: Apache-2.0
// Checksums of objects: of bodies, of portions, and combined from the parts of an upload.

internal import SigningTestSupport
internal import S3Signing
internal import RequestSigning
internal import SecureHashing
internal import TestSupport
internal import Testing

/// Source of the expected values: `zlib`, `hashlib`, the package `xxhash` and plain bit-by-bit
/// checks, by `object-checksums.py`.
@Suite("Object checksums")
struct ObjectChecksumTests {
  static let algorithms: [String: SigV4.Checksum.Algorithm] = [
    "CRC32": .crc32, "CRC32C": .crc32c, "CRC64NVME": .crc64NVME, "SHA1": .sha1,
    "SHA256": .sha256, "SHA512": .sha512, "MD5": .md5, "XXHASH64": .xxHash64,
    "XXHASH3": .xxHash3, "XXHASH128": .xxHash128, "Content-MD5": .contentMD5,
  ]

  @Test("No algorithm is without vectors")
  func complete() throws {
    let names = try VectorTable(named: "object-checksums.txt").records.map { vector in
      try vector.text("algorithm")
    }
    #expect(Set(names) == Set(Self.algorithms.keys))
    #expect(Set(Self.algorithms.values) == Set(SigV4.Checksum.Algorithm.all))
  }

  @Test("Parts, composite form and full-object form match independent implementations")
  func upload() throws {
    try VectorTable(named: "object-checksums.txt").records.forEachCase { vector in
      let algorithm = try #require(Self.algorithms[vector.text("algorithm")])
      let parts = try vector.texts("part").map { try Hexadecimal.decode($0) }
      let checksums = parts.map { SigV4.Checksum(algorithm, of: $0) }
      #expect(try checksums.map(\.text) == vector.texts("checksum"), "\(vector)")
      #expect(SigV4.Checksum.batch(algorithm, of: parts) == checksums, "\(vector)")
      let whole = try vector.text("whole")
      #expect(SigV4.Checksum(algorithm, of: parts.flatMap { $0 }).text == whole, "\(vector)")

      var computation = SigV4.Checksum.Computation(algorithm)
      for part in parts { computation.update(part) }
      #expect(computation.finalize().text == whole, "\(vector)")
      #expect(computation.finalize().bytes.count == algorithm.byteCount, "\(vector)")

      if algorithm == .crc64NVME {
        #expect(throws: SigV4.SigningError.self) { try SigV4.Checksum.composite(of: checksums) }
      } else {
        #expect(
          try SigV4.Checksum.composite(of: checksums) == vector.text("composite"), "\(vector)")
      }
      let sized = zip(checksums, parts).map { ($0, UInt64($1.count)) }
      if ![.crc32, .crc32c, .crc64NVME].contains(algorithm) {
        #expect(throws: SigV4.SigningError.self) { try SigV4.Checksum.fullObject(of: sized) }
      } else {
        #expect(try SigV4.Checksum.fullObject(of: sized).text == whole, "\(vector)")
      }
    }
  }

  @Test("The header matches S3's documentation")
  func header() {
    for algorithm in Self.algorithms.values {
      // Amazon S3 API Reference, PutObject: x-amz-checksum-* and Content-MD5.
      let name =
        algorithm == .contentMD5 ? "content-md5" : "x-amz-checksum-" + algorithm.name.lowercased()
      let checksum = SigV4.Checksum(algorithm, of: "abc".utf8)
      #expect(checksum.headers.map(\.name) == [name])
      #expect(checksum.headers.values(named: name) == [checksum.text])
      #expect(checksum.description == name + ": " + checksum.text)
    }
  }

  @Test("A response's checksum is parsed, and anything else is rejected")
  func text() throws {
    #expect(try SigV4.Checksum(.crc32c, base64: "sOO8/Q==").text == "sOO8/Q==")
    for text in ["", "sOO8/Q", "sOO8/Q==-2", "\"sOO8/Q==\"", "rL0Y20zC+Fzt72VPzMSk2A=="] {
      let error = #expect(throws: SigV4.SigningError.self) {
        try SigV4.Checksum(.crc32c, base64: text)
      }
      #expect(error?.code == .invalidChecksum)
    }
  }

  @Test("No parts, and parts of several algorithms, are rejected")
  func refusals() {
    let mixed = [
      SigV4.Checksum(.crc32, of: "a".utf8), SigV4.Checksum(.crc32c, of: "b".utf8),
    ]
    for parts in [[], mixed] {
      #expect(throws: SigV4.SigningError.self) { try SigV4.Checksum.composite(of: parts) }
      #expect(throws: SigV4.SigningError.self) {
        try SigV4.Checksum.fullObject(of: parts.map { ($0, 1) })
      }
    }
  }

  @Test("The checksum computed while streaming matches the published trailer vector")
  func trailer() throws {
    // Amazon S3, "Signature calculations for the Authorization header: trailing headers": 65 KiB of
    // 'a' have the CRC-32C sOO8/Q==.
    var computation = SigV4.Checksum.Computation(.crc32c)
    for _ in 0..<65 { computation.update([UInt8](repeating: 0x61, count: 1_024)) }
    #expect(
      computation.finalize().headers.values(named: "x-amz-checksum-crc32c") == ["sOO8/Q=="])
  }
}
