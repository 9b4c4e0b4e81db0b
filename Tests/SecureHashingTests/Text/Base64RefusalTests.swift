// SPDX-License-Identifier: Apache-2.0
// Every string that isn't base64 is rejected, with its code, and isn't shown.

internal import SecureHashing
internal import Testing

@Suite("Base64, rejected")
struct Base64RefusalTests {
  @Test("Every ASCII character outside of the alphabet is rejected at every position")
  func foreignCharacter() {
    let lettersAndDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    for (variant, last) in [(Base64.Variant.standard, "+/="), (.urlSafe, "-_=")] {
      let alphabet = Array((lettersAndDigits + last).utf8)
      let foreign = (UInt8(0)...127).filter { !alphabet.contains($0) }
      #expect(foreign.count == 128 - 65)
      for offset in 0..<12 {
        for byte in foreign {
          var characters = Array("Q29mZmVlc2Vj".utf8)
          characters[offset] = byte
          let text = String(decoding: characters, as: UTF8.self)
          let error = expect(.invalidCharacter, from: text, as: variant)
          #expect(error?.message.contains("offset \(offset) ") == true)
        }
      }
    }
    let error = expect(.invalidCharacter, from: "AA*A*AAA", as: .standard)
    #expect(error?.message.contains("offset 2 ") == true)
  }

  @Test("Characters outside of ASCII are rejected, however many bytes they have")
  func foreignText() {
    for value in UInt32(0x80)...0xFF {
      let character = UnicodeScalar(value).map { String(Character($0)) } ?? ""
      for text in ["AA" + character, "A" + character + "A", character + "AA"] {
        expect(.invalidCharacter, from: text, as: .standard)
        expect(.invalidCharacter, from: text, as: .urlSafe)
        expect(.invalidCharacter, from: text, as: .urlSafeUnpadded)
      }
    }
    expect(.invalidCharacter, from: "\u{FF21}A", as: .standard)
    expect(.invalidCharacter, from: "\u{1F511}", as: .standard)
  }

  @Test(
    "A padded string whose length isn't a multiple of four is rejected",
    arguments: ["A", "AA", "AAA", "AAA==", "AA=", "AAAAA", "AAAA=", "AAAA==", "=", "==", "AAAA\n"])
  func wrongLength(_ text: String) {
    expect(.wrongLength, from: text, as: .standard)
    expect(.wrongLength, from: text, as: .urlSafe)
  }

  @Test("An unpadded string of 4n + 1 characters is rejected", arguments: [1, 5, 9, 13])
  func wrongLengthUnpadded(_ count: Int) {
    expect(.wrongLength, from: String(repeating: "A", count: count), as: .urlSafeUnpadded)
  }

  @Test(
    "A '=' anywhere but as the padding that the length needs is rejected",
    arguments: ["AA=A", "A=AA", "=AAA", "A===", "====", "AA==AAAA", "AAA=AAA=", "AAAA====", "A=A="])
  func wrongPadding(_ text: String) {
    expect(.invalidCharacter, from: text, as: .standard)
    expect(.invalidCharacter, from: text, as: .urlSafe)
    expect(.invalidCharacter, from: text, as: .urlSafeUnpadded)
  }

  @Test("Padding is rejected in unpadded base64", arguments: ["AA==", "AAA=", "AAAAAA=="])
  func unwantedPadding(_ text: String) {
    expect(.invalidCharacter, from: text, as: .urlSafeUnpadded)
    let error = #expect(throws: Base64.DecodingError.self) {
      try Base64.decode(text, as: .urlSafeUnpadded)
    }
    #expect(error?.fix.contains("Remove the padding") == true)
  }

  @Test("Bits that belong to no byte must be zero")
  func trailingBits() throws {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    for (value, character) in alphabet.enumerated() {
      // One byte: 4 of 12 bits are left over. Two bytes: 2 of 18.
      if value % 16 == 0 {
        #expect(try Base64.decode("A\(character)==") == [UInt8(value / 16)])
      } else {
        expect(.trailingBits, from: "A\(character)==", as: .standard)
      }
      if value % 4 == 0 {
        #expect(try Base64.decode("AA\(character)=") == [0, UInt8(value / 4)])
      } else {
        expect(.trailingBits, from: "AA\(character)=", as: .standard)
      }
    }
    expect(.trailingBits, from: "AB", as: .urlSafeUnpadded)
    expect(.trailingBits, from: "AAB", as: .urlSafeUnpadded)
    expect(.trailingBits, from: "AAAAA_==", as: .urlSafe)
  }

  @Test(
    "Spaces and line ends are rejected, also where mail would allow them",
    arguments: ["AAA\n", "AA\r\n", " AAA", "AAA ", "AAAA\r\nAA", "AA AAAA=", "AAA\t", "AA=\n"])
  func whiteSpace(_ text: String) {
    expect(.invalidCharacter, from: text, as: .standard)
    expect(.invalidCharacter, from: text, as: .urlSafe)
    expect(.invalidCharacter, from: text, as: .urlSafeUnpadded)
  }

  @Test("The characters of the other alphabet are rejected")
  func otherAlphabet() {
    for text in ["AAA-", "AAA_", "-AAA", "_A=="] {
      expect(.invalidCharacter, from: text, as: .standard)
    }
    for text in ["AAA+", "AAA/", "+AAA", "/A=="] {
      expect(.invalidCharacter, from: text, as: .urlSafe)
      expect(.invalidCharacter, from: text, as: .urlSafeUnpadded)
    }
  }

  @Test("No error message shows the rejected string")
  func messages() {
    let secret = "c2VjcmV0IGtleSBieXRlcw"
    for text in [secret, secret + "=", secret + "*=", secret.dropLast() + "x=="] {
      let error = #expect(throws: Base64.DecodingError.self) { try Base64.decode(String(text)) }
      expectSilence(of: error?.message ?? "", about: String(text))
      #expect(error?.description == error?.message)
    }
  }

  @discardableResult
  func expect(
    _ code: Base64.DecodingError.Code, from text: String, as variant: Base64.Variant,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Base64.DecodingError? {
    let error = #expect(throws: Base64.DecodingError.self, sourceLocation: sourceLocation) {
      try Base64.decode(text, as: variant)
    }
    #expect(error?.code == code, "\(text.debugDescription)", sourceLocation: sourceLocation)
    return error
  }
}
