// SPDX-License-Identifier: Apache-2.0
// A program that a test starts, with pipes to and from it.

package import Foundation
internal import POSIXCredentialSources

/// A program that runs beside a test.
///
/// Foundation's Process isn't used: in Swift 6.3 it copies directory entries of /proc/self/fd with
/// the bytes after them, and crashes if more than about 1,300 descriptors are open.
package final class RunningProgram: Sendable {
  /// What the program reads as its standard input.
  private let input: FileHandle

  /// What it writes to each of the requested descriptors.
  package let outputs: [FileHandle]

  private let process: Int32

  /// By default, a program that ends before it has read its input would end the tests.
  private static let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

  /// All tests together have more files open than the 256 that macOS allows at first.
  private static let allowsManyFiles: Void = {
    #if canImport(Darwin)
      let files = RLIMIT_NOFILE
    #else
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
    var limit = rlimit()
    guard unsafe getrlimit(files, &limit) == 0, limit.rlim_cur < 4_096 else { return }
    limit.rlim_cur = min(limit.rlim_max, 4_096)
    _ = unsafe setrlimit(files, &limit)
  }()

  /// Starts a command, which inherits the environment.
  ///
  /// - Parameter outputs: the descriptors to read from: 1 for standard output, 2 for standard error.
  ///   The program shares ours for the others.
  package init(_ command: [String], outputs: [Int32] = [1]) throws {
    Self.allowsManyFiles
    let (process, input, ends) = try ProgramStart.alone {
      let input = try ChildProcess.makePipe(for: command[0])
      let pipes = try outputs.map { _ in try ChildProcess.makePipe(for: command[0]) }
      let files = zip(outputs, pipes).map { (number: $0, file: Int32?.some($1.write)) }
      // In a group of its own, it inherits no other descriptor, such as a connection of another test.
      let process = try ChildProcess.spawn(
        command, [(0, input.read)] + files, inOwnGroup: true)
      for end in [input.read] + pipes.map(\.write) { close(end) }
      return (process, input.write, pipes.map(\.read))
    }
    self.process = process
    self.input = FileHandle(fileDescriptor: input, closeOnDealloc: true)
    self.outputs = ends.map { FileHandle(fileDescriptor: $0, closeOnDealloc: true) }
  }

  /// Writes the whole input, as far as the program reads it.
  package func send(_ text: String) throws {
    Self.ignoresBrokenPipes
    try? input.write(contentsOf: Data(text.utf8))
    try input.close()
  }

  /// Sends a signal, and waits until the program ends.
  package func end(by signal: Int32) {
    kill(process, signal)
    _ = exitCode()
  }

  /// Waits until the program ends. Returns its exit code, or the number of the signal that ended
  /// it, or -1 if it can't be waited for.
  package func exitCode() -> Int32 {
    guard let status = ChildProcess.wait(for: process) else { return -1 }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
  }
}
