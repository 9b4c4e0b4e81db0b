// SPDX-License-Identifier: Apache-2.0
// What is signed (RFC 9421, section 2.5), and the signatures of a message by label (section 4).

extension MessageSignature {
  /// Returns the signature base of a signature in a message: the bytes that are signed.
  ///
  /// Compare it with the base of the other side if a signature isn't accepted. Nothing is verified
  /// here.
  ///
  /// - Throws: A `MessageSignatureError` if the message has no such signature, or not all that it
  ///   covers.
  public static func base(
    of message: HTTPMessage, label: String
  ) throws(MessageSignatureError) -> [UInt8] {
    let inputs = try LabeledFields(message).inputs
    guard let input = inputs[label] else {
      throw MessageSignatureError(.missingSignature, "Signature-Input has no such label.")
    }
    return try SignatureBase(input, of: message).text
  }
}

/// The signature base of a message, and the values in it.
struct SignatureBase {
  let covered: [MessageSignature.Component]
  let values: [[UInt8]]
  let text: [UInt8]

  init(
    _ input: StructuredField.InnerList, of message: HTTPMessage
  ) throws(MessageSignatureError) {
    try self.init(input, covering: input.components(), of: message)
  }

  /// Creates the base of a signature whose components were read.
  init(
    _ input: StructuredField.InnerList, covering covered: [MessageSignature.Component],
    of message: HTTPMessage
  ) throws(MessageSignatureError) {
    self.covered = covered
    var parsed = ParsedParts()
    var values: [[UInt8]] = []
    var text: [UInt8] = []
    for component in covered {
      let value = try component.value(in: message, &parsed)
      values.append(value)
      text += component.text + Array(": ".utf8) + value + Array("\n".utf8)
    }
    self.values = values
    self.text = text + Array("\"@signature-params\": ".utf8) + StructuredField.text(of: input)
  }
}

extension StructuredField.InnerList {
  /// The components that are covered, each once. More than 100 are an error, because each of them
  /// is compared with the others and searched for in all fields.
  func components() throws(MessageSignatureError) -> [MessageSignature.Component] {
    let limit = 100
    if items.count > limit {
      throw .malformedField("Signature-Input", "covers more than \(limit) components")
    }
    var components: [MessageSignature.Component] = []
    for item in items {
      let component = try MessageSignature.Component(item)
      if components.contains(component) { throw component.invalid("is covered twice") }
      components.append(component)
    }
    return components
  }
}

/// A signature of a message, as received.
struct ReceivedSignature {
  let label: [UInt8]
  let input: StructuredField.InnerList
  let parameters: SignatureParameters
  let covered: [MessageSignature.Component]
  let bytes: [UInt8]
}

/// The signatures of a message, by label (RFC 9421, section 4).
struct LabeledFields {
  let inputs: StructuredField.Named<StructuredField.InnerList>
  let signatures: StructuredField.Named<StructuredField.Member>

  init(_ message: HTTPMessage) throws(MessageSignatureError) {
    var inputs = StructuredField.Named<StructuredField.InnerList>()
    let members = try message.dictionary("Signature-Input", repeated: .rejected)
    for (label, member) in members?.all ?? [] {
      guard case .innerList(let list) = member else {
        throw .malformedField("Signature-Input", "has a member that isn't an inner list")
      }
      _ = inputs.set(label, list)
    }
    self.inputs = inputs
    signatures =
      try message.dictionary("Signature", repeated: .rejected) ?? StructuredField.Named()
  }

  /// The inputs with a tag and a label. Other signatures are ignored, but must be complete.
  func candidates(
    tag: String?, label: String? = nil
  ) throws(MessageSignatureError) -> [(name: [UInt8], value: StructuredField.InnerList)] {
    if Set(inputs.all.map { $0.name }) != Set(signatures.all.map { $0.name }) {
      throw .malformedField("Signature", "has other labels than Signature-Input")
    }
    let expectedTag = tag.map { StructuredField.BareItem.string(Array($0.utf8)) }
    return inputs.all.filter { name, input in
      (label.map { name.isSpelled($0) } ?? true) && input.parameters["tag"] == expectedTag
    }
  }

  /// The only input with a tag and a label, or nil for a message without one.
  func onlyCandidate(
    tag: String?, label: String? = nil
  ) throws(MessageSignatureError) -> (name: [UInt8], value: StructuredField.InnerList)? {
    let candidates = try candidates(tag: tag, label: label)
    if candidates.count > 1 {
      throw MessageSignatureError(
        .severalSignatures, "The message has several signatures that could be meant.")
    }
    return candidates.first
  }

  /// The signature with a label and its input.
  func signature(
    _ label: [UInt8], _ input: StructuredField.InnerList
  ) throws(MessageSignatureError) -> ReceivedSignature {
    guard case .item(let item)? = signatures[label], case .bytes(let bytes) = item.value else {
      throw .malformedField("Signature", "has a member that isn't a Byte Sequence")
    }
    return ReceivedSignature(
      label: label, input: input, parameters: try SignatureParameters(input.parameters),
      covered: try input.components(), bytes: bytes)
  }
}
