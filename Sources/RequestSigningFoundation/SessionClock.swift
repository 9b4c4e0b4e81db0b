// SPDX-License-Identifier: Apache-2.0
// The clock of a session, which a server may correct.

internal import Foundation
internal import RequestSigning
internal import SigningSupport

/// This machine's clock, corrected by what a server said.
final class SessionClock: Sendable {
  private let now: @Sendable () -> Date
  private let known = Guarded(Duration.zero)

  init(_ now: @escaping @Sendable () -> Date) { self.now = now }

  var offset: Duration { known.withLock { $0 } }

  func timestamp() throws -> SigV4.Timestamp {
    try SigV4.Timestamp(now()).advanced(by: offset)
  }

  /// Notes the server's time at this moment.
  ///
  /// A request that waited was refused for its age, and then our clock is right.
  func correct(to serverTime: SigV4.Timestamp) throws {
    let offset = try SigV4.Timestamp(now()).duration(to: serverTime)
    let isRight = abs(offset.components.seconds) < 60
    known.withLock { $0 = isRight ? Duration.zero : offset }
  }
}
