// SPDX-License-Identifier: Apache-2.0
// What a refreshing provider keeps: credentials, and when others are needed.

internal import RequestSigning

/// Credentials that had not expired when they came, and when others are needed.
struct KeptCredentials: Sendable {
  let provided: ProvidedCredentials
  private let arrival: SigV4.Timestamp
  private let advisory: Int64
  private let mandatory: Int64
  /// They came once more after a server had refused them.
  private let isRepeated: Bool

  /// Throws `expired` when they had expired when they came.
  init(
    _ provided: ProvidedCredentials, insteadOf refused: ProvidedCredentials?,
    at time: SigV4.Timestamp, schedule: RefreshingCredentialProvider.Schedule
  ) throws(CredentialError) {
    let life = provided.secondsLeft(at: time) ?? .max
    if life <= 0 { throw Self.expired(provided, at: time) }
    self.provided = provided
    arrival = time
    advisory = min(Int64(schedule.advisory), life / 2)
    mandatory = min(Int64(schedule.mandatory), life / 3)
    isRepeated = refused.map(provided.isSame) ?? false
  }

  /// How much others are needed.
  func need(at time: SigV4.Timestamp) -> Need {
    guard let left = provided.secondsLeft(at: time) else { return .none }
    if left <= 0 || left < mandatory { return .atOnce }
    return left < advisory ? .soon : .none
  }

  func isAlive(at time: SigV4.Timestamp) -> Bool {
    provided.secondsLeft(at: time) ?? 1 > 0
  }

  /// Whether the source gave them less than a minute ago although a server had refused them.
  func isBelieved(at time: SigV4.Timestamp) -> Bool {
    isRepeated && (0..<60).contains(time.unixSeconds - arrival.unixSeconds)
  }

  enum Need {
    case none
    case soon
    case atOnce
  }

  private static func expired(
    _ provided: ProvidedCredentials, at time: SigV4.Timestamp
  ) -> CredentialError {
    CredentialError(
      .expired,
      "the credentials \(provided) had expired when they came: they end at "
        + "\(provided.credentials.identity.expiration?.text ?? "no time"), and it is \(time) here; "
        + "see whether this clock is right, and whether the source still renews them")
  }
}

extension ProvidedCredentials {
  /// Seconds until the credentials expire, 0 or less when they have; nil when they never do.
  func secondsLeft(at time: SigV4.Timestamp) -> Int64? {
    // Two timestamps differ by less than 2^39 seconds.
    credentials.identity.expiration.map { $0.unixSeconds - time.unixSeconds }
  }

  /// Whether these are the same credentials; sources give every new ones a key ID or a token of their own.
  func isSame(as other: ProvidedCredentials) -> Bool {
    let (mine, others) = (credentials.identity, other.credentials.identity)
    return mine.accessKeyID == others.accessKeyID && mine.expiration == others.expiration
      && mine.sessionToken == others.sessionToken
  }
}
