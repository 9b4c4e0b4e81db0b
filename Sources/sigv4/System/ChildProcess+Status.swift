// SPDX-License-Identifier: Apache-2.0
// Runs curl with posix_spawn, without a shell, and writes its options and body to pipes.

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

/// The standard input of a child process.
enum ChildInput {
  /// Buffers to write to a pipe. An empty array is an empty input.
  case portions([[UInt8]])
  /// The path of a file, which the process reads itself.
  case file(String)
}

/// The process to forward signals to. A signal handler can't capture it.
// Safety: it's set once, before the handlers are.
nonisolated(unsafe) private var signaledProcess: Int32 = 0

@available(tvOS, unavailable)
@available(watchOS, unavailable)
extension ChildProcess {
  /// Runs a command that reads `input` from its standard input and `more` from descriptor 3. It
  /// doesn't inherit AWS environment variables, which may contain credentials, shares our standard
  /// output, and ends if this process is terminated. Returns its exit code, as a shell reports it.
  static func status(of command: [String], input: ChildInput, more: [UInt8]) throws -> Int32 {
    let name = command.first ?? ""
    let options = try makePipe(for: name)
    let (read, write) = try open(input, for: name)
    // If the command exits before reading all its input, its exit code shows why.
    let signals = signal(SIGPIPE, SIG_IGN)
    defer { _ = signal(SIGPIPE, signals) }
    let process = try spawn(
      command, [(0, read), (3, options.read)], withoutVariables: "AWS_")
    forwardSignals(to: process)
    [read, options.read].forEach { _ = close($0) }
    try? System.write(more, to: options.write, named: name)
    _ = close(options.write)
    if case .portions(let portions) = input, let write {
      // A failed write means that the command stopped reading.
      try? portions.forEach { try System.write($0, to: write, named: name) }
      _ = close(write)
    }
    // An unknown status counts as exit code 1.
    let status = wait(for: process) ?? 1 << 8
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  /// Forwards signals that a supervisor sends to this process only. A terminal sends SIGINT to
  /// both.
  private static func forwardSignals(to process: Int32) {
    unsafe signaledProcess = process
    for number in [SIGTERM, SIGHUP] {
      _ = signal(number) { _ = unsafe kill(signaledProcess, $0) }
    }
  }

  /// Runs a command that reads `input` from its standard input before it writes. Returns its
  /// standard output, or nil if it exits with a code other than 0. It doesn't inherit AWS
  /// environment variables, and shares our standard error.
  static func output(
    of command: [String], input: [UInt8], upTo limit: Int
  ) throws -> [UInt8]? {
    let name = command.first ?? ""
    let (read, write) = try makePipe(for: name)
    let output = try makePipe(for: name)
    let signals = signal(SIGPIPE, SIG_IGN)
    defer { _ = signal(SIGPIPE, signals) }
    let process: Int32
    do {
      defer { [read, output.write].forEach { _ = close($0) } }
      process = try spawn(command, [(0, read), (1, output.write)], withoutVariables: "AWS_")
    } catch {
      [write, output.read].forEach { _ = close($0) }
      throw error
    }
    // A failed write means that the command stopped reading. Its exit code shows why.
    try? System.write(input, to: write, named: name)
    _ = close(write)
    var bytes: [UInt8] = []
    var portion = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= limit,
      let count = try? System.read(output.read, into: &portion, named: name), count > 0
    {
      bytes += portion[..<count]
    }
    // A command that writes more ends here.
    _ = close(output.read)
    return wait(for: process) == 0 && bytes.count <= limit ? bytes : nil
  }

  /// The descriptor that the command reads, and the one to write to, or nil for a file.
  private static func open(
    _ input: ChildInput, for name: String
  ) throws -> (read: Int32, write: Int32?) {
    if case .file(let path) = input { return (try System.openToRead(path), nil) }
    let ends = try makePipe(for: name)
    return (ends.read, ends.write)
  }
}
