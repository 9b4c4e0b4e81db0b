// SPDX-License-Identifier: Apache-2.0
// A program that is run for what it prints: posix_spawn, a pipe, and no shell.

internal import CredentialProviders

#if canImport(Glibc)
  // For environ, which nothing here changes.
  @unsafe @preconcurrency internal import Glibc
#elseif canImport(Musl)
  // For environ, which nothing here changes.
  @unsafe @preconcurrency internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A program that prints credentials.
enum ChildProcess {
  /// What a program writes to its standard output, of at most as many bytes as an answer may have.
  ///
  /// Its standard input is empty, since ours may be the body to be signed; its standard error is ours.
  ///
  /// Throws `refused` when it cannot be run or ends with another code than 0, and `invalidAnswer` when
  /// it prints more.
  static func output(of command: [String]) throws(CredentialError) -> [UInt8] {
    let name = command.first ?? ""
    if command.contains(where: { $0.utf8.contains(0) }) {
      throw CredentialError(.refused, "cannot run \(name): a NUL would end one of its arguments")
    }
    var ends: [Int32] = [-1, -1]
    // Safety: the array has two elements, for the two ends of the pipe.
    if unsafe ends.withUnsafeMutableBufferPointer({ unsafe pipe($0.baseAddress) }) != 0 {
      throw CredentialError(.refused, "cannot run \(name): \(System.reason(errno))")
    }
    let process: pid_t
    do throws(CredentialError) {
      process = try spawn(command, output: ends[1], otherEnd: ends[0])
    } catch {
      ends.forEach { _ = close($0) }
      throw error
    }
    _ = close(ends[1])
    let output = everything(from: ends[0], atMost: CredentialResponse.maximumByteCount)
    _ = close(ends[0])
    if output == nil { kill(process, SIGKILL) }
    let status = wait(for: process)
    guard let output else {
      throw CredentialError(
        .invalidAnswer,
        "\(name) printed more than \(CredentialResponse.maximumByteCount) bytes, too many for credentials"
      )
    }
    if status != 0 {
      throw CredentialError(
        .refused,
        "\(name) \(ending(status)), so it has no credentials; see its message above, if it has one"
      )
    }
    return output
  }

  private static func spawn(
    _ command: [String], output: Int32, otherEnd: Int32
  ) throws(CredentialError) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      // Safety: the actions live until the program runs, and are given back then.
      var actions = unsafe posix_spawn_file_actions_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    if output != 1 {
      unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
      unsafe posix_spawn_file_actions_addclose(&actions, output)
    }
    if otherEnd > 1 { unsafe posix_spawn_file_actions_addclose(&actions, otherEnd) }
    // Safety: the copies of the arguments end with nil, and are given back when the program runs.
    var arguments = unsafe command.map { unsafe strdup($0) }
    unsafe arguments.append(nil)
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    var process = pid_t()
    let number = unsafe posix_spawnp(
      &process, command.first ?? "", &actions, nil, arguments, environment)
    if number != 0 {
      throw CredentialError(
        .refused,
        "cannot run \(command.first ?? ""): \(System.reason(number)); check that it is in PATH, "
          + "and that you may run it")
    }
    return process
  }

  /// The environment of this process, which its programs share.
  private static var environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    // Safety: nothing here changes the environment.
    #if canImport(Darwin)
      unsafe _NSGetEnviron().pointee
    #else
      unsafe environ
    #endif
  }

  /// The whole output, or nil when it is more than so many bytes.
  private static func everything(from descriptor: Int32, atMost limit: Int) -> [UInt8]? {
    var all: [UInt8] = []
    var portion = [UInt8](repeating: 0, count: 1 << 12)
    while all.count <= limit {
      guard let count = try? System.read(descriptor, into: &portion, named: "a pipe"), count > 0
      else { return all }
      all += portion[..<count]
    }
    return nil
  }

  private static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    // Safety: the status outlives the call.
    while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return status
  }

  /// What a status of wait() says (POSIX, <sys/wait.h>; the layout is that of Linux and Darwin).
  private static func ending(_ status: Int32) -> String {
    let signal = status & 0x7F
    return signal == 0
      ? "ended with the exit code \((status >> 8) & 0xFF)" : "was ended by the signal \(signal)"
  }
}
