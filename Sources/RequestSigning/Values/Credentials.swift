// SPDX-License-Identifier: Apache-2.0
// The signer's identity (Identity), and the same with its secret (Credentials).

package import SecureHashing

extension SigV4 {
  /// An access key ID and, for temporary credentials, a session token and an expiration.
  public struct Identity: Sendable {
    /// The access key ID, which is public and part of every signature.
    public let accessKeyID: String

    /// The expiration of temporary credentials. Nil if they never expire, or if it's unknown.
    public let expiration: Timestamp?

    /// The token of temporary credentials. Secret: stored as a key, so that it's never printed.
    package let sessionTokenBytes: SymmetricKey?

    /// Whether the access key ID has a character that no ID of AWS has, but secrets do.
    let hasSecretCharacter: Bool

    /// Creates an identity.
    ///
    /// - Parameters:
    ///   - accessKeyID: Visible ASCII characters without commas.
    ///   - sessionToken: The token of temporary credentials, in visible ASCII characters. Pass nil
    ///     or an empty string if there is no token.
    ///   - expiration: The expiration of the credentials. Signing fails at or after this time.
    /// - Throws: `invalidAccessKeyID` if the access key ID is empty or contains an invalid
    ///   character, or `invalidSessionToken` if the token contains one.
    public init(
      accessKeyID: String, sessionToken: String? = nil, expiration: Timestamp? = nil
    ) throws(SigningError) {
      try Self.checkAccessKeyID(accessKeyID)
      let sessionToken = sessionToken.flatMap { $0.utf8.isEmpty ? nil : $0 }
      if let sessionToken { try Self.checkSessionToken(sessionToken) }
      self.accessKeyID = accessKeyID
      self.expiration = expiration
      hasSecretCharacter = AccessKeyID.hasSecretCharacter(accessKeyID.bytesInUTF8)
      self.sessionTokenBytes = sessionToken.map {
        unsafe $0.withBytesInUTF8 { unsafe SymmetricKey(data: $0) }
      }
    }

    /// The token of temporary credentials. Secret.
    public var sessionToken: String? { sessionTokenBytes?.text }

    /// The access key ID for messages and descriptions, or its size if it may be a secret.
    package var shownAccessKeyID: String { AccessKeyID.shown(accessKeyID) }

    /// Rejects an access key ID that may be the secret, for a host of AWS, or for a service that
    /// only AWS has. Other stores' IDs may have any character.
    package func checkNotSecret(host: String? = nil) throws(SigningError) {
      if !hasSecretCharacter { return }
      if let host, !AWSPartition.isAWS(host: host) { return }
      throw SigningError(
        .invalidAccessKeyID,
        """
        The access key ID (\(accessKeyID.byteCountInUTF8) bytes, not shown) contains a '/', '+' or \
        '=', which only secret access keys of AWS have.
        """,
        fix: "Check whether the ID and the secret are swapped.")
    }
  }

  /// An identity with its secret access key.
  ///
  /// The secret and token are wiped from memory when the last copy is released, and never printed.
  /// Requests signed with a token contain copies of it.
  public struct Credentials: Sendable {
    private let storage: Storage

    /// The identity, without the secret.
    public var identity: Identity { storage.identity }

    /// The access key ID, which is public.
    public var accessKeyID: String { identity.accessKeyID }

    /// The expiration of temporary credentials.
    public var expiration: Timestamp? { identity.expiration }

    /// "AWS4" and the secret access key: the first key of the derivation.
    var derivationKey: HMAC<SHA256>.PreparedKey { storage.derivationKey }

    /// "AWS4" and the secret access key, for algorithms that derive other keys. Secret.
    package var derivationSecret: SymmetricKey { storage.derivationSecret }

    /// A fingerprint that differs if the access key ID or secret differs, and reveals neither.
    var fingerprint: SHA256.Digest { storage.fingerprint }

    /// Creates credentials.
    ///
    /// - Parameters:
    ///   - accessKeyID: Visible ASCII characters without commas.
    ///   - secretAccessKey: A string without control characters or leading or trailing spaces,
    ///     and not in the form of an access key ID.
    ///   - sessionToken: The token of temporary credentials, in visible ASCII characters. Pass nil
    ///     or an empty string if there is no token.
    ///   - expiration: The expiration of the credentials. Signing fails at or after this time.
    /// - Throws: `invalidAccessKeyID`, `invalidSecretAccessKey` or `invalidSessionToken`.
    public init(
      accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil,
      expiration: Timestamp? = nil
    ) throws(SigningError) {
      let identity = try Identity(
        accessKeyID: accessKeyID, sessionToken: sessionToken, expiration: expiration)
      try Self.checkSecretAccessKey(secretAccessKey)
      storage = Self.storage(identity, secretAccessKey)
      ConstantTime.wipeStack()
    }

    @inline(never)
    private static func storage(_ identity: Identity, _ secretAccessKey: String) -> Storage {
      Storage(identity, derivationKey(secretAccessKey))
    }

    /// The state shared by all copies.
    private final class Storage: Sendable {
      let identity: Identity
      let derivationSecret: SymmetricKey
      let derivationKey: HMAC<SHA256>.PreparedKey
      let fingerprint: SHA256.Digest

      init(_ identity: Identity, _ derivationSecret: SymmetricKey) {
        self.identity = identity
        self.derivationSecret = derivationSecret
        let derivationKey = HMAC<SHA256>.PreparedKey(derivationSecret)
        self.derivationKey = derivationKey
        let code = unsafe identity.accessKeyID.withBytesInUTF8 { accessKeyID in
          unsafe HMAC(key: derivationKey).finalize(appending: accessKeyID)
        }
        fingerprint = code.digest
      }
    }
  }
}

