// SPDX-License-Identifier: Apache-2.0
// Programs that are fed with what they need: posix_spawn, and no shell.

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

extension ChildProcess {
  /// Runs a program that reads `input` from its standard input and `more` from descriptor 3, and gives
  /// its exit code, as a shell has it. Its output is ours.
  static func status(
    of command: [String], input: [UInt8], more: [UInt8]
  ) throws(CredentialError) -> Int32 {
    let name = command.first ?? ""
    let ends = [try makePipe(for: name), try makePipe(for: name)]
    // A program that ends before it has read everything is known by its exit code.
    let signals = signal(SIGPIPE, SIG_IGN)
    defer { _ = signal(SIGPIPE, signals) }
    let process = try spawn(command, [(0, ends[0].read), (3, ends[1].read)])
    ends.forEach { _ = close($0.read) }
    for (end, bytes) in zip(ends, [input, more]) {
      try? System.write(bytes, to: end.write, named: name)
      _ = close(end.write)
    }
    let status = wait(for: process)
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }
}
