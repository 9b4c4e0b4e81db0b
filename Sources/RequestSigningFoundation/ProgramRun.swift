// SPDX-License-Identifier: Apache-2.0
// One run of a program: its output, and an end whatever it does.

#if !canImport(Darwin) || os(macOS)
  internal import CredentialProviders
  internal import Foundation
  internal import SigningSupport

  /// Runs a program without a shell.
  final class ProgramRun: Sendable {
    private let state = Guarded(State())
    private let name: String
    private let limit: Duration

    private struct State: Sendable {
      var output: [UInt8] = []
      var status: Int32?
      var continuation: CheckedContinuation<[UInt8], any Error>?
      /// The process identifier, while it may be ended.
      var running: Int32?
    }

    init(_ name: String, limit: Duration) {
      self.name = name
      self.limit = limit
    }

    /// What the program writes to standard output, up to 1 MiB. Its standard error is not read.
    ///
    /// Throws `refused`, `timedOut`, `cancelled`, and `invalidAnswer` for more output.
    func output(of executable: URL, _ arguments: [String]) async throws(CredentialError) -> [UInt8]
    {
      do {
        return try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { continuation in
            state.withLock { $0.continuation = continuation }
            start(executable, arguments)
          }
        } onCancel: {
          end(.cancelled, "was cancelled")
        }
      } catch let error as CredentialError {
        throw error
      } catch {
        throw failure(.refused, "failed")
      }
    }

    private func start(_ executable: URL, _ arguments: [String]) {
      let process = Process()
      let pipe = Pipe()
      process.executableURL = executable
      process.arguments = arguments
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = pipe
      process.standardError = FileHandle.nullDevice
      let reading = pipe.fileHandleForReading
      _ = fcntl(reading.fileDescriptor, F_SETFL, O_NONBLOCK)
      // Not at the end of the output: another process that it started may keep that open.
      process.terminationHandler = { [self] process in
        reading.readabilityHandler = nil
        let isExit = process.terminationReason == .exit
        finish(isExit ? process.terminationStatus : -1, lastOutputOf: reading)
      }
      reading.readabilityHandler = { [self] handle in
        if !take(from: handle) { handle.readabilityHandler = nil }
      }
      do {
        try process.run()
      } catch {
        reading.readabilityHandler = nil
        end(.refused, "cannot be started; check that the file is there and may be executed")
        return
      }
      let identifier = process.processIdentifier
      state.withLock { if $0.status == nil { $0.running = identifier } }
      // A cancellation before the start had nothing to end.
      if Task.isCancelled { end(.cancelled, "was cancelled") }
      // Not a task: others may keep all threads of tasks busy. After the end it does nothing.
      let seconds = limit.bounded / .seconds(1)
      DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self, limit] in
        self?.end(.timedOut, "did not end within \(limit), and was ended")
      }
    }

    /// Takes what the program has written, and says whether there may be more.
    private func take(from handle: FileHandle) -> Bool {
      let (isOpen, isTooLarge) = state.withLock { state in
        let isOpen = Self.read(handle, &state.output)
        return (isOpen, state.output.count > CredentialResponse.maximumByteCount)
      }
      if isTooLarge {
        end(.invalidAnswer, "writes more than \(CredentialResponse.maximumByteCount) bytes")
      }
      return isOpen && !isTooLarge
    }

    /// Reads without waiting, to just above the limit; false at the end.
    private static func read(_ handle: FileHandle, _ output: inout [UInt8]) -> Bool {
      var portion = [UInt8](repeating: 0, count: 65_536)
      while output.count <= CredentialResponse.maximumByteCount {
        // Safety: the portion has as many bytes as its count says.
        let count = unsafe portion.withUnsafeMutableBytes {
          unsafe Foundation.read(handle.fileDescriptor, $0.baseAddress, $0.count)
        }
        if count == 0 { return false }
        if count < 0 { return true }
        output.append(contentsOf: portion[..<count])
      }
      return true
    }

    /// Gives the answer of a program that has ended.
    private func finish(_ status: Int32, lastOutputOf handle: FileHandle) {
      state.withLock { state in
        state.status = status
        state.running = nil
      }
      _ = take(from: handle)
      let ended = state.withLock { state in
        let ended = state
        state.continuation = nil
        return ended
      }
      if status == 0 {
        ended.continuation?.resume(returning: ended.output)
      } else {
        ended.continuation?.resume(
          throwing: failure(
            .refused, "ended with status \(status); run it by hand to see what it says"))
      }
    }

    /// Gives up on the program, which is ended when it still runs.
    private func end(_ code: CredentialError.Code, _ reason: String) {
      let ended = state.withLock { state in
        let ended = state
        state.continuation = nil
        state.running = nil
        return ended
      }
      if let running = ended.running { Self.end(running) }
      ended.continuation?.resume(throwing: failure(code, reason))
    }

    /// Ends a program and what it has started, where Foundation gives it a group of its own; the program
    /// alone where not.
    private static func end(_ identifier: Int32) {
      kill(getpgid(identifier) == identifier ? -identifier : identifier, SIGKILL)
    }

    private func failure(_ code: CredentialError.Code, _ reason: String) -> CredentialError {
      CredentialError(code, "the program \(name) \(reason)")
    }
  }
#endif
