// SPDX-License-Identifier: Apache-2.0
// The policy of a received form: a strict parser, and the check of the form against it.

internal import DocumentSupport
internal import RequestSigning
internal import S3Signing

extension SigV4 {
  /// The policy document in a form (S3 API Reference, "POST Policy").
  struct ReceivedPolicy {
    let expiration: Timestamp

    /// The requirements of the fields, in the policy's order.
    private var requirements: [Requirement] = []

    /// The index of each field's requirement, by its lowercase name.
    private var indices: [[UInt8]: Int] = [:]

    /// The allowed sizes of the file, in bytes.
    private(set) var byteCounts: ClosedRange<Int64> = 0...PostPolicy.largestFile

    /// All conditions on one field, merged: a policy may have hundreds, but each value is compared
    /// only once.
    fileprivate struct Requirement {
      /// The name as in the first condition, and in lowercase.
      let name: String
      let key: [UInt8]
      var exact: [UInt8]?
      var prefix: [UInt8] = []
      var isContradictory = false
    }

    /// Parses `expiration` and `conditions`. Rejects any other member.
    init(_ document: [UInt8]) throws(VerificationError) {
      guard let value = try? JSONReader.value(of: document), case .object(let members) = value,
        members.count == 2, let end = value["expiration"]?.text,
        let expiration = Timestamp(extended: end), case .array(let elements) = value["conditions"]
      else {
        throw .malformedPolicy(
          "doesn't consist of an expiration, such as 2024-01-02T03:04:05Z, and an array of "
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
              "contains a value for \(UTF8Text.quoted(member.name)) that isn't a string")
          }
          require(value, of: member.name, isPrefix: false)
        }
      case .array(let parts): try append(parts)
      case .string, .number, .boolean, .null:
        throw .malformedPolicy("contains a condition that's neither an object nor an array")
      }
    }

    private mutating func append(_ parts: [JSONReader.Value]) throws(VerificationError) {
      let texts = parts.compactMap { $0.text }
      if parts.count == 3, let kind = texts.first,
        kind.hasSameBytes(as: "content-length-range"),
        let lowest = Self.number(parts[1]), let highest = Self.number(parts[2])
      {
        // Intersect several ranges.
        let from = max(lowest, byteCounts.lowerBound)
        let through = min(highest, byteCounts.upperBound)
        if from > through {
          throw .malformedPolicy("contains content-length-range conditions that no size satisfies")
        }
        byteCounts = from...through
        return
      }
      guard texts.count == 3, parts.count == 3, texts[1].utf8.first == ASCIIByte.dollar else {
        throw .malformedPolicy("contains an array that isn't [kind, \"$field\", value]")
      }
      let name = String(decoding: texts[1].utf8.dropFirst(), as: UTF8.self)
      let isPrefix = texts[0].hasSameBytes(as: "starts-with")
      if !isPrefix && !texts[0].hasSameBytes(as: "eq") {
        throw .malformedPolicy(
          "contains a condition of the unknown kind \(UTF8Text.quoted(texts[0]))")
      }
      require(texts[2], of: name, isPrefix: isPrefix)
    }

    private mutating func require(_ text: String, of name: String, isPrefix: Bool) {
      let key = Self.key(name)
      if indices[key] == nil {
        indices[key] = requirements.count
        requirements.append(Requirement(name: name, key: key))
      }
      guard let index = indices[key] else { return }
      requirements[index].add(text.bytesInUTF8, isPrefix: isPrefix)
    }

    /// Parses a number of bytes in decimal digits, or in a string of them.
    private static func number(_ value: JSONReader.Value) -> Int64? {
      switch value {
      case .number(let digits), .string(let digits):
        digits.withUTF8Bytes { SigV4.number($0, digitCount: $0.count) }
      case .object, .array, .boolean, .null: nil
      }
    }
  }
}

extension SigV4.ReceivedPolicy {
  /// Rejects a form that breaks a condition, or has a field without a condition.
  func check(
    _ form: SigV4.FormFields, bucket: String
  ) throws(SigV4.VerificationError) {
    if let named = form.value("bucket"), !named.hasSameBytes(as: bucket) {
      throw .policyConditionFailed("bucket", "names a different bucket from the request")
    }
    let bucketKey = Self.key("bucket")
    for requirement in requirements {
      let key = requirement.key
      let sent = form.isPolicyOrSignature(key) ? nil : form.value(named: key)
      let value = key == bucketKey ? bucket : sent
      if !requirement.permits(value?.bytesInUTF8) {
        throw .policyConditionFailed(
          requirement.name, "is missing or doesn't match the policy")
      }
    }
    for (index, key) in form.keys.enumerated() where indices[key] == nil && !form.isOpen(key) {
      throw .policyConditionFailed(form.fields[index].name, "has no condition in the policy")
    }
    if indices[bucketKey] == nil {
      throw .policyConditionFailed("bucket", "has no condition in the policy")
    }
  }

  /// The lowercase name of a field.
  static func key(_ name: String) -> [UInt8] { name.utf8.map(ASCIIByte.lowercased) }
}

extension SigV4.ReceivedPolicy.Requirement {
  /// Adds a condition. Only the longest prefix counts: it starts with the others, or none can
  /// match.
  mutating func add(_ text: [UInt8], isPrefix: Bool) {
    if !isPrefix {
      isContradictory = isContradictory || exact.map { $0 != text } ?? false
      exact = text
      return
    }
    let (shorter, longer) = prefix.count < text.count ? (prefix, text) : (text, prefix)
    isContradictory = isContradictory || !longer.starts(with: shorter)
    prefix = longer
  }

  /// Whether a field may have this value. A missing field never matches.
  func permits(_ value: [UInt8]?) -> Bool {
    guard let value, !isContradictory, exact == nil || exact == value else { return false }
    return SigV4.PostPolicy.Condition.begins(value, with: prefix, of: name)
  }
}
