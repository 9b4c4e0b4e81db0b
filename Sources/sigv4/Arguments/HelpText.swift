// SPDX-License-Identifier: Apache-2.0
// The output of --help and --version, generated from the descriptions of commands and options.

internal import RequestSigning

/// The output of `sigv4 --help`, `sigv4 help COMMAND` and `sigv4 --version`.
enum HelpText {
  static var version: String { LibraryVersion.text }

  /// The list of commands, and what applies to all of them.
  static var text: String {
    let commands = CommandDescription.all.map { row($0.name, $0.summary, width: 13) }.joined()
    return """
      sigv4 \(version): signs requests with AWS Signature Version 4.

      \(title("Commands"))
      \(commands)
      'sigv4 help COMMAND' lists a command's options and two examples.
      A URL is https://host/path?query (encoded) or s3://bucket/key (unencoded).
      Credentials come from the environment (AWS_ACCESS_KEY_ID, ...) or a profile.
      Exit codes: 0 success, 1 failure, 2 usage error, 3 no usable credentials.

      """
  }

  /// The options of a command and two examples.
  static func text(of command: CommandDescription) -> String {
    let options = command.options.map { row(label($0), $0.text, width: 27) }.joined()
    let kinds = command.kinds.isEmpty ? "" : "KIND is " + command.kinds.joined(separator: ", ")
    let examples = command.examples.map { "  " + $0 + "\n" }.joined()
    return title(command.usage) + "\n"
      + (Page.sentence(command.summary) + (kinds.isEmpty ? [] : Page.sentence(kinds)))
      .map { $0 + "\n" }.joined()
      + options + "\n" + title("Examples") + "\n" + examples
  }

  /// "-X, --request METHOD"
  static func label(_ option: OptionSpecification) -> String {
    let short = option.names.first { !$0.hasPrefix("--") }
    let name = (short.map { $0 + ", " } ?? "    ") + option.longName
    return name + (option.valueName.map { " " + $0 } ?? "")
  }

  private static func row(_ name: String, _ text: String, width: Int) -> String {
    let padding = String(repeating: " ", count: max(1, width - name.count))
    return "  " + name + padding + text + "\n"
  }

  private static func title(_ text: String) -> String {
    Style.bold(text, on: .standardOutput)
  }
}

/// Bold and red text on terminals, unless the user turned colors off (no-color.org).
enum Style {
  static func bold(_ text: String, on stream: System.Stream) -> String { styled(text, "1", stream) }

  static func red(_ text: String, on stream: System.Stream) -> String { styled(text, "31", stream) }

  private static func styled(_ text: String, _ code: String, _ stream: System.Stream) -> String {
    let isOff =
      System.environmentVariable("NO_COLOR") != nil || System.environmentVariable("TERM") == "dumb"
    return isOff || !System.isTerminal(stream) ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}
