// SPDX-License-Identifier: Apache-2.0
// Takes the parts of a signature out of a requested URL or a Cookie header.

internal import RequestSigning

extension CloudFrontVerifier {
  /// A requested URL, with CloudFront's parameters apart.
  struct ReceivedURL {
    /// The URL without them.
    let base: [UInt8]
    let fields: ReceivedFields

    init(_ url: String) throws(CloudFrontVerificationError) {
      let bytes = url.bytesInUTF8
      let path = bytes[..<bytes[...].firstPosition(of: ASCIIByte.questionMark)]
      if !Self.isURL(bytes) || Self.hasDotSegment(path) { throw .init(.malformedURL) }
      var fields = ReceivedFields()
      let query = bytes[path.endIndex...].dropFirst()
        .split(separator: ASCIIByte.ampersand, omittingEmptySubsequences: false)
        .filter { !fields.append($0) }
      base =
        query.isEmpty || path.endIndex == bytes.endIndex
        ? Array(path)
        : path + [ASCIIByte.questionMark] + query.joined(separator: [ASCIIByte.ampersand])
      self.fields = fields
    }

    /// Returns whether a path has a segment '.' or '..'. With it, `/a/*` would match `/a/../b`.
    /// Origins differ in what they decode, so an escape, also of another escape, and a backslash
    /// count.
    private static func hasDotSegment(_ path: ArraySlice<UInt8>) -> Bool {
      let decoded = ContiguousArray(
        URIEncoding.decode(path).lazy.map { $0 == ASCIIByte.backslash ? ASCIIByte.slash : $0 })
      return decoded.span.hasDotSegment
    }

    /// Returns whether the bytes can be a resource, which needs no escapes in JSON.
    private static func isURL(_ bytes: [UInt8]) -> Bool {
      bytes.count <= CloudFrontBaseURL.maximumByteCount
        && ["https://", "http://"].contains { bytes.starts(with: $0.utf8) }
        && bytes.allSatisfy {
          ASCIIByte.isVisible($0) && $0 != 0x22 && $0 != ASCIIByte.backslash
            && $0 != ASCIIByte.hash
        }
    }
  }

  /// The parts of a received signature.
  struct ReceivedFields {
    private var values: [CloudFrontField: ArraySlice<UInt8>] = [:]

    /// Whether a part appears more than once.
    private(set) var isRepeated = false

    var isEmpty: Bool { values.isEmpty }

    subscript(field: CloudFrontField) -> ArraySlice<UInt8>? { values[field] }

    init() {}

    /// Reads the value of a Cookie header (RFC 6265, 4.2.1).
    init(cookies: String) {
      for cookie in cookies.bytesInUTF8.split(separator: ASCIIByte.semicolon) {
        let text = cookie.drop(while: ASCIIByte.isWhitespace)
        let prefix = CloudFrontField.cookiePrefix.utf8
        if text.starts(with: prefix) { _ = append(text.dropFirst(prefix.count)) }
      }
    }

    /// Appends a pair such as `Expires=1`. Returns whether the name is CloudFront's.
    mutating func append(_ pair: ArraySlice<UInt8>) -> Bool {
      let name = pair[..<pair.firstPosition(of: ASCIIByte.equals)]
      guard let field = CloudFrontField(name: name) else { return false }
      let value = pair[name.endIndex...].dropFirst()
      isRepeated = values.updateValue(value, forKey: field) != nil || isRepeated
      return true
    }
  }
}
