// SPDX-License-Identifier: Apache-2.0
// Signs the requests of a bot, so that servers know whose it is (Web Bot Auth).

public import DigitalSignatures

/// Signs the requests of a crawler or an agent (Web Bot Auth), as Cloudflare and others verify
/// them.
///
///     let bot = try WebBotAuthSigner(key: key, agent: "https://bot.example")
///     let signed = try bot.sign(request, body: [], at: now)
///
/// Publish the key with ``WebBotDirectory``, at the agent's origin.
///
/// Source: draft-meunier-webbotauth-httpsig-protocol, "HTTP Message Signatures for automated
/// traffic".
public struct WebBotAuthSigner: Sendable {
  /// The form of the field `Signature-Agent`, which names the agent.
  public enum AgentForm: Sendable {
    /// `"https://bot.example"`: the form of older drafts. Cloudflare verifies only this one.
    case string
    /// `sig1="https://bot.example"`: the form of the current draft.
    case dictionary
  }

  /// The ID of the key: its JWK thumbprint (RFC 7638).
  public var keyID: String { key.publicKey.jwkThumbprint }

  private let key: Curve25519.Signing.PrivateKey
  private let agent: String
  private let form: AgentForm
  private let lifetime: Duration

  /// Creates a signer.
  ///
  /// - Parameters:
  ///   - key: an Ed25519 key, the only kind that all servers verify.
  ///   - agent: the origin whose directory has the public key, such as `https://bot.example`.
  ///   - form: the form that the server reads.
  ///   - lifetime: the time until a signature expires: from a second to 24 hours.
  /// - Throws: `invalidParameter` if the agent isn't an HTTPS origin, or for another lifetime.
  public init(
    key: Curve25519.Signing.PrivateKey, agent: String, form: AgentForm = .string,
    lifetime: Duration = .seconds(60)
  ) throws(MessageSignatureError) {
    if !WebBotAgent.isOrigin(Array(agent.utf8)) {
      throw .invalidParameter("agent", "isn't an HTTPS origin, such as https://bot.example")
    }
    if lifetime < .seconds(1) || lifetime > WebBotAgent.longestLifetime {
      throw .invalidParameter("lifetime", "isn't from 1 second to 24 hours")
    }
    (self.key, self.agent, self.form, self.lifetime) = (key, agent, form, lifetime)
  }

  /// Returns the request with `Signature-Agent`, `Signature-Input` and `Signature`. A body adds
  /// `Content-Digest`.
  ///
  /// The signature covers the method, the authority, the path, the query, the agent and the body's
  /// digest. (With the authority alone, as the draft allows, a server that sees the signature could
  /// send any other request to this host.)
  ///
  /// - Parameters:
  ///   - request: the request, without the fields of a signature.
  ///   - body: the body's bytes as they're sent. Empty if there are none.
  ///   - now: the current time.
  ///   - nonce: a value that no other signature has, if the server wants one: 64 random bytes in
  ///     base64.
  /// - Throws: The errors of ``MessageSigner/sign(_:body:at:nonce:)``, and `labelInUse` if the
  ///   request has `Signature-Agent`.
  public func sign(
    _ request: HTTPMessage, body: some Collection<UInt8>, at now: MessageSignature.Time,
    nonce: String? = nil
  ) throws(MessageSignatureError) -> HTTPMessage {
    if request.value(WebBotAgent.fieldName.utf8) != nil {
      throw MessageSignatureError(.labelInUse, "The request has a field Signature-Agent.")
    }
    var request = request
    let (label, value) = ("sig1", "\"" + agent + "\"")
    let component: MessageSignature.Component
    switch form {
    case .string:
      request.fields.append(("Signature-Agent", value))
      component = .field(WebBotAgent.fieldName)
    case .dictionary:
      request.fields.append(("Signature-Agent", label + "=" + value))
      component = .field(WebBotAgent.fieldName, key: label)
    }
    var components: [MessageSignature.Component] = [.method, .authority, .path, .query, component]
    if !body.isEmpty { components.append(.contentDigest) }
    let signer = MessageSigner(
      key: .ed25519(key), keyID: keyID, covering: components, label: label, tag: WebBotAgent.tag,
      lifetime: lifetime)
    return try signer.sign(request, body: body, at: now, nonce: nonce)
  }
}
