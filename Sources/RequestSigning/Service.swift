// SPDX-License-Identifier: Apache-2.0
// A service as a value: its name in the scope, and the few rules in which services differ.

package import SigningSupport

extension SigV4 {
  /// A service to sign for: its signing name and its rules.
  ///
  /// Use a preset or the signing name. You can replace each rule:
  ///
  ///     let queue: SigV4.Service = "sqs"
  ///     var gateway = SigV4.Service.executeAPI
  ///     gateway.pathRule = .encodedTwice
  public struct Service: Hashable, Sendable {
    /// The name in the credential scope, such as "s3".
    public let name: String

    /// How the path becomes the canonical path.
    public var pathRule: PathRule

    /// Whether the hash of the payload is also a header, and what a presigned URL says of it.
    public var payloadRule: PayloadRule

    /// How a session token travels.
    public var sessionTokenRule: SessionTokenRule

    /// Whether a presigned URL says how long it lives.
    package var lifetimeRule: LifetimeRule

    /// Headers that are sent but not signed.
    public var unsignedHeaders: UnsignedHeaders

    /// Whether a service can have this name: any text can be a literal.
    private let isNameValid: Bool

    /// S3 and its family, whose servers accept a clock that is 900 seconds off; others accept 300.
    package let isObjectStorage: Bool

    init(
      name: String, pathRule: PathRule, payloadRule: PayloadRule,
      sessionTokenRule: SessionTokenRule = .signed, lifetimeRule: LifetimeRule = .required,
      isObjectStorage: Bool = false, isNameValid: Bool = true
    ) {
      self.name = name
      self.isNameValid = isNameValid
      self.isObjectStorage = isObjectStorage
      self.pathRule = pathRule
      self.payloadRule = payloadRule
      self.sessionTokenRule = sessionTokenRule
      self.lifetimeRule = lifetimeRule
      self.unsignedHeaders = .default
    }
  }
}

extension SigV4.Service {
  /// Amazon S3 and what speaks its protocol. For Cloudflare R2 the region is "auto".
  public static var s3: Self {
    objectStorage("s3")
  }

  /// S3 Express One Zone with the credentials of a session (`CreateSession`), whose token has a
  /// header of its own. `CreateSession` itself is signed for ``s3ExpressControl``.
  public static var s3Express: Self {
    var service = objectStorage("s3express")
    service.sessionTokenRule = .signedAsS3SessionToken
    return service
  }

  /// MQTT over WebSocket with AWS IoT: no life in the URL, and the token after the signature.
  public static var iotDeviceGateway: Self {
    Self(
      name: "iotdevicegateway", pathRule: .normalizedAndEncodedTwice, payloadRule: .hashed,
      sessionTokenRule: .appendedAfterSigning, lifetimeRule: .unsupported)
  }

  /// Amazon S3 on Outposts.
  public static var s3Outposts: Self {
    objectStorage("s3-outposts")
  }

  /// Amazon S3 Object Lambda.
  public static var s3ObjectLambda: Self {
    objectStorage("s3-object-lambda")
  }

  /// What is asked of S3 Express with ordinary credentials: `CreateSession` and the control plane.
  public static var s3ExpressControl: Self { objectStorage("s3express") }

  /// Amazon S3 Glacier's vaults, which want the digest of an archive in a header. Every request has
  /// to send `x-amz-glacier-version`, and one with a body its tree hash.
  public static var glacier: Self { declaring("glacier") }

  /// Services in Amazon VPC Lattice, which verifies no payload: every request says so in its header.
  public static var vpcLattice: Self {
    var service = declaring("vpc-lattice-svcs")
    service.payloadRule = .unsigned
    return service
  }

  /// Amazon OpenSearch Serverless, which wants the digest of the body in a header.
  public static var openSearchServerless: Self { declaring("aoss") }

  /// Amazon API Gateway: a standard service. An API that keeps '//' and dot segments in its paths
  /// takes the ``pathRule`` `.encodedTwice`.
  public static var executeAPI: Self {
    Self(name: "execute-api", pathRule: .normalizedAndEncodedTwice, payloadRule: .hashed)
  }

  /// Amazon Transcribe's streams. One over HTTP/2 has the payload
  /// `STREAMING-AWS4-HMAC-SHA256-EVENTS`, one over WebSocket is presigned. (Transcribe's other
  /// requests are those of a standard service of the same name.)
  public static var transcribeStreaming: Self { declaring("transcribe") }

  /// Amazon Polly's streams, over HTTP/2 with the payload `STREAMING-AWS4-HMAC-SHA256-EVENTS`.
  /// (Polly's other requests are those of a standard service of the same name.)
  public static var pollyStreaming: Self { declaring("polly") }

  /// A service of the S3 family.
  private static func objectStorage(_ name: String) -> Self {
    Self(
      name: name, pathRule: .encodedOnce, payloadRule: .declaredExceptInURLs, isObjectStorage: true)
  }

  /// A standard service that wants the payload's digest in a header too.
  static func declaring(_ name: String) -> Self {
    Self(name: name, pathRule: .normalizedAndEncodedTwice, payloadRule: .declared)
  }

