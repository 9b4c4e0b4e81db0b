// SPDX-License-Identifier: Apache-2.0
// Limits how many exchanges with each host run at the same time.

internal import RequestSigning

/// The connection slots of a loader. Exchanges wait for one in the order in which they came.
///
/// An exchange has a slot from before its file is opened and its time is signed until the end of
/// its response. It never waits for a different exchange of the same loader while it has one, so
/// exchanges can't block each other forever. A pause before a retry, and the time between two parts
/// of an object, need no slot.
final class ConnectionSlots: Sendable {
  private let limit: Int
  private let hosts = Guarded<[String: Host]>([:])

  /// Creates slots.
  ///
  /// - Parameter limit: the maximum number for each host (minimum 1).
  init(limit: Int) { self.limit = max(limit, 1) }

  /// Permission to use a connection, until the last reference to it is released.
  final class Slot: Sendable {
    private let end: @Sendable () -> Void

    fileprivate init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
  }

  /// Waits for a slot. Throws a `CancellationError` as soon as the task is cancelled.
  func slot(at host: String) async throws -> Slot {
    let waiter = Waiter()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiter.set(continuation)
        change(host) { $0.waiting.append(waiter) }
        // A cancellation before the waiter had its continuation had no effect.
        if Task.isCancelled { waiter.take()?.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      waiter.take()?.resume(throwing: CancellationError())
    }
    return Slot { [self] in change(host) { $0.runningCount -= 1 } }
  }

  /// Changes the state of a host, and starts the waiting exchanges that may run now.
  private func change(_ name: String, _ body: @Sendable (inout Host) -> Void) {
    let started = hosts.withLock { hosts in
      var host = hosts[name] ?? Host()
      body(&host)
      let started = host.start(limit)
      hosts[name] = host.isIdle ? nil : host
      return started
    }
    for continuation in started { continuation.resume() }
  }
}

/// The exchanges with one host.
private struct Host: Sendable {
  var runningCount = 0
  var waiting: ArraySlice<Waiter> = []

  var isIdle: Bool { runningCount == 0 && waiting.isEmpty }

  /// Takes the waiting exchanges that may run now.
  mutating func start(_ limit: Int) -> [CheckedContinuation<Void, any Error>] {
    var started: [CheckedContinuation<Void, any Error>] = []
    while runningCount < limit, let waiter = waiting.popFirst() {
      // Nil if it was cancelled.
      guard let continuation = waiter.take() else { continue }
      runningCount += 1
      started.append(continuation)
    }
    return started
  }
}

/// An exchange that waits for a slot.
private final class Waiter: Sendable {
  private let continuation = Guarded<CheckedContinuation<Void, any Error>?>(nil)

  func set(_ continuation: CheckedContinuation<Void, any Error>) {
    self.continuation.withLock { $0 = continuation }
  }

  /// Returns the continuation the first time. Nil if the exchange has started or was cancelled.
  func take() -> CheckedContinuation<Void, any Error>? {
    continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
  }
}
