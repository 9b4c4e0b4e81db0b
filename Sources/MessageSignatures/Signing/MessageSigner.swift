// SPDX-License-Identifier: Apache-2.0
// Signs messages (RFC 9421, section 3.1).

internal import SecureHashing

/// Signs requests and responses (HTTP Message Signatures, RFC 9421).
///
///     let signer = MessageSigner(
///       key: .p256(key), keyID: "client-1",
///       covering: [.method, .authority, .path, .query, .contentDigest])
///     let signed = try signer.sign(request, body: body, at: now)
public struct MessageSigner: Sendable {
  private let key: MessageSignature.SigningKey
  private let parameters: StructuredField.Named<StructuredField.BareItem>
  private let covered: [MessageSignature.Component]
  private let label: String
  private let lifetime: Duration?

  /// Creates a signer.
  ///
  /// - Parameters:
  ///   - key: the key, with its algorithm.
  ///   - keyID: the name by which the receiver finds the key: ASCII.
  ///   - components: what to cover. For a request: the method, the authority, the path, the query
  ///     and `.contentDigest`, and each field that the receiver acts on.
  ///   - label: the name of the signature in the message: lowercase letters, digits and `_-.*`.
  ///   - tag: the name of the application that signs, if the receiver requires one: ASCII.
  ///   - lifetime: the time until the signature expires, in whole seconds. Nil leaves it to the
  ///     receiver.
  public init(
    key: MessageSignature.SigningKey, keyID: String,
    covering components: [MessageSignature.Component], label: String = "sig1", tag: String? = nil,
    lifetime: Duration? = nil
  ) {
    self.key = key
    self.covered = components
    self.label = label
    self.lifetime = lifetime
    var parameters = StructuredField.Named<StructuredField.BareItem>()
    parameters.set("keyid", .string(Array(keyID.utf8)))
    if let tag { parameters.set("tag", .string(Array(tag.utf8))) }
    self.parameters = parameters
  }

  /// Returns the message with two or three more fields: `Content-Digest`, if it's covered and the
  /// message doesn't have it, `Signature-Input` and `Signature`.
  ///
  /// - Parameters:
  ///   - message: the message, with all fields that are covered.
  ///   - body: the body's bytes as they're sent, after compression. Empty if there are none.
  ///   - now: the current time.
  ///   - nonce: a value that no other signature has, if the receiver wants one: ASCII, such as 16
  ///     random bytes in base64.
  /// - Throws: `unavailableComponent` or `invalidComponent` for what can't be covered,
  ///   `malformedField` if a signature or digest of the message isn't valid, `labelInUse`,
  ///   `invalidParameter` for text that isn't ASCII, `wrongContentDigest` if the message has the
  ///   digest of a different body, and `unusableKey`.
  public func sign(
    _ message: HTTPMessage, body: some Collection<UInt8>, at now: MessageSignature.Time,
    nonce: String? = nil
  ) throws(MessageSignatureError) -> HTTPMessage {
    // A field named like a derived component would become one when it's written.
    for component in covered { try component.check() }
    var message = message
    if message.value(ContentDigest.fieldName.utf8) != nil {
      try ContentDigest.check(message, body)
    } else if covered.contains(where: { $0.coversBody }) {
      message.fields.append((ContentDigest.fieldName, ContentDigest.value(of: body)))
    }
    var input = StructuredField.InnerList(items: covered.map { $0.item })
    input.parameters.set("created", .integer(now.unixSeconds))
    if let lifetime {
      input.parameters.set("expires", .integer(now.advanced(by: lifetime).unixSeconds))
    }
    if let nonce { input.parameters.set("nonce", .string(Array(nonce.utf8))) }
    for (name, value) in parameters.all { _ = input.parameters.set(name, value) }
    try message.sign(input, label: label, with: key)
    return message
  }
}

extension HTTPMessage {
  /// Adds a signature with these components and parameters.
  mutating func sign(
    _ input: StructuredField.InnerList, label: String, with key: MessageSignature.SigningKey
  ) throws(MessageSignatureError) {
    if !StructuredField.isKey(label.utf8) {
      throw .invalidParameter("label", "isn't a name of lowercase letters, digits and _-.*")
    }
    for (name, value) in input.parameters.all {
      if case .string(let text) = value, !text.allSatisfy(FieldByte.isPrintable) {
        throw .invalidParameter(name.asString, "isn't ASCII, or has a control character")
      }
    }
    let present = try LabeledFields(self)
    if present.inputs[label] != nil || present.signatures[label] != nil {
      throw MessageSignatureError(.labelInUse, "The message has a signature with this label.")
    }
    let covered = try input.components()
    for component in covered where component.changesWithSignature {
      throw .invalidComponent(
        component.text, "changes with the new signature: cover one member, with its key")
    }
    let base = try SignatureBase(input, covering: covered, of: self).text
    let signature = Base64.encode(try key.signature(base))
    fields.append(("Signature-Input", label + "=" + StructuredField.text(of: input).asString))
    fields.append(("Signature", label + "=:" + signature + ":"))
    // With an empty line before this one, the field isn't a dictionary.
    _ = try LabeledFields(self)
  }
}
