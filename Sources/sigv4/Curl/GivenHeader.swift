// SPDX-License-Identifier: Apache-2.0
// Parses the headers of -H, --header and --proxy-header in curl's forms.

internal import RequestSigning

/// A header in one of curl's forms.
enum GivenHeader {
  /// "name: value", or "name;" for an empty value.
  case field(SigV4.Header)
  /// "name:", for a header that curl must not add.
  case removed(name: String)

  /// Parses a header. Its name is a token (RFC 9110, 5.6.2), so it never begins with '@', which
  /// curl reads as the name of a file, and only spaces and tabs (5.6.3) make a value empty.
  init(_ text: String, of option: String = "-H") throws {
    let bytes = text.utf8
    if let colon = bytes.firstIndex(of: ASCIIByte.colon) {
      let value = bytes[bytes.index(after: colon)...].drop {
        $0 == ASCIIByte.space || $0 == ASCIIByte.tab
      }
      let name = String(text[..<colon])
      self =
        value.isEmpty ? .removed(name: name) : .field(SigV4.Header(name, String(Substring(value))))
    } else if bytes.last == ASCIIByte.semicolon {
      self = .field(SigV4.Header(String(Substring(bytes.dropLast())), ""))
    } else {
      throw CommandError(
        .usage, "A header of \(option) has no colon.", fix: "Use the form 'name: value'.")
    }
    try SigV4.Header(name, "").check()
  }

  var name: String {
    switch self {
    case .field(let header): header.name
    case .removed(let name): name
    }
  }

  /// Parses the value of an option: a header, or "@FILE" for a header in each line.
  static func all(in value: String, of option: String) throws -> [GivenHeader] {
    if value.utf8.first != ASCIIByte.at { return [try GivenHeader(value, of: option)] }
    let file = String(Substring(value.utf8.dropFirst()))
    return try System.contents(of: file, atMost: 1 << 20).split(separator: 0x0A).compactMap {
      let line = $0.last == 0x0D ? $0.dropLast() : $0
      return line.isEmpty ? nil : try GivenHeader(System.text(ofLine: line, in: file), of: option)
    }
  }

  /// The header in curl's form.
  var curlText: String {
    switch self {
    case .field(let header): CurlCommand.headerText(header)
    case .removed(let name): name + ":"
    }
  }
}
