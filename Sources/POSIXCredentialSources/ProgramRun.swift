// SPDX-License-Identifier: Apache-2.0
// One run of a program: what it prints, and an end whatever it does.

internal import CredentialProviders
internal import SigningSupport

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A program that runs, and the ends of its pipes.
@available(tvOS, unavailable)
@available(watchOS, unavailable)
struct ProgramRun {
  let name: String
  let process: Int32
  let hasOwnGroup: Bool
  /// For its standard output and, unless that is shared, its standard error.
  let pipes: [Int32]

  /// What the program writes to standard output until it ends. What it leaves behind may go on, and
  /// keep the pipes open.
  func finish(
    within limit: Duration?, _ isCancelled: CancellationFlag
  ) throws(CredentialError) -> [UInt8] {
    let end = limit.map { ContinuousClock.now + $0 }
    var pipes = zip(pipes, [.beginning, .end]).map { Pipe($0, keeping: $1) }
    while true {
      let status = status()
      for index in pipes.indices { pipes[index].read() }
      if pipes[0].bytes.count > CredentialResponse.maximumByteCount {
        throw stopped(
          .invalidResponse, "printed more than \(CredentialResponse.maximumByteCount) bytes.",
          status,
          fix: "Check what it prints.")
      }
      if status == 0 { return pipes[0].bytes }
      if let status { throw refused(status, saying: pipes.dropFirst().first?.bytes) }
      if isCancelled.withLock({ $0 }) {
        throw stopped(
          .cancelled, "was cancelled.", nil, fix: "Call it again from a different task.")
      }
      if let limit, let end, ContinuousClock.now >= end {
        throw stopped(
          .timedOut, "timed out after \(limit).", nil, fix: "Check whether it waits for input.")
      }
      Pipe.wait(for: pipes)
    }
  }

  /// The status of the program; nil while it runs. Where another part of this process has asked for it
  /// already, it is unknown, and what was printed has to do.
  private func status() -> Int32? {
    var status: Int32 = 0
    // Safety: the status outlives the call.
    let ended = unsafe waitpid(process, &status, WNOHANG)
    if ended == process { return status }
    return ended < 0 && errno == ECHILD ? 0 : nil
  }

  /// Ends the program, and the group of processes that is its own.
  private func stopped(
    _ code: CredentialError.Code, _ reason: String, _ status: Int32?, fix: String
  ) -> CredentialError {
    if status == nil {
      kill(hasOwnGroup ? -process : process, SIGKILL)
      _ = ChildProcess.wait(for: process)
    }
    return CredentialError(code, "The command \(name) \(reason)", fix: fix)
  }

  /// What a status of wait() says (POSIX, <sys/wait.h>; the layout is that of Linux and Darwin).
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

/// The end of a pipe from which a program's output is read.
private struct Pipe {
  private let descriptor: Int32
  private let part: Part
  private(set) var bytes: [UInt8] = []
  private var isOpen = true

  /// What is kept of more bytes than there may be.
  enum Part {
    /// As many as there may be, and some more.
    case beginning
    /// The last 1,024.
    case end
  }

  init(_ descriptor: Int32, keeping part: Part) {
    self.descriptor = descriptor
    self.part = part
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  /// Reads what there is, without waiting.
  mutating func read() {
    var portion = [UInt8](repeating: 0, count: 65_536)
    for _ in 0..<64 where isOpen && bytes.count <= CredentialResponse.maximumByteCount {
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

  /// Waits until there is something to read, or the program may have ended.
  static func wait(for pipes: [Pipe]) {
    var entries = pipes.filter(\.isOpen).map {
      pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
    }
    let count = nfds_t(entries.count)
    // Safety: there are as many entries as is said.
    _ = unsafe poll(&entries, count, count == 0 ? 5 : 50)
  }
}
