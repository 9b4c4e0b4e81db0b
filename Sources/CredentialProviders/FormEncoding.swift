// SPDX-License-Identifier: Apache-2.0
// The two encodings of requests to services: forms, and parameters of a query.

/// Names and values as they stand in the body of a form and in a query.
enum FormEncoding {
  /// The body of a form (application/x-www-form-urlencoded): a space is '+'.
  static func form(_ fields: [(name: String, value: String)]) -> [UInt8] {
    Array(joined(fields, space: "+").utf8)
  }

  /// A query (RFC 3986, 3.4): a space is '%20'.
  static func query(_ fields: [(name: String, value: String)]) -> String {
    joined(fields, space: "%20")
  }

  private static func joined(
    _ fields: [(name: String, value: String)], space: String
  ) -> String {
    fields.map { escaped($0.name, space: space) + "=" + escaped($0.value, space: space) }
      .joined(separator: "&")
  }

  /// A name or value: every byte escaped but the unreserved characters (RFC 3986, 2.3).
  static func escaped(_ text: String, space: String) -> String {
    let digits = Array("0123456789ABCDEF")
    var escaped = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
        escaped.unicodeScalars.append(Unicode.Scalar(byte))
      case 0x20: escaped += space
      default: escaped += "%" + String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
      }
    }
    return escaped
  }
}