  /// The preset for a signing name with rules of its own.
  static func preset(_ name: String) -> Self? {
    let name = name.bytesInUTF8[...]
    if name.spells("s3") { return .s3 }
    if name.spells("s3express") { return .s3Express }
    if name.spells("s3-outposts") { return .s3Outposts }
    if name.spells("s3-object-lambda") { return .s3ObjectLambda }
    if name.spells("iotdevicegateway") { return .iotDeviceGateway }
    if name.spells("glacier") { return .glacier }
    if name.spells("vpc-lattice-svcs") { return .vpcLattice }
    if name.spells("aoss") { return .openSearchServerless }
    return nil
  }

  /// Any other service by its signing name, such as "dynamodb" or "execute-api".
  ///
  /// Throws `invalidService` unless the name consists of ASCII letters, digits, '-', '_' and '.',
  /// and for a name that has a preset with other rules.
  public static func standard(_ name: String) throws(SigV4.SigningError) -> Self {
    try SigV4.CredentialScope.checkService(name)
    let lowercase = name.bytesInUTF8.map(ASCIIByte.lowercased).textInUTF8
    if !name.hasSameBytes(as: lowercase), preset(lowercase) != nil {
      throw SigV4.SigningError(
        .invalidService,
        "Service names are lowercase, but \(quoted: name) isn't.",
        fix: "Use \(quoted: lowercase).")
    }
    if preset(name) != nil {
      throw SigV4.SigningError(
        .invalidService,
        "\(quoted: name) doesn't follow the rules of a standard service.",
        fix: "Use its preset, or .named to find the right rules for any name.")
    }
    return Self(name: name, pathRule: .normalizedAndEncodedTwice, payloadRule: .hashed)
  }

  /// The preset for a signing name, or ``standard(_:)`` when there is none for it.
  ///
  /// Throws `invalidService` unless the name consists of ASCII letters, digits, '-', '_' and '.'.
  public static func named(_ name: String) throws(SigV4.SigningError) -> Self {
    if let preset = preset(name) { return preset }
    return try standard(name)
  }
}

extension SigV4.Service: ExpressibleByStringLiteral {
  /// A service by its signing name, as ``named(_:)`` creates it. If the name isn't valid, creating a
  /// signer throws `invalidService`, and a verifier rejects every request.
  public init(stringLiteral name: String) {
    do throws(SigV4.SigningError) {
      self = try .named(name)
    } catch {
      self.init(
        name: name, pathRule: .normalizedAndEncodedTwice, payloadRule: .hashed, isNameValid: false)
    }
  }

  /// Refuses a literal that isn't the name of a service.
  func checkName() throws(SigV4.SigningError) {
    if !isNameValid { _ = try Self.named(name) }
  }

  /// Whether a credential scope for this service has this name.
  package func isNamed(_ other: String) -> Bool { isNameValid && name.hasSameBytes(as: other) }
}

extension SigV4.Service {
  /// How the path becomes the canonical path.
  public enum PathRule: Sendable {
    /// The path as it is on the wire: the S3 family.
    case encodedOnce
    /// The path on the wire, encoded again: API Gateway with resources that keep '//'.
    case encodedTwice
    /// Dot segments and empty segments dropped, not encoded again.
    case normalizedAndEncodedOnce
    /// Dot segments and empty segments dropped, then encoded again: all services but S3's family.
    case normalizedAndEncodedTwice

    package var encodesTwice: Bool {
      switch self {
      case .encodedTwice, .normalizedAndEncodedTwice: true
      case .encodedOnce, .normalizedAndEncodedOnce: false
      }
    }

    /// Whether dot segments and empty segments are dropped.
    package var isNormalized: Bool {
      switch self {
      case .normalizedAndEncodedOnce, .normalizedAndEncodedTwice: true
      case .encodedOnce, .encodedTwice: false
      }
    }
  }

  /// Whether the hash of the payload is also sent as the header `x-amz-content-sha256`.
  public enum PayloadRule: Sendable {
    /// The hash is signed only. A payload that is not hashed is still declared in the header.
    case hashed
    /// The hash is signed and sent in the header.
    case declared
    /// As `declared`; but a presigned URL says UNSIGNED-PAYLOAD unless the request names its
    /// payload, which then goes into a header that the holder of the URL must send.
    case declaredExceptInURLs
    /// The payload is never signed: the header says UNSIGNED-PAYLOAD, and the holder of a presigned
    /// URL must send it too.
    case unsigned
  }

  /// How a session token travels.
  public enum SessionTokenRule: Sendable {
    /// As `x-amz-security-token`, signed.
    case signed
    /// As `x-amz-s3session-token`, signed.
    case signedAsS3SessionToken
    /// As `x-amz-security-token`, added after signing.
    case appendedAfterSigning

    /// The field that has the token.
    package var field: SignatureField {
      switch self {
      case .signed, .appendedAfterSigning: .securityToken
      case .signedAsS3SessionToken: .s3SessionToken
      }
    }

    /// The field that has the token of other services.
    package var foreignField: SignatureField {
      switch self {
      case .signed, .appendedAfterSigning: .s3SessionToken
      case .signedAsS3SessionToken: .securityToken
      }
    }

    package var isSigned: Bool {
      switch self {
      case .signed, .signedAsS3SessionToken: true
      case .appendedAfterSigning: false
      }
    }
  }

  /// Whether a presigned URL says how long it lives.
  package enum LifetimeRule: Sendable {
    /// The URL says so, in X-Amz-Expires.
    case required
    /// The URL does not say so, and the service refuses one that does.
    case unsupported
  }
}
