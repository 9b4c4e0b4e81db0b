// SPDX-License-Identifier: Apache-2.0
// The policy of a received form, read strictly, and whether the form is one that it allows.

internal import DocumentSupport
internal import RequestSigning
internal import S3Signing
internal import SigningSupport

extension SigV4 {
  /// A policy document that a form brought along (S3 API Reference, "POST Policy").
  struct ReceivedPolicy {
    let expiration: Timestamp
    private(set) var conditions: [Condition] = []

    /// How many bytes the file may have.
    private(set) var byteCounts: ClosedRange<Int64> = 0...PostPolicy.largestFile

    /// What the field of a name has to be, or to begin with.
    struct Condition {
      let name: String
      let text: String
      let isPrefix: Bool
    }

    /// Reads `expiration` and `conditions`, and nothing else.
    init(_ document: [UInt8]) throws(VerificationError) {
      guard let value = try? JSONReader.value(of: document), case .object(let members) = value,
        members.count == 2, let end = value["expiration"]?.text,
        let expiration = Timestamp(extended: end), case .array(let elements) = value["conditions"]
      else {
        throw .malformedPolicy(
          "does not consist of an expiration such as 2024-01-02T03:04:05Z and a list of "
            + "conditions, in JSON")
      }
      self.expiration = expiration
      for element in elements { try append(element) }
    }

    private mutating func append(_ element: JSONReader.Value) throws(VerificationError) {
      switch element {
      case .object(let members):
        for member in members {
          guard let value = member.value.text else {
            throw .malformedPolicy(
              "has a value for \(UTF8Text.quoted(member.name)) that is not a text")
          }
          conditions.append(Condition(name: member.name, text: value, isPrefix: false))
        }
      case .array(let parts): try append(parts)
      case .string, .number, .boolean, .null:
        throw .malformedPolicy("has a condition that is neither an object nor a list")
      }
    }

    private mutating func append(_ parts: [JSONReader.Value]) throws(VerificationError) {
      let texts = parts.compactMap { $0.text }
      if parts.count == 3, let kind = texts.first,
        kind.hasSameBytes(as: "content-length-range"),
        let lowest = Self.number(parts[1]), let highest = Self.number(parts[2])
      {
        // Several ranges hold together.
        let from = max(lowest, byteCounts.lowerBound)
        let through = min(highest, byteCounts.upperBound)
        if from > through {
          throw .malformedPolicy("has ranges of content-length-range that no length satisfies")
        }
        byteCounts = from...through
        return
      }
      guard texts.count == 3, parts.count == 3, texts[1].utf8.first == ASCIIByte.dollar else {
        throw .malformedPolicy("has a list for a condition that is not [kind, \"$field\", value]")
      }
      let name = String(decoding: texts[1].utf8.dropFirst(), as: UTF8.self)
      let isPrefix = texts[0].hasSameBytes(as: "starts-with")
      if !isPrefix && !texts[0].hasSameBytes(as: "eq") {
        throw .malformedPolicy(
          "has a condition of the kind \(UTF8Text.quoted(texts[0])), which is not known")
      }
      conditions.append(Condition(name: name, text: texts[2], isPrefix: isPrefix))
    }

    /// A number of bytes in decimal digits, also as a text.
    private static func number(_ value: JSONReader.Value) -> Int64? {
      switch value {
      case .number(let digits), .string(let digits):
        SigV4.number(digits.utf8, digitCount: digits.utf8.count)
      case .object, .array, .boolean, .null: nil
      }
    }
  }
}

extension SigV4.ReceivedPolicy {
  /// Refuses a form that breaks a condition, and one with a field that no condition is on.
  func check(
    _ form: SigV4.FormFields, bucket: String
  ) throws(SigV4.VerificationError) {
    if let named = form.value("bucket"), !named.hasSameBytes(as: bucket) {
      throw .policyConditionFailed("bucket", "names another bucket than the request does")
    }
    // Looked up, since there may be hundreds of both.
    var values: [[UInt8]: [UInt8]] = [:]
    let fields = form.fields.filter { !Self.isOpen($0.name) }
    for field in fields { values[Self.key(field.name)] = field.value.bytesInUTF8 }
    values[Self.key("bucket")] = bucket.bytesInUTF8
    for condition in conditions where !condition.permits(values[Self.key(condition.name)]) {
      throw .policyConditionFailed(condition.name, "is missing, or not what the policy allows")
    }
    let covered = Set(conditions.map { Self.key($0.name) })
    let names = fields.map(\.name) + ["bucket"]
    if let uncovered = names.first(where: { !covered.contains(Self.key($0)) }) {
      throw .policyConditionFailed(uncovered, "has no condition in the policy")
    }
  }

  /// The name of a field without its case.
  private static func key(_ name: String) -> [UInt8] { name.utf8.map(ASCIIByte.lowercased) }

  /// Fields that need no condition: they are the signature, or are ignored.
  static func isOpen(_ name: String) -> Bool {
    let ignored = "x-ignore-".utf8
    return ["policy", "x-amz-signature"].contains {
      ASCIIByte.equalIgnoringCase(name.utf8, $0.utf8)
    } || ASCIIByte.equalIgnoringCase(name.utf8.prefix(ignored.count), ignored)
  }
}

extension SigV4.ReceivedPolicy.Condition {
  /// Whether a field may have this value; one that is not there satisfies nothing.
  func permits(_ value: [UInt8]?) -> Bool {
    guard let value else { return false }
    let text = text.bytesInUTF8
    if !isPrefix { return value == text }
    if !ASCIIByte.equalIgnoringCase(name.utf8, "content-type".utf8) {
      return value.starts(with: text)
    }
    // S3 API Reference, "POST Policy": a list of types, all of which have to begin so.
    var rest = value[...]
    while true {
      if !rest.drop(while: ASCIIByte.isWhitespace).starts(with: text) { return false }
      let comma = rest.firstPosition(of: ASCIIByte.comma)
      if comma == value.endIndex { return true }
      rest = value[(comma + 1)...]
    }
  }
}
