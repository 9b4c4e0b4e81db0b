// SPDX-License-Identifier: Apache-2.0
// One profile file: its sections, read by botocore's rules.

internal import SecureHashing
internal import RequestSigning

/// A profile file, such as `~/.aws/config` or `~/.aws/credentials`, read the way botocore does,
/// with the rules of Python's RawConfigParser.
///
/// - A section begins with `[name]`. Anything after the last bracket on the line is ignored. A
///   section can't appear twice. Settings in `[DEFAULT]`, in uppercase, are defaults for all
///   sections.
/// - A setting is `name = value` or `name: value`. Its name is converted to lowercase, and can't
///   appear twice in a section.
/// - A line with more indentation than its setting continues the value. A value that begins on the
///   next line contains nested settings, each `name = value`.
/// - A comment is a whole line that begins with `#` or `;`. After a value, these characters are
///   part of the value.
package struct ProfileFile: Sendable, Redacted {
  /// The maximum size of a file: 1,048,576 bytes.
  package static let maximumByteCount = 1_048_576

  /// The sections in order, each merged with `[DEFAULT]`.
  package private(set) var sections: [ProfileFiles.Section] = []

  /// The number of sections. Values may be secret.
  package var description: String { "ProfileFile(\(sections.count) sections)" }

  /// Reads the sections of a file in linear time.
  ///
  /// - Throws: `invalidFile` with the line number, but not the line, for a file that botocore
  ///   rejects, and for a file larger than `maximumByteCount`.
  package init(bytes: [UInt8], path: String) throws(CredentialError) {
    if bytes.count > Self.maximumByteCount {
      throw CredentialError(
        .invalidFile,
        "\(path) is \(bytes.count) bytes long. Profile files are limited to "
          + "\(Self.maximumByteCount) bytes.",
        fix: "Check whether it's the right file.")
    }
    var parser = ProfileParser(path: path)
    for (index, line) in try parser.lines(of: bytes).enumerated() {
      try parser.read(line.unicodeScalars, number: index + 1)
    }
    if parser.sections.count == 1 { return }
    let inherited = try parser.settings(of: parser.sections[0])
    for section in parser.sections.dropFirst() {
      let own = try parser.settings(of: section)
      sections.append(.init(name: section.name, own: own, inherited: inherited))
    }
  }
}

private struct ProfileParser {
  typealias Line = Substring.UnicodeScalarView

  /// A setting whose value consists of unparsed lines.
  typealias RawSetting = (name: String, line: Int, value: String)

  struct RawSection {
    let name: String
    let line: Int
    var settings: [RawSetting] = []
    var lineOfSetting: [[UInt8]: Int] = [:]
  }

  let path: String

  /// The sections so far. The first is `[DEFAULT]`.
  var sections = [RawSection(name: "DEFAULT", line: 0)]
  private var indexOfSection = ["DEFAULT".bytesInUTF8: 0]

  /// The section of the next settings, or nil before the first header.
  private var current: Int?

  /// Whether a setting of this section has begun, so that an indented line continues it.
  private var isInSetting = false

  /// The indentation of the last header or setting.
  private var indentation = 0

  init(path: String) { self.path = path }

  func invalid(_ line: Int, _ problem: String, fix: String) -> CredentialError {
    CredentialError(.invalidFile, "Line \(line) of \(path) \(problem).", fix: fix)
  }

  /// Returns the lines, which end with LF, CR or CR LF.
  func lines(of bytes: [UInt8]) throws(CredentialError) -> [Substring] {
    let text = String(decoding: bytes, as: UTF8.self)
    if text.unicodeScalars.first == "\u{FEFF}" {
      throw invalid(
        1, "begins with a byte order mark, which hides the first section",
        fix: "Remove the byte order mark.")
    }
    if text.utf8.elementsEqual(bytes) { return Self.lines(of: text) }
    let readable = zip(bytes, text.utf8).prefix { $0 == $1 }.map(\.0)
    throw invalid(
      Self.lines(of: String(decoding: readable, as: UTF8.self)).count,
      "contains invalid UTF-8", fix: "Use UTF-8 for the file.")
  }

