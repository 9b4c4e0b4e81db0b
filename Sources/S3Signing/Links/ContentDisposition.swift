// SPDX-License-Identifier: Apache-2.0
// How a browser shows or saves an object, with a file name in any language.

public import RequestSigning

extension SigV4 {
  /// Whether a browser shows an object or saves it, and under which name.
  ///
  /// Store it with the object, or choose it for one link:
  ///
  ///     let name = try SigV4.ContentDisposition.attachment(fileName: "Übersicht.pdf")
  ///     try bucket.object("7f3a").putRequest(.unsigned, headers: name.headers)
  ///     try signer.presignedURL(for: bucket.object("7f3a"), query: name.query, at: now)
  ///
  /// A name that's plain ASCII is sent as it is. Any other name is sent twice: in UTF-8, and with
  /// `_` for each other character, for old clients.
  ///
  /// Source: RFC 6266, sections 4.1 to 4.3 and appendix D; RFC 8187, section 3.2.
  public struct ContentDisposition: Hashable, Sendable, CustomStringConvertible {
    /// The value of the header, in ASCII, such as `attachment; filename="a.pdf"`.
    public let text: String

    /// The value of the header.
    public var description: String { text }

    private init(_ text: String) { self.text = text }

    /// Show the object, if the browser can.
    public static let inline = Self("inline")

    /// Save the object. The URL determines the name.
    public static let attachment = Self("attachment")

    /// Show the object, if the browser can, and save it under this name.
    ///
    /// - Throws: The errors of ``attachment(fileName:)``.
    public static func inline(fileName: String) throws(SigningError) -> Self {
      try Self("inline", fileName)
    }

    /// Save the object under this name. Quotation marks and percent signs are kept.
    ///
    /// - Throws: `invalidFileName` if the name is empty, `.` or `..`, or contains `/`, `\` or a
    ///   control character. Browsers would change such a name.
    public static func attachment(fileName: String) throws(SigningError) -> Self {
      try Self("attachment", fileName)
    }

    /// The header for an upload.
    public var headers: Headers { Headers([Header("content-disposition", text)]) }

    /// The parameter of a link for a download, `response-content-disposition`, which replaces the
    /// header that was stored with the object.
    public var query: Query { ["response-content-disposition": text] }

    private init(_ type: String, _ fileName: String) throws(SigningError) {
      let name = fileName.bytesInUTF8
      try Self.check(name, fileName)
      let plain = name.filter { !Self.isContinuation($0) }.map {
        Self.isPlain($0) ? $0 : UInt8(ascii: "_")
      }
      var value = Array(type.utf8) + Array("; filename=\"".utf8) + plain + [UInt8(ascii: "\"")]
      // Unreserved bytes, which stay, are all in `attr-char` (RFC 8187, 3.2.1).
      if plain != name { value += "; filename*=UTF-8''".utf8 + URIEncoding.encode(name) }
      text = String(decoding: value, as: UTF8.self)
    }

    private static func check(_ name: [UInt8], _ text: String) throws(SigningError) {
      let isDot = name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8)
      let isControlled = text.unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value }
      let isPath = name.contains(ASCIIByte.slash) || name.contains(ASCIIByte.backslash)
      guard name.isEmpty || isDot || isControlled || isPath else { return }
      throw SigningError(
        .invalidFileName,
        "\(quoted: text) isn't a file name that a browser keeps.",
        fix: isPath
          ? "Use only the last component of a path, without / and \\."
          : "Use a name such as report.pdf, without control characters.")
    }

    /// Returns whether a byte can be in the parameter `filename` as it is. Clients disagree on
    /// escaped quotation marks and on percent signs (RFC 6266, appendix D).
    private static func isPlain(_ byte: UInt8) -> Bool {
      0x20...0x7E ~= byte && byte != UInt8(ascii: "\"") && byte != ASCIIByte.percent
    }

    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
  }
}
