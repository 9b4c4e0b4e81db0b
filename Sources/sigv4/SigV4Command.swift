// SPDX-License-Identifier: Apache-2.0
// The entry point, which runs a command and prints its error.

/// `sigv4 COMMAND [options]`.
@main
enum SigV4Command {
  static func main() async {
    System.observeChildProcesses()
    var command: CommandDescription?
    do {
      let arguments = try System.arguments()
      command = CommandDescription.all.first { $0.name == arguments.first }
      try await run(arguments)
      System.exit(.success)
    } catch {
      let error = CommandError(error)
      let name = Style.red("sigv4:", on: .standardError)
      System.report("\(name) \(error.message(of: command))\n")
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
      let command = try CommandDescription.named(name)
      return try System.write(HelpText.text(of: command), to: .standardOutput)
    default: break
    }
    let command = try CommandDescription.named(name, followedBy: rest)
    do {
      let asksForHelp = rest.prefix { $0 != "--" }.contains("--help")
      if asksForHelp || rest.first == "-h" { throw HelpRequest() }
      try await command.run(rest)
    } catch is HelpRequest {
      try System.write(HelpText.text(of: command), to: .standardOutput)
    }
  }
}

/// An option -h or --help, which asks for the help of the command.
struct HelpRequest: Error {}
