// SPDX-License-Identifier: Apache-2.0
// Runs the built command line as a user's shell does, and stores its output.

internal import Foundation
internal import SigningTestSupport
internal import Testing

/// The output and the exit code of a finished command.
struct CommandProcess {
  let output: String
  let errors: String
  let exitCode: Int32

  /// The keys that AWS publishes with its examples of Amazon S3.
  static var exampleKeys: [String: String] {
    [
      "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
      "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    ]
  }

  /// Without an EC2 instance, and without the home folder of the user who runs the tests.
  private static let isolated = ["AWS_EC2_METADATA_DISABLED": "true", "HOME": "/nonexistent"]

  /// Runs `sigv4` with only these variables in its environment, and without a home folder or an EC2
  /// instance unless they name one.
  init(
    _ arguments: [String], environment: [String: String] = exampleKeys, input: String = ""
  ) throws {
    var variables = Self.isolated
    if environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] != nil {
      variables["AWS_EC2_METADATA_DISABLED"] = nil
    }
    try self.init(
      executable: Self.executable, arguments, environment: variables.merging(environment) { $1 },
      input: input)
  }

  /// Runs a shell script, in which "$SIGV4" is the command.
  init(
    script: String, environment: [String: String] = exampleKeys, input: String = ""
  ) throws {
    let variables = Self.isolated.merging([
      "PATH": "/usr/bin:/bin", "SIGV4": Self.executable.path,
    ]) { $1 }
    try self.init(
      executable: URL(fileURLWithPath: "/bin/sh"), ["-c", script],
      environment: variables.merging(environment) { $1 }, input: input)
  }

  /// Runs any program.
  init(
    executable: URL, _ arguments: [String], environment: [String: String], input: String
  ) throws {
    let variables = environment.map { "\($0.key)=\($0.value)" }
    let program = try RunningProgram(
      ["/usr/bin/env", "-i"] + variables + [executable.path] + arguments, outputs: [1, 2])
    try program.send(input)
    let texts = program.outputs.map { String(decoding: $0.readDataToEndOfFile(), as: UTF8.self) }
    (output, errors) = (texts[0], texts[1])
    exitCode = program.exitCode()
  }

  /// The product in the directory of the test bundle.
  static var executable: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("sigv4")
  }
}

extension TemporaryFolder {
  /// Writes a shell script that can be run. A process of its own writes it: a program that another
  /// test starts meanwhile could inherit our descriptor of the file, and Linux doesn't run a file
  /// that's open for writing ("Text file busy").
  func addProgram(_ name: String, _ script: String) throws {
    let path = url.appendingPathComponent(name).path
    let written = try CommandProcess(
      executable: URL(fileURLWithPath: "/bin/sh"),
      ["-c", #"cat > "$1" && chmod 755 "$1""#, "sh", path], environment: ["PATH": "/usr/bin:/bin"],
      input: script)
    try #require(written.exitCode == 0, "\(written.errors)")
  }
}
