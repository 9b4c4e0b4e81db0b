// SPDX-License-Identifier: Apache-2.0
// The writer of JSON's strings, but for those of policies, since S3 has escapes of its own.

internal import SigningSupport

/// Writes strings of JSON (RFC 8259, 7). ``JSONReader`` reads them.
package enum JSONString {
  /// The string that means a text given in UTF-8, with its quotation marks.
  ///
  /// Escaped are quotation marks, backslashes and the control characters of ASCII, so that a line
  /// stays one line; all else stands as it is. Bytes that are no UTF-8 become U+FFFD.
  package static func bytes(of text: some Collection<UInt8>) -> [UInt8] {
    var string: [UInt8] = [quotationMark]
    string.reserveCapacity(text.count &+ 2)
    // RFC 8259, 8.1: what is exchanged has to be UTF-8.
    for byte in String(decoding: text, as: UTF8.self).utf8 { append(byte, to: &string) }
    string.append(quotationMark)
    return string
  }

  private static func append(_ byte: UInt8, to string: inout [UInt8]) {
    switch byte {
    case quotationMark, ASCIIByte.backslash: string += [ASCIIByte.backslash, byte]
    case 0x09: string += #"\t"#.utf8
    case 0x0A: string += #"\n"#.utf8
    case 0x0D: string += #"\r"#.utf8
    case _ where ASCIIByte.isControl(byte):
      string += #"\u00"#.utf8
      string.append(ASCIIByte.uppercaseDigit(byte &>> 4))
      string.append(ASCIIByte.lowercased(ASCIIByte.uppercaseDigit(byte & 15)))
    default: string.append(byte)
    }
  }

  private static var quotationMark: UInt8 { 0x22 }
}
