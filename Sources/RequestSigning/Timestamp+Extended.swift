// SPDX-License-Identifier: Apache-2.0
// The extended form of ISO 8601, in which services write times into their answers.

internal import SigningSupport

extension SigV4.Timestamp {
  /// The moment of a text such as `2024-01-29T18:53:01Z`; a fraction of the second is dropped. Nil
  /// for every other form.
  ///
  /// Source: ISO 8601, extended format, in UTC; RFC 3339, 5.6.
  public init?(extended text: String) {
    let bytes = text.bytesInUTF8
    let fraction = bytes.dropFirst(19).dropLast()
    let isExtended =
      bytes.count >= 20 && bytes[4] == 0x2D && bytes[7] == 0x2D && bytes[13] == ASCIIByte.colon
      && bytes[16] == ASCIIByte.colon && bytes.last == 0x5A
      && (fraction.isEmpty
        || fraction.first == ASCIIByte.dot && fraction.count > 1
          && fraction.dropFirst().allSatisfy(ASCIIByte.isDigit))
    if !isExtended { return nil }
    var compact: [UInt8] = []
    for part in [0..<4, 5..<7, 8..<13, 14..<16, 17..<19] { compact.append(contentsOf: bytes[part]) }
    compact.append(0x5A)
    guard let timestamp = try? SigV4.Timestamp(bytes: compact[...]) else {
      return nil
    }
    self = timestamp
  }

  /// The extended form of ISO 8601, 20 characters: `2013-05-24T00:00:00Z`.
  public var extendedText: String {
    var extended: [UInt8] = []
    for (index, byte) in textBytes.enumerated() {
      if index == 4 || index == 6 { extended.append(0x2D) }
      if index == 11 || index == 13 { extended.append(ASCIIByte.colon) }
      extended.append(byte)
    }
    return extended.textInUTF8
  }
}
