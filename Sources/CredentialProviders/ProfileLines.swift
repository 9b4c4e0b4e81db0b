// SPDX-License-Identifier: Apache-2.0
// The lines of a text, and what is a blank in them, as Python's text files and configparser have it.

/// Bytes as lines of Unicode scalars.
struct ProfileLines {
  typealias Line = ArraySlice<Unicode.Scalar>

  /// The lines without their ends, of which LF, CR and CR LF are read.
  let lines: [Line]

  /// Nil for bytes that are not UTF-8, with the number of the line where that begins.
  enum Reading {
    case lines(ProfileLines)
    case notUTF8(line: Int)
  }

  static func read(_ bytes: some Collection<UInt8>) -> Reading {
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(bytes.count)
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    reading: while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): scalars.append(scalar)
      case .emptyInput: break reading
      case .error: return .notUTF8(line: split(scalars).count + (endsLine(scalars) ? 1 : 0))
      }
    }
    return .lines(ProfileLines(lines: split(scalars)))
  }

  private static func endsLine(_ scalars: [Unicode.Scalar]) -> Bool {
    scalars.last.map { $0 == "\n" || $0 == "\r" } ?? true
  }

  private static func split(_ scalars: [Unicode.Scalar]) -> [Line] {
    var lines: [Line] = []
    var start = 0
    for (index, scalar) in scalars.enumerated() {
      let isFirstOfTwo =
        scalar == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n"
      if scalar != "\n" && scalar != "\r" || isFirstOfTwo { continue }
      let isSecondOfTwo = scalar == "\n" && index > start && scalars[index - 1] == "\r"
      lines.append(scalars[start..<(isSecondOfTwo ? index - 1 : index)])
      start = index + 1
    }
    if start < scalars.count { lines.append(scalars[start...]) }
    return lines
  }
}

extension Unicode.Scalar {
  /// Whether Python's `str.isspace` holds: the blanks of Unicode, and the four separators of ASCII.
  var isBlank: Bool {
    (0x1C...0x1F).contains(value) || properties.isWhitespace
  }

  /// Whether Python's `str.splitlines` ends a line here.
  var endsPythonLine: Bool {
    switch value {
    case 0x0A...0x0D, 0x1C...0x1E, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}

extension ArraySlice<Unicode.Scalar> {
  /// Without the blanks at both ends.
  var trimmed: ArraySlice { trimmedAtEnd.drop(while: \.isBlank) }

  /// Without the blanks at the end.
  var trimmedAtEnd: ArraySlice {
    guard let last = lastIndex(where: { !$0.isBlank }) else { return self[startIndex..<startIndex] }
    return self[...last]
  }

  /// As text.
  var text: String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: self)
    return String(view)
  }
}
