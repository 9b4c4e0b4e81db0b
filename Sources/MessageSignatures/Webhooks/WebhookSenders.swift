// SPDX-License-Identifier: Apache-2.0
// The senders of webhooks, by name.

public import DigitalSignatures
internal import SecureHashing

extension Webhook {
  /// Webhooks as Standard Webhooks specifies them, such as those of OpenAI and Supabase.
  ///
  /// - Parameters:
  ///   - secret: the secret of this endpoint (`whsec_` and base64), the sender's public key
  ///     (`whpk_`), or, to sign, a private key (`whsk_`). Base64 without a prefix is a secret: a
  ///     public key without its prefix would be one that everybody knows.
  ///   - previousSecrets: others that are still accepted while you replace one.
  /// - Throws: `invalidSecret` if it isn't base64, or isn't such a key.
  public static func standard(
    secret: String, previousSecrets: [String] = []
  ) throws(MessageSignatureError) -> Self {
    try Self(standard: .standard, [secret] + previousSecrets)
  }

  /// Webhooks sent by Svix, such as those of Clerk and Resend: Standard Webhooks in headers that
  /// begin with `svix-`.
  ///
  /// - Parameters:
  ///   - secret: the secret of this endpoint, `whsec_` and base64, or a key as for
  ///     ``standard(secret:previousSecrets:)``.
  ///   - previousSecrets: others that are still accepted while you replace one.
  /// - Throws: `invalidSecret` if it isn't base64, or isn't such a key.
  ///
  /// Source: Svix Docs, "Verifying Manually".
  public static func svix(
    secret: String, previousSecrets: [String] = []
  ) throws(MessageSignatureError) -> Self {
    try Self(standard: .svix, [secret] + previousSecrets)
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
    standard scheme: WebhookScheme, _ secrets: [String]
  ) throws(MessageSignatureError) {
    self.scheme = scheme
    keys = try secrets.map { secret throws(MessageSignatureError) in
      try WebhookKey(standard: secret)
    }
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
