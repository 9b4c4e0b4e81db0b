// SPDX-License-Identifier: Apache-2.0
// Signed URLs, and the checks of a URL before it's signed.

internal import RequestSigning
internal import SecureHashing

/// A signed URL. Anyone who has it has access, so treat it as a secret.
public struct CloudFrontURL: Sendable {
  /// The URL, to be used without changes.
  public let url: String

  /// The policy that was signed.
  public let policy: CloudFrontPolicy
}

extension CloudFrontURL: CustomStringConvertible {
  /// The resource and the expiration, without the signature.
  public var description: String { "CloudFrontURL(\(policy.description))" }
}

extension CloudFrontURL: Redacted {}

/// The URL of a request without CloudFront's parameters.
struct CloudFrontBaseURL {
  let bytes: [UInt8]
  let hasQuery: Bool

  /// Amazon CloudFront, Developer Guide, "Quotas": maximum length of a URL.
  static var maximumByteCount: Int { 8_192 }

  /// Checks that clients request the URL exactly as written.
  init(_ url: String) throws(SigV4.SigningError) {
    let bytes = url.bytesInUTF8
    if let index = bytes.firstIndex(where: { !Self.isAllowed($0) }) {
      throw Self.invalid(
        "The URL has \(quoted: bytes[index...index]) at offset \(index), which URLs can't have.",
        fix: "Percent-encode it.")
    }
    if bytes.contains(ASCIIByte.hash) {
      throw Self.invalid(
        "The URL has a fragment, which clients don't send.",
        fix: "Remove '#' and the text after it, and append it to the signed URL.")
    }
    let scheme = [Array("https://".utf8), Array("http://".utf8)].first { bytes.starts(with: $0) }
    guard let scheme else {
      throw Self.invalid(
        "The URL doesn't begin with https:// or http://.",
        fix: "Use the form https://d111111abcdef8.cloudfront.net/path.")
    }
    let rest = bytes.dropFirst(scheme.count)
    let host = rest.prefix { $0 != ASCIIByte.slash && $0 != ASCIIByte.questionMark }
    if host.isEmpty || host.contains(ASCIIByte.at) {
      throw Self.invalid(
        "The URL has no host, or a user before it.",
        fix: "Use the form https://d111111abcdef8.cloudfront.net/path.")
    }
    if rest[host.endIndex...].first != ASCIIByte.slash {
      throw Self.invalid(
        "The URL has no path, but clients request at least '/'.",
        fix: "Add '/' after the host.")
    }
    let sentHost = try? SigV4.Request(
      "GET", scheme: scheme.count == 8 ? .https : .http, host: host.textInUTF8
    ).host
    if sentHost?.utf8.elementsEqual(host) != true {
      throw Self.invalid(
        "Clients don't request the host \(quoted: host) as written.",
        fix: "Use the distribution's domain name in lowercase, without the scheme's default port.")
    }
    let queryStart = rest.firstPosition(of: ASCIIByte.questionMark)
    if rest[host.endIndex..<queryStart].span.hasDotSegment {
      throw Self.invalid(
        "The path has a segment '.' or '..', which clients resolve before they request it.",
        fix: "Sign the path that results.")
    }
    if bytes.count > Self.maximumByteCount {
      throw Self.invalid(
        "The URL is \(bytes.count) bytes long, but CloudFront's limit is 8192.",
        fix: "Use a shorter URL.")
    }
    self.bytes = bytes
    hasQuery = queryStart < bytes.endIndex
    try Self.checkPercentEncoding(bytes)
    if hasQuery { try Self.check(query: bytes[(queryStart + 1)...]) }
  }

  private static func check(query: ArraySlice<UInt8>) throws(SigV4.SigningError) {
    if query.isEmpty {
      throw invalid(
        "The URL ends with an empty query, which CloudFront's parameters replace.",
        fix: "Remove the '?' at its end.")
    }
    // WHATWG URL Standard, "special-query percent-encode set".
    if query.contains(0x27) {
      throw invalid(
        "The query has an apostrophe, which browsers send as %27.", fix: "Percent-encode it.")
    }
    for pair in query.split(separator: ASCIIByte.ampersand) {
      let name = pair[..<pair.firstPosition(of: ASCIIByte.equals)]
      // CloudFront may decode an encoded name.
      let plain = URIEncoding.decode(name)
      if CloudFrontField(name: plain[...]) != nil {
        throw SigV4.SigningError(
          .alreadySigned,
          "The URL already has the parameter \(quoted: plain), which CloudFront reserves.",
          fix: "Sign the original URL, or rename your parameter.")
      }
    }
  }

  private static func checkPercentEncoding(_ bytes: [UInt8]) throws(SigV4.SigningError) {
    for index in bytes.indices where bytes[index] == ASCIIByte.percent {
      let digits = bytes[(index + 1)...].prefix(2)
      if digits.count < 2 || !digits.allSatisfy({ ASCIIByte.hexadecimalValue($0) != nil }) {
        throw invalid(
          "The '%' at offset \(index) isn't followed by two hexadecimal digits.",
          fix: "Write a percent sign as %25.")
      }
    }
  }

  private static func invalid(
    _ problem: UTF8Text, fix: UTF8Text
  ) -> SigV4.SigningError {
    SigV4.SigningError(.invalidURL, problem, fix: fix)
  }

  /// Returns whether clients send the byte as it is. A quotation mark or backslash would also break
  /// the policy. '[', ']' and '|' are sent, although RFC 3986, 2, doesn't allow them.
  static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    // " < > \ ^ ` { }
    case 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B, 0x7D: false
    default: ASCIIByte.isVisible(byte)
    }
  }
}
