// SPDX-License-Identifier: Apache-2.0
// The senders by name, and their keys.

internal import SecureHashing

extension Webhook {
  /// Webhooks as Standard Webhooks specifies them, such as those of OpenAI, Svix and Supabase.
  ///
  /// - Parameters:
  ///   - secret: the secret of this endpoint: `whsec_` and the base64 of its bytes.
  ///   - previousSecrets: other secrets that are still accepted while you replace one.
  /// - Throws: `invalidSecret` if it isn't base64.
  public static func standard(
    secret: String, previousSecrets: [String] = []
  ) throws(MessageSignatureError) -> Self {
    Self(
      scheme: .standard,
      keys: try ([secret] + previousSecrets).map { text throws(MessageSignatureError) in
        guard var secret = try? Base64.decode(text.removing(prefix: "whsec_") ?? text) else {
          throw MessageSignatureError(.invalidSecret, "The secret isn't base64.")
        }
        return try WebhookKey("v1,", erasing: &secret)
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
  }

  let prefix: String
  let kind: Kind

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
    }
  }

  @inline(never)
  func signature(
    for start: [UInt8], _ body: some Collection<UInt8>
  ) throws(MessageSignatureError) -> [UInt8] {
    switch kind {
    case .hmac(let key): Array(Self.code(for: start, body, key))
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

extension String {
  /// The text after a prefix, or nil if it begins with something else.
  fileprivate func removing(prefix: String) -> String? {
    utf8.starts(with: prefix.utf8) ? String(Substring(utf8.dropFirst(prefix.utf8.count))) : nil
  }
}
