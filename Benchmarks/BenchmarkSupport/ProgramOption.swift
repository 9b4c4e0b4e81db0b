// SPDX-License-Identifier: Apache-2.0
// The options that one benchmark program has and others have not.

/// An option that one benchmark program has and others have not.
public struct ProgramOption: Equatable, Sendable {
  let name: String
  let placeholder: String?
  let help: String

  /// An option `--name`; one with a placeholder takes a value. The help has at most 70 characters.
  public init(name: String, placeholder: String? = nil, help: String) {
    self.name = name
    self.placeholder = placeholder
    self.help = help
  }

  /// The option and its help. After a long option, the help starts a new line.
  func helpLines(indent: Int) -> String {
    let spelling = placeholder.map { name + " " + $0 } ?? name
    let start = spelling.left(indent - 2)
    return start == spelling ? start + "\n" + "".left(indent) + help : start + help
  }
}

/// The values of a program's own options on the command line.
public struct ProgramChoices: Equatable, Sendable {
  private var values: [String: String] = [:]

  /// Whether the command line contains the option.
  public func contains(_ option: ProgramOption) -> Bool { values[option.name] != nil }

  /// The option's value, or nil if the command line doesn't contain it.
  public func value(of option: ProgramOption) -> String? { values[option.name] }

  mutating func insert(_ option: ProgramOption, _ value: String) {
    values[option.name] = value
  }
}
