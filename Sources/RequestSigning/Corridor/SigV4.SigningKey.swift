// SPDX-License-Identifier: Apache-2.0
// Room 3: the key of one day, region and service, derived from the secret access key.

#if canImport(SecureHashing)
  public import SecureHashing
#endif

nonisolated extension SigV4 {
  /// Room 3: a signing key, good for one day, region and service (SigV4, step 4).
  ///
  /// It can be derived once and kept, or shipped to another machine in place of the secret access
  /// key. Secret: wiped when the last copy is released, never printed.
  public struct SigningKey: Sendable {
    let storage: Storage

    /// What the key is good for.
    public var scope: CredentialScope { storage.scope }

    /// The access key ID that the secret belongs to.
    public var accessKeyID: String { storage.accessKeyID }

    /// The key itself, 32 bytes. Secret.
    public var key: SymmetricKey { storage.key }

    /// Derives the signing key of credentials.
    public init(_ credentials: Credentials, scope: CredentialScope) {
      // SigV4, step 4: kDate, kRegion, kService, kSigning.
      let dateKey = HMAC<SHA256>.authenticationCode(
        for: scope.day.utf8, using: credentials.derivationKey)
      let regionKey = Self.derive(dateKey, scope.region)
      let serviceKey = Self.derive(regionKey, scope.service)
      let signingKey = Self.derive(serviceKey, CredentialScope.terminator)
      self.init(
        checked: SymmetricKey(data: signingKey), accessKeyID: credentials.identity.accessKeyID,
        scope: scope)
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
          "a signing key has 32 bytes, and this one has \(key.byteCount); give the result of the "
            + "derivation (not the secret access key), decoded from hexadecimal or base64")
      }
      self.init(checked: key, accessKeyID: accessKeyID, scope: scope)
    }

    init(checked key: SymmetricKey, accessKeyID: String, scope: CredentialScope) {
      storage = Storage(key, accessKeyID: accessKeyID, scope: scope)
    }

    /// Room 4: the signature of a string to sign (SigV4, step 5).
    public func signature(of stringToSign: StringToSign) -> Signature {
      signature(in: stringToSign.buffer)
    }

    func signature(in buffer: SigningBuffer) -> Signature {
      // Public from here on: a signature travels in the open.
      // Safety: the bytes live as long as the closure runs.
      unsafe buffer.withBytes(buffer.layout.stringToSign) { bytes in
        unsafe Signature(HMAC<SHA256>.authenticationCode(for: bytes, using: storage.preparedKey))
      }
    }

    static func derive(_ key: HMAC<SHA256>.MAC, _ text: String) -> HMAC<SHA256>.MAC {
      // Safety: the bytes live as long as the closure runs.
      unsafe key.withUnsafeBytes { key in
        unsafe HMAC<SHA256>(keyBytes: key).finalize(appending: text.utf8)
      }
    }
  }
}

nonisolated extension SigV4.SigningKey {
  /// The key with its two mid-states, which all copies share.
  final class Storage: Sendable {
    let scope: SigV4.CredentialScope
    let accessKeyID: String
    let key: SymmetricKey
    let preparedKey: HMAC<SHA256>.PreparedKey

    /// The eight characters of the day, the first one lowest.
    let day: UInt64

    init(_ key: SymmetricKey, accessKeyID: String, scope: SigV4.CredentialScope) {
      self.key = key
      self.accessKeyID = accessKeyID
      self.scope = scope
      preparedKey = HMAC<SHA256>.PreparedKey(key)
      day = scope.day.utf8.reversed().reduce(0) { $0 &<< 8 | UInt64($1) }
    }
  }
}

nonisolated extension SigV4.SigningKey: CustomStringConvertible {
  /// Size, access key ID and scope. Never the key.
  public var description: String {
    "SigningKey(\(key.byteCount) bytes, \(accessKeyID)/\(scope.text))"
  }
}
