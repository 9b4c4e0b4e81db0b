// SPDX-License-Identifier: Apache-2.0
// A running command: reads its output and ends it in time.

internal import CredentialProviders
internal import RequestSigning

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A running command and the read ends of its pipes.
@available(tvOS, unavailable)
@available(watchOS, unavailable)
struct ProgramRun {
  let name: String
  let process: Int32
  let hasOwnGroup: Bool
  /// Standard output and, unless it's shared, standard error.
  let pipes: [Int32]

  /// Waits until the command exits, and returns its standard output. Its own child processes may
  /// keep running, and hold the pipes open.
  func finish(
    within limit: Duration?, _ isCancelled: CancellationFlag
  ) throws(CredentialError) -> [UInt8] {
    let end = limit.map { ContinuousClock.now + $0.bounded }
    var pipes = zip(pipes, [.beginning, .end]).map { Pipe($0, keeping: $1) }
    while true {
      let status = status()
      for index in pipes.indices { pipes[index].read() }
      if pipes[0].bytes.count > CredentialSources.maximumByteCount {
        throw stopped(
          .invalidResponse, "printed more than \(CredentialSources.maximumByteCount) bytes.",
          status, fix: "Check what it prints.")
      }
      if status == 0 { return pipes[0].bytes }
      if let status { throw refused(status, saying: pipes.dropFirst().first?.bytes) }
      if isCancelled.withLock({ $0 }) {
        throw stopped(
          .cancelled, "was cancelled.", nil, fix: "Call again from a different task.")
      }
      if let limit, let end, ContinuousClock.now >= end {
        throw stopped(
          .timedOut, "timed out after \(limit).", nil, fix: "Check whether it waits for input.")
      }
      Pipe.wait(for: pipes)
    }
  }

  /// The status of the command, or nil while it runs. If other code in this process has already
  /// waited for it, or this process ignores SIGCHLD, the status is unknown and counts as success:
  /// only complete credentials are accepted.
  private func status() -> Int32? {
    var status: Int32 = 0
    let ended = unsafe waitpid(process, &status, WNOHANG)
    if ended == process { return status }
    return ended < 0 && errno == ECHILD ? 0 : nil
  }

  /// Kills the command, with its process group if it has its own. Returns the error.
  private func stopped(
    _ code: CredentialError.Code, _ reason: String, _ status: Int32?, fix: String
  ) -> CredentialError {
    if status == nil {
      kill(hasOwnGroup ? -process : process, SIGKILL)
      _ = ChildProcess.wait(for: process)
    }
    return CredentialError(code, "The command \(name) \(reason)", fix: fix)
  }

  /// The error for a status of wait() (POSIX, <sys/wait.h>, in the layout of Linux and Darwin).
  private func refused(_ status: Int32, saying message: [UInt8]?) -> CredentialError {
    let signal = status & 0x7F
    let ending =
      signal == 0
      ? "failed with exit code \((status >> 8) & 0xFF)" : "was terminated by signal \(signal)"
    var said = ""
    var fix = "Check its message above, if any."
    if let message, !message.isEmpty {
      let text = String(decoding: message, as: UTF8.self)
      said = " and wrote: \(UTF8Text.quoted(text.utf8, upTo: 1_024))"
      fix = "Check what it wrote."
    } else if message != nil {
      fix = "Call the command by hand to see why."
    }
    return CredentialError(.accessDenied, "The command \(name) \(ending)\(said).", fix: fix)
  }
}

/// The read end of a pipe.
private struct Pipe {
  private let descriptor: Int32
  private let part: Part
  private(set) var bytes: [UInt8] = []
  private var isOpen = true

  /// The part of the output to retain.
  enum Part {
    /// The first bytes, up to slightly more than the limit.
    case beginning
    /// The last 1,024 bytes.
    case end
  }

  init(_ descriptor: Int32, keeping part: Part) {
    self.descriptor = descriptor
    self.part = part
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  /// Reads the available bytes, without waiting.
  mutating func read() {
    var portion = [UInt8](repeating: 0, count: 65_536)
    for _ in 0..<64 where isOpen && bytes.count <= CredentialSources.maximumByteCount {
      let count = readBytes(descriptor, into: &portion)
      if count < 0 {
        if errno == EINTR { continue }
        return
      }
      isOpen = count > 0
      bytes += portion[..<count]
      if part == .end { bytes = bytes.suffix(1_024) }
    }
  }

  /// Waits until there are bytes to read, or the command may have exited.
  static func wait(for pipes: [Pipe]) {
    var entries = pipes.filter(\.isOpen).map {
      pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
    }
    let count = nfds_t(entries.count)
    // Safety: the count is the number of entries.
    _ = unsafe poll(&entries, count, count == 0 ? 5 : 50)
  }
}
