// SPDX-License-Identifier: Apache-2.0
// The arguments of a command, split into options and operands by curl's habits.

/// An option: its names, and whether a value belongs to it.
struct OptionSpecification {
  let names: [String]
  let takesValue: Bool

  static func flag(_ names: String...) -> OptionSpecification {
    OptionSpecification(names: names, takesValue: false)
  }

  static func value(_ names: String...) -> OptionSpecification {
    OptionSpecification(names: names, takesValue: true)
  }
}

/// The arguments of a command. `--name value`, `--name=value`, `-Xvalue` and `-X value` are
/// understood; `--` ends the options; "-" alone is an operand.
struct Arguments {
  private(set) var operands: [String] = []
  private var options: [(name: String, value: String)] = []

  init(
    _ arguments: some Sequence<String>, _ specifications: [OptionSpecification]
  ) throws(CommandError) {
    var rest = Array(arguments)[...]
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

  private mutating func readOption(
    _ argument: String, _ rest: inout ArraySlice<String>, _ specifications: [OptionSpecification]
  ) throws(CommandError) {
    let (name, attached) = Self.split(argument)
    guard let specification = specifications.first(where: { $0.names.contains(name) }) else {
      throw CommandError.usage("there is no option \(name)")
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
    if argument.hasPrefix("--") {
      guard let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
      return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
    }
    let value = argument.dropFirst(2)
    return (String(argument.prefix(2)), value.isEmpty ? nil : String(value))
  }
}
