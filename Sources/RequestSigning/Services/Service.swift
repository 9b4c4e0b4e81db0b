// SPDX-License-Identifier: Apache-2.0
// A service as a value: its name in the scope, and the few rules that differ between services.

internal import SecureHashing

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

    /// The rule that turns the path into the canonical path.
    public var pathRule: PathRule

    /// Whether the payload hash is also sent in a header, and whether presigned URLs sign it.
    public var payloadRule: PayloadRule

    /// The rule for sending a session token.
    public var sessionTokenRule: SessionTokenRule

    /// Whether a presigned URL contains its lifetime.
    package var lifetimeRule: LifetimeRule

    /// Headers that are sent unsigned.
    public var unsignedHeaders: UnsignedHeaders

    /// The names in the signature.
    package let names: SignatureNames

    /// Whether the name is valid. A literal can be any string.
    private let isNameValid: Bool

    /// Whether the service belongs to the S3 family, whose servers accept a clock skew of 900
    /// seconds. Others accept 300.
    package let isObjectStorage: Bool

    init(
      name: String, pathRule: PathRule, payloadRule: PayloadRule,
      sessionTokenRule: SessionTokenRule = .signed, lifetimeRule: LifetimeRule = .required,
      isObjectStorage: Bool = false, names: SignatureNames = .aws, isNameValid: Bool = true
    ) {
      self.name = name
      self.names = names
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
  /// Amazon S3 and compatible stores. For Cloudflare R2, the region is "auto".
  public static var s3: Self {
    objectStorage("s3")
  }

  /// Google Cloud Storage in its own names: `GOOG4-HMAC-SHA256` and `x-goog-*`, with an account's
  /// HMAC key. The region is "auto" or the bucket's location.
  ///
  /// Use it for what only Google's headers offer, such as `x-goog-if-generation-match`. Otherwise
  /// ``s3`` signs for Google Cloud Storage, too. HMAC keys have no session tokens, and bodies in
  /// signed chunks aren't supported.
  public static var googleCloudStorage: Self { objectStorage("storage", .google) }

  /// Volcengine TOS in its own names: `TOS4-HMAC-SHA256` and `x-tos-*`. Bodies in signed chunks
  /// aren't supported.
  public static var tos: Self { objectStorage("tos", .tos) }

  /// S3 Express One Zone with session credentials (`CreateSession`), whose token has a separate
  /// header. Sign `CreateSession` itself for ``s3ExpressControl``.
  public static var s3Express: Self {
    var service = objectStorage("s3express")
    service.sessionTokenRule = .signedAsS3SessionToken
    return service
  }

  /// MQTT over WebSocket with AWS IoT. The URL contains no lifetime, and the token follows the
  /// signature.
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

  /// S3 Express requests with ordinary credentials: `CreateSession` and the control plane.
  public static var s3ExpressControl: Self { objectStorage("s3express") }

  /// Amazon S3 Glacier vaults, which require the hash of an archive in a header. Send
  /// `x-amz-glacier-version` with every request, and the tree hash with every body.
  public static var glacier: Self { declaring("glacier") }

  /// Services in Amazon VPC Lattice, which doesn't verify payloads. Every request declares this in
  /// its header.
  public static var vpcLattice: Self {
    var service = declaring("vpc-lattice-svcs")
    service.payloadRule = .unsigned
    return service
  }

  /// Amazon OpenSearch Serverless, which requires the hash of the body in a header.
  public static var openSearchServerless: Self { declaring("aoss") }

  /// Amazon API Gateway, a standard service. For an API with '//' or dot segments in its paths, set
  /// ``pathRule`` to `.encodedTwice`.
  public static var executeAPI: Self {
    Self(name: "execute-api", pathRule: .normalizedAndEncodedTwice, payloadRule: .hashed)
  }

  /// Amazon Transcribe streams. Over HTTP/2, use the payload `STREAMING-AWS4-HMAC-SHA256-EVENTS`.
  /// Over WebSocket, presign the URL. (For other Transcribe requests, use the standard service with
  /// the same name.)
  public static var transcribeStreaming: Self { declaring("transcribe") }

  /// Amazon Polly streams, over HTTP/2 with the payload `STREAMING-AWS4-HMAC-SHA256-EVENTS`. (For
  /// other Polly requests, use the standard service with the same name.)
  public static var pollyStreaming: Self { declaring("polly") }

  /// Returns a service of the S3 family.
  private static func objectStorage(_ name: String, _ names: SignatureNames = .aws) -> Self {
    Self(
      name: name, pathRule: .encodedOnce, payloadRule: .declaredExceptInURLs, isObjectStorage: true,
      names: names)
  }

  /// Returns a standard service that also requires the payload hash in a header.
  static func declaring(_ name: String) -> Self {
    Self(name: name, pathRule: .normalizedAndEncodedTwice, payloadRule: .declared)
  }

  /// Returns the preset for a signing name with special rules, or nil.
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

  /// Returns a service without special rules, by its signing name, such as "dynamodb" or
  /// "execute-api".
  ///
  /// - Throws: `invalidService` unless the name consists of ASCII letters, digits, '-', '_' and
  ///   '.', or if a preset with other rules has this name.
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

  /// Returns the preset for a signing name, or ``standard(_:)`` if there is no preset.
  ///
  /// - Throws: `invalidService` unless the name consists of ASCII letters, digits, '-', '_' and
  ///   '.'.
  public static func named(_ name: String) throws(SigV4.SigningError) -> Self {
    if let preset = preset(name) { return preset }
    return try standard(name)
  }
}

extension SigV4.Service: ExpressibleByStringLiteral {
  /// Creates a service from its signing name, like ``named(_:)``. If the name isn't valid, creating
  /// a signer throws `invalidService`, and a verifier rejects every request.
  public init(stringLiteral name: String) {
    do throws(SigV4.SigningError) {
      self = try .named(name)
    } catch {
      self.init(
        name: name, pathRule: .normalizedAndEncodedTwice, payloadRule: .hashed, isNameValid: false)
    }
  }

  /// Rejects a literal that isn't a service name.
  func checkName() throws(SigV4.SigningError) {
    if !isNameValid { _ = try Self.named(name) }
  }

  /// Rejects a session token where none exists.
  func checkToken(of identity: SigV4.Identity) throws(SigV4.SigningError) {
    if identity.sessionTokenBytes == nil || names.knownHeader(sessionTokenRule.field) != nil {
      return
    }
    throw SigV4.SigningError(
      .invalidSessionToken,
      "\(names.algorithm) has no session tokens of this kind, but the credentials have one.",
      fix: "Use credentials without one. HMAC keys of Google accounts have none.")
  }

  /// Returns whether a credential scope for this service has this name.
  package func isNamed(_ other: TextSpan) -> Bool {
    isNameValid && name.hasSameBytes(as: other)
  }
}
