// SPDX-License-Identifier: Apache-2.0
// The names in a signature, in one list for the signer, the verifier and the diagnosis.

/// A part of a signature: a parameter of a presigned URL, a form field, and often a header.
package enum SignatureField: UInt8, CaseIterable, Sendable {
  case algorithm
  case contentSHA256
  case credential
  case date
  case expires
  case regionSet
  case s3SessionToken
  case securityToken
  case signature
  case signedHeaders

  /// The parameter name, which is never escaped.
  package var parameter: StaticString {
    switch self {
    case .algorithm: "X-Amz-Algorithm"
    case .contentSHA256: "X-Amz-Content-Sha256"
    case .credential: "X-Amz-Credential"
    case .date: "X-Amz-Date"
    case .expires: "X-Amz-Expires"
    case .regionSet: "X-Amz-Region-Set"
    case .s3SessionToken: "X-Amz-S3session-Token"
    case .securityToken: "X-Amz-Security-Token"
    case .signature: "X-Amz-Signature"
    case .signedHeaders: "X-Amz-SignedHeaders"
    }
  }

  /// The lowercase name of the form field, and of the header if ``isHeader`` is true.
  package var header: StaticString {
    switch self {
    case .algorithm: "x-amz-algorithm"
    case .contentSHA256: "x-amz-content-sha256"
    case .credential: "x-amz-credential"
    case .date: "x-amz-date"
    case .expires: "x-amz-expires"
    case .regionSet: "x-amz-region-set"
    case .s3SessionToken: "x-amz-s3session-token"
    case .securityToken: "x-amz-security-token"
    case .signature: "x-amz-signature"
    case .signedHeaders: "x-amz-signedheaders"
    }
  }

  /// AWS's header with the value, or nil if the Authorization header contains it. Other families
  /// have their own: ``SignatureNames/knownHeader(_:)``.
  var awsHeader: KnownHeader? {
    switch self {
    case .contentSHA256: .amzContentSHA256
    case .date: .amzDate
    case .regionSet: .amzRegionSet
    case .s3SessionToken: .amzS3SessionToken
    case .securityToken: .amzSecurityToken
    case .algorithm, .credential, .expires, .signature, .signedHeaders: nil
    }
  }

  /// Whether the parameter has an equivalent header. The Authorization header contains the others.
  package var isHeader: Bool { awsHeader != nil }

  @inline(__always)
  package var bit: UInt32 { 1 &<< UInt32(rawValue) }
}

/// The parts of a signature in a query.
package struct SignatureFields: Sendable {
  private var bits: UInt32 = 0

  package func has(_ field: SignatureField) -> Bool { bits & field.bit != 0 }

  package mutating func insert(_ field: SignatureField) { bits |= field.bit }

  /// Returns whether a request is already signed. A URL to be signed may declare its payload.
  package func hasSignature(inURL: Bool) -> Bool {
    (inURL ? bits & ~SignatureField.contentSHA256.bit : bits) != 0
  }
}

extension RequestMessage {
  /// Returns the query parameters that belong to a signature with these names or AWS's, ignoring
  /// case.
  package func signatureFields(_ names: SignatureNames) -> SignatureFields {
    let text = memory.bytes.span
    var fields = SignatureFields()
    for index in shape.parameters {
      let parameter = text.field(index)
      if names != .aws, let field = names.field(parameter: text.extracting(parameter.nameRange)) {
        fields.insert(field)
      }
      // "x-amz-", ignoring case
      if EightBytes.lowercased(parameter.key) &>> 16 != KnownHeader.key("x-amz-") &>> 16 {
        continue
      }
      if let field = SignatureNames.aws.field(parameter: text.extracting(parameter.nameRange)) {
        fields.insert(field)
      }
    }
    return fields
  }
}
