// SPDX-License-Identifier: Apache-2.0
// When credentials that are kept are fetched again: before their end, and after a failure.

internal import RequestSigning

extension RefreshingCredentialProvider {
  /// When the source is asked again, in seconds.
  ///
  /// The times before the end are those of botocore's `RefreshableCredentials`. They are shortened for
  /// credentials that live less than half an hour, which would be fetched anew for each request
  /// otherwise. Nothing is random here: where a thousand machines start at once, give each an
  /// `advisory` of its own.
  public struct Schedule: Hashable, Sendable {
    /// With less left than this, new credentials are fetched while the old ones serve: 900. At most
    /// half of the life that they had when they came.
    public let advisory: Int

    /// With less left than this, callers wait for new credentials: 600, at most `advisory` and a third
    /// of the life that they had when they came.
    public let mandatory: Int

    /// The pause after the source failed: 1. Each further failure doubles it.
    public let firstPause: Int

    /// The longest pause: 60, as in botocore for the source of its tokens.
    public let longestPause: Int

    /// A schedule; fewer than 0 seconds mean 0. Without pauses a source that is down is asked by every
    /// caller that comes after a failure.
    public init(
      advisory: Int = 900, mandatory: Int = 600, firstPause: Int = 1, longestPause: Int = 60
    ) {
      self.advisory = max(advisory, 0)
      self.mandatory = min(max(mandatory, 0), self.advisory)
      self.longestPause = max(longestPause, 0)
      self.firstPause = min(max(firstPause, 0), self.longestPause)
    }

    /// The pause after another failure.
    func pause(after pause: Int64?) -> Int64 {
      guard let pause else { return Int64(firstPause) }
      return pause > Int64(longestPause) / 2 ? Int64(longestPause) : pause * 2
    }
  }

  /// Why the source could not be used, and the pause until it is asked again.
  struct Failure: Sendable {
    let error: CredentialError
    private let start: SigV4.Timestamp
    private let pause: Int64

    init(
      _ error: CredentialError, at time: SigV4.Timestamp, after earlier: Failure?,
      schedule: Schedule
    ) {
      start = time
      pause = schedule.pause(after: earlier?.pause)
      let end = (try? time.advanced(bySeconds: pause)) ?? time
      self.error = CredentialError(
        error.code, error.message + "; the source is asked again from \(end) on")
    }

    /// Whether the source is not asked. A time before the failure means that the clock was set back.
    func isPause(at time: SigV4.Timestamp) -> Bool {
      // Two timestamps differ by less than 2^39 seconds.
      (0..<pause).contains(time.unixSeconds - start.unixSeconds)
    }
  }

  /// Credentials that had not expired when they came, and when others are needed.
  struct Kept: Sendable {
    let provided: ProvidedCredentials
    private let arrival: SigV4.Timestamp
    private let advisory: Int64
    private let mandatory: Int64
    /// The source gave them again after a server had refused them.
    private let isRepeated: Bool

    /// Throws `expired` when they had expired when they came.
    init(
      _ provided: ProvidedCredentials, insteadOf refused: ProvidedCredentials?,
      at time: SigV4.Timestamp, schedule: Schedule
    ) throws(CredentialError) {
      let life = provided.secondsLeft(at: time) ?? .max
      if let end = provided.credentials.identity.expiration, life <= 0 {
        throw CredentialError(
          .expired,
          "the credentials \(provided) had expired when they came: they end at \(end.text), and it is "
            + "\(time) here; see whether this clock is right, and whether the source still renews them"
        )
      }
      self.provided = provided
      arrival = time
      advisory = min(Int64(schedule.advisory), life / 2)
      mandatory = min(Int64(schedule.mandatory), life / 3)
      isRepeated = refused.map(provided.isSame) ?? false
    }

    enum Need {
      case none
      case soon
      case now
    }

    /// How urgently other credentials are needed.
    func need(at time: SigV4.Timestamp) -> Need {
      guard let left = provided.secondsLeft(at: time) else { return .none }
      if left <= 0 || left < mandatory { return .now }
      return left < advisory ? .soon : .none
    }

    func isAlive(at time: SigV4.Timestamp) -> Bool {
      provided.secondsLeft(at: time) ?? 1 > 0
    }

    /// Whether the source gave them less than a minute ago although a server had refused them.
    func isBelieved(at time: SigV4.Timestamp) -> Bool {
      isRepeated && (0..<60).contains(time.unixSeconds - arrival.unixSeconds)
    }
  }
}

extension ProvidedCredentials {
  /// Seconds until the credentials expire, 0 or less when they have; nil when they never do.
  fileprivate func secondsLeft(at time: SigV4.Timestamp) -> Int64? {
    // Two timestamps differ by less than 2^39 seconds.
    credentials.identity.expiration.map { $0.unixSeconds - time.unixSeconds }
  }

  /// Whether these are the same credentials; new ones have a key ID or a token of their own.
  func isSame(as other: ProvidedCredentials) -> Bool {
    let (mine, others) = (credentials.identity, other.credentials.identity)
    return mine.accessKeyID == others.accessKeyID && mine.expiration == others.expiration
      && mine.sessionToken == others.sessionToken
  }
}
