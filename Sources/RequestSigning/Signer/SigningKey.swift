// SPDX-License-Identifier: Apache-2.0
// The key for one day, region and service, derived from the secret access key and cached for the
// day.

public import SecureHashing

extension SigV4 {
  /// A signing key, valid for one day, region and service (SigV4, step 4).
  ///
  /// You can derive it once and store it, or ship it to another machine instead of the secret
  /// access key. Treat it as a secret. It's wiped when the last copy is released, and never
  /// printed.
  public struct SigningKey: Sendable {
    let storage: Storage

    /// The key's credential scope.
    public var scope: CredentialScope { storage.scope }

    /// The access key ID that the secret belongs to.
    public var accessKeyID: String { storage.accessKeyID }

    /// The key itself, 32 bytes. Secret.
    public var key: SymmetricKey { storage.key }

    init(storage: Storage) {
      self.storage = storage
    }

    /// Derives a signing key from credentials.
    public init(_ credentials: Credentials, scope: CredentialScope) {
      storage = Self.derive(credentials, scope)
      ConstantTime.wipeStack()
    }

    /// Derives the signing key for the UTC day of a timestamp, a region and a service.
    ///
    ///     let key = try SigV4.SigningKey(
    ///       credentials: credentials, date: now, region: "us-east-1", service: "s3")
    ///
    /// - Throws: `invalidRegion`, `invalidService` or `invalidSessionToken`.
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
      let dateKey = credentials.dateKey(scope.dayCharacters, scope.names)
      let regionKey = derive(dateKey, scope.region)
      let serviceKey = derive(regionKey, scope.service)
      let signingKey = unsafe derive(serviceKey, scope.names.scopeEnd.bytesInUTF8)
      return Storage(
        SymmetricKey(data: signingKey), accessKeyID: credentials.accessKeyID, scope: scope)
    }

    /// Creates a signing key from a key derived elsewhere.
    ///
    /// - Throws: `invalidSigningKey` unless the key is 32 bytes long, or `invalidAccessKeyID`.
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

    /// Returns whether the key is for an access key ID and a scope, which are in a text.
    package func isKey(
      of accessKeyID: Range<Int>, _ scope: CredentialScope.Parts, in text: TextSpan
    ) -> Bool {
      storage.accessKeyID.hasSameBytes(as: text.extracting(accessKeyID))
        && storage.scope.has(scope, of: text)
    }

    /// Signs a string to sign (SigV4, step 5).
    public func signature(of stringToSign: StringToSign) -> Signature {
      stringToSign.withText { signature(of: $0) }
    }

    package func signature(of stringToSign: [UInt8]) -> Signature {
      unsafe stringToSign.withUnsafeBufferPointer { signature(of: unsafe $0.span) }
    }

    /// A separate function uses less of the stack.
    @inline(never)
    package func signature(of stringToSign: TextSpan) -> Signature {
      // The result is public because a signature is sent in the open.
      unsafe stringToSign.withUnsafeBytes { unsafe Signature(storage.start.code(of: $0)) }
    }

    /// Returns the HMAC state after a prefix that many strings to sign share. Secret.
    package func prepared(with beginning: some Collection<UInt8>) -> HMAC<SHA256>.PreparedKey {
      defer { ConstantTime.wipeStack() }
      return storage.prepared(with: beginning)
    }

    static func derive(_ key: HMAC<SHA256>.MAC, _ text: String) -> HMAC<SHA256>.MAC {
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
  /// The state shared by all copies of a key.
  final class Storage: Sendable {
    let scope: SigV4.CredentialScope
    let accessKeyID: String

    /// The key, 32 bytes.
    let key: SymmetricKey

    /// The HMAC state at the start of every signature: the two midstates. As secret as the key.
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
  /// The size, access key ID and scope, without the key.
  public var description: String {
    "SigningKey(\(SHA256.byteCount) bytes, \(AccessKeyID.shown(accessKeyID))/\(scope.text))"
  }
}

extension SigV4.SigningKey: Redacted {}

extension SigV4 {
  /// A cache of recently derived signing keys. Any number of signers and threads can share one.
  ///
  /// A lookup matches only the same access key ID, secret, day, region and service, so a rotated
  /// secret never signs with the old key. Adding a key for a later day removes the keys of earlier
  /// days. Embedded Swift has no locks, so there the cache is always empty. Store a ``SigningKey``
  /// to avoid deriving it every time.
  public final class SigningKeyCache: Sendable {
    /// The maximum number of cached keys, or 0 to disable caching.
    public let capacity: Int

    private let entries = Guarded<[Entry]>([])

    /// The number of cached keys.
    public var count: Int { entries.withLock { $0.count } }

    /// Creates a cache for up to `capacity` keys. A negative number disables caching.
    public init(capacity: Int = 16) {
      self.capacity = Swift.max(capacity, 0)
    }

    /// Returns the signing key of credentials for a scope, cached or newly derived.
    ///
    /// This method never waits. While another thread uses the cache, it derives the key again,
    /// which takes a microsecond. Waiting for a contended lock takes ten or more.
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

    /// A key and its owner.
    struct Entry: Sendable {
      /// The fingerprint of the identity and its secret.
      let owner: SHA256.Digest
      let key: SigningKey

      /// The digits of the day as a number that sorts by date.
      var day: UInt64 { key.scope.dayCharacters.byteSwapped }

      /// Returns whether another thread has derived the same key in the meantime.
      func isReplaced(by other: Entry) -> Bool {
        owner == other.owner && key.scope == other.key.scope
      }
    }
  }
}

extension SigV4.SigningKeyCache: CustomStringConvertible {
  /// The capacity, without the keys.
  public var description: String { "SigningKeyCache(\(capacity))" }
}

extension SigV4.SigningKeyCache: Redacted {}
