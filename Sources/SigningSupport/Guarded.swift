// SPDX-License-Identifier: Apache-2.0
// A value behind a lock, for what threads and tasks share. Embedded Swift has no lock.

#if !hasFeature(Embedded)
  #if canImport(os)
    package import os
  #else
    package import Synchronization
  #endif

  /// A value that one thread at a time uses.
  package final class Guarded<Value: Sendable>: Sendable {
    #if canImport(os)
      // Mutex needs macOS 15 and iOS 18.
      package let lock: OSAllocatedUnfairLock<Value>

      @inlinable package init(_ value: Value) { lock = OSAllocatedUnfairLock(initialState: value) }
    #else
      package let lock: Mutex<Value>

      @inlinable package init(_ value: Value) { lock = Mutex(value) }
    #endif

    /// Calls `body` with the value, which must not be used from within.
    @inlinable package func withLock<Result: Sendable>(
      _ body: @Sendable (inout Value) throws -> Result
    ) rethrows -> Result {
      try lock.withLock { value in try body(&value) }
    }
  }
#endif
