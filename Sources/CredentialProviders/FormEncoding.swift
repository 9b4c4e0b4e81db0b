// SPDX-License-Identifier: Apache-2.0
// The two encodings of requests to services: forms, and parameters of a query.

internal import SigningSupport
internal import RequestSigning

/// Names and values as they stand in the body of a form and in a query.
enum FormEncoding {
  /// The body of a form (application/x-www-form-urlencoded): a space is '+'.
  static func form(_ fields: [(name: String, value: String)]) -> [UInt8] {
    Array(withPlus(query(fields)).utf8)
  }

  /// A query (RFC 3986, 3.4): a space is '%20'.
  static func query(_ fields: [(name: String, value: String)]) -> String {
    fields.map { escaped($0.name) + "=" + escaped($0.value) }.joined(separator: "&")
  }

  /// A name or value in the body of a form.
  static func formValue(_ text: String) -> String { withPlus(escaped(text)) }

  private static func escaped(_ text: String) -> String {
    String(decoding: URIEncoding.encode(Array(text.utf8)), as: UTF8.self)
  }

  /// An encoded text with '+' for a space. Every '%' in it begins an escape.
  private static func withPlus(_ encoded: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(encoded.utf8)[...]
    while let byte = rest.first {
      let isSpace = rest.starts(with: "%20".utf8)
      bytes.append(isSpace ? UInt8(ascii: "+") : byte)
      rest = rest.dropFirst(isSpace ? 3 : 1)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
