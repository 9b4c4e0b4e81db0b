// SPDX-License-Identifier: Apache-2.0
// Verifies messages (RFC 9421, section 3.2): one call that checks everything.

/// Verifies signed requests and responses (HTTP Message Signatures, RFC 9421).
///
///     let verifier = MessageVerifier(
///       requiring: [.method, .authority, .path, .query, .contentDigest]
///     ) { keyID in keys[keyID] }
///     let verified = try verifier.verify(request, body: body, at: now)
///
/// What a message says about itself can't loosen what the verifier requires.
public struct MessageVerifier: Sendable {
  private let required: [MessageSignature.Component]
  private let label: String?
  private let tag: String?
  private let maximumAge: Duration
  private let clockTolerance: Duration
  private let isFirstUse: @Sendable (VerifiedMessage) -> Bool
  private let key: @Sendable (String) -> MessageSignature.VerificationKey?

  /// Creates a verifier.
  ///
  /// - Parameters:
  ///   - components: what a signature must cover, with exactly these parameters. For a request: the
  ///     method, the authority, the path, the query, `.contentDigest`, and each field that you act
  ///     on.
  ///   - label: the label of the signature to verify. Nil for the only one.
  ///   - tag: the tag of the signature to verify. Nil for one without a tag.
  ///   - maximumAge: the maximum time since the signature was created. An expiration only shortens
  ///     it.
  ///   - clockTolerance: how far in the future the signature may have been created, and how late it
  ///     may arrive after its expiration, because clocks differ.
  ///   - isFirstUse: returns false if the same signature was used before, by its key ID and nonce.
  ///     It's called last, for valid signatures only. Store the nonce for `maximumAge` and the
  ///     tolerance, and compare and store in one step.
  ///   - key: returns the key with an ID, if its owner may send this message. The ID is only a
  ///     claim.
  public init(
    requiring components: [MessageSignature.Component], label: String? = nil, tag: String? = nil,
    maximumAge: Duration = .seconds(300), clockTolerance: Duration = .seconds(60),
    isFirstUse: @escaping @Sendable (VerifiedMessage) -> Bool = { _ in true },
    key: @escaping @Sendable (_ keyID: String) -> MessageSignature.VerificationKey?
  ) {
    self.required = components
    self.label = label
    self.tag = tag
    self.maximumAge = maximumAge
    self.clockTolerance = clockTolerance
    self.isFirstUse = isFirstUse
    self.key = key
  }

  /// Verifies a message and its body.
  ///
  /// - Parameters:
  ///   - message: the message as received.
  ///   - body: the body's bytes as received, before decompression. They're compared with
  ///     `Content-Digest`, which the signature must cover unless they're empty.
  ///   - now: the current time.
  /// - Throws: The first reason, in this order: malformed fields, no signature or several, its
  ///   parameters, its times, what it doesn't cover, the key, the algorithm, a component that the
  ///   message doesn't have, the signature, the digest, a replay.
  public func verify(
    _ message: HTTPMessage, body: some Collection<UInt8>, at now: MessageSignature.Time
  ) throws(MessageSignatureError) -> VerifiedMessage {
    try verify(onlySignature(of: message), of: message, body: body, at: now)
  }

  /// Returns the ID of the key that would verify a message, to fetch the key first.
  ///
  /// Nothing is verified here, so the ID is only a claim.
  ///
  /// - Throws: `malformedField`, `missingSignature`, `severalSignatures`, `invalidParameter` or
  ///   `invalidComponent`.
  public func claimedKeyID(of message: HTTPMessage) throws(MessageSignatureError) -> String {
    try onlySignature(of: message).parameters.keyID.asString
  }

  /// Returns the base of the signature that would be verified, also if it lacks parameters.
  package func signatureBase(of message: HTTPMessage) throws(MessageSignatureError) -> [UInt8] {
    try SignatureBase(onlyCandidate(LabeledFields(message)).value, of: message).text
  }

  private func onlySignature(
    of message: HTTPMessage
  ) throws(MessageSignatureError) -> ReceivedSignature {
    let fields = try LabeledFields(message)
    let (label, input) = try onlyCandidate(fields)
    return try fields.signature(label, input)
  }

  private func onlyCandidate(
    _ fields: LabeledFields
  ) throws(MessageSignatureError) -> (name: [UInt8], value: StructuredField.InnerList) {
    if let candidate = try fields.onlyCandidate(tag: tag, label: label) { return candidate }
    throw MessageSignatureError(
      .missingSignature, "The message has no signature with the verifier's tag and label.")
  }

  /// Verifies one signature of a message. If the body is optional, a signature that doesn't cover
  /// it is accepted, and the body isn't compared.
  func verify(
    _ signature: ReceivedSignature, of message: HTTPMessage, body: some Collection<UInt8>,
    isBodyOptional: Bool = false, at now: MessageSignature.Time
  ) throws(MessageSignatureError) -> VerifiedMessage {
    let (parameters, covered) = (signature.parameters, signature.covered)
    try check(parameters, at: now)
    try checkCovered(covered)
    let isBodyCovered = covered.contains { $0.coversBody }
    if !isBodyCovered && !isBodyOptional && !body.isEmpty {
      throw MessageSignatureError(
        .notCovered, "The signature doesn't cover the body, by \"content-digest\".")
    }
    guard let key = key(parameters.keyID.asString) else {
      throw MessageSignatureError(.unknownKey, "The verifier has no key with this ID.")
    }
    if let algorithm = parameters.algorithm, !algorithm.isSpelled(key.algorithm) {
      throw MessageSignatureError(
        .wrongAlgorithm, "The signature names an algorithm other than its key's, \(key.algorithm).")
    }
    let base = try SignatureBase(signature.input, covering: covered, of: message)
    if !key.isValid(signature.bytes, base.text) {
      throw MessageSignatureError(
        .wrongSignature, "The signature doesn't match this message and this key.")
    }
    if isBodyCovered || !isBodyOptional { try ContentDigest.check(message, body) }
    let verified = VerifiedMessage(label: signature.label, parameters: parameters, base: base)
    if !isFirstUse(verified) {
      throw MessageSignatureError(.replayed, "The signature was used before.")
    }
    return verified
  }

  private func check(
    _ parameters: SignatureParameters, at now: MessageSignature.Time
  ) throws(MessageSignatureError) {
    if parameters.created.duration(since: now) > clockTolerance {
      throw MessageSignatureError(.createdInFuture, "The signature was created in the future.")
    }
    if now.duration(since: parameters.created) > maximumAge {
      throw MessageSignatureError(.tooOld, "The signature is older than the verifier allows.")
    }
    if let expiration = parameters.expiration, now.duration(since: expiration) >= clockTolerance {
      throw MessageSignatureError(.expired, "The signature has expired.")
    }
  }

  private func checkCovered(
    _ covered: [MessageSignature.Component]
  ) throws(MessageSignatureError) {
    if covered.isEmpty {
      throw MessageSignatureError(.notCovered, "The signature covers nothing of the message.")
    }
    for component in required where !covered.contains(component) {
      throw MessageSignatureError(
        .notCovered, "The signature doesn't cover \(component.description).")
    }
  }
}
