// SPDX-License-Identifier: Apache-2.0
// The arguments of a command, split into options and operands as curl splits them.

/// The arguments of a command. `--name value`, `--name=value`, `-Xvalue` and `-X value` are
/// understood; `--` ends the options; "-" alone is an operand.
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

  /// Whether a flag was given.
  func has(_ name: String) -> Bool { options.contains { $0.name == name } }

  /// The value of an option; the last one counts.
  func value(_ name: String) -> String? { options.last { $0.name == name }?.value }

  /// The values of an option that may be repeated.
  func values(_ name: String) -> [String] { options.filter { $0.name == name }.map(\.value) }

  /// The value of an option that is a number, 0 or more, of such a unit.
  func number(_ name: String, of unit: String = "bytes") throws -> Int? {
    guard let text = value(name) else { return nil }
    if let number = Int(text), number >= 0 { return number }
    throw CommandError.usage("\(name) takes a number of \(unit), not \(text)")
  }

  /// The value of --expires in seconds: a number, or a number with s, m, h or d after it.
  func lifetime(default text: String) throws -> Duration {
    let text = value("--expires") ?? text
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    let unit = text.last.flatMap { units[$0] }
    let number = Int(unit == nil ? text : String(text.dropLast()))
    let (seconds, overflow) = (number ?? 0).multipliedReportingOverflow(by: unit ?? 1)
    if number == nil || overflow {
      throw CommandError.usage("--expires takes 900, 15m, 12h or 7d, not \(text)")
    }
    return .seconds(seconds)
  }

  private mutating func readOption(
    _ argument: String, _ rest: inout ArraySlice<String>, _ specifications: [OptionSpecification]
  ) throws {
    let (name, attached) = Self.split(argument)
    guard let specification = specifications.first(where: { $0.names.contains(name) }) else {
      throw CommandError.usage(
        "there is no option \(name)" + Suggestion.text(forOption: name, among: specifications))
    }
    let canonicalName = specification.names[0]
    if !specification.takesValue {
      if attached != nil { throw CommandError.usage("the option \(name) takes no value") }
      options.append((canonicalName, ""))
    } else if let value = attached ?? rest.popFirst() {
      options.append((canonicalName, value))
    } else {
      throw CommandError.usage("the option \(name) needs a value after it")
    }
  }

  /// The name of an option, and a value that is attached to it.
  private static func split(_ argument: String) -> (name: String, value: String?) {
    if argument.hasPrefix("--") { return argument.split(atFirst: "=") }
    let value = argument.dropFirst(2)
    return (String(argument.prefix(2)), value.isEmpty ? nil : String(value))
  }
}
