// SPDX-License-Identifier: Apache-2.0
// Nonces that a test's verifier has seen.

/// Counts texts, for one thread.
final class Counter: @unchecked Sendable {
  private var counts: [String: Int] = [:]

  var total: Int { counts.values.reduce(0, +) }

  /// Adds one to the count of a text, and returns it.
  func count(_ text: String) -> Int {
    counts[text, default: 0] += 1
    return counts[text, default: 0]
  }
}
