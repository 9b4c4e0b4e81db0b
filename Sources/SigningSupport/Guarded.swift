// SPDX-License-Identifier: Apache-2.0
// A value behind a lock, for what threads and tasks share. Embedded Swift has no lock.

#if !hasFeature(Embedded)
  #if canImport(os)
    public import os
  #else
    public import Synchronization
  #endif

  /// A value that one thread at a time uses.
  @usableFromInline package final class Guarded<Value: Sendable>: Sendable {
    #if canImport(os)
      // Mutex needs macOS 15 and iOS 18.
      @usableFromInline let lock: OSAllocatedUnfairLock<Value>

      /// A lock around a value.
      package init(_ value: Value) { lock = OSAllocatedUnfairLock(initialState: value) }
    #else
      @usableFromInline let lock: Mutex<Value>

      /// A lock around a value.
      package init(_ value: Value) { lock = Mutex(value) }
    #endif

    /// Calls `body` with the value, which must not be used from within.
    @inlinable package func withLock<Result: Sendable>(
      _ body: @Sendable (inout Value) throws -> Result
    ) rethrows -> Result {
      try lock.withLock { value in try body(&value) }
    }

    /// Calls `body` with the value, unless another thread uses it: then the result is nil, at once.
    @inlinable package func withLockIfAvailable<Result: Sendable>(
      _ body: @Sendable (inout Value) throws -> Result
    ) rethrows -> Result? {
      try lock.withLockIfAvailable { value in try body(&value) }
    }
  }
#endif
