// SPDX-License-Identifier: Apache-2.0
// A session's clock, which responses can correct.

internal import Foundation
internal import RequestSigning

/// This machine's clock, corrected by the server's time.
final class SessionClock: Sendable {
  private let now: @Sendable () -> Date
  private let known = Guarded(Duration.zero)

  init(_ now: @escaping @Sendable () -> Date) { self.now = now }

  var offset: Duration { known.withLock { $0 } }

  func timestamp() throws -> SigV4.Timestamp {
    try SigV4.Timestamp(now()).advanced(by: offset)
  }

  /// Corrects the clock by the server's current time.
  ///
  /// If the difference is less than a minute, the clock is right, and the request was rejected
  /// because it had waited.
  func correct(to serverTime: SigV4.Timestamp) throws {
    let offset = try SigV4.Timestamp(now()).duration(to: serverTime)
    let isRight = offset > .seconds(-60) && offset < .seconds(60)
    known.withLock { $0 = isRight ? Duration.zero : offset }
  }
}
