// SPDX-License-Identifier: Apache-2.0
// Durations in seconds. Only this file uses `Duration.components`, which traps at 2^63 seconds.

extension Duration {
  /// The components of the duration, or of the nearest one whose seconds are an `Int64`.
  package var limitedComponents: (seconds: Int64, attoseconds: Int64) {
    min(max(self, .seconds(Int64.min)), .seconds(Int64.max)).components
  }

  /// The duration in seconds, rounded toward zero, or the nearest `Int`.
  package var wholeSeconds: Int { Int(clamping: limitedComponents.seconds) }

  /// The duration, limited to the range from zero to a day, because clocks overflow with longer
  /// ones.
  package var bounded: Duration { min(max(self, .zero), .seconds(86_400)) }
}
