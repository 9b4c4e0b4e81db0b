// SPDX-License-Identifier: Apache-2.0
// The command line of every benchmark program.

/// The parsed command line.
struct BenchmarkOptions: Equatable {
  private(set) var jsonPath: String?
  private(set) var chartPath: String?
  private(set) var oldReportPath: String?
  private(set) var givenReportPath: String?
  private(set) var wantedSeconds: String?
  /// The only operation to measure, or the start of several names.
  private(set) var operation: String?
  /// The total measuring time.
  private(set) var seconds = 25
  private(set) var wantsHelp = false
  private(set) var wantsTables = false
  private(set) var choices = ProgramChoices()

  /// Rejects unknown and repeated options.
  init(_ arguments: [String], own: [ProgramOption] = []) throws(BenchmarkError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let (name, attached) = Self.split(argument)
      if let option = Self.valueOptions[name] {
        if self[keyPath: option.value] != nil {
          throw .usage("the option \(name) is repeated")
        }
        self[keyPath: option.value] = try Self.value(option.placeholder, of: name, attached, &rest)
      } else if let flag = Self.flags[name] {
        try Self.refuse(attached, of: name)
        self[keyPath: flag] = true
      } else if let option = own.first(where: { $0.name == name }) {
        if choices.contains(option) { throw .usage("the option \(name) is repeated") }
        let value = try Self.value(option.placeholder, of: name, attached, &rest)
        choices.insert(option, value)
      } else {
        throw .usage("there is no option \(argument)")
      }
    }
    if let wantedSeconds { seconds = try Self.seconds(wantedSeconds) }
  }

  private static func seconds(_ text: String) throws(BenchmarkError) -> Int {
    if let seconds = Int(text), (1...3600).contains(seconds) { return seconds }
    throw .usage("--seconds must be a whole number from 1 to 3600, not \(text)")
  }

  static func help(name: String, purpose: String, own: [ProgramOption] = []) -> String {
    let ownLines = own.map { "\n  " + $0.helpLines(indent: 19) }.joined()
    return """
      \(name): \(purpose)

      Usage: swift run -c release --package-path Benchmarks \(name) [OPTION]...

        --json FILE      write the results to FILE
        --svg FILE       draw the ratios as a chart into FILE
        --compare FILE   show the differences from the results in FILE, written by --json
        --from FILE      show the results in FILE without measuring
        --only NAME      measure only the operations whose names begin with NAME
        --tables         show every size and contender, not only the verdict
        --seconds N      measure for about N seconds, not 25: 5 for a look, 75 for a claim\(ownLines)
        --help           show this text

      The exit code is 0 for success, 1 if a result is wrong or a file can't be read or written, and 2
      for a usage error. Benchmarks/README.md explains what's measured, and how to compare fairly.
      """
  }

  /// The value of an option that takes one, an empty text for one that does not.
  private static func value(
    _ placeholder: String?, of name: String, _ attached: String?, _ rest: inout ArraySlice<String>
  ) throws(BenchmarkError) -> String {
    guard let placeholder else {
      try refuse(attached, of: name)
      return ""
    }
    guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
      throw .usage("the option \(name) needs a value: \(placeholder)")
    }
    return value
  }

  private static func refuse(_ attached: String?, of name: String) throws(BenchmarkError) {
    if attached != nil { throw .usage("the option \(name) takes no value") }
  }

  private static func split(_ argument: String) -> (name: String, value: String?) {
    guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else {
      return (argument, nil)
    }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }

  private static var valueOptions:
    [String: (placeholder: String, value: WritableKeyPath<Self, String?>)]
  {
    [
      "--json": ("FILE", \.jsonPath), "--svg": ("FILE", \.chartPath),
      "--compare": ("FILE", \.oldReportPath), "--from": ("FILE", \.givenReportPath),
      "--only": ("NAME", \.operation), "--seconds": ("N", \.wantedSeconds),
    ]
  }

  private static var flags: [String: WritableKeyPath<Self, Bool>] {
    ["--help": \.wantsHelp, "-h": \.wantsHelp, "--tables": \.wantsTables]
  }
}
