// SPDX-License-Identifier: Apache-2.0
// Hexadecimal, base64 and dates: written values can be read, and read values are written unchanged.

internal import RequestSigning
internal import SecureHashing

enum TextTargets {
  static func hexadecimal(_ input: FuzzInput) {
    let written = Hexadecimal.encode(input.rest)
    expect((try? Hexadecimal.decode(written)) == input.bytes, "bytes come back")
    expect(written.utf8.count == 2 * input.rest.count, "two digits a byte")
    let read = try? Hexadecimal.decode(input.rest)
    expect(read == (try? Hexadecimal.decode(input.bytes)), "slices are read as arrays are")
    if let read {
      expect(same(Hexadecimal.encode(read), input.text.lowercased()), "the text comes back")
    }
  }

  static func base64(_ input: FuzzInput) {
    for variant in [Base64.Variant.standard, .urlSafe, .urlSafeUnpadded] {
      let written = Base64.encode(input.rest, as: variant)
      expect((try? Base64.decode(written, as: variant)) == input.bytes, "bytes come back")
      if let read = try? Base64.decode(input.text, as: variant) {
        expect(same(Base64.encode(read, as: variant), input.text), "no two texts for the bytes")
      }
    }
  }

  /// A text, and 14 digits that may be a date.
  static func dates(_ input: FuzzInput) {
    check(input.text)
    let digits = input.rest.prefix(14).map { 0x30 + $0 % 10 }
    check(digits.prefix(8).text + "T" + digits.dropFirst(8).text + "Z")
  }

  private static func check(_ text: String) {
    if let moment = try? SigV4.Timestamp(text) {
      expect(same(moment.text, text), "a compact text comes back")
      check(moment)
    }
    if let moment = SigV4.Timestamp(extended: text) {
      expect(text.utf8.starts(with: moment.extendedText.utf8.dropLast()), "so does an extended one")
      check(moment)
    }
    if let moment = try? SigV4.Timestamp(httpDate: text) { check(moment) }
    if let number = Int64(text), let moment = try? SigV4.Timestamp(unixSeconds: number) {
      expect(moment.unixSeconds == number, "a number comes back")
      check(moment)
    }
  }

  private static func check(_ moment: SigV4.Timestamp) {
    expect((try? SigV4.Timestamp(moment.text)) == moment, "the compact text is this moment")
    expect(SigV4.Timestamp(extended: moment.extendedText) == moment, "the extended text is, too")
    expect(moment.text.hasPrefix(moment.day + "T"), "the text begins with the day")
    if let later = try? moment.advanced(bySeconds: 86_399) {
      expect(later > moment && later.text > moment.text, "texts are sorted as moments are")
      expect((try? later.advanced(bySeconds: -86_399)) == moment, "there and back")
    }
  }
}
