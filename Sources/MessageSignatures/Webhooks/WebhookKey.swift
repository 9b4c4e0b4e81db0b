// SPDX-License-Identifier: Apache-2.0
// The key of a webhook: what it signs and verifies.

internal import DigitalSignatures
internal import SecureHashing

/// A key, and what precedes each signature that was made with it.
struct WebhookKey: Sendable {
  enum Kind: Sendable {
    case hmac(HMAC<SHA256>.PreparedKey)
    case ed25519(Curve25519.Signing.PublicKey, Curve25519.Signing.PrivateKey?)
  }

  let prefix: String
  let kind: Kind

  init(prefix: String, kind: Kind) { (self.prefix, self.kind) = (prefix, kind) }

  /// Source: Standard Webhooks 1.0.0, "Signature scheme": the prefixes of secrets and signatures.
  init(standard text: String) throws(MessageSignatureError) {
    let kinds = ["whsec_", "whpk_", "whsk_"]
    let prefix = kinds.first { text.utf8.starts(with: $0.utf8) } ?? ""
    guard var bytes = try? Base64.decode(String(text.dropFirst(prefix.utf8.count))) else {
      throw MessageSignatureError(.invalidSecret, "The secret or key isn't base64.")
    }
    defer { unsafe bytes.withUnsafeMutableBytes { unsafe ConstantTime.wipe($0) } }
    switch prefix {
    case "whpk_":
      let key = try Self.read { () throws(KeyDecodingError) in
        try Curve25519.Signing.PublicKey(rawRepresentation: bytes)
      }
      self.init(prefix: "v1a,", kind: .ed25519(key, nil))
    case "whsk_": self.init(prefix: "v1a,", kind: try Self.keyPair(bytes))
    default: try self.init("v1,", erasing: &bytes)
    }
  }

  /// Reads a private key of 32 bytes, or of 64 with its public key, as in Svix's libraries.
  private static func keyPair(_ bytes: [UInt8]) throws(MessageSignatureError) -> Kind {
    let hasPublicKey = bytes.count == 64
    let key = try read { () throws(KeyDecodingError) in
      try Curve25519.Signing.PrivateKey(
        rawRepresentation: hasPublicKey ? bytes[..<32] : bytes[...])
    }
    if hasPublicKey && !key.publicKey.rawRepresentation.elementsEqual(bytes[32...]) {
      throw MessageSignatureError(
        .invalidSecret, "The last 32 bytes aren't the public key of the first 32.")
    }
    return .ed25519(key.publicKey, key)
  }

  private static func read<Key>(
    _ key: () throws(KeyDecodingError) -> Key
  ) throws(MessageSignatureError) -> Key {
    do throws(KeyDecodingError) { return try key() } catch {
      throw MessageSignatureError(.invalidSecret, error.problem)
    }
  }

  /// Creates a key from a secret, which is wiped.
  init(_ prefix: String, erasing secret: inout [UInt8]) throws(MessageSignatureError) {
    defer { unsafe secret.withUnsafeMutableBytes { unsafe ConstantTime.wipe($0) } }
    if secret.isEmpty { throw MessageSignatureError(.invalidSecret, "The secret is empty.") }
    self.prefix = prefix
    kind = .hmac(HMAC<SHA256>.PreparedKey(SymmetricKey(data: secret)))
  }

  @inline(never)
  func isAnyValid(
    _ signatures: [[UInt8]], for start: [UInt8], _ body: some Collection<UInt8>
  ) -> Bool {
    if signatures.isEmpty { return false }
    switch kind {
    case .hmac(let key):
      let code = Self.code(for: start, body, key)
      return signatures.contains { ConstantTime.equal($0, code) }
    case .ed25519(let key, _):
      let message = start + body
      return signatures.contains { key.isValidSignature($0, for: message) }
    }
  }

  @inline(never)
  func signature(
    for start: [UInt8], _ body: some Collection<UInt8>
  ) throws(MessageSignatureError) -> [UInt8] {
    switch kind {
    case .hmac(let key): return Array(Self.code(for: start, body, key))
    case .ed25519(_, let key?): return key.signature(for: start + body)
    case .ed25519(_, nil):
      throw MessageSignatureError(.unusableKey, "A public key can't sign.")
    }
  }

  private static func code(
    for start: [UInt8], _ body: some Collection<UInt8>, _ key: HMAC<SHA256>.PreparedKey
  ) -> HMAC<SHA256>.MAC {
    var computation = HMAC<SHA256>(key: key)
    computation.update(data: start)
    return computation.finalize(appending: body)
  }
}
