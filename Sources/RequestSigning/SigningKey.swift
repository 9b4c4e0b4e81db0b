// SPDX-License-Identifier: Apache-2.0
// The key of one day, region and service, derived from the secret access key.

public import SecureHashing
internal import SigningSupport

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
          """
          a signing key has 32 bytes, and this one has \(key.byteCount); give the result of the \
          derivation (not the secret access key), decoded from hexadecimal or base64
          """)
      }
      storage = Storage(key, accessKeyID: accessKeyID, scope: scope)
      ConstantTime.wipeStack()
    }

    /// The signature of a string to sign (SigV4, step 5).
    public func signature(of stringToSign: StringToSign) -> Signature {
      signature(of: stringToSign.bytes)
    }

    /// A function of its own takes less of the stack.
    @inline(never)
    package func signature(of stringToSign: [UInt8]) -> Signature {
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
