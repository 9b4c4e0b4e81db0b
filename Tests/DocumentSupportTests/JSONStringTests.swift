// SPDX-License-Identifier: Apache-2.0
// The writer of JSON's strings against the grammar of RFC 8259, our reader and Foundation's.

internal import SigningTestSupport
internal import DocumentSupport
internal import Foundation
internal import RequestSigning
internal import Testing

@Suite("JSON string")
struct JSONStringTests {
  /// RFC 8259, 7.
  @Test("Only DEL and the characters that need it are escaped")
  func written() {
    [
      ("", #""""#), ("a b/c", #""a b/c""#), (#""\"#, #""\"\\""#), ("\t\n\r", #""\t\n\r""#),
      ("\r\n", #""\r\n""#), ("\u{0}\u{8}\u{B}\u{C}", #""\u0000\u0008\u000b\u000c""#),
      ("\u{E}\u{1F}", #""\u000e\u001f""#), ("\u{7F}", #""\u007f""#),
      ("\u{80}é\u{2028}\u{FFFF}\u{1F600}", "\"\u{80}é\u{2028}\u{FFFF}\u{1F600}\""),
      ("e\u{301}\"\u{301}", "\"e\u{301}\\\"\u{301}\""),
    ].forEachCase { (text: String, string: String) in
      #expect(JSONString.bytes(of: text.utf8) == Array(string.utf8))
    }
  }

  @Test("Every character of the basic plane is read back, by our reader and by Foundation's")
  func thereAndBack() throws {
    for block: UInt32 in 0...0xFF {
      let scalars = (block << 8...block << 8 | 0xFF).compactMap(Unicode.Scalar.init)
      let text = String(String.UnicodeScalarView(scalars))
      let string = JSONString.bytes(of: text.utf8)
      #expect(string.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
      let ours = try JSONReader.value(of: string).text
      #expect(ours.map { Array($0.utf8) } == Array(text.utf8))
      let array = Data("[".utf8 + string + "]".utf8)
      let theirs = try JSONSerialization.jsonObject(with: array) as? [String]
      #expect(theirs.map { Array($0.joined().utf8) } == Array(text.utf8))
    }
  }

  @Test("Bytes that aren't UTF-8 become the replacement character, and every quotation mark stays")
  func invalid() {
    [[0xFF], [0xC3], [0xC0, 0xA2], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]].forEachCase {
      (bytes: [UInt8]) in
      let string = JSONString.bytes(of: Array("a\"".utf8) + bytes + Array("\"b".utf8))
      let text = try #require(try JSONReader.value(of: string).text)
      #expect(text.hasPrefix("a\"\u{FFFD}") && text.hasSuffix("\u{FFFD}\"b"))
    }
  }
}
