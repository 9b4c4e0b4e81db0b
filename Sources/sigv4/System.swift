// SPDX-License-Identifier: Apache-2.0
// The world outside: clock, environment, files and streams, taken from the C library.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
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
  static func exit(_ code: ExitCode) -> Never {
    #if canImport(Glibc)
      Glibc.exit(code.rawValue)
    #elseif canImport(Musl)
      Musl.exit(code.rawValue)
    #else
      Darwin.exit(code.rawValue)
    #endif
  }

  /// Writes a text to a stream.
  static func write(_ text: String, to stream: Stream) throws(CommandError) {
    try write(Array(text.utf8), to: stream.rawValue, named: stream.name)
  }

  /// Writes all bytes to an open file.
  static func write(
    _ bytes: [UInt8], to descriptor: Int32, named name: String
  ) throws(CommandError) {
    var written = 0
    while written < bytes.count {
      // Safety: the pointer is used during the call only, and the count is what is left.
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe systemWrite(
          descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
      }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 {
        throw CommandError(.failure, "cannot write to \(name): \(reason(errno))")
      }
      written += count
    }
  }

  /// Calls `body` with a function that writes to a file, or to standard output for "-". A file that
  /// was there is overwritten; only its owner can read a new one, since what is signed is secret.
  static func withOutput(
    _ path: String,
    _ body: (_ write: ([UInt8]) throws(CommandError) -> Void) throws(CommandError) -> Void
  ) throws(CommandError) {
    if path == "-" {
      return try body { bytes throws(CommandError) in
        try write(bytes, to: Stream.standardOutput.rawValue, named: Stream.standardOutput.name)
      }
    }
    // Safety: a path is passed as a C string for the call only.
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    if descriptor < 0 {
      throw CommandError(.failure, "cannot write to \(path): \(reason(errno))")
    }
    defer { close(descriptor) }
    try body { bytes throws(CommandError) in try write(bytes, to: descriptor, named: path) }
  }

  /// The size of a regular file in bytes; nil for anything else, of which it is not known.
  static func byteCount(of path: String) throws(CommandError) -> Int? {
    if path == "-" { return nil }
    var status = stat()
    // Safety: a path is passed as a C string for the call only, and the status outlives it.
    if unsafe stat(path, &status) != 0 { throw unreadable(path, errno) }
    return status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  /// Whether there is a file at a path: no folder, no pipe, and nothing that cannot be reached.
  static func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    // Safety: a path is passed as a C string for the call only, and the status outlives it.
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Calls `body` with each portion of a file, or of standard input for "-".
  static func readPortions(
    of path: String, _ body: (UnsafeRawBufferPointer) throws(CommandError) -> Void
  ) throws(CommandError) {
    // Safety: a path is passed as a C string for the call only.
    let descriptor = path == "-" ? 0 : unsafe open(path, O_RDONLY)
    if descriptor < 0 { throw unreadable(path, errno) }
    defer { if descriptor != 0 { close(descriptor) } }
    // Two chunks of an upload, which are hashed side by side.
    let portion = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 64)
    // Safety: allocated in the line above, and used in this function only.
    defer { unsafe portion.deallocate() }
    while true {
      let count = unsafe read(descriptor, portion.baseAddress, portion.count)
      if count < 0 && errno == EINTR { continue }
      if count < 0 { throw unreadable(path, errno) }
      if count == 0 { return }
      try unsafe body(UnsafeRawBufferPointer(rebasing: portion[..<count]))
    }
  }

  /// The next bytes of standard input; none at its end.
  static func readStandardInput() throws(CommandError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 << 17)
    while true {
      // Safety: the pointer is used during the call only, and the count is that of the buffer.
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe read(0, buffer.baseAddress, buffer.count)
      }
      if count < 0 && errno == EINTR { continue }
      if count < 0 { throw unreadable("standard input", errno) }
      bytes.removeLast(bytes.count - count)
      return bytes
    }
  }

  /// The bytes of a file that is small, such as a key.
  static func contents(of path: String, atMost limit: Int) throws(CommandError) -> [UInt8] {
    var bytes: [UInt8] = []
    var byteCount = 0
    // Safety: the portion is copied before it is given back.
    try unsafe readPortions(of: path) { portion in
      byteCount += portion.count
      if byteCount <= limit { unsafe bytes.append(contentsOf: portion) }
    }
    if byteCount > limit {
      throw CommandError(
        .failure, "\(path) has \(byteCount) bytes, more than the \(limit) that are expected of it")
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

  static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    // Safety: handed on as it came.
    #if canImport(Glibc)
      unsafe Glibc.write(descriptor, bytes, count)
    #elseif canImport(Musl)
      unsafe Musl.write(descriptor, bytes, count)
    #else
      unsafe Darwin.write(descriptor, bytes, count)
    #endif
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
