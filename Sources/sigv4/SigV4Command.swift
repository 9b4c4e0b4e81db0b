// SPDX-License-Identifier: Apache-2.0
// The entry point, which runs a command and prints its error.

/// `sigv4 COMMAND [options]`.
@main
enum SigV4Command {
  static func main() async {
    System.observeChildProcesses()
    do {
      try await run(System.arguments())
      System.exit(.success)
    } catch {
      let error = CommandError(error)
      let name = Style.red("sigv4:", on: .standardError)
      System.report("\(name) \(error.message)\n")
      System.exit(error.exitCode)
    }
  }

  static func run(_ arguments: [String]) async throws {
    guard let name = arguments.first else {
      System.report(HelpText.text)
      System.exit(.usage)
    }
    let rest = Array(arguments.dropFirst())
    switch name {
    case "--version", "-V":
      return try System.write("sigv4 \(HelpText.version)\n", to: .standardOutput)
    case "help", "--help", "-h":
      guard let name = rest.first, !name.hasPrefix("-") else {
        return try System.write(HelpText.text, to: .standardOutput)
      }
      return try System.write(HelpText.text(of: .named(name)), to: .standardOutput)
    default: break
    }
    let command = try CommandDescription.named(name)
    if rest.first == "-h" || rest.prefix(while: { $0 != "--" }).contains("--help") {
      return try System.write(HelpText.text(of: command), to: .standardOutput)
    }
    try await command.run(rest)
  }
}
