// SPDX-License-Identifier: Apache-2.0
// A value behind a lock, for what delegates and tasks share.

internal import Foundation

/// A value that is used by one thread at a time. No callback is made while it is locked.
final class Guarded<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
