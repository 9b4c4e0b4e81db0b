// SPDX-License-Identifier: Apache-2.0
// When credentials end, as services, programs, files and variables write it: RFC 3339.

internal import RequestSigning

extension SigV4.Timestamp {
  /// The moment of a text such as `2024-01-29T18:53:01Z` or `2024-01-29T18:53:01.5+01:00` (RFC
  /// 3339, 5.6; the colon of the offset may be missing), its fraction dropped. Nil for every other
  /// form, and for one without an offset, which could mean any hour.
  init?(expiration text: String) {
    var bytes = Array(text.utf8)
    guard (20...64).contains(bytes.count), let offset = Self.offset(at: bytes[19...]),
      [0x54, 0x74, 0x20].contains(bytes[10])
    else { return nil }
    // RFC 3339, 5.6: "t", and a space where people have to read it.
    bytes[10] = 0x54
    let inUTC = bytes.dropLast(offset.byteCount) + [0x5A]
    guard let local = SigV4.Timestamp(extended: String(decoding: inUTC, as: UTF8.self)),
      let moment = try? local.advanced(bySeconds: -offset.seconds)
    else { return nil }
    self = moment
  }

  /// The offset from UTC at the end of a text, and how many bytes it has.
  private static func offset(at tail: ArraySlice<UInt8>) -> (byteCount: Int, seconds: Int64)? {
    if tail.last == 0x5A || tail.last == 0x7A { return (1, 0) }
    guard let start = tail.lastIndex(where: { $0 == 0x2B || $0 == 0x2D }) else { return nil }
    var digits = tail[(start + 1)...]
    if digits.count == 5 && digits[start + 3] == 0x3A { digits.remove(at: start + 3) }
    if digits.count != 4 || !digits.allSatisfy({ (0x30...0x39).contains($0) }) { return nil }
    let numbers = digits.map { Int64($0) - 0x30 }
    let minutes = (numbers[0] * 10 + numbers[1]) * 60 + numbers[2] * 10 + numbers[3]
    return (tail.endIndex - start, tail[start] == 0x2B ? minutes * 60 : -minutes * 60)
  }
}
