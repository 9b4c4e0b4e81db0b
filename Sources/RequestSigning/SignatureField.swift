// SPDX-License-Identifier: Apache-2.0
// The names that belong to a signature: one list for the signer, the verifier and the diagnosis.

internal import SigningSupport

extension SigV4 {
  /// What belongs to a signature: a parameter of a presigned URL, a field of a form, and often a header.
  package enum SignatureField: CaseIterable, Sendable {
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

    /// The name of the parameter, which is never escaped.
    @inline(__always)
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

    /// The name in lowercase: of a header, where ``isHeader`` says so, or of a field of a form.
    @inline(__always)
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

    /// Whether a header means the same as the parameter. The Authorization header says the others.
    package var isHeader: Bool {
      switch self {
      case .contentSHA256, .date, .regionSet, .s3SessionToken, .securityToken: true
      case .algorithm, .credential, .expires, .signature, .signedHeaders: false
      }
    }

    /// The field whose parameter has this name, in any case.
    package init?(parameter name: ArraySlice<UInt8>) {
      // Most names are told apart by their length or their first letter, an X.
      if name.count < 10 || name.count > 21 || name[name.startIndex] | 0x20 != 0x78 { return nil }
      let field = Self.allCases.first {
        $0.parameter.utf8CodeUnitCount == name.count
          && (name.spells($0.parameter) || name.spellsIgnoringCase($0.parameter))
      }
      guard let field else { return nil }
      self = field
    }
  }
}
