// SPDX-License-Identifier: Apache-2.0
// Curl, which is fed with its options and the body to send: posix_spawn, and no shell.

internal import CredentialProviders
internal import POSIXCredentialSources

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What a program reads from its standard input.
enum ChildInput {
  /// Bytes of ours, in portions; none for an empty input.
  case portions([[UInt8]])
  /// A file, which it reads itself.
  case file(String)
}

extension ChildProcess {
  /// Runs a program that reads `input` from its standard input and `more` from descriptor 3, without
  /// AWS's variables: credentials are not its business. Returns its exit code, as a shell has it. Its
  /// output is ours.
  static func status(of command: [String], input: ChildInput, more: [UInt8]) throws -> Int32 {
    let name = command.first ?? ""
    let options = try makePipe(for: name)
    let (read, write) = try open(input, for: name)
    // A program that ends before it has read everything is known by its exit code.
    let signals = signal(SIGPIPE, SIG_IGN)
    defer { _ = signal(SIGPIPE, signals) }
    let process = try spawn(
      command, [(0, read), (3, options.read)], withoutVariables: "AWS_")
    [read, options.read].forEach { _ = close($0) }
    try? System.write(more, to: options.write, named: name)
    _ = close(options.write)
    if case .portions(let portions) = input, let write {
      // It has stopped reading when one of them cannot be written.
      try? portions.forEach { try System.write($0, to: write, named: name) }
      _ = close(write)
    }
    let status = wait(for: process)
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  /// What to read from, and what to write to, if we do.
  private static func open(
    _ input: ChildInput, for name: String
  ) throws -> (read: Int32, write: Int32?) {
    if case .file(let path) = input { return (try System.openToRead(path), nil) }
    let ends = try makePipe(for: name)
    return (ends.read, ends.write)
  }
}
