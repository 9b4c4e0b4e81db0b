// SPDX-License-Identifier: Apache-2.0
// When credentials end, as programs and variables write it: RFC 3339, with any offset from UTC.

internal import RequestSigning

/// Reads when credentials end.
enum ExpirationText {
  /// The moment of a text such as `2024-01-29T18:53:01Z` or `2024-01-29T18:53:01.5+01:00` (RFC
  /// 3339, 5.6; the colon of the offset may be missing), its fraction dropped. Nil for every other
  /// form, and for one without an offset, which could mean any hour.
  static func timestamp(_ text: String) -> SigV4.Timestamp? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.count <= 64,
      bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[13] == 0x3A, bytes[16] == 0x3A,
      bytes[10] == 0x54 || bytes[10] == 0x74 || bytes[10] == 0x20
    else { return nil }
    let date = [0..<4, 5..<7, 8..<10].flatMap { bytes[$0] }
    let time = [11..<13, 14..<16, 17..<19].flatMap { bytes[$0] }
    let compact = date + [0x54] + time + [0x5A]
    guard let offset = secondsOfOffset(bytes[19...]),
      let local = try? SigV4.Timestamp(String(decoding: compact, as: UTF8.self))
    else { return nil }
    return try? local.advanced(bySeconds: -offset)
  }

  /// What follows the seconds: a fraction, perhaps, and an offset from UTC.
  private static func secondsOfOffset(_ tail: ArraySlice<UInt8>) -> Int64? {
    var rest = tail
    if rest.first == 0x2E {
      let afterPoint = rest.dropFirst()
      rest = afterPoint.drop(while: isDigit)
      if rest.count == afterPoint.count { return nil }
    }
    guard let sign = rest.popFirst() else { return nil }
    if sign == 0x5A || sign == 0x7A { return rest.isEmpty ? 0 : nil }
    let digits = rest.filter(isDigit).map { Int64($0) - 0x30 }
    let hasForm = rest.count == 4 || rest.count == 5 && rest[rest.startIndex + 2] == 0x3A
    guard sign == 0x2B || sign == 0x2D, hasForm, digits.count == 4 else { return nil }
    let seconds = (digits[0] * 10 + digits[1]) * 3600 + (digits[2] * 10 + digits[3]) * 60
    return sign == 0x2B ? seconds : -seconds
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
