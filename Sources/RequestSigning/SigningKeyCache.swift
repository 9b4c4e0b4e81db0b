// SPDX-License-Identifier: Apache-2.0
// Signing keys that were derived once and are used for the rest of their day.

internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Signing keys that were derived recently. Any number of signers and threads may share one.
  ///
  /// A key is found again only for the same access key ID, secret, day, region and service, so a
  /// rotated secret never signs with the old key. Keys of earlier days leave as soon as one of a later
  /// day comes. In Embedded Swift, which has no lock, nothing is kept: there every key is derived anew,
  /// unless it is kept as a ``SigningKey``.
  public final class SigningKeyCache: Sendable {
    /// How many keys are kept at most; 0 means none.
    public let capacity: Int

    #if hasFeature(Embedded)
      /// How many keys are kept now: 0.
      public var count: Int { 0 }

      /// A cache that keeps nothing.
      public init(capacity: Int = 16) {
        self.capacity = 0
      }

      /// The signing key of credentials for a scope.
      public func signingKey(
        for credentials: Credentials, scope: CredentialScope
      ) -> SigningKey {
        SigningKey(credentials, scope: scope)
      }
    #else
      private let entries = Guarded<[Entry]>([])

      /// How many keys are kept now.
      public var count: Int { entries.withLock { $0.count } }

      /// A cache for so many keys; fewer than 0 means none.
      public init(capacity: Int = 16) {
        self.capacity = Swift.max(capacity, 0)
      }

      /// The signing key of credentials for a scope: one that was derived before, or a new one.
      ///
      /// It never waits. While another thread looks, a key is derived anew: that takes a microsecond, and waiting
      /// for a lock that many threads want takes ten or more.
      public func signingKey(
        for credentials: Credentials, scope: CredentialScope
      ) -> SigningKey {
        if capacity == 0 { return SigningKey(credentials, scope: scope) }
        let owner = credentials.fingerprint
        let answer = entries.withLockIfAvailable { entries in
          entries.first { $0.owner == owner && $0.key.scope == scope }?.key
        }
        guard let known = answer else { return SigningKey(credentials, scope: scope) }
        if let known { return known }
        let entry = Entry(owner: owner, key: SigningKey(credentials, scope: scope))
        _ = entries.withLockIfAvailable { [capacity] entries in
          let latestDay = entries.reduce(entry.day) { Swift.max($0, $1.day) }
          entries.removeAll { $0.day < latestDay || $0.isReplaced(by: entry) }
          if entries.count >= capacity { entries.removeFirst() }
          entries.append(entry)
        }
        return entry.key
      }
    #endif

    /// A key, and whose it is.
    struct Entry: Sendable {
      /// Tells identities and their secrets apart.
      let owner: SHA256.Digest
      let key: SigningKey

      /// The digits of the day as a number that grows with it.
      var day: UInt64 { key.scope.dayCharacters.byteSwapped }

      /// Whether another thread has derived the same key meanwhile.
      func isReplaced(by other: Entry) -> Bool {
        owner == other.owner && key.scope == other.key.scope
      }
    }
  }
}

extension SigV4.SigningKeyCache: CustomStringConvertible {
  /// The capacity. Never a key.
  public var description: String { "SigningKeyCache(\(capacity))" }
}

extension SigV4.SigningKeyCache: Redacted {}
