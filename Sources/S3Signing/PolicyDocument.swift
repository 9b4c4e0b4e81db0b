// SPDX-License-Identifier: Apache-2.0
// The policy as JSON, the same bytes each time, and only ASCII.

internal import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// Writes a policy document (S3 API Reference, "POST Policy").
  struct PolicyDocument {
    private(set) var bytes: [UInt8]
    private var isFirst = true

    /// The beginning, up to the conditions.
    init(expiration: Timestamp) {
      bytes = Array("{\"expiration\": \"".utf8)
      bytes += expiration.extendedTextBytes
      bytes += "\", \"conditions\": [".utf8
    }

    mutating func append(_ condition: PostPolicy.Condition) {
      switch condition.kind {
      case .exact(let value):
        if let prefix = PostPolicy.Condition.prefixBeforeFilename(value) {
          append(condition.name, startsWith: String(decoding: prefix, as: UTF8.self))
        } else {
          append(condition.name, value)
        }
      case .startsWith(let prefix): append(condition.name, startsWith: prefix)
      case .contentLength(let lowest, let highest):
        separate()
        bytes += "[\"content-length-range\", ".utf8
        bytes += (String(lowest) + ", " + String(highest) + "]").utf8
      }
    }

    mutating func append(_ name: String, _ value: String) {
      separate()
      bytes += "{\"".utf8
      appendText(name)
      bytes += "\": \"".utf8
      appendText(value)
      bytes += "\"}".utf8
    }

    mutating func finish() {
      bytes += "]}".utf8
    }

    private mutating func append(_ name: String, startsWith prefix: String) {
      separate()
      bytes += "[\"starts-with\", \"$".utf8
      appendText(name)
      bytes += "\", \"".utf8
      appendText(prefix)
      bytes += "\"]".utf8
    }

    private mutating func separate() {
      if !isFirst { bytes += ", ".utf8 }
      isFirst = false
    }

    /// RFC 8259, 7. What is not ASCII is escaped as S3 asks, and so is '$', which would begin the
    /// name of a field: S3's own escape for it, a backslash, is none of JSON.
    private mutating func appendText(_ text: String) {
      for unit in text.utf16 {
        switch unit {
        case 0x22, 0x5C: bytes += [0x5C, UInt8(unit)]
        case 0x20...0x7E where unit != 0x24: bytes.append(UInt8(unit))
        default:
          bytes += "\\u".utf8
          for shift: UInt16 in [12, 8, 4, 0] {
            let digit = UInt8(truncatingIfNeeded: unit &>> shift & 15)
            bytes.append(ASCIIByte.lowercased(ASCIIByte.uppercaseDigit(digit)))
          }
        }
      }
    }
  }
}
