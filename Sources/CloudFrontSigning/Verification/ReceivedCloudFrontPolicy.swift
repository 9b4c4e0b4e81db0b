// SPDX-License-Identifier: Apache-2.0
// Reads the statement of a policy, and checks its conditions.

internal import DocumentSupport
internal import RequestSigning

extension CloudFrontVerifier {
  /// The conditions of a statement with a valid signature.
  struct ReceivedPolicy {
    /// Nil for any URL.
    let resource: [UInt8]?
    let expiration: SigV4.Timestamp
    let start: SigV4.Timestamp?
    let range: CloudFrontPolicy.AddressRange?

    /// Reads a statement. A condition that isn't CloudFront's can't be checked, so it's an error.
    init(_ statement: [UInt8]) throws(CloudFrontVerificationError) {
      guard case .object(let document)? = try? JSONReader.value(of: statement),
        document.count == 1, document[0].name == "Statement",
        case .array(let statements) = document[0].value, statements.count == 1,
        let conditions = statements[0]["Condition"],
        Self.has(statements[0], only: ["Resource", "Condition"]),
        Self.has(conditions, only: ["DateLessThan", "DateGreaterThan", "IpAddress"]),
        let end = conditions["DateLessThan"]
      else { throw .init(.malformedPolicy) }
      resource = try statements[0]["Resource"].map(Self.text)?.bytesInUTF8
      expiration = try Self.timestamp(Self.operand(end, "AWS:EpochTime"))
      start = try conditions["DateGreaterThan"].map { (start) throws(CloudFrontVerificationError) in
        try Self.timestamp(Self.operand(start, "AWS:EpochTime"))
      }
      range = try conditions["IpAddress"].map { (range) throws(CloudFrontVerificationError) in
        let text = try Self.text(Self.operand(range, "AWS:SourceIp"))
        guard let range = CloudFrontPolicy.AddressRange(text.bytesInUTF8[...]) else {
          throw .init(.malformedPolicy)
        }
        return range
      }
    }

    func check(
      _ url: [UInt8], _ address: [UInt8], _ now: SigV4.Timestamp
    ) throws(CloudFrontVerificationError) {
      if let resource, !CloudFrontPolicy.Wildcards.match(resource, url) {
        throw .init(.urlNotInPolicy)
      }
      // "Users are not allowed to access the file on or before the specified date and time."
      if let start, now <= start { throw .init(.notYetValid) }
      if now >= expiration { throw .init(.expired) }
      guard let range else { return }
      guard let address = CloudFrontPolicy.AddressRange.clientAddress(address),
        range.contains(address)
      else { throw .init(.addressNotAllowed) }
    }

    /// Reads a Unix time as CloudFront writes it: digits without a leading zero.
    static func timestamp(
      _ digits: String
    ) throws(CloudFrontVerificationError) -> SigV4.Timestamp {
      guard let seconds = Int64(digits), String(seconds) == digits, seconds >= 0,
        let timestamp = try? SigV4.Timestamp(unixSeconds: seconds)
      else { throw .init(.malformedPolicy) }
      return timestamp
    }

    private static func timestamp(
      _ value: JSONReader.Value
    ) throws(CloudFrontVerificationError) -> SigV4.Timestamp {
      guard case .number(let digits) = value else { throw .init(.malformedPolicy) }
      return try timestamp(digits)
    }

    private static func text(
      _ value: JSONReader.Value
    ) throws(CloudFrontVerificationError) -> String {
      guard let text = value.text else { throw .init(.malformedPolicy) }
      return text
    }

    /// The only member of a condition.
    private static func operand(
      _ condition: JSONReader.Value, _ key: String
    ) throws(CloudFrontVerificationError) -> JSONReader.Value {
      guard let value = condition[key], has(condition, only: [key])
      else { throw .init(.malformedPolicy) }
      return value
    }

    private static func has(_ object: JSONReader.Value, only names: [String]) -> Bool {
      guard case .object(let members) = object else { return false }
      return members.allSatisfy { names.contains($0.name) }
    }
  }
}
