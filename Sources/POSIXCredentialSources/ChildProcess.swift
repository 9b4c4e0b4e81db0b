// SPDX-License-Identifier: Apache-2.0
// Runs commands and reads their output, with posix_spawn and without a shell.

package import CredentialProviders
internal import RequestSigning

#if canImport(Glibc)
  // For environ, which this module never changes.
  @unsafe @preconcurrency internal import Glibc
#elseif canImport(Musl)
  // For environ, which this module never changes.
  @unsafe @preconcurrency internal import Musl
#elseif canImport(Android)
  // For environ, which this module never changes.
  @unsafe @preconcurrency internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Runs a command that prints credentials. tvOS and watchOS don't declare posix_spawn.
@available(tvOS, unavailable)
@available(watchOS, unavailable)
package enum ChildProcess {
  /// Runs an interactive command and returns its standard output. The command shares our standard
  /// error, can prompt on the terminal, and has no time limit.
  ///
  /// Its standard input is empty, because ours may be the body to sign. Throws `accessDenied` if
  /// the command can't be run or exits with a code other than 0, `invalidConfiguration` if it's
  /// empty, and `invalidResponse` if it prints more than `CredentialSources.maximumByteCount`.
  package static func output(
    of command: [String], withoutVariables prefix: String? = nil
  ) throws(CredentialError) -> [UInt8] {
    try output(of: command, within: nil, CancellationFlag(false), withoutVariables: prefix)
  }

  /// Runs a command and returns its standard output. With a time limit, the command is unattended:
  /// it runs in its own process group, which is killed as a whole, and error messages contain the
  /// end of its standard error. It inherits no other descriptors, which could hold our connections
  /// open.
  static func output(
    of command: [String], within limit: Duration?, _ isCancelled: CancellationFlag,
    withoutVariables prefix: String? = nil
  ) throws(CredentialError) -> [UInt8] {
    guard let name = command.first, !name.isEmpty else {
      throw CredentialError(
        .invalidConfiguration, "The command is empty.",
        fix: "Use a command that prints credentials.")
    }
    var pipes = [try makePipe(for: name)]
    defer { pipes.forEach { _ = close($0.read) } }
    let process: Int32
    do throws(CredentialError) {
      defer { pipes.forEach { _ = close($0.write) } }
      if limit != nil { pipes.append(try makePipe(for: name)) }
      let files = pipes.enumerated().map { (Int32($0 + 1), Int32?.some($1.write)) }
      process = try spawn(
        command, [(0, nil)] + files, inOwnGroup: limit != nil, withoutVariables: prefix)
    } catch {
      throw error
    }
    let run = ProgramRun(
      name: name, process: process, hasOwnGroup: limit != nil, pipes: pipes.map(\.read))
    return try run.finish(within: limit, isCancelled)
  }

  /// Creates a pipe. Commands don't inherit its ends unless they're passed to `spawn`.
  package static func makePipe(
    for name: String
  ) throws(CredentialError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    // Safety: pipe() writes two elements, the size of the array.
    if unsafe ends.withUnsafeMutableBufferPointer({ unsafe pipe($0.baseAddress) }) != 0 {
      throw noPipe(for: name, errno)
    }
    // Above the descriptors that are passed to commands.
    let moved = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 10) }
    let number = errno
    ends.forEach { _ = close($0) }
    if moved.contains(where: { $0 < 0 }) {
      moved.forEach { if $0 >= 0 { _ = close($0) } }
      throw noPipe(for: name, number)
    }
    return (moved[0], moved[1])
  }

  /// Starts a command. Each of `files` maps a descriptor number of the command to one of ours, or
  /// to an empty file. The command inherits the environment, except variables whose names start
  /// with the prefix.
  package static func spawn(
    _ command: [String], _ files: [(number: Int32, file: Int32?)], inOwnGroup: Bool = false,
    withoutVariables prefix: String? = nil
  ) throws(CredentialError) -> Int32 {
    let name = command.first ?? ""
    if command.contains(where: { $0.utf8.contains(0) }) {
      throw CredentialError(
        .accessDenied, "Can't run \(name): one of its arguments contains a NUL byte.",
        fix: "Remove the NUL byte.")
    }
    #if canImport(Darwin) || canImport(Android)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #elseif canImport(Musl)
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = unsafe posix_spawnattr_t()
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    _ = unsafe posix_spawn_file_actions_init(&actions)
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    _ = unsafe posix_spawnattr_init(&attributes)
    defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    // The threads of libdispatch block signals, and a command inherits what its thread blocks.
    _ = unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigaddset(&signals, SIGPIPE)
    _ = unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    _ = unsafe posix_spawnattr_setpgroup(&attributes, 0)
    let flags =
      POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (inOwnGroup ? POSIX_SPAWN_SETPGROUP : 0)
    _ = unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var failures: [Int32] = []
    for (number, file) in files {
      failures.append(
        unsafe file.map { unsafe posix_spawn_file_actions_adddup2(&actions, $0, number) }
          ?? posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDONLY, 0))
    }
    if inOwnGroup {
      let kept = files.compactMap(\.file) + files.map(\.number)
      for descriptor in inheritedDescriptors() where !kept.contains(descriptor) {
        // This fails for a descriptor above a lowered limit. FD_CLOEXEC closes it instead.
        let number = unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
        if number != 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      }
    }
    // Without its pipe, the command would write to our output.
    if let number = failures.first(where: { $0 != 0 }) { throw refused(name, number) }
    // Safety: the copies of the arguments end with nil, and are freed after the command was
    // started.
    var arguments = unsafe command.map { unsafe strdup($0) }
    unsafe arguments.append(nil)
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    var process: Int32 = 0
    let variables = unsafe inheritedVariables(without: prefix)
    let number = unsafe posix_spawnp(&process, name, &actions, &attributes, arguments, variables)
    if number == 0 { return process }
    throw refused(name, number)
  }

  private static func refused(_ name: String, _ number: Int32) -> CredentialError {
    CredentialError(
      .accessDenied, "Can't run \(name): \(SystemFacts.reason(number)).",
      fix: "Check that it's in PATH and that you have permission to run it.")
  }

  private static func noPipe(for name: String, _ number: Int32) -> CredentialError {
    CredentialError(
      .accessDenied, "Can't run \(name): \(SystemFacts.reason(number)).",
      fix: "Check the limit on open files.")
  }

  /// The open descriptors that a command would inherit, except the first three.
  private static func inheritedDescriptors() -> [Int32] {
    (openDescriptors() ?? Array(0..<4_096)).filter {
      let flags = fcntl($0, F_GETFD)
      return $0 > 2 && flags >= 0 && flags & FD_CLOEXEC == 0
    }
  }

  /// The open descriptors, or nil if the system doesn't list them.
  private static func openDescriptors() -> [Int32]? {
    // Safety: each entry is read before the next one replaces it.
    guard let folder = unsafe opendir("/dev/fd") else { return nil }
    defer { unsafe closedir(folder) }
    var descriptors: [Int32] = []
    while let entry = unsafe readdir(folder) {
      // Safety: the name ends with a zero. An entry can be shorter than its type, so it isn't
      // copied.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return nil }
      let name = unsafe UnsafeRawPointer(entry) + offset
      let text = unsafe String(cString: name.assumingMemoryBound(to: CChar.self))
      if let descriptor = Int32(text) { descriptors.append(descriptor) }
    }
    return descriptors
  }

  /// The environment variables that a command inherits, with a trailing nil.
  private static func inheritedVariables(
    without prefix: String?
  ) -> [UnsafeMutablePointer<CChar>?] {
    var variables: [UnsafeMutablePointer<CChar>?] = unsafe []
    // Safety: this module never changes the environment, which ends with nil.
    guard var next = unsafe environment else { return unsafe [nil] }
    while let variable = unsafe next.pointee {
      let isHidden = prefix.map { unsafe strncmp(variable, $0, $0.utf8.count) == 0 } ?? false
      if !isHidden { unsafe variables.append(variable) }
      unsafe next += 1
    }
    return unsafe variables + [nil]
  }

  /// The environment of this process.
  private static var environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    // Safety: this module never changes the environment.
    #if canImport(Darwin)
      unsafe _NSGetEnviron().pointee
    #else
      unsafe environ
    #endif
  }

  /// Waits until a process exits, and returns its status. Nil if it's unknown, because other code
  /// in this process has already waited for it, or because this process ignores SIGCHLD.
  package static func wait(for process: Int32) -> Int32? {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      if errno != EINTR { return nil }
    }
    return status
  }
}
