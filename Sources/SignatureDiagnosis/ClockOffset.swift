// SPDX-License-Identifier: Apache-2.0
// How far a server's clock is ahead of ours, as a value for the next timestamp.

public import RequestSigning

extension SigV4 {
  /// How far a server's clock is ahead of ours.
  ///
  ///     let offset = try SigV4.ClockOffset(dateHeader: response.date, receivedAt: now)
  ///     let signed = try signer.sign(request, at: now.corrected(by: offset))
  ///
  /// The caller decides whether to believe a server: with a wrong offset a request can be made to live
  /// longer than it should.
  public struct ClockOffset: Hashable, Sendable, CustomStringConvertible {
    /// The server's clock minus ours, in seconds: negative when ours is ahead.
    public let seconds: Int64

    /// A known offset, in seconds.
    public init(seconds: Int64) {
      self.seconds = seconds
    }

    /// The offset between a moment of the server's clock and the same moment of ours.
    public init(serverTime: Timestamp, ourTime: Timestamp) {
      seconds = serverTime.unixSeconds - ourTime.unixSeconds
    }

    /// The offset that the Date header of a response tells, which came at `ourTime`.
    ///
    /// Throws `invalidTimestamp` when the text is not an HTTP date.
    public init(dateHeader: String, receivedAt ourTime: Timestamp) throws(SigningError) {
      self.init(serverTime: try Timestamp(httpDate: dateHeader), ourTime: ourTime)
    }

    /// The offset that the body of a refusal tells: the server's clock and the time that it found in
    /// the request, or else `ourTime`. Nil when it does not show the server's clock, or when it is about
    /// a URL that has expired: such a URL was signed long ago.
    public init?(answer body: some Collection<UInt8>, signedAt ourTime: Timestamp) {
      self.init(answer: Mismatch.Answer(body), signedAt: ourTime)
    }

    init?(answer: Mismatch.Answer, signedAt ourTime: Timestamp) {
      guard let serverTime = answer.serverTime ?? (answer.isAboutClocks ? answer.date : nil),
        !answer.saysExpired
      else { return nil }
      self.init(serverTime: serverTime, ourTime: answer.requestTime ?? ourTime)
    }

    /// The seconds with their sign: `+23 s`.
    public var description: String { (seconds < 0 ? "" : "+") + "\(seconds) s" }
  }
}

/// A time by the clock of the server.
extension SigV4.Timestamp {
  /// This moment of our clock, as the server's clock shows it.
  ///
  /// Throws `timestampOutOfRange` when that is outside of the years 1 to 9999.
  public func corrected(
    by offset: SigV4.ClockOffset
  ) throws(SigV4.SigningError) -> SigV4.Timestamp {
    try advanced(bySeconds: offset.seconds)
  }
}
