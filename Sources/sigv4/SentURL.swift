// SPDX-License-Identifier: Apache-2.0
// URLs as curl sends them.

internal import SigningSupport

/// The changes that curl makes to a URL.
enum SentURL {
  /// The URL with uppercase escapes in its path (RFC 3986, 6.2.2.1), as curl 8.20 and later send it.
  /// The case is significant for services that encode the path twice.
  static func text(of url: String) -> String {
    var bytes = Array(url.utf8)
    let path = bytes.prefix { $0 != ASCIIByte.questionMark && $0 != ASCIIByte.hash }
    for index in path.indices where path[max(0, index - 2)..<index].contains(ASCIIByte.percent) {
      let isLowercase = (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(path[index])
      if isLowercase { bytes[index] -= 0x20 }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
