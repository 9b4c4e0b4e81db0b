// SPDX-License-Identifier: Apache-2.0
// The rules by which services differ: path, payload, session token and lifetime.

extension SigV4.Service {
  /// A rule that turns the path into the canonical path. New rules may be added.
  public struct PathRule: Hashable, Sendable, CustomStringConvertible {
    package let encodesTwice: Bool

    /// Whether dot segments and empty segments are removed.
    package let isNormalized: Bool

    /// The path as sent, for the S3 family.
    public static var encodedOnce: Self { Self(encodesTwice: false, isNormalized: false) }
    /// The path as sent, encoded again, for API Gateway resources with '//'.
    public static var encodedTwice: Self { Self(encodesTwice: true, isNormalized: false) }
    /// The path without dot segments and empty segments, not encoded again.
    public static var normalizedAndEncodedOnce: Self {
      Self(encodesTwice: false, isNormalized: true)
    }
    /// The path without dot segments and empty segments, encoded again, for all services outside
    /// the S3 family.
    public static var normalizedAndEncodedTwice: Self {
      Self(encodesTwice: true, isNormalized: true)
    }

    /// The name of the rule.
    public var description: String {
      switch (isNormalized, encodesTwice) {
      case (false, false): "encodedOnce"
      case (false, true): "encodedTwice"
      case (true, false): "normalizedAndEncodedOnce"
      case (true, true): "normalizedAndEncodedTwice"
      }
    }
  }

  /// Whether the payload hash is also sent in the `x-amz-content-sha256` header. New rules may be
  /// added.
  public struct PayloadRule: Hashable, Sendable, CustomStringConvertible {
    private let number: UInt8

    /// The hash is signed, but not sent. A payload without a hash is still declared in the header.
    public static var hashed: Self { Self(number: 0) }
    /// The hash is signed and sent in the header.
    public static var declared: Self { Self(number: 1) }
    /// Like `declared`, except that a presigned URL uses UNSIGNED-PAYLOAD unless the request sets
    /// its payload. The payload is then in a header that the holder of the URL must send.
    public static var declaredExceptInURLs: Self { Self(number: 2) }
    /// The payload is never signed. The header contains UNSIGNED-PAYLOAD, and the holder of a
    /// presigned URL must send it too.
    public static var unsigned: Self { Self(number: 3) }

    /// The name of the rule.
    public var description: String {
      switch number {
      case 0: "hashed"
      case 1: "declared"
      case 2: "declaredExceptInURLs"
      default: "unsigned"
      }
    }
  }

  /// A rule for sending a session token. New rules may be added.
  public struct SessionTokenRule: Hashable, Sendable, CustomStringConvertible {
    /// The field that contains the token.
    package let field: SignatureField
    package let isSigned: Bool

    /// A signed `x-amz-security-token` field.
    public static var signed: Self { Self(field: .securityToken, isSigned: true) }
    /// A signed `x-amz-s3session-token` field.
    public static var signedAsS3SessionToken: Self { Self(field: .s3SessionToken, isSigned: true) }
    /// An `x-amz-security-token` field, added after signing.
    public static var appendedAfterSigning: Self { Self(field: .securityToken, isSigned: false) }

    /// The name of the rule.
    public var description: String {
      if !isSigned { return "appendedAfterSigning" }
      return field == .securityToken ? "signed" : "signedAsS3SessionToken"
    }

    /// The field that contains the token for other services.
    package var foreignField: SignatureField {
      field == .securityToken ? .s3SessionToken : .securityToken
    }
  }

  /// Returns whether a request's header line stays unsigned.
  @inline(__always)
  func leavesUnsigned(_ field: MessageField, in text: TextSpan, inURL: Bool) -> Bool {
    let rule = sessionTokenRule
    return !rule.isSigned && names.knownHeader(rule.field) == field.header
      || unsignedHeaders.contains(field, in: text, inURL: inURL)
  }

  /// Returns whether a request's header stays unsigned.
  func leavesUnsigned(_ header: SigV4.Header, inURL: Bool) -> Bool {
    let rule = sessionTokenRule
    return !rule.isSigned && header.isNamed(names.header(rule.field).bytes.textInUTF8)
      || unsignedHeaders.contains(header, inURL: inURL)
  }

  /// Whether a presigned URL contains its lifetime.
  package enum LifetimeRule: Sendable {
    /// The URL contains its lifetime in X-Amz-Expires.
    case required
    /// The URL contains no lifetime, and the service rejects URLs that do.
    case unsupported
  }
}
