// SPDX-License-Identifier: Apache-2.0
// Clock, environment, files and streams, through the C library.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif

internal import POSIXCredentialSources
internal import RequestSigning

/// The operating system functions that the command line uses.
enum System {
  /// The number of seconds since 1970-01-01T00:00:00Z.
  static func unixSeconds() -> Int64 {
    Int64(time(nil))
  }

  /// The value of an environment variable, or nil if it's empty or not set.
  static func environmentVariable(_ name: String) -> String? {
    SystemFacts.variable(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The arguments of this process, without its name. Swift replaces invalid UTF-8, which changes
  /// the argument.
  static func arguments() throws -> [String] {
    for (index, argument) in CommandLine.arguments.enumerated().dropFirst() {
      // Safety: there is a pointer for each argument.
      if let bytes = unsafe CommandLine.unsafeArgv[index], unsafe strcmp(bytes, argument) != 0 {
        throw CommandError(
          .usage, "Argument \(index) isn't valid UTF-8.",
          fix: "Encode it as UTF-8, or read the data from a file or standard input.")
      }
    }
    return Array(CommandLine.arguments.dropFirst())
  }

  /// Whether a path is that of standard input.
  static func isStandardInput(_ path: some StringProtocol) -> Bool {
    ["-", "/dev/stdin", "/dev/fd/0"].contains { $0 == path }
  }

  /// Lets this process get the exit codes of its child processes, even if it was started with
  /// SIGCHLD ignored.
  static func observeChildProcesses() {
    _ = signal(SIGCHLD, SIG_DFL)
  }

  /// Ends the process.
  static func exit(_ code: ExitCode) -> Never { exit(code: code.rawValue) }

  /// Ends the process with the exit code of a child process.
  static func exit(code: Int32) -> Never { endProcess(code) }

  /// Writes a string and a newline to standard output.
  static func writeLine(_ text: String) throws {
    try write(text + "\n", to: .standardOutput)
  }

  /// Writes a string to a stream.
  static func write(_ text: String, to stream: Stream) throws {
    try write(Array(text.utf8), to: stream.rawValue, named: stream.name)
  }

  /// Writes a string to standard error. If it's closed, the exit code must suffice.
  static func report(_ text: String) {
    try? write(text, to: .standardError)
  }

  /// Writes all bytes to an open file.
  static func write(
    _ bytes: [UInt8], to descriptor: Int32, named name: String
  ) throws {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes[written...].withUnsafeBytes { unsafe writeBytes(descriptor, $0) }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 {
        throw unwritable(
          name, errno, fix: "Check the free disk space, and the command that reads it, if any.")
      }
      written += count
    }
  }

  /// Calls `body` with a function that writes to a file, or to standard output for "-". Overwrites
  /// an existing file. Only the owner can read a new file, because signed content is secret.
  static func withOutput(
    _ path: String,
    _ body: (_ write: ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    if path == "-" {
      let output = Stream.standardOutput
      return try body { try write($0, to: output.rawValue, named: output.name) }
    }
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    if descriptor < 0 {
      throw unwritable(path, errno, fix: FileFailure(errno, .write).fix)
    }
    defer { close(descriptor) }
    try body { try write($0, to: descriptor, named: path) }
  }

  /// The size of a regular file in bytes. Nil for anything else, such as a pipe. Throws for a
  /// directory.
  static func byteCount(of path: String) throws -> Int? {
    if path == "-" { return nil }
    var status = stat()
    if unsafe stat(path, &status) != 0 { throw unreadable(path, errno) }
    if isOf(mode_t(S_IFDIR), status) { throw unreadable(path, EISDIR) }
    return isOf(S_IFREG, status) ? Int(status.st_size) : nil
  }

  /// Whether two paths are the same existing file. "-" is standard input.
  static func isSameFile(_ path: String, _ other: String) -> Bool {
    var (one, another) = (stat(), stat())
    func read(_ path: String, into status: inout stat) -> Bool {
      if path == "-" { return unsafe fstat(0, &status) == 0 }
      return unsafe stat(path, &status) == 0
    }
    return read(path, into: &one) && read(other, into: &another) && one.st_dev == another.st_dev
      && one.st_ino == another.st_ino && isOf(S_IFREG, one)
  }

  /// Whether a stream is a terminal.
  static func isTerminal(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }

  /// Whether a stream is a pipe.
  static func isPipe(_ stream: Stream) -> Bool {
    var status = stat()
    return unsafe fstat(stream.rawValue, &status) == 0 && isOf(S_IFIFO, status)
  }

  /// Whether a file is of this type. On 32-bit Android, `mode_t` is narrower than `st_mode`.
  private static func isOf(_ type: mode_t, _ status: stat) -> Bool {
    UInt32(status.st_mode) & UInt32(S_IFMT) == UInt32(type)
  }

  /// Opens a file to read in this process, but not in its child processes.
  static func openToRead(_ path: String) throws -> Int32 {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw unreadable(path, errno) }
    return descriptor
  }

  /// Reads a file, or standard input for "-", and calls `body` with each buffer.
  static func readPortions(
    of path: String, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    let descriptor = path == "-" ? 0 : try openToRead(path)
    defer { if descriptor != 0 { close(descriptor) } }
    var portion = [UInt8](repeating: 0, count: portionByteCount)
    while true {
      let count = try read(descriptor, into: &portion, named: path)
      if count == 0 { return }
      try body(portion[..<count])
    }
  }

  /// Reads a file, or standard input for "-", into an array of buffers. A single buffer would be
  /// copied while it grows.
  static func portions(of path: String) throws -> [[UInt8]] {
    var portions: [[UInt8]] = []
    try readPortions(of: path) { portions.append(Array($0)) }
    return portions
  }

  /// Reads lines of UTF-8 from a file, or standard input for "-", and calls `body` with up to
  /// `count` lines at a time. Throws if a line is larger than 64 KiB.
  static func readLines(
    of path: String, atOnce count: Int, _ body: ([String]) throws -> Void
  ) throws {
    var (lines, rest): ([String], [UInt8]) = ([], [])
    func take(_ part: ArraySlice<UInt8>) throws {
      rest += part
      if rest.count > 1 << 16 {
        throw CommandError(
          .failure, "A line of \(path) is larger than 65536 bytes.",
          fix: "Check that it's the right file.")
      }
    }
    func endLine() throws {
      try lines.append(text(ofLine: rest[...], in: path))
      rest.removeAll(keepingCapacity: true)
      if lines.count < count { return }
      try body(lines)
      lines.removeAll(keepingCapacity: true)
    }
    try readPortions(of: path) { portion in
      var portion = portion
      while let end = portion.firstIndex(of: 0x0A) {
        try take(portion[..<end])
        try endLine()
        portion = portion[(end + 1)...]
      }
      try take(portion)
    }
    if !rest.isEmpty { try endLine() }
    if !lines.isEmpty { try body(lines) }
  }

  /// Decodes a line of a file. Swift replaces invalid UTF-8, which changes the line.
  static func text(ofLine line: ArraySlice<UInt8>, in path: String) throws -> String {
    let text = String(decoding: line, as: UTF8.self)
    if text.utf8.elementsEqual(line) { return text }
    throw CommandError(
      .failure, "A line of \(path) isn't valid UTF-8.", fix: "Encode the file as UTF-8.")
  }

  /// Reads the next bytes of standard input. Returns an empty slice at its end.
  static func readStandardInput() throws -> ArraySlice<UInt8> {
    var portion = [UInt8](repeating: 0, count: portionByteCount)
    let count = try read(0, into: &portion, named: "standard input")
    return portion[..<count]
  }

  /// The buffer size: eight chunks of an upload, which are hashed in a batch.
  private static var portionByteCount: Int { 1 << 19 }

  /// Reads the next bytes and returns their number, or 0 at the end.
  static func read(
    _ descriptor: Int32, into portion: inout [UInt8], named name: String
  ) throws -> Int {
    while true {
      let count = unsafe portion.withUnsafeMutableBytes { unsafe readBytes(descriptor, $0) }
      if count >= 0 { return count }
      if errno != EINTR { throw unreadable(name, errno) }
    }
  }

  /// Reads a small file, such as a key. Throws if it's larger than `limit` bytes.
  static func contents(of path: String, atMost limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try readPortions(of: path) { portion in
      bytes += portion
      if bytes.count > limit {
        throw CommandError(
          .failure, "\(path) is larger than \(limit) bytes.",
          fix: "Check that it's the right file.")
      }
    }
    return bytes
  }

  /// The canonical form of an IPv4 address, such as 127.1 (inet_aton(3)). Nil for anything else.
  static func ipv4Address(_ text: Substring) -> String? {
    var address = in_addr()
    // inet_aton ignores everything after a space.
    guard text.utf8.allSatisfy(ASCIIByte.isVisible), unsafe inet_aton(String(text), &address) != 0
    else { return nil }
    return unsafe canonicalText(AF_INET, &address)
  }

  /// The canonical form of an IPv6 address without brackets. Nil for anything else.
  static func ipv6Address(_ text: Substring) -> String? {
    var address = in6_addr()
    if unsafe inet_pton(AF_INET6, String(text), &address) != 1 { return nil }
    return unsafe canonicalText(AF_INET6, &address)
  }

  private static func canonicalText(_ family: Int32, _ address: UnsafeRawPointer) -> String? {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let length = socklen_t(text.count)
    if unsafe inet_ntop(family, address, &text, length) == nil { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  static func unreadable(_ path: String, _ number: Int32) -> CommandError {
    let failure = FileFailure(number, .read)
    return CommandError(.failure, "Can't read \(path): \(failure.reason).", fix: failure.fix)
  }

  private static func unwritable(
    _ path: String, _ number: Int32, fix: String
  ) -> CommandError {
    CommandError(.failure, "Can't write to \(path): \(SystemFacts.reason(number)).", fix: fix)
  }

  /// A stream to write to.
  enum Stream: Int32 {
    case standardOutput = 1
    case standardError = 2

    var name: String {
      switch self {
      case .standardOutput: "standard output"
      case .standardError: "standard error"
      }
    }
  }
}

// C library functions with the same names as functions of System.

private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  unsafe read(descriptor, buffer.baseAddress, buffer.count)
}

private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(descriptor, bytes.baseAddress, bytes.count)
}

private func endProcess(_ code: Int32) -> Never { exit(code) }
