// SPDX-License-Identifier: Apache-2.0
// The clock of a session, which a server may correct.

internal import Foundation
internal import RequestSigning
internal import SignatureDiagnosis
internal import SigningSupport

/// This machine's clock, corrected by what a server said.
final class SessionClock: Sendable {
  private let now: @Sendable () -> Date
  private let known = Guarded(SigV4.ClockOffset(seconds: 0))

  init(_ now: @escaping @Sendable () -> Date) { self.now = now }

  var offset: SigV4.ClockOffset { known.withLock { $0 } }

  func timestamp() throws -> SigV4.Timestamp {
    try SigV4.Timestamp(now()).corrected(by: offset)
  }

  /// Notes the server's time at this moment.
  ///
  /// A request that waited was refused for its age, and then our clock is right.
  func correct(to serverTime: SigV4.Timestamp) throws {
    let offset = SigV4.ClockOffset(serverTime: serverTime, ourTime: try SigV4.Timestamp(now()))
    let isRight = abs(offset.seconds) < 60
    known.withLock { $0 = isRight ? SigV4.ClockOffset(seconds: 0) : offset }
  }
}
