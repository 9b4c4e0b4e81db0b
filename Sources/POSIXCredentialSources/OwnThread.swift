// SPDX-License-Identifier: Apache-2.0
// A thread for blocking work, because the few threads that run tasks must not wait for a server.

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

/// Whether the caller was cancelled.
typealias CancellationFlag = Guarded<Bool>

/// Runs blocking work on its own thread.
enum OwnThread {
  /// Runs work and returns its result. The work must check the cancellation flag, and return soon
  /// if it's set.
  static func run<Value: Sendable>(
    _ work: @escaping @Sendable (CancellationFlag) throws(CredentialError) -> Value
  ) async throws(CredentialError) -> Value {
    let isCancelled = CancellationFlag(false)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (waiting: CheckedContinuation<Outcome<Value>, Never>) in
        start {
          do throws(CredentialError) {
            waiting.resume(returning: .success(try work(isCancelled)))
          } catch {
            waiting.resume(returning: .failure(error))
          }
        } orElse: { number in
          let reason = SystemFacts.reason(number)
          waiting.resume(
            returning: .failure(
              CredentialError(
                .unreachable, "No thread could be started for the request (\(reason)).",
                fix: "Check the limits on threads and memory.")))
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
    return try result.get()
  }

  private typealias Outcome<Value> = Result<Value, CredentialError>

  private final class Body: Sendable {
    let call: @Sendable () -> Void
    init(_ call: @escaping @Sendable () -> Void) { self.call = call }
  }

  /// Starts a detached thread, or passes the error number to `refuse`.
  private static func start(
    _ body: @escaping @Sendable () -> Void, orElse refuse: (Int32) -> Void
  ) {
    // Safety: the thread consumes this reference. If no thread starts, it's released below.
    let body = unsafe Unmanaged.passRetained(Body(body))
    #if canImport(Glibc) || canImport(Android)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let number = unsafe pthread_create(
      &thread, nil,
      { argument in
        // The pointer is optional on some systems.
        if let pointer = unsafe argument as UnsafeMutableRawPointer? {
          unsafe Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().call()
        }
        return unsafe argument
      }, body.toOpaque())
    if number != 0 {
      unsafe body.release()
      return refuse(number)
    }
    #if canImport(Glibc) || canImport(Android)
      pthread_detach(thread)
    #else
      if let thread = unsafe thread { unsafe pthread_detach(thread) }
    #endif
  }
}
