// SPDX-License-Identifier: Apache-2.0
// The senders by name, and their keys.

public import DigitalSignatures
internal import SecureHashing

extension Webhook {
  /// Webhooks as Standard Webhooks specifies them, such as those of OpenAI, Svix and Supabase.
  ///
  /// - Parameters:
  ///   - secret: the secret of this endpoint (`whsec_` and base64), the sender's public key
  ///     (`whpk_`), or, to sign, a private key (`whsk_`).
  ///   - previousSecrets: others that are still accepted while you replace one.
  /// - Throws: `invalidSecret` if it isn't base64, or isn't such a key.
  public static func standard(
    secret: String, previousSecrets: [String] = []
  ) throws(MessageSignatureError) -> Self {
    Self(
      scheme: .standard,
      keys: try ([secret] + previousSecrets).map { secret throws(MessageSignatureError) in
        try WebhookKey(standard: secret)
      })
  }

  /// Webhooks of Stripe. A parameter is the endpoint's signing secret, `whsec_...`.
  public static func stripe(
    secret: String, previousSecrets: [String] = []
  ) throws(MessageSignatureError) -> Self { try Self(.stripe, "v1=", [secret] + previousSecrets) }

  /// Webhooks of GitHub. A parameter is the secret that you entered for the webhook.
  public static func gitHub(
    secret: String, previousSecrets: [String] = []
  ) throws(MessageSignatureError) -> Self {
    try Self(.gitHub, "sha256=", [secret] + previousSecrets)
  }

  /// Requests of Slack. A parameter is the app's signing secret.
  public static func slack(
    secret: String, previousSecrets: [String] = []
  ) throws(MessageSignatureError) -> Self { try Self(.slack, "v0=", [secret] + previousSecrets) }

  /// Webhooks of Shopify. A parameter is the app's client secret.
  ///
  /// With several secrets, Shopify signs with the oldest that isn't revoked.
  public static func shopify(
    secret: String, previousSecrets: [String] = []
  ) throws(MessageSignatureError) -> Self { try Self(.shopify, "", [secret] + previousSecrets) }

  /// Interactions and events of Discord. A parameter is the app's public key: 64 hexadecimal
  /// digits.
  public static func discord(publicKey: String) throws(MessageSignatureError) -> Self {
    guard let bytes = try? Hexadecimal.decode(publicKey),
      let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
    else {
      throw MessageSignatureError(
        .invalidSecret, "The public key isn't 64 hexadecimal digits of an Ed25519 key.")
    }
    return Self(scheme: .discord, keys: [WebhookKey(prefix: "", kind: .ed25519(key, nil))])
  }

  /// What Discord would send, for tests of a receiver.
  public static func discord(privateKey: Curve25519.Signing.PrivateKey) -> Self {
    Self(
      scheme: .discord,
      keys: [WebhookKey(prefix: "", kind: .ed25519(privateKey.publicKey, privateKey))])
  }

  private init(
    _ scheme: WebhookScheme, _ prefix: String, _ secrets: [String]
  ) throws(MessageSignatureError) {
    self.scheme = scheme
    keys = try secrets.map { secret throws(MessageSignatureError) in
      var secret = Array(secret.utf8)
      return try WebhookKey(prefix, erasing: &secret)
    }
  }
}

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
    do throws(KeyDecodingError) {
      if prefix == "whpk_" {
        let key = try Curve25519.Signing.PublicKey(rawRepresentation: bytes)
        self.init(prefix: "v1a,", kind: .ed25519(key, nil))
        return
      }
      if prefix == "whsk_" {
        let key = try Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
        self.init(prefix: "v1a,", kind: .ed25519(key.publicKey, key))
        return
      }
    } catch { throw MessageSignatureError(.invalidSecret, error.problem) }
    try self.init("v1,", erasing: &bytes)
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
