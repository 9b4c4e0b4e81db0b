// SPDX-License-Identifier: Apache-2.0
// Base64 text both ways, in four variants.

@testable internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Base64")
struct Base64Tests {
  /// RFC 4648, table 1; the last two characters of table 2 are '-' and '_'.
  static let standardAlphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  static let urlSafeAlphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  @Test(
    "A test vector of RFC 4648 is written and read, padded or not",
    arguments: try VectorTable(named: "rfc4648.txt").records)
  func rfc4648(_ vector: VectorRecord) throws {
    let (bytes, text) = try (vector.bytes("bytes"), vector.text("base64"))
    let unpadded = String(text.prefix { $0 != "=" })
    #expect(Base64.encode(bytes) == text)
    #expect(Base64.encode(bytes, as: .standard) == text)
    #expect(Base64.encode(bytes, as: .urlSafe) == text)
    #expect(Base64.encode(bytes, as: .urlSafeUnpadded) == unpadded)
    #expect(Base64.encode(bytes, as: .standardUnpadded) == unpadded)
    #expect(try Base64.decode(text) == bytes)
    #expect(try Base64.decode(text, as: .urlSafe) == bytes)
    #expect(try Base64.decode(unpadded, as: .urlSafeUnpadded) == bytes)
    #expect(try Base64.decode(unpadded, as: .standardUnpadded) == bytes)
  }

  @Test("Bytes of every value and length are written as Python writes them, and read again")
  func python() throws {
    for vector in try VectorTable(named: "encodings.txt").records {
      let bytes = try vector.hexadecimal("hexadecimal")
      for (field, variant) in Self.variants {
        let text = try vector.text(field)
        #expect(Base64.encode(bytes, as: variant) == text, "\(vector), \(field)")
        #expect(Base64.encode(Pieces(bytes, each: 7), as: variant) == text, "\(vector), \(field)")
        #expect(try Base64.decode(text, as: variant) == bytes, "\(vector), \(field)")
      }
    }
  }

  @Test("Each value from 0 to 63 has the character of RFC 4648, tables 1 and 2")
  func characters() {
    let values = UInt8(0)...63
    #expect(values.map { Base64.character(of: $0, .standard) } == Self.standardAlphabet)
    #expect(values.map { Base64.character(of: $0, .urlSafe) } == Self.urlSafeAlphabet)
    #expect(values.map { Base64.character(of: $0, .urlSafeUnpadded) } == Self.urlSafeAlphabet)
    #expect(values.map { Base64.character(of: $0, .standardUnpadded) } == Self.standardAlphabet)
  }

  @Test("Each of the 256 byte values has its value in the alphabet, or nil")
  func values() {
    for byte in UInt8.min...UInt8.max {
      let standard = Self.standardAlphabet.firstIndex(of: byte) ?? 255
      let urlSafe = Self.urlSafeAlphabet.firstIndex(of: byte) ?? 255
      #expect(Int(Base64.value(of: byte, .standard)) == standard, "\(byte)")
      #expect(Int(Base64.value(of: byte, .urlSafe)) == urlSafe, "\(byte)")
      #expect(Int(Base64.value(of: byte, .urlSafeUnpadded)) == urlSafe, "\(byte)")
    }
  }

  /// The fields of the table and the variants they are written in.
  static var variants: [(field: String, variant: Base64.Variant)] {
    [("base64", .standard), ("base64url", .urlSafe), ("unpadded", .urlSafeUnpadded)]
  }
}
