// SPDX-License-Identifier: Apache-2.0
// A tokenizer of Swift that is just good enough for the house rules.

/// A word, an attribute, a directive, one character of punctuation, or `"` for a whole string.
struct SwiftToken {
  let text: String
  let line: Int
  let followsSpace: Bool

  var isWord: Bool { text.utf8.first.map(SwiftTokenizer.isWordByte) ?? false }
}

/// One line of a comment, with its slashes.
struct SwiftComment {
  let text: String
  let line: Int

  var isDocumentation: Bool { text.hasPrefix("///") }
}

/// Splits a text. Code inside of a string's interpolation counts as code.
struct SwiftTokenizer {
  private(set) var tokens: [SwiftToken] = []
  private(set) var comments: [SwiftComment] = []
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var afterSpace = true

  init(_ text: String) {
    bytes = Array(text.utf8)
    readCode(endsAtParenthesis: false)
  }

  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "`"), 0x80...:
      true
    default: false
    }
  }

  private mutating func readCode(endsAtParenthesis: Bool) {
    var depth = 0
    while position < bytes.count {
      if skipSpace() || readComment() || readString() || readWord() { continue }
      if endsAtParenthesis && depth == 0 && has(")") { return }
      if has("(") { depth += 1 }
      if has(")") { depth -= 1 }
      append(upTo: position + 1)
    }
  }

  private mutating func skipSpace() -> Bool {
    guard has(" ") || has("\t") || has("\r") || has("\n") else { return false }
    advance()
    afterSpace = true
    return true
  }

  private mutating func readComment() -> Bool {
    if has("//") {
      let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      appendComment(upTo: end)
      return true
    }
    guard has("/*") else { return false }
    var depth = 0
    repeat {
      let start = position
      while position < bytes.count && !has("\n") {
        if has("/*") { depth += 1 }
        if has("*/") {
          depth -= 1
          position += 1
        }
        position += 1
        if depth == 0 { break }
      }
      let end = min(position, bytes.count)
      position = start
      appendComment(upTo: end)
      if has("\n") { advance() }
    } while depth > 0 && position < bytes.count
    return true
  }

  private mutating func readString() -> Bool {
    let pounds = bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count
    guard has("\"", at: pounds) else { return false }
    tokens.append(SwiftToken(text: "\"", line: line, followsSpace: afterSpace))
    let quotes = has("\"\"\"", at: pounds) ? "\"\"\"" : "\""
    let suffix = String(repeating: "#", count: pounds)
    position += pounds + quotes.utf8.count
    while position < bytes.count && !has(quotes + suffix) {
      if has("\\" + suffix + "(") {
        position += pounds + 2
        readCode(endsAtParenthesis: true)
        position += 1
      } else if has("\\" + suffix) {
        position += pounds + 1
        advance()
      } else {
        advance()
      }
    }
    position += quotes.utf8.count + pounds
    afterSpace = false
    return true
  }

  /// A word; `@` and `#` belong to the word that they begin.
  private mutating func readWord() -> Bool {
    let start = has("@") || has("#") ? position + 1 : position
    let end = bytes[start...].firstIndex { !Self.isWordByte($0) } ?? bytes.count
    if end == start { return false }
    append(upTo: end)
    return true
  }

  private mutating func append(upTo end: Int) {
    let text = String(decoding: bytes[position..<end], as: UTF8.self)
    tokens.append(SwiftToken(text: text, line: line, followsSpace: afterSpace))
    position = end
    afterSpace = false
  }

  private mutating func appendComment(upTo end: Int) {
    let text = String(decoding: bytes[position..<end], as: UTF8.self)
    comments.append(SwiftComment(text: text, line: line))
    position = end
    afterSpace = true
  }

  private mutating func advance() {
    if has("\n") { line += 1 }
    position += 1
  }

  private func has(_ text: String, at offset: Int = 0) -> Bool {
    position + offset <= bytes.count && bytes[(position + offset)...].starts(with: text.utf8)
  }
}
