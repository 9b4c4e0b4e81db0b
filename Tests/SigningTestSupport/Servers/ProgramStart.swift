// SPDX-License-Identifier: Apache-2.0
// Starts programs one at a time.

internal import Foundation

/// Foundation's pipes aren't closed when a different thread starts a program at the same time. If
/// that program keeps running, as servers do, a reader of the pipe waits for its end.
package enum ProgramStart {
  private static let lock = NSLock()

  /// Creates pipes, and starts the program that uses them, while no other program starts.
  package static func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
    try lock.withLock(body)
  }
}
