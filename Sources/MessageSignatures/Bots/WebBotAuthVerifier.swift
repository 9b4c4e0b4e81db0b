// SPDX-License-Identifier: Apache-2.0
// Verifies the requests of bots (Web Bot Auth).

public import DigitalSignatures

/// Verifies which agent sent a request (Web Bot Auth).
///
///     let verifier = WebBotAuthVerifier { agent, keyID in directories[agent]?[keyID] }
///     switch verifier.verify(request, body: body, at: now) {
///     case .verified(let agent, _): allow(agent)
///     case .unverified(let agent): fetchDirectory(of: agent)
///     case .invalid(let error): reject(error)
///     }
///
/// It fetches nothing. Fetch the directory of an agent yourself, by the rules in
/// `docs/how-to/web-bot-auth.md`.
public struct WebBotAuthVerifier: Sendable {
  /// What's known about the sender of a request.
  public enum Outcome: Sendable {
    /// The agent, an HTTPS origin such as `https://bot.example`, signed what the message says.
    case verified(agent: String, VerifiedMessage)
    /// The request has a signature of a bot that must not be accepted.
    case invalid(MessageSignatureError)
    /// The request has no signature of a bot, or the verifier has no key for it. The agent, if it
    /// names an origin, is only a claim.
    case unverified(agent: String?)
  }

  private let required: [MessageSignature.Component]
  private let label: String?
  private let clockTolerance: Duration
  private let isFirstUse: @Sendable (VerifiedMessage) -> Bool
  private let key: @Sendable (String, String) -> Curve25519.Signing.PublicKey?

  /// Creates a verifier.
  ///
  /// - Parameters:
  ///   - components: what a signature must cover in addition to the agent, and the authority or
  ///     the URL. Many bots cover no more.
  ///   - label: the label of the signature to verify. Nil for the only one of a bot.
  ///   - clockTolerance: how far in the future a signature may have been created, and how late it
  ///     may arrive after its expiration.
  ///   - isFirstUse: returns false if the same signature was used before, by its key ID and nonce.
  ///     It's called last, for valid signatures only.
  ///   - key: returns the key of this agent with this ID. Find it by both: otherwise, one agent's
  ///     key would vouch for the name of another.
  public init(
    requiring components: [MessageSignature.Component] = [], label: String? = nil,
    clockTolerance: Duration = .seconds(60),
    isFirstUse: @escaping @Sendable (VerifiedMessage) -> Bool = { _ in true },
    key: @escaping @Sendable (_ agent: String, _ keyID: String) -> Curve25519.Signing.PublicKey?
  ) {
    self.required = components
    self.label = label
    self.clockTolerance = clockTolerance
    self.isFirstUse = isFirstUse
    self.key = key
  }

  /// Verifies a request and its body.
  ///
  /// - Parameters:
  ///   - request: the request as received.
  ///   - body: the body's bytes as received. A signature needn't cover it, and says nothing about
  ///     it then: require `.contentDigest` if you act on the body.
  ///   - now: the current time.
  public func verify(
    _ request: HTTPMessage, body: some Collection<UInt8>, at now: MessageSignature.Time
  ) -> Outcome {
    do throws(MessageSignatureError) { return try outcome(request, body, now) } catch {
      return .invalid(error)
    }
  }

  private func outcome(
    _ request: HTTPMessage, _ body: some Collection<UInt8>, _ now: MessageSignature.Time
  ) throws(MessageSignatureError) -> Outcome {
    // Without Signature-Input, the Signature field belongs to a different scheme, such as a
    // webhook's.
    if request.value("signature-input".utf8) == nil { return .unverified(agent: nil) }
    let fields = try LabeledFields(request)
    guard let candidate = try fields.onlyCandidate(tag: WebBotAgent.tag, label: label) else {
      return .unverified(agent: nil)
    }
    let signature = try fields.signature(candidate.name, candidate.value)
    try checkLifetime(signature.parameters)
    guard let agent = try WebBotAgent(signature, of: request) else {
      return .unverified(agent: nil)
    }
    guard let key = key(agent.origin, signature.parameters.keyID.asString) else {
      return .unverified(agent: agent.origin)
    }
    let isURLCovered = signature.covered.contains(.targetURI)
    let verifier = MessageVerifier(
      requiring: required + [isURLCovered ? .targetURI : .authority, agent.component],
      maximumAge: WebBotAgent.longestLifetime, clockTolerance: clockTolerance,
      isFirstUse: isFirstUse
    ) { _ in .ed25519(key) }
    let message = try verifier.verify(
      signature, of: request, body: body, isBodyOptional: true, at: now)
    return .verified(agent: agent.origin, message)
  }

  private func checkLifetime(
    _ parameters: SignatureParameters
  ) throws(MessageSignatureError) {
    guard let expiration = parameters.expiration else {
      throw .invalidParameter("expires", "is missing")
    }
    let lifetime = expiration.duration(since: parameters.created)
    if lifetime <= .zero || lifetime > WebBotAgent.longestLifetime {
      throw .invalidParameter("expires", "isn't at most 24 hours after created")
    }
  }
}
