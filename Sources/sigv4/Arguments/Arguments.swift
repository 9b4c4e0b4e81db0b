// SPDX-License-Identifier: Apache-2.0
// Splits the arguments of a command into options and operands, as curl does.

/// The arguments of a command.
///
/// Options have the form `--name value`, `--name=value`, `-Xvalue` or `-X value`. `--` ends the
/// options. A single "-" is an operand.
struct Arguments {
  private(set) var operands: [String] = []
  private var options: [(name: String, value: String)] = []

  init(_ arguments: [String], _ specifications: [OptionSpecification]) throws {
    var rest = arguments[...]
    var optionsEnded = false
    while let argument = rest.popFirst() {
      if optionsEnded || argument == "-" || !argument.hasPrefix("-") {
        operands.append(argument)
      } else if argument == "--" {
        optionsEnded = true
      } else {
        try readOption(argument, &rest, specifications)
      }
    }
  }

  /// Whether the arguments contain an option.
  func has(_ name: String) -> Bool { options.contains { $0.name == name } }

  /// The last value of an option, or nil.
  func value(_ name: String) -> String? { options.last { $0.name == name }?.value }

  /// All values of a repeatable option.
  func values(_ name: String) -> [String] { options.filter { $0.name == name }.map(\.value) }

  /// The value of a numeric option, 0 or more. `unit` is for the error message.
  func number(_ name: String, of unit: String = "bytes") throws -> Int? {
    guard let text = value(name) else { return nil }
    if let number = Int(text), number >= 0 { return number }
    throw CommandError(
      .usage, "\(name) must be a number of \(unit), not \(text).",
      fix: "Use digits only, such as 900.")
  }

  /// The value of --expires: a number of seconds, or a number followed by s, m, h or d.
  func lifetime(default text: String) throws -> Duration {
    let text = value("--expires") ?? text
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    let unit = text.last.flatMap { units[$0] }
    let number = Int(unit == nil ? text : String(text.dropLast()))
    let (seconds, overflow) = (number ?? 0).multipliedReportingOverflow(by: unit ?? 1)
    if number == nil || overflow {
      throw CommandError(
        .usage, "--expires must be a duration, not \(text).",
        fix: "Use a value such as 900, 15m, 12h or 7d.")
    }
    return .seconds(seconds)
  }

  /// The only operand, which chooses what a command does. `noun` is for the error messages.
  func kind<Kind: CaseIterable & RawRepresentable<String>>(
    of command: String, _ noun: String
  ) throws -> Kind {
    try choice(of: command, noun, among: Array(Kind.allCases)) { $0.rawValue }
  }

  /// The choice that the only operand names.
  func choice<Choice>(
    of command: String, _ noun: String, among choices: [Choice], name: (Choice) -> String
  ) throws -> Choice {
    let names = choices.map(name)
    guard let operand = operands.first else {
      throw CommandError(
        .usage, "The \(noun) is missing.", fix: "Pass one of \(names.joined(separator: ", ")).")
    }
    guard let choice = choices.first(where: { name($0) == operand }) else {
      throw CommandError(
        .usage, "Unknown \(noun) \(operand).",
        fix: "Pass one of \(names.joined(separator: ", ")). "
          + Suggestion.text(for: operand, among: names))
    }
    if operands.count > 1 {
      throw CommandError(
        .usage, "\(command) \(operand) accepts options only, not \(operands[1]).",
        fix: "Remove it.")
    }
    return choice
  }

  private mutating func readOption(
    _ argument: String, _ rest: inout ArraySlice<String>, _ specifications: [OptionSpecification]
  ) throws {
    if argument == "-h" { throw HelpRequest() }
    let (name, attached) = Self.split(argument)
    guard let specification = specifications.first(where: { $0.names.contains(name) }) else {
      throw CommandError(
        .usage, "This command has no option \(name).",
        fix: Suggestion.text(forOption: name, among: specifications))
    }
    let canonicalName = specification.names[0]
    if !specification.takesValue {
      if attached != nil {
        throw CommandError(
          .usage, "The option \(name) doesn't accept a value.", fix: "Remove the value.")
      }
      options.append((canonicalName, ""))
    } else if let value = attached ?? rest.popFirst() {
      options.append((canonicalName, value))
    } else {
      throw CommandError(
        .usage, "The option \(name) needs a value.", fix: "Pass the value after the option.")
    }
  }

  /// Splits an argument into the option's name and its attached value, if any.
  private static func split(_ argument: String) -> (name: String, value: String?) {
    if argument.hasPrefix("--") { return argument.split(atFirst: "=") }
    let value = argument.dropFirst(2)
    return (String(argument.prefix(2)), value.isEmpty ? nil : String(value))
  }
}
