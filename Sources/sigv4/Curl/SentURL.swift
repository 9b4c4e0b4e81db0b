// SPDX-License-Identifier: Apache-2.0
// URLs as curl sends them.

internal import RequestSigning

/// The changes that curl makes to a URL.
enum SentURL {
  /// The URL with an IP address in canonical form, and with uppercase escapes in its path
  /// (RFC 3986, 6.2.2.1), as curl 8.20 and later send it. The case is significant for services that
  /// encode the path twice.
  static func text(of url: String) -> String {
    var bytes = Array(withCanonicalAddress(url).utf8)
    let path = bytes.prefix { $0 != ASCIIByte.questionMark && $0 != ASCIIByte.hash }
    for index in path.indices where path[max(0, index - 2)..<index].contains(ASCIIByte.percent) {
      let isLowercase = (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(path[index])
      if isLowercase { bytes[index] -= 0x20 }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The URL with 127.0.0.1 instead of 127.1 or 0x7f000001, and [::1] instead of [0:0:0:0:0:0:0:1].
  private static func withCanonicalAddress(_ url: String) -> String {
    let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].isEmpty else { return url }
    let authority = parts[2].prefix { !"/?#".contains($0) }
    let isIPv6 = authority.hasPrefix("[")
    let host = authority.prefix { $0 != (isIPv6 ? "]" : ":") }
    let address =
      isIPv6 ? System.ipv6Address(host.dropFirst()).map { "[" + $0 } : System.ipv4Address(host)
    return address.map { url[..<host.startIndex] + $0 + url[host.endIndex...] } ?? url
  }
}
