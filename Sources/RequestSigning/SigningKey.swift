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
    public var key: SymmetricKey {
      SymmetricKey(data: storage.key)
    }

    /// Derives the signing key of credentials.
    public init(_ credentials: Credentials, scope: CredentialScope) {
      // SigV4, step 4: kDate, kRegion, kService, kSigning.
      let dateKey = credentials.dateKey(scope.dayCharacters)
      let regionKey = Self.derive(dateKey, scope.region)
      let serviceKey = Self.derive(regionKey, scope.service)
      // Safety: the bytes of a static string are there for ever.
      let signingKey = unsafe Self.derive(serviceKey, CredentialScope.terminator.bytesInUTF8)
      storage = Storage(
        signingKey.digest, HMAC(key: signingKey), accessKeyID: credentials.identity.accessKeyID,
        scope: scope)
    }

    /// A signing key that was derived elsewhere.
    ///
    /// Throws `invalidSigningKey` unless it has 32 bytes, and `invalidAccessKeyID`.
    public init(
      key: SymmetricKey, accessKeyID: String, scope: CredentialScope
    ) throws(SigningError) {
      try Identity.checkAccessKeyID(accessKeyID)
      // Safety: the bytes are copied before the closure ends.
      let bytes = unsafe key.withUnsafeBytes { unsafe SHA256.Digest(bytes: $0) }
      guard let bytes else {
        throw SigningError(
          .invalidSigningKey,
          """
          a signing key has 32 bytes, and this one has \(key.byteCount); give the result of the \
          derivation (not the secret access key), decoded from hexadecimal or base64
          """)
      }
      storage = Storage(bytes, HMAC(key: key), accessKeyID: accessKeyID, scope: scope)
    }

    /// The signature of a string to sign (SigV4, step 5).
    public func signature(of stringToSign: StringToSign) -> Signature {
      signature(of: stringToSign.bytes)
    }

    package func signature(of stringToSign: [UInt8]) -> Signature {
      // Public from here on: a signature travels in the open.
      Signature(storage.start.finalize(appending: stringToSign))
    }

    /// The state of HMAC after a beginning that many strings to sign share. Secret.
    package func prepared(with beginning: some Collection<UInt8>) -> HMAC<SHA256>.PreparedKey {
      var start = storage.start
      start.update(data: beginning)
      return HMAC.PreparedKey(continuing: start)
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
    private let memory: SecretMemory

    private struct Secrets: BitwiseCopyable {
      /// 32 bytes.
      let key: SHA256.Digest

      /// The beginning of every signature: the two mid-states. As secret as the key.
      let start: HMAC<SHA256>
    }

    var key: SHA256.Digest { unsafe memory.value(as: Secrets.self).pointee.key }
    var start: HMAC<SHA256> { unsafe memory.value(as: Secrets.self).pointee.start }

    init(
      _ key: SHA256.Digest, _ start: HMAC<SHA256>, accessKeyID: String,
      scope: SigV4.CredentialScope
    ) {
      self.accessKeyID = accessKeyID
      self.scope = scope
      memory = .moving(Secrets(key: key, start: start))
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
