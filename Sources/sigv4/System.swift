// SPDX-License-Identifier: Apache-2.0
// The operating system: clock, environment, files and streams, from the C library.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What the command line needs of the operating system.
enum System {
  /// Seconds since 1970-01-01T00:00:00Z.
  static func unixSeconds() -> Int64 {
    Int64(time(nil))
  }

  /// The value of an environment variable; nil when it is not set or empty.
  static func environmentVariable(_ name: String) -> String? {
    variable(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The value of an environment variable; nil when it is not set.
  static func variable(_ name: String) -> String? {
    // Safety: the text is copied before anything could change the environment.
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// Ends the process.
  static func exit(_ code: ExitCode) -> Never { exit(code: code.rawValue) }

  /// Ends the process with the exit code of another program.
  static func exit(code: Int32) -> Never { endProcess(code) }

  /// Writes a text and a line end to standard output.
  static func writeLine(_ text: String) throws {
    try write(text + "\n", to: .standardOutput)
  }

  /// Writes a text to a stream.
  static func write(_ text: String, to stream: Stream) throws {
    try write(Array(text.utf8), to: stream.rawValue, named: stream.name)
  }

  /// Writes all bytes to an open file.
  static func write(
    _ bytes: [UInt8], to descriptor: Int32, named name: String
  ) throws {
    var written = 0
    while written < bytes.count {
      // Safety: the bytes are used during the call only.
      let count = unsafe bytes[written...].withUnsafeBytes { unsafe writeBytes(descriptor, $0) }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 {
        throw CommandError(.failure, "cannot write to \(name): \(reason(errno))")
      }
      written += count
    }
  }

  /// Calls `body` with a function that writes to a file, or to standard output for "-". A file that
  /// exists is overwritten; only its owner can read a new one, since what is signed is secret.
  static func withOutput(
    _ path: String,
    _ body: (_ write: ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    if path == "-" {
      let output = Stream.standardOutput
      return try body { try write($0, to: output.rawValue, named: output.name) }
    }
    // Safety: a path is passed as a C string for the call only.
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    if descriptor < 0 {
      throw CommandError(.failure, "cannot write to \(path): \(reason(errno))")
    }
    defer { close(descriptor) }
    try body { try write($0, to: descriptor, named: path) }
  }

  /// The size of a regular file in bytes; nil for anything else, of which it is not known.
  static func byteCount(of path: String) throws -> Int? {
    if path == "-" { return nil }
    var status = stat()
    // Safety: a path is passed as a C string for the call only, and the status outlives it.
    if unsafe stat(path, &status) != 0 { throw unreadable(path, errno) }
    return status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  /// Whether two paths lead to one file that exists; "-" is what standard input reads.
  static func isSameFile(_ path: String, _ other: String) -> Bool {
    var (one, another) = (stat(), stat())
    func read(_ path: String, into status: inout stat) -> Bool {
      // Safety: a path is passed as a C string for the call only, and the status outlives it.
      if path == "-" { return unsafe fstat(0, &status) == 0 }
      return unsafe stat(path, &status) == 0
    }
    return read(path, into: &one) && read(other, into: &another) && one.st_dev == another.st_dev
      && one.st_ino == another.st_ino && one.st_mode & S_IFMT == S_IFREG
  }

  /// Whether a person reads what is written to a stream.
  static func isTerminal(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }

  /// Whether another program reads what is written to a stream.
  static func isPipe(_ stream: Stream) -> Bool {
    var status = stat()
    // Safety: the status outlives the call.
    return unsafe fstat(stream.rawValue, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Opens a file that this process, and no program of it, reads.
  static func openToRead(_ path: String) throws -> Int32 {
    // Safety: a path is passed as a C string for the call only.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw unreadable(path, errno) }
    return descriptor
  }

  /// Calls `body` with each portion of a file, or of standard input for "-".
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

  /// All bytes of a file, or of standard input for "-", in the portions in which they were read: one array
  /// would be copied while it grows.
  static func portions(of path: String) throws -> [[UInt8]] {
    var portions: [[UInt8]] = []
    try readPortions(of: path) { portions.append(Array($0)) }
    return portions
  }

  /// Calls `body` with the lines of a file of UTF-8, or of standard input for "-", some at a time.
  static func readLines(
    of path: String, atOnce count: Int, _ body: ([String]) throws -> Void
  ) throws {
    var (lines, rest): ([String], [UInt8]) = ([], [])
    func append(_ line: ArraySlice<UInt8>) throws {
      let text = String(decoding: line, as: UTF8.self)
      if !text.utf8.elementsEqual(line) {
        throw CommandError(
          .failure, "a line of \(path) is not UTF-8, so no key can be read from it")
      }
      lines.append(text)
      if lines.count < count { return }
      try body(lines)
      lines.removeAll(keepingCapacity: true)
    }
    try readPortions(of: path) { portion in
      rest += portion
      var start = 0
      while let end = rest[start...].firstIndex(of: 0x0A) {
        try append(rest[start..<end])
        start = end + 1
      }
      rest.removeFirst(start)
    }
    if !rest.isEmpty { try append(rest[...]) }
    if !lines.isEmpty { try body(lines) }
  }

  /// The next bytes of standard input; empty at its end.
  static func readStandardInput() throws -> ArraySlice<UInt8> {
    var portion = [UInt8](repeating: 0, count: portionByteCount)
    let count = try read(0, into: &portion, named: "standard input")
    return portion[..<count]
  }

  /// Eight chunks of an upload, which are hashed side by side.
  private static var portionByteCount: Int { 1 << 19 }

  /// Reads the next bytes, and returns how many there are; 0 at the end.
  static func read(
    _ descriptor: Int32, into portion: inout [UInt8], named name: String
  ) throws -> Int {
    while true {
      // Safety: the buffer is used during the call only.
      let count = unsafe portion.withUnsafeMutableBytes { unsafe readBytes(descriptor, $0) }
      if count >= 0 { return count }
      if errno != EINTR { throw unreadable(name, errno) }
    }
  }

  /// The bytes of a file that is small, such as a key.
  static func contents(of path: String, atMost limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var byteCount = 0
    try readPortions(of: path) { portion in
      byteCount += portion.count
      if byteCount <= limit { bytes += portion }
    }
    if byteCount > limit {
      throw CommandError(
        .failure,
        "\(path) is \(byteCount) bytes, and at most \(limit) are read; check that it is the right file"
      )
    }
    return bytes
  }

  static func unreadable(_ path: String, _ number: Int32) -> CommandError {
    CommandError(.failure, "cannot read \(path): \(reason(number))")
  }

  /// What an error number means.
  static func reason(_ number: Int32) -> String {
    // Safety: the text is copied at once.
    unsafe String(cString: strerror(number))
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

// Functions of the C library whose names System has too.

private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  unsafe read(descriptor, buffer.baseAddress, buffer.count)
}

private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(descriptor, bytes.baseAddress, bytes.count)
}

private func endProcess(_ code: Int32) -> Never { exit(code) }
