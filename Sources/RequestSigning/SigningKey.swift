// SPDX-License-Identifier: Apache-2.0
// The key of one day, region and service: derived from the secret access key, and kept for the rest of the day.

public import SecureHashing
package import SigningSupport

extension SigV4 {
  /// A signing key, valid for one day, region and service (SigV4, step 4).
  ///
  /// It can be derived once and kept, or shipped to another machine in place of the secret access
  /// key. Secret: wiped when the last copy is released, never printed.
  public struct SigningKey: Sendable {
    let storage: Storage

    /// The credential scope of the key.
    public var scope: CredentialScope { storage.scope }

    /// The access key ID that the secret belongs to.
    public var accessKeyID: String { storage.accessKeyID }

    /// The key itself, 32 bytes. Secret.
    public var key: SymmetricKey { storage.key }

    init(storage: Storage) {
      self.storage = storage
    }

    /// Derives the signing key of credentials.
    public init(_ credentials: Credentials, scope: CredentialScope) {
      storage = Self.derive(credentials, scope)
      ConstantTime.wipeStack()
    }

    /// Derives the signing key for the UTC day of a timestamp, a region and a service.
    ///
    ///     let key = try SigV4.SigningKey(
    ///       credentials: credentials, date: now, region: "us-east-1", service: "s3")
    ///
    /// Throws `invalidRegion` and `invalidService`.
    public init(
      credentials: Credentials, date: Timestamp, region: String, service: Service
    ) throws(SigningError) {
      self.init(
        credentials,
        scope: try Preparer(identity: credentials.identity, region: region, service: service)
          .scope(at: date))
    }

    /// SigV4, step 4: kDate, kRegion, kService, kSigning.
    @inline(never)
    private static func derive(_ credentials: Credentials, _ scope: CredentialScope) -> Storage {
      let dateKey = credentials.dateKey(scope.dayCharacters)
      let regionKey = derive(dateKey, scope.region)
      let serviceKey = derive(regionKey, scope.service)
      // Safety: the bytes of a static string are there for ever.
      let signingKey = unsafe derive(serviceKey, CredentialScope.terminator.bytesInUTF8)
      return Storage(
        SymmetricKey(data: signingKey), accessKeyID: credentials.accessKeyID, scope: scope)
    }

    /// A signing key that was derived elsewhere.
    ///
    /// Throws `invalidSigningKey` unless it has 32 bytes, and `invalidAccessKeyID`.
    public init(
      key: SymmetricKey, accessKeyID: String, scope: CredentialScope
    ) throws(SigningError) {
      try Identity.checkAccessKeyID(accessKeyID)
      if key.byteCount != SHA256.byteCount {
        throw SigningError(
          .invalidSigningKey,
          "A signing key is 32 bytes long, but this one is \(key.byteCount).",
          fix: """
            Pass the derived key, not the secret access key, and decode it from hexadecimal or \
            base64 first.
            """)
      }
      storage = Storage(key, accessKeyID: accessKeyID, scope: scope)
      ConstantTime.wipeStack()
    }

    /// The signature of a string to sign (SigV4, step 5).
    public func signature(of stringToSign: StringToSign) -> Signature {
      signature(of: stringToSign.bytes)
    }

    package func signature(of stringToSign: [UInt8]) -> Signature {
      // Safety: the bytes are read only.
      unsafe stringToSign.withUnsafeBufferPointer { signature(of: unsafe $0.span) }
    }

    /// A function of its own takes less of the stack.
    @inline(never)
    package func signature(of stringToSign: TextSpan) -> Signature {
      // Public from here on: a signature travels in the open.
      // Safety: the bytes are read only.
      unsafe stringToSign.withUnsafeBytes { unsafe Signature(storage.start.code(of: $0)) }
    }

    /// The state of HMAC after a beginning that many strings to sign share. Secret.
    package func prepared(with beginning: some Collection<UInt8>) -> HMAC<SHA256>.PreparedKey {
      defer { ConstantTime.wipeStack() }
      return storage.prepared(with: beginning)
    }

    static func derive(_ key: HMAC<SHA256>.MAC, _ text: String) -> HMAC<SHA256>.MAC {
      // Safety: the text is read only.
      unsafe text.withBytesInUTF8 { unsafe derive(key, $0) }
    }

    private static func derive(
      _ key: HMAC<SHA256>.MAC, _ text: UnsafeRawBufferPointer
    ) -> HMAC<SHA256>.MAC {
      unsafe HMAC<SHA256>(key: key).finalize(appending: text)
    }
  }
}

extension SigV4.SigningKey {
  /// What all copies of a key share.
  final class Storage: Sendable {
    let scope: SigV4.CredentialScope
    let accessKeyID: String

    /// 32 bytes.
    let key: SymmetricKey

    /// The beginning of every signature: the two mid-states. As secret as the key.
    let start: HMAC<SHA256>.PreparedKey

    @inline(never)
    init(_ key: SymmetricKey, accessKeyID: String, scope: SigV4.CredentialScope) {
      self.accessKeyID = accessKeyID
      self.scope = scope
      self.key = key
      start = HMAC.PreparedKey(key)
    }

    @inline(never)
    func prepared(with beginning: some Collection<UInt8>) -> HMAC<SHA256>.PreparedKey {
      var start = HMAC(key: start)
      start.update(data: beginning)
      return HMAC.PreparedKey(continuing: start)
    }
  }
}

extension SigV4.SigningKey: CustomStringConvertible {
  /// Size, access key ID and scope. Never the key.
  public var description: String {
    "SigningKey(\(SHA256.byteCount) bytes, \(accessKeyID)/\(scope.text))"
  }
}

extension SigV4.SigningKey: Redacted {}

extension SigV4 {
  /// Signing keys that were derived recently. Any number of signers and threads may share one.
  ///
  /// A key is found again only for the same access key ID, secret, day, region and service, so a
  /// rotated secret never signs with the old key. Keys of earlier days leave as soon as one of a later
  /// day comes. In Embedded Swift, which has no lock, nothing is kept, and every key is derived anew unless it
  /// is kept as a ``SigningKey``.
  public final class SigningKeyCache: Sendable {
    /// How many keys are kept at most; 0 means none.
    public let capacity: Int

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
