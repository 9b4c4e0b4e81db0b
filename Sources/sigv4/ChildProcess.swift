// SPDX-License-Identifier: Apache-2.0
// Programs that are run for what they print, or fed with what they need: posix_spawn, and no shell.

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

/// A program that prints credentials, or sends a request.
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
    let ends = try makePipe(for: name)
    let process: pid_t
    do throws(CredentialError) {
      process = try spawn(command, [(0, nil), (1, ends.write)])
    } catch {
      [ends.write, ends.read].forEach { _ = close($0) }
      throw error
    }
    _ = close(ends.write)
    let output = everything(from: ends.read, atMost: CredentialResponse.maximumByteCount)
    _ = close(ends.read)
    if output == nil { kill(process, SIGKILL) }
    let status = wait(for: process)
    guard let output else {
      throw CredentialError(
        .invalidAnswer,
        "\(name) printed more than \(CredentialResponse.maximumByteCount) bytes, too many to be read"
      )
    }
    if status != 0 {
      throw CredentialError(
        .refused,
        "\(name) \(ending(status)); see its message above, if it has one"
      )
    }
    return output
  }

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

  /// Both ends of a pipe, which no program inherits unless it is given one of them.
  private static func makePipe(
    for name: String
  ) throws(CredentialError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    // Safety: the array has two elements, for the two ends of the pipe.
    if unsafe ends.withUnsafeMutableBufferPointer({ unsafe pipe($0.baseAddress) }) != 0 {
      throw CredentialError(.refused, "cannot run \(name): \(System.reason(errno))")
    }
    for index in ends.indices {
      // Above the descriptors that programs are given.
      let end = fcntl(ends[index], F_DUPFD_CLOEXEC, 10)
      _ = close(ends[index])
      ends[index] = end
    }
    return (ends[0], ends[1])
  }

  /// Runs a program, of whose files those with these numbers are ours, or empty.
  private static func spawn(
    _ command: [String], _ files: [(number: Int32, file: Int32?)]
  ) throws(CredentialError) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      // Safety: actions and attributes live until the program runs, and are given back then.
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    for (number, file) in files {
      if let file {
        unsafe posix_spawn_file_actions_adddup2(&actions, file, number)
      } else {
        unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDONLY, 0)
      }
    }
    // Safety: the copies of the arguments end with nil, and are given back when the program runs.
    var arguments = unsafe command.map { unsafe strdup($0) }
    unsafe arguments.append(nil)
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    var process = pid_t()
    let number = unsafe posix_spawnp(
      &process, command.first ?? "", &actions, &attributes, arguments, environment)
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
