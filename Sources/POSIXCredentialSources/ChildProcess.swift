// SPDX-License-Identifier: Apache-2.0
// Programs that are run for what they print: posix_spawn, and no shell.

package import CredentialProviders
internal import SigningSupport

#if canImport(Glibc)
  // For environ, which nothing here changes.
  @unsafe @preconcurrency internal import Glibc
#elseif canImport(Musl)
  // For environ, which nothing here changes.
  @unsafe @preconcurrency internal import Musl
#elseif canImport(Android)
  // For environ, which nothing here changes.
  @unsafe @preconcurrency internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A program that prints credentials. tvOS and watchOS declare no posix_spawn.
@available(tvOS, unavailable)
@available(watchOS, unavailable)
package enum ChildProcess {
  /// What a program writes to its standard output, while a person attends it: its standard error is
  /// ours, it may ask questions on the terminal, and it takes its time.
  ///
  /// Its standard input is empty, since ours may be the body to be signed. Throws `refused` when it
  /// cannot be run or ends with another code than 0, `invalidConfiguration` for an empty command, and
  /// `invalidResponse` when it prints more than an answer may have.
  package static func output(
    of command: [String], withoutVariables prefix: String? = nil
  ) throws(CredentialError) -> [UInt8] {
    try output(of: command, within: nil, CancellationFlag(false), withoutVariables: prefix)
  }

  /// The same of a program that runs unattended, when it has a limit: it has a group of processes of its
  /// own, which is ended as a whole, and the end of its standard error is a part of the message. It
  /// inherits no descriptor: one that it leaves open would keep a connection of this process open.
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

  /// Both ends of a pipe, which no program inherits unless it is given one of them.
  package static func makePipe(
    for name: String
  ) throws(CredentialError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    // Safety: the array has two elements, for the two ends of the pipe.
    if unsafe ends.withUnsafeMutableBufferPointer({ unsafe pipe($0.baseAddress) }) != 0 {
      throw noPipe(for: name, errno)
    }
    // Above the descriptors that programs are given.
    let moved = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 10) }
    let number = errno
    ends.forEach { _ = close($0) }
    if moved.contains(where: { $0 < 0 }) {
      moved.forEach { if $0 >= 0 { _ = close($0) } }
      throw noPipe(for: name, number)
    }
    return (moved[0], moved[1])
  }

  /// Runs a program, of whose files those with these numbers are ours, or empty. It inherits the
  /// environment except the variables whose names begin with the prefix.
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
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGDEF | (inOwnGroup ? POSIX_SPAWN_SETPGROUP : 0)
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var failures: [Int32] = []
    for (number, file) in files {
      failures.append(
        unsafe file.map { unsafe posix_spawn_file_actions_adddup2(&actions, $0, number) }
          ?? posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDONLY, 0))
    }
    if inOwnGroup {
      let kept = files.compactMap(\.file) + files.map(\.number)
      for descriptor in inheritedDescriptors() where !kept.contains(descriptor) {
        // Refused for one above a limit that was lowered since: it is closed by itself then.
        let number = unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
        if number != 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      }
    }
    // A program without its pipe would write to our output.
    if let number = failures.first(where: { $0 != 0 }) { throw refused(name, number) }
    // Safety: the copies of the arguments end with nil, and are given back when the program runs.
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

  /// The open descriptors that a program would inherit, but for the first three.
  private static func inheritedDescriptors() -> [Int32] {
    (openDescriptors() ?? Array(0..<4_096)).filter {
      let flags = fcntl($0, F_GETFD)
      return $0 > 2 && flags >= 0 && flags & FD_CLOEXEC == 0
    }
  }

  /// The open descriptors, where the system lists them.
  private static func openDescriptors() -> [Int32]? {
    // Safety: an entry is read before the next one replaces it.
    guard let folder = unsafe opendir("/dev/fd") else { return nil }
    defer { unsafe closedir(folder) }
    var descriptors: [Int32] = []
    while let entry = unsafe readdir(folder) {
      // Safety: the name ends with a zero. It is shorter than its type says, so no copy of that is made.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return nil }
      let name = unsafe UnsafeRawPointer(entry) + offset
      let text = unsafe String(cString: name.assumingMemoryBound(to: CChar.self))
      if let descriptor = Int32(text) { descriptors.append(descriptor) }
    }
    return descriptors
  }

  /// The variables of this process that a program inherits, and nil at their end.
  private static func inheritedVariables(
    without prefix: String?
  ) -> [UnsafeMutablePointer<CChar>?] {
    var variables: [UnsafeMutablePointer<CChar>?] = unsafe []
    // Safety: nothing here changes the environment, which ends with nil.
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
    // Safety: nothing here changes the environment.
    #if canImport(Darwin)
      unsafe _NSGetEnviron().pointee
    #else
      unsafe environ
    #endif
  }

  /// Waits until a program ends, and gives its status.
  package static func wait(for process: Int32) -> Int32 {
    var status: Int32 = 0
    // Safety: the status outlives the call.
    while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return status
  }
}
