// SPDX-License-Identifier: Apache-2.0
// What a verified signature says, and no more than that.

public import SecureHashing

/// The parts of a message that a valid signature covers.
public struct VerifiedMessage: Sendable {
  /// The ID of the key that signed.
  public var keyID: String { parameters.keyID.asString }

  /// The time of the signature, as its sender says.
  public var created: MessageSignature.Time { parameters.created }

  /// The time from which the signature isn't valid, if it has one.
  public var expiration: MessageSignature.Time? { parameters.expiration }

  /// The nonce, if the signature has one.
  public var nonce: String? { parameters.nonce?.asString }

  /// The tag, if the signature has one.
  public var tag: String? { parameters.tag?.asString }

  /// The label of the signature in the message. It's not signed.
  public let label: String

  /// The covered components, in the order of the signature.
  public let covered: [MessageSignature.Component]

  private let parameters: SignatureParameters
  private let values: [[UInt8]]

  init(label: [UInt8], parameters: SignatureParameters, base: SignatureBase) {
    self.label = label.asString
    self.parameters = parameters
    covered = base.covered
    values = base.values
  }

  /// The signed value of a component, such as `.field("content-type")`. Nil unless it's covered.
  ///
  /// The values of several lines of a field are separated by `, `.
  public subscript(component: MessageSignature.Component) -> String? {
    covered.firstIndex(of: component).map { values[$0].asString }
  }
}

extension VerifiedMessage: Redacted {
  /// The key's ID and the components, never their values.
  public var description: String {
    "VerifiedMessage(\(keyID): \(covered.map { $0.description }.joined(separator: " ")))"
  }
}

/// The parameters of a received signature (RFC 9421, section 2.3).
struct SignatureParameters: Sendable {
  let created: MessageSignature.Time
  let expiration: MessageSignature.Time?
  let keyID: [UInt8]
  let algorithm: [UInt8]?
  let nonce: [UInt8]?
  let tag: [UInt8]?

  /// Parameters with other names are signed, too, and mean nothing here.
  init(
    _ parameters: StructuredField.Named<StructuredField.BareItem>
  ) throws(MessageSignatureError) {
    guard let created = try Self.time("created", parameters) else {
      throw .invalidParameter("created", "is missing")
    }
    guard let keyID = try Self.text("keyid", parameters) else {
      throw .invalidParameter("keyid", "is missing")
    }
    self.created = created
    self.keyID = keyID
    expiration = try Self.time("expires", parameters)
    algorithm = try Self.text("alg", parameters)
    nonce = try Self.text("nonce", parameters)
    tag = try Self.text("tag", parameters)
  }

  private static func time(
    _ name: String, _ parameters: StructuredField.Named<StructuredField.BareItem>
  ) throws(MessageSignatureError) -> MessageSignature.Time? {
    guard let value = parameters[name] else { return nil }
    guard case .integer(let seconds) = value else {
      throw .invalidParameter(name, "isn't an Integer")
    }
    return MessageSignature.Time(unixSeconds: seconds)
  }

  private static func text(
    _ name: String, _ parameters: StructuredField.Named<StructuredField.BareItem>
  ) throws(MessageSignatureError) -> [UInt8]? {
    guard let value = parameters[name] else { return nil }
    guard case .string(let text) = value else { throw .invalidParameter(name, "isn't a String") }
    return text
  }
}
