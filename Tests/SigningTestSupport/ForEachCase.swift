// SPDX-License-Identifier: Apache-2.0
// How one test goes through many cases: a parameterised test would print a line for each.

internal import Testing

extension Sequence {
  /// Runs `body` for each case. A failed case is named, and the others still run.
  package func forEachCase(_ body: (Element) throws -> Void) {
    for element in self {
      let outcome = Outcome()
      do {
        try withKnownIssue(isIntermittent: true) {
          try body(element)
        } matching: { _ in
          // No issue is a known one, so it's recorded unchanged.
          outcome.isFailure = true
          return false
        }
      } catch {
        outcome.isFailure = true
        Issue.record(error)
      }
      if outcome.isFailure { Issue.record("the case is \(element)") }
    }
  }
}

/// Whether a case failed; one test writes and reads it.
private final class Outcome: @unchecked Sendable {
  var isFailure = false
}
