// SPDX-License-Identifier: Apache-2.0
// Room 3: the key of one day, region and service, derived from the secret access key.

public import SecureHashing
internal import SigningSupport

extension SigV4 {
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
    public var key: SymmetricKey {
      // Safety: nobody writes the key any more.
      unsafe SymmetricKey(data: storage.key)
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

    /// Room 4: the signature of a string to sign (SigV4, step 5).
    public func signature(of stringToSign: StringToSign) -> Signature {
      signature(in: stringToSign.buffer)
    }

    package func signature(in buffer: SigningBuffer) -> Signature {
      // Safety: the bytes live as long as the closure runs.
      unsafe buffer.withBytes(buffer.layout.stringToSign) { unsafe signature(ofBytes: $0) }
    }

    package func signature(ofBytes stringToSign: UnsafeRawBufferPointer) -> Signature {
      // Public from here on: a signature travels in the open.
      // Safety: nobody writes the mid-states any more.
      unsafe Signature(storage.start.finalize(appending: stringToSign))
    }

    /// The beginning of signatures of which every string to sign begins with these bytes. Secret.
    package func prepared(with beginning: some Collection<UInt8>) -> HMAC<SHA256>.PreparedKey {
      // Safety: nobody writes the mid-states any more.
      var start = unsafe storage.start
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
      // Safety: handed on as it came.
      unsafe HMAC<SHA256>(key: key).finalize(appending: text)
    }
  }
}

extension SigV4.SigningKey {
  /// The key and its two mid-states, which all copies share. Only the initialiser and the
  /// deinitialiser write, so it may be shared between threads.
  final class Storage: @unchecked Sendable {
    let scope: SigV4.CredentialScope
    let accessKeyID: String

    /// 32 bytes. Secret.
    @exclusivity(unchecked) private(set) var key: SHA256.Digest

    /// The beginning of every signature. As secret as the key.
    @exclusivity(unchecked) private(set) var start: HMAC<SHA256>

    init(
      _ key: SHA256.Digest, _ start: HMAC<SHA256>, accessKeyID: String,
      scope: SigV4.CredentialScope
    ) {
      self.accessKeyID = accessKeyID
      self.scope = scope
      // Safety: nobody else knows this memory yet.
      unsafe self.key = key
      unsafe self.start = start
    }

    deinit {
      // Safety: both are plain bytes, and nobody holds them any more. Secret: erased before their
      // memory is given back.
      unsafe withUnsafeMutableBytes(of: &key) { unsafe ConstantTime.wipe($0) }
      unsafe withUnsafeMutableBytes(of: &start) { unsafe ConstantTime.wipe($0) }
    }
  }
}

extension SigV4.SigningKey: CustomStringConvertible {
  /// Size, access key ID and scope. Never the key.
  public var description: String {
    "SigningKey(\(SHA256.byteCount) bytes, \(accessKeyID)/\(scope.text))"
  }
}

extension SigV4.SigningKey: ConcealsContents {}
