// SPDX-License-Identifier: Apache-2.0
// How one test goes through many cases: a parameterised test would print a line for each.

internal import Testing

extension Sequence {
  /// Runs `body` for each case. What it throws is recorded together with the case, and the other
  /// cases still run.
  package func forEachCase(_ body: (Element) throws -> Void) {
    for element in self {
      do { try body(element) } catch { Issue.record(error, "\(element)") }
    }
  }
}
