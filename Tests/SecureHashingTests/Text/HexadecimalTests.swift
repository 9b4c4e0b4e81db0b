// SPDX-License-Identifier: Apache-2.0
// Hexadecimal strings, encoded and decoded, and every rejected string.

@testable internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Hexadecimal")
struct HexadecimalTests {
  /// Digits that no message holds by chance.
  static let secret = "c0ffee5ec2e7deadbeef"

  @Test(
    "A test vector of RFC 4648 is written in lowercase and read in either case",
    arguments: try VectorTable(named: "rfc4648.txt").records)
  func rfc4648(_ vector: VectorRecord) throws {
    let (bytes, text) = try (vector.bytes("bytes"), vector.text("base16"))
    #expect(Hexadecimal.encode(bytes) == text.lowercased())
    #expect(try Hexadecimal.decode(text) == bytes)
    #expect(try Hexadecimal.decode(text.lowercased()) == bytes)
  }

  @Test("Bytes of every value and length are written as Python writes them, and read again")
  func python() throws {
    for vector in try VectorTable(named: "encodings.txt").records {
      let text = try vector.text("hexadecimal")
      let bytes = try vector.hexadecimal("hexadecimal")
      #expect(Hexadecimal.encode(bytes) == text, "\(vector)")
      #expect(Hexadecimal.encode(Pieces(bytes, each: 7)) == text, "\(vector)")
      var digits = Array("sha256=".utf8)
      Hexadecimal.append(bytes, to: &digits)
      #expect(digits == Array("sha256=\(text)".utf8), "\(vector)")
      #expect(try Hexadecimal.decode(text) == bytes, "\(vector)")
      #expect(try Hexadecimal.decode(text.uppercased()) == bytes, "\(vector)")
      #expect(try Hexadecimal.decode(Pieces(Array(text.utf8), each: 7)) == bytes, "\(vector)")
    }
  }

  @Test("Each of the 256 byte values has its value as a digit, or nil")
  func values() {
    let (lowercase, uppercase) = (Array("0123456789abcdef".utf8), Array("0123456789ABCDEF".utf8))
    for byte in UInt8.min...UInt8.max {
      let value = lowercase.firstIndex(of: byte) ?? uppercase.firstIndex(of: byte) ?? 255
      #expect(Int(Hexadecimal.nibble(byte)) == value, "\(byte)")
    }
    #expect((0...15).map(Hexadecimal.digit) == lowercase)
    #expect((0...15).map(Hexadecimal.uppercaseDigit) == uppercase)
  }

  @Test("Every pair of bytes is decoded if both are digits, and rejected if not")
  func allPairs() throws {
    let digits = Array("0123456789abcdef".utf8)
    let capitals = Array("0123456789ABCDEF".utf8)
    func value(_ byte: UInt8) -> Int? {
      digits.firstIndex(of: byte) ?? capitals.firstIndex(of: byte)
    }
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        let decoded = Result { () throws(Hexadecimal.DecodingError) in
          try Hexadecimal.decode([first, second])
        }
        if let high = value(first), let low = value(second) {
          try #require(try decoded.get() == [UInt8(16 * high + low)])
        } else {
          try #require(throws: Hexadecimal.DecodingError.self) { try decoded.get() }
        }
      }
    }
  }

  @Test("A string of odd length is rejected, with any characters")
  func oddLength() {
    for count in stride(from: 1, through: 19, by: 2) {
      expect(.oddLength, from: String(Self.secret.prefix(count)))
    }
    expect(.oddLength, from: Self.secret + "\n")
    expect(.oddLength, from: "zzz")
  }

  @Test("A foreign character is rejected at every position, and the message names the offset")
  func foreignCharacter() {
    let foreign = (UInt8.min...UInt8.max).filter { byte in
      !"0123456789abcdefABCDEF".utf8.contains(byte)
    }
    #expect(foreign.count == 256 - 22)
    for offset in Self.secret.utf8.indices.map({ $0.utf16Offset(in: Self.secret) }) {
      for byte in foreign {
        var digits = Array(Self.secret.utf8)
        digits[offset] = byte
        let error = #expect(throws: Hexadecimal.DecodingError.self) {
          try Hexadecimal.decode(digits)
        }
        #expect(error?.code == .invalidCharacter)
        #expect(error?.message.contains("offset \(offset) ") == true)
      }
    }
    let error = #expect(throws: Hexadecimal.DecodingError.self) { try Hexadecimal.decode("00x0x0") }
    #expect(error?.message.contains("offset 2 ") == true)
  }

  @Test(
    "Prefixes, spaces, line ends, separators and other alphabets are rejected",
    arguments: [
      "0x", "0xff", "#ff0", " ff ", "ff\n\n", "ff\r\n", "\tff\t", "ff ff ", "ff:f", "ff-ff-", "-1",
      "+1", "gg", "GG", "\u{660}\u{660}", "\u{FF46}\u{FF46}", "é", "\u{0}\u{0}",
    ])
  func foreignText(_ text: String) {
    expect(text.utf8.count % 2 == 0 ? .invalidCharacter : .oddLength, from: text)
  }

  @Test("The error message doesn't show the rejected string")
  func messages() {
    for text in [Self.secret + "0", Self.secret + "xy", "xy" + Self.secret, Self.secret + " 0"] {
      let error = #expect(throws: Hexadecimal.DecodingError.self) { try Hexadecimal.decode(text) }
      expectSilence(of: error?.message ?? "", about: text)
      expectSilence(of: error?.description ?? "", about: text)
      #expect(error?.description == error?.message)
    }
  }

  func expect(
    _ code: Hexadecimal.DecodingError.Code, from text: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: Hexadecimal.DecodingError.self, sourceLocation: sourceLocation) {
      try Hexadecimal.decode(text)
    }
    #expect(error?.code == code, sourceLocation: sourceLocation)
  }
}

/// Expects that a message contains no four consecutive characters of a rejected string.
func expectSilence(
  of message: String, about text: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(!message.isEmpty, sourceLocation: sourceLocation)
  let characters = Array(text)
  for start in 0...(characters.count - 4) {
    let part = String(characters[start..<start + 4])
    #expect(!message.contains(part), "'\(part)' is told", sourceLocation: sourceLocation)
  }
}
