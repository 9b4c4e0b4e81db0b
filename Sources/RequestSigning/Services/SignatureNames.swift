// SPDX-License-Identifier: Apache-2.0
// The names in a signature: those of AWS, or of stores that changed the names and nothing else.

/// The names of one form of Signature Version 4.
///
/// The stores kept AWS's suffixes under their own prefixes, so the order of names is the same.
package enum SignatureNames: UInt8, CaseIterable, Hashable, Sendable {
  case aws
  /// Google Cloud Storage, "V4 signing process with your own program", with an HMAC key.
  case google
  /// Volcengine TOS, "Including a signature in a header".
  case tos

  /// The row of the table below.
  private struct Row {
    /// The first line of the string to sign.
    let algorithm: StaticString

    /// The text before the secret, in the first key.
    let keyPrefix: StaticString

    /// The last part of the credential scope.
    let scopeEnd: StaticString

    /// The start of the signature's headers and form fields, and of its parameters in a URL.
    let headerPrefix: StaticString
    let parameterPrefix: StaticString

    /// The headers of a signature. Without its date or hash, a request wouldn't be protected, so
    /// only the token's is optional: HMAC keys of Google have no tokens.
    let date: KnownHeader
    let contentSHA256: KnownHeader
    let securityToken: KnownHeader?

    /// All other headers with the prefix.
    let others: KnownHeader

    /// The domain of a store that rejects these headers together with AWS's, or nil.
    let domainOfExclusiveHeaders: StaticString?
  }

  private var row: Row {
    switch self {
    case .aws:
      Row(
        algorithm: "AWS4-HMAC-SHA256", keyPrefix: "AWS4", scopeEnd: "aws4_request",
        headerPrefix: "x-amz-", parameterPrefix: "X-Amz-", date: .amzDate,
        contentSHA256: .amzContentSHA256, securityToken: .amzSecurityToken, others: .amz,
        domainOfExclusiveHeaders: nil)
    case .google:
      Row(
        algorithm: "GOOG4-HMAC-SHA256", keyPrefix: "GOOG4", scopeEnd: "goog4_request",
        headerPrefix: "x-goog-", parameterPrefix: "X-Goog-", date: .googDate,
        contentSHA256: .googContentSHA256, securityToken: nil, others: .google,
        domainOfExclusiveHeaders: "storage.googleapis.com")
    case .tos:
      Row(
        algorithm: "TOS4-HMAC-SHA256", keyPrefix: "", scopeEnd: "request",
        headerPrefix: "x-tos-", parameterPrefix: "X-Tos-", date: .tosDate,
        contentSHA256: .tosContentSHA256, securityToken: .tosSecurityToken, others: .tos,
        domainOfExclusiveHeaders: nil)
    }
  }

  package var algorithm: StaticString { row.algorithm }
  package var keyPrefix: StaticString { row.keyPrefix }
  package var scopeEnd: StaticString { row.scopeEnd }
  package var headerPrefix: StaticString { row.headerPrefix }
  package var parameterPrefix: StaticString { row.parameterPrefix }
  var domainOfExclusiveHeaders: StaticString? { row.domainOfExclusiveHeaders }

  /// The name of a header or a form field.
  package func header(_ field: SignatureField) -> UTF8Text {
    UTF8Text(headerPrefix, then: field.header, from: Self.prefixByteCount)
  }

  /// The name of a parameter.
  package func parameter(_ field: SignatureField) -> UTF8Text {
    UTF8Text(parameterPrefix, then: field.parameter, from: Self.prefixByteCount)
  }

  /// The size of AWS's prefixes.
  static var prefixByteCount: Int { 6 }

  /// The kind of headers with the prefix that aren't part of a signature.
  package var otherHeaders: KnownHeader { row.others }

  /// The header with the same value as a parameter. Nil if no header has it.
  @inline(__always)
  package func knownHeader(_ field: SignatureField) -> KnownHeader? {
    self == .aws ? field.awsHeader : renamedHeader(field)
  }

  private func renamedHeader(_ field: SignatureField) -> KnownHeader? {
    switch field {
    case .date: row.date
    case .contentSHA256: row.contentSHA256
    case .securityToken: row.securityToken
    // Only AWS has these.
    case .regionSet, .s3SessionToken: nil
    case .algorithm, .credential, .expires, .signature, .signedHeaders: nil
    }
  }

  /// Returns the field of a parameter, ignoring case.
  package func field(parameter name: TextSpan) -> SignatureField? {
    let prefix = unsafe parameterPrefix.bytesInUTF8
    let start = prefix.count
    if name.count <= start { return nil }
    if unsafe ASCIIByte.lowercased(name.byte(at: 0)) != ASCIIByte.lowercased(prefix[0]) {
      return nil
    }
    for field in SignatureField.allCases where isParameter(name, field, ignoringCase: true) {
      return field
    }
    return nil
  }

  /// Returns whether a parameter has a field's name, in its exact case.
  package func isParameter(_ name: TextSpan, _ field: SignatureField) -> Bool {
    self == .aws ? name.spells(field.parameter) : isParameter(name, field, ignoringCase: false)
  }

  @inline(never)
  private func isParameter(
    _ name: TextSpan, _ field: SignatureField, ignoringCase: Bool
  ) -> Bool {
    let (prefix, text) = unsafe (parameterPrefix.bytesInUTF8, field.parameter.bytesInUTF8)
    let start = prefix.count
    if name.count != start &+ text.count &- Self.prefixByteCount { return false }
    for position in 0..<name.count {
      // Safety: both positions are in the strings, by the sizes.
      let other: UInt8
      if position < start {
        other = unsafe prefix[position]
      } else {
        other = unsafe text[position &- start &+ Self.prefixByteCount]
      }
      let byte = name.byte(at: position)
      if byte == other { continue }
      if !ignoringCase || ASCIIByte.lowercased(byte) != ASCIIByte.lowercased(other) { return false }
    }
    return true
  }
}