  private static func lines(of text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false) { ["\n", "\r", "\r\n"].contains($0) }
  }

  mutating func read(_ line: Line, number: Int) throws(CredentialError) {
    let content = line.trimmed
    if content.first == "#" || content.first == ";" { return }
    let indentation = line.distance(from: line.startIndex, to: content.startIndex)
    if let current, isInSetting, content.isEmpty || indentation > self.indentation {
      let last = sections[current].settings.count - 1
      sections[current].settings[last].value += "\n" + String(content)
    } else if let first = content.first {
      self.indentation = indentation
      // '[', at least one character, and the last ']' of the line.
      if first == "[", let end = content.lastIndex(of: "]"), content.dropFirst().startIndex < end {
        try beginSection(String(content[..<end].dropFirst()), number)
      } else {
        try beginSetting(content, number)
      }
    }
  }

  private mutating func beginSection(_ name: String, _ number: Int) throws(CredentialError) {
    let index = indexOfSection[name.bytesInUTF8] ?? sections.count
    if index == sections.count {
      indexOfSection[name.bytesInUTF8] = index
      sections.append(RawSection(name: name, line: number))
    } else if index > 0 {
      throw invalid(
        number, "repeats the section on line \(sections[index].line)",
        fix: "Put the settings in one section.")
    }
    current = index
    isInSetting = false
  }

  private mutating func beginSetting(_ content: Line, _ number: Int) throws(CredentialError) {
    if content.first == "[" && !content.contains(where: { $0 == "]" || $0 == "=" || $0 == ":" }) {
      throw invalid(number, "begins with '[' but has no ']'", fix: "Use the form [NAME].")
    }
    guard let current else {
      throw invalid(
        number, "comes before the first section",
        fix: "Add [default] or [profile NAME] above it.")
    }
    guard let delimiter = content.firstIndex(where: { $0 == "=" || $0 == ":" }) else {
      throw invalid(
        number, "isn't a section, a setting, a comment or an indented continuation",
        fix: "Use the form name = value.")
    }
    let name = String(content[..<delimiter].trimmed).lowercased()
    if name.isEmpty {
      throw invalid(number, "has no name before '=' or ':'", fix: "Use the form name = value.")
    }
    if let earlier = sections[current].lineOfSetting.updateValue(number, forKey: name.bytesInUTF8) {
      throw invalid(number, "repeats the setting on line \(earlier)", fix: "Remove one of them.")
    }
    let value = String(content[delimiter...].dropFirst().trimmed)
    sections[current].settings.append((name, number, value))
    isInSetting = true
  }

  /// Returns the settings of a complete section.
  func settings(of section: RawSection) throws(CredentialError) -> [ProfileFiles.Setting] {
    try section.settings.map { (raw) throws(CredentialError) in
      let value = Substring(raw.value).unicodeScalars.trimmedAtEnd
      let isText = value.first != "\n"
      return ProfileFiles.Setting(
        name: raw.name, text: isText ? String(value) : nil,
        settings: isText ? [] : try nestedSettings(in: value, line: raw.line), path: path,
        line: raw.line)
    }
  }

  /// Returns the settings in a value. If a name appears twice, the last value wins, in the first
  /// position.
  private func nestedSettings(
    in value: Line, line number: Int
  ) throws(CredentialError) -> [ProfileFiles.Setting] {
    var settings: [ProfileFiles.Setting] = []
    var indexOfName: [[UInt8]: Int] = [:]
    for line in value.split(whereSeparator: \.endsPythonLine).map(\.trimmed) where !line.isEmpty {
      guard let equals = line.firstIndex(of: "=") else {
        throw invalid(
          number, "is followed by an indented line that isn't a setting",
          fix: "Use the form name = value.")
      }
      let name = String(line[..<equals].trimmedAtEnd)
      let setting = ProfileFiles.Setting(
        name: name, text: String(line[equals...].dropFirst().trimmed), settings: [], path: path,
        line: number)
      if let index = indexOfName[name.bytesInUTF8] {
        settings[index] = setting
      } else {
        indexOfName[name.bytesInUTF8] = settings.count
        settings.append(setting)
      }
    }
    return settings
  }
}

extension Unicode.Scalar {
  /// Whether Python's `str.isspace` is true: Unicode white space, and four ASCII separators.
  fileprivate var isPythonSpace: Bool {
    (0x1C...0x1F).contains(value) || properties.isWhitespace
  }

  /// Whether Python's `str.splitlines` ends a line here.
  fileprivate var endsPythonLine: Bool {
    switch value {
    case 0x0A...0x0D, 0x1C...0x1E, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}

extension Substring.UnicodeScalarView {
  fileprivate var trimmed: Self { trimmedAtEnd.drop(while: \.isPythonSpace) }

  fileprivate var trimmedAtEnd: Self {
    guard let last = lastIndex(where: { !$0.isPythonSpace }) else { return prefix(0) }
    return self[...last]
  }
}
