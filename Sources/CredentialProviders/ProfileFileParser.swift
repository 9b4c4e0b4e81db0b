// SPDX-License-Identifier: Apache-2.0
// The reader of profile files: the rules of Python's RawConfigParser, which botocore uses.

/// Reads the sections of one file.
struct ProfileFileParser {
  let path: String

  private var sections: [OpenSection] = []
  private var defaults = OpenSection(name: "DEFAULT")
  private var indexOfSection: [ExactText: Int] = [:]
  private var place = Place.beforeSections

  /// How far the last header or setting was indented.
  private var indentation = 0

  init(path: String) {
    self.path = path
  }

  mutating func sections(
    of bytes: some Collection<UInt8>
  ) throws(CredentialError) -> [ProfileFile.Section] {
    let lines: [ProfileLines.Line]
    switch ProfileLines.read(bytes) {
    case .lines(let read): lines = read.lines
    case .notUTF8(let line):
      throw invalid(line, "has bytes that are not UTF-8; save the file as UTF-8")
    }
    if lines.first?.first == "\u{FEFF}" {
      throw invalid(
        1,
        "begins with a byte order mark, so that its first section would not be found; save the "
          + "file without one")
    }
    for (index, line) in lines.enumerated() { try read(line, number: index + 1) }
    let inherited = sections.isEmpty ? [] : try defaults.settings(in: self)
    var finished: [ProfileFile.Section] = []
    for section in sections { finished.append(try section.finished(inherited, in: self)) }
    return finished
  }

  func invalid(_ line: Int, _ reason: String) -> CredentialError {
    CredentialError(.invalidFile, "\(path), line \(line), \(reason)")
  }

  private mutating func read(_ line: ProfileLines.Line, number: Int) throws(CredentialError) {
    let content = line.trimmed
    guard let first = content.first else { return continueValue(with: content) }
    if first == "#" || first == ";" { return }
    let indentation = line.distance(from: line.startIndex, to: content.startIndex)
    if indentation > self.indentation && isInSetting { return continueValue(with: content) }
    self.indentation = indentation
    if let name = Self.sectionName(content) {
      try beginSection(name, number)
    } else {
      try beginSetting(content, number)
    }
  }

  /// `[`, at least one character, and the last `]` of the line.
  private static func sectionName(_ content: ProfileLines.Line) -> String? {
    guard content.first == "[", let end = content.lastIndex(of: "]"),
      end > content.startIndex + 1
    else { return nil }
    return content[(content.startIndex + 1)..<end].text
  }

  private mutating func beginSection(_ name: String, _ number: Int) throws(CredentialError) {
    if ExactText(name) == ExactText("DEFAULT") {
      defaults.closeSetting()
      place = .inDefaults
      return
    }
    if let index = indexOfSection[ExactText(name)] {
      throw invalid(
        number,
        "begins the section of line \(sections[index].line) once more; put its settings "
          + "into one section")
    }
    indexOfSection[ExactText(name)] = sections.count
    place = .inSection(sections.count)
    sections.append(OpenSection(name: name, line: number))
  }

  private mutating func beginSetting(
    _ content: ProfileLines.Line, _ number: Int
  ) throws(CredentialError) {
    if case .beforeSections = place {
      throw invalid(
        number, "stands before the first section; write [default] above it, or [profile NAME]")
    }
    guard let delimiter = content.firstIndex(where: { $0 == "=" || $0 == ":" }) else {
      throw invalid(
        number,
        "is neither a section, a setting 'name = value', a comment, nor the indented "
          + "continuation of a setting")
    }
    let name = content[..<delimiter].trimmedAtEnd
    if name.isEmpty { throw invalid(number, "has no name before its '=' or ':'") }
    let setting = OpenSetting(
      name: name.text.lowercased(), line: number, lines: [content[(delimiter + 1)...].trimmed])
    let earlier = changeSection { $0.open(setting) }
    if let earlier {
      throw invalid(number, "sets again what line \(earlier) sets; delete one of them")
    }
  }

  private var isInSetting: Bool {
    switch place {
    case .beforeSections: false
    case .inDefaults: defaults.isInSetting
    case .inSection(let index): sections[index].isInSetting
    }
  }

  private mutating func continueValue(with content: ProfileLines.Line) {
    changeSection { $0.continueValue(with: content) }
  }

  @discardableResult
  private mutating func changeSection<Result>(
    _ change: (inout OpenSection) -> Result?
  ) -> Result? {
    switch place {
    case .beforeSections: nil
    case .inDefaults: change(&defaults)
    case .inSection(let index): change(&sections[index])
    }
  }

  private enum Place {
    case beforeSections
    case inDefaults
    case inSection(Int)
  }
}

extension ProfileFileParser {
  /// A setting while its lines come in.
  struct OpenSetting {
    let name: String
    let line: Int
    var lines: [ProfileLines.Line]

    /// The lines joined, without the blanks at the end.
    var joined: ArraySlice<Unicode.Scalar> {
      var all: [Unicode.Scalar] = []
      for (index, line) in lines.enumerated() {
        if index > 0 { all.append("\n") }
        all.append(contentsOf: line)
      }
      return all[...].trimmedAtEnd
    }
  }

  /// A section while its settings come in.
  struct OpenSection {
    let name: String
    var line = 0
    private var settings: [OpenSetting] = []
    private var indexOfSetting: [ExactText: Int] = [:]
    private(set) var isInSetting = false

    init(name: String, line: Int = 0) {
      self.name = name
      self.line = line
    }

    /// Begins a setting; gives the line of one that has this name already.
    mutating func open(_ setting: OpenSetting) -> Int? {
      if let index = indexOfSetting[ExactText(setting.name)] { return settings[index].line }
      indexOfSetting[ExactText(setting.name)] = settings.count
      settings.append(setting)
      isInSetting = true
      return nil
    }

    mutating func closeSetting() { isInSetting = false }

    mutating func continueValue(with content: ProfileLines.Line) {
      if isInSetting { settings[settings.count - 1].lines.append(content) }
    }

    func settings(
      in parser: ProfileFileParser
    ) throws(CredentialError) -> [ProfileFile.Setting] {
      var finished: [ProfileFile.Setting] = []
      for setting in settings {
        finished.append(
          ProfileFile.Setting(
            name: setting.name, value: try parser.value(of: setting), path: parser.path,
            line: setting.line))
      }
      return finished
    }

    func finished(
      _ inherited: [ProfileFile.Setting], in parser: ProfileFileParser
    ) throws(CredentialError) -> ProfileFile.Section {
      ProfileFile.Section(name: name, own: try settings(in: parser), inherited: inherited)
    }
  }

  /// A value that begins with a line end holds settings of its own.
  func value(of setting: OpenSetting) throws(CredentialError) -> ProfileFile.Value {
    let joined = setting.joined
    if joined.first != "\n" { return .text(joined.text) }
    var settings: [(name: String, value: String)] = []
    var indexOfName: [ExactText: Int] = [:]
    for line in joined.split(whereSeparator: \.endsPythonLine).map(\.trimmed) where !line.isEmpty {
      guard let equals = line.firstIndex(of: "=") else {
        throw invalid(
          setting.line,
          "is followed by indented lines, and one of them is no setting "
            + "'name = value'")
      }
      let name = line[..<equals].trimmedAtEnd.text
      let value = line[(equals + 1)...].trimmed.text
      if let index = indexOfName[ExactText(name)] {
        settings[index].value = value
      } else {
        indexOfName[ExactText(name)] = settings.count
        settings.append((name, value))
      }
    }
    return .settings(settings)
  }
}
