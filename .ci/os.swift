// SPDX-License-Identifier: Apache-2.0
// Stands in for Apple's module `os` where it is missing: the one type of it that we use, never run.

/// A lock around a value.
@available(macOS 13.0, iOS 16.0, *)
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  /// A lock around this value.
  public init(initialState: State) where State: Sendable {}

  /// What the closure makes of the value.
  public func withLock<Result: Sendable>(
    _ body: @Sendable (inout State) throws -> Result
  ) rethrows -> Result {
    while true {}
  }

  /// What the closure makes of the value, unless another thread has the lock.
  public func withLockIfAvailable<Result: Sendable>(
    _ body: @Sendable (inout State) throws -> Result
  ) rethrows -> Result? {
    while true {}
  }
}
