// SPDX-License-Identifier: Apache-2.0
// The entry point: which command was asked for, and what its errors look like.

/// `sigv4 COMMAND [options]`.
@main
enum SigV4Command {
  static func main() async {
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
      System.exit(.success)
    } catch {
      let error = CommandError(error)
      // When standard error is closed, the exit code has to do.
      try? System.write("sigv4: \(error.message)\n", to: .standardError)
      System.exit(error.exitCode)
    }
  }

  static func run(_ arguments: [String]) async throws {
    let rest = Array(arguments.dropFirst())
    if rest.prefix(while: { $0 != "--" }).contains("--help") {
      return try System.write(HelpText.text, to: .standardOutput)
    }
    switch arguments.first {
    case "sign": try await SignCommand.run(rest)
    case "curl": try await SendCommand.run(rest)
    case "presign": try await PresignCommand.run(rest)
    case "explain": try await ExplainCommand.run(rest)
    case "verify": try await VerifyCommand.run(rest)
    case "upload": try await UploadCommand.run(rest)
    case "post-policy": try await PostPolicyCommand.run(rest)
    case "token": try await TokenCommand.run(rest)
    case "credentials": try await CredentialsCommand.run(rest)
    case "hash": try HashCommand.run(rest)
    case "hmac": try HMACCommand.run(rest)
    case "demo": try DemoCommand.run(rest)
    case "--help", "-h", "help": try System.write(HelpText.text, to: .standardOutput)
    case "--version": try System.write("sigv4 \(HelpText.version)\n", to: .standardOutput)
    case nil: throw CommandError.usage("a command is missing")
    case let unknown?: throw CommandError.usage("there is no command \(unknown)")
    }
  }
}