extension SigV4.Identity: CustomStringConvertible {
  /// The access key ID, and whether there is a token. Only the size of an ID that may be a secret.
  public var description: String {
    shownAccessKeyID + (sessionTokenBytes == nil ? "" : " with a session token")
  }

  /// Returns whether the bytes are a valid access key ID.
  package static func isAccessKeyID(_ text: TextSpan) -> Bool {
    var position = 0
    while position &+ 16 <= text.count {
      let bytes = text.sixteen(at: position)
      let isOther = bytes.isNotPrintable | bytes.isEqual(ASCIIByte.space)
      if (isOther | bytes.isEqual(ASCIIByte.comma)).hasAny { return false }
      position &+= 16
    }
    while position < text.count {
      if !isInAccessKeyID(text.byte(at: position)) { return false }
      position &+= 1
    }
    return text.count > 0
  }

  private static func isInAccessKeyID(_ byte: UInt8) -> Bool {
    ASCIIByte.isVisible(byte) && byte != ASCIIByte.comma
  }

  package static func checkAccessKeyID(_ text: String) throws(SigV4.SigningError) {
    let bytes = text.bytesInUTF8
    let illegal = bytes.firstIndex { !isInAccessKeyID($0) }
    if bytes.isEmpty || illegal != nil {
      // Not shown because it may be a misplaced secret.
      var reason: UTF8Text = "is empty"
      if let illegal {
        reason = "contains the invalid character \(quoted: [bytes[illegal]]) at offset \(illegal)"
      }
      throw SigV4.SigningError(
        .invalidAccessKeyID,
        "The access key ID (\(bytes.count) bytes, not shown) \(reason).",
        fix: """
          Use only visible ASCII characters without commas. Check for a copied space or newline.
          """)
    }
  }

  static func checkSessionToken(_ text: String) throws(SigV4.SigningError) {
    // Secret: never copied.
    let isVisible = unsafe text.withBytesInUTF8 { bytes in
      unsafe !bytes.isEmpty && bytes.allSatisfy(ASCIIByte.isVisible)
    }
    if !isVisible {
      throw SigV4.SigningError(
        .invalidSessionToken,
        """
        The session token (\(text.byteCountInUTF8) bytes, not shown) is empty or contains a \
        character that isn't allowed in a header.
        """,
        fix: "Check for a copied space or newline. Permanent credentials have no token.")
    }
  }
}

extension SigV4.Credentials: CustomStringConvertible {
  /// The access key ID, and whether there is a token, without the secret.
  public var description: String { identity.description }

  /// Derives kDate (SigV4, step 4) for a day as eight characters, the first one lowest.
  func dateKey(_ day: UInt64, _ names: SignatureNames) -> HMAC<SHA256>.MAC {
    let key = names == .aws ? derivationKey : otherDerivationKey(names)
    return unsafe withUnsafeBytes(of: day.littleEndian) { day in
      unsafe HMAC.authenticationCode(for: day, using: key)
    }
  }

  /// Returns the key of the first step under other names than AWS's. Secret.
  private func otherDerivationKey(_ names: SignatureNames) -> HMAC<SHA256>.PreparedKey {
    unsafe derivationSecret.withUnsafeBytes { secret in
      let start = SignatureNames.aws.keyPrefix.utf8CodeUnitCount
      // Safety: slicing checks the range.
      let rest = unsafe UnsafeRawBufferPointer(rebasing: secret[start...])
      return unsafe HMAC.PreparedKey(Self.derivationKey(names.keyPrefix, rest))
    }
  }

  static func checkSecretAccessKey(_ text: String) throws(SigV4.SigningError) {
    // Secret: never copied.
    let isPlain = unsafe text.withBytesInUTF8 { bytes in
      unsafe !bytes.isEmpty && !bytes.contains(where: ASCIIByte.isControl)
        && bytes.first != ASCIIByte.space && bytes.last != ASCIIByte.space
    }
    if !isPlain {
      throw SigV4.SigningError(
        .invalidSecretAccessKey,
        """
        The secret access key (\(text.byteCountInUTF8) bytes, not shown) is empty, contains a \
        control character, or has a leading or trailing space.
        """,
        fix: "Check for a copied space or newline.")
    }
    if unsafe text.withBytesInUTF8({ unsafe AccessKeyID.isAWS($0) }) {
      throw SigV4.SigningError(
        .invalidSecretAccessKey,
        """
        The secret access key (\(text.byteCountInUTF8) bytes, not shown) has the form of an access \
        key ID.
        """,
        fix: "Check whether the ID and the secret are swapped.")
    }
  }

  static func derivationKey(_ secretAccessKey: String) -> SymmetricKey {
    unsafe secretAccessKey.withBytesInUTF8 {
      unsafe derivationKey(SignatureNames.aws.keyPrefix, $0)
    }
  }

  private static func derivationKey(
    _ prefix: StaticString, _ secret: UnsafeRawBufferPointer
  ) -> SymmetricKey {
    let count = prefix.utf8CodeUnitCount &+ secret.count
    // Safety: both strings fit, and the memory is wiped before it's released.
    return unsafe withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { bytes in
      unsafe bytes.copyMemory(from: prefix.bytesInUTF8)
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[prefix.utf8CodeUnitCount...])
      unsafe rest.copyMemory(from: secret)
      let key = unsafe SymmetricKey(data: UnsafeRawBufferPointer(bytes))
      unsafe ConstantTime.wipe(bytes)
      return key
    }
  }
}

extension SymmetricKey {
  /// The bytes as a string. Secret.
  package var text: String {
    unsafe withUnsafeBytes { unsafe $0.textInUTF8 }
  }
}

extension SigV4.Identity: Redacted {}
extension SigV4.Credentials: Redacted {}
