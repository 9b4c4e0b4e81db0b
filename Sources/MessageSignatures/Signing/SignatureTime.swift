// SPDX-License-Identifier: Apache-2.0
// The time of a signature. This module has no clock.

extension MessageSignature {
  /// A time in whole seconds.
  public struct Time: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z.
    public let unixSeconds: Int64

    /// Creates a time, or the nearest one that a signature can contain: 15 digits.
    public init(unixSeconds: Int64) {
      let limit = StructuredField.largestInteger
      self.unixSeconds = min(max(unixSeconds, -limit), limit)
    }

    /// Returns whether a time is before another.
    public static func < (left: Self, right: Self) -> Bool { left.unixSeconds < right.unixSeconds }

    /// The time that has passed since another. (The difference of two numbers of 15 digits doesn't
    /// overflow.)
    func duration(since other: Self) -> Duration { .seconds(unixSeconds - other.unixSeconds) }

    func advanced(by duration: Duration) -> Self {
      let limit = Duration.seconds(StructuredField.largestInteger)
      let limited = min(max(duration, .zero), limit)
      // The quotient is a Double, which can be just below the exact one: 2,364.9... for 2,365.
      let seconds = Int64(limited / .seconds(1))
      let isBelow = .seconds(seconds + 1) <= limited
      return Self(unixSeconds: unixSeconds + (isBelow ? seconds + 1 : seconds))
    }
  }
}
