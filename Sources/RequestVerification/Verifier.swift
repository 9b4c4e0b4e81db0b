// SPDX-License-Identifier: Apache-2.0
// The verifier: its settings, and the checks that don't need a key.

@_exported public import RequestSigning

extension SigV4 {
  /// Verifies header-signed requests, presigned URLs and forms.
  ///
  ///     let verifier = SigV4.Verifier(region: "us-east-1", service: .s3)
  ///     let unverified = try verifier.check(request, at: now)
  ///     let credentials = await credentials(of: unverified.accessKeyID)     // your look-up
  ///     let verified = try unverified.verify(with: credentials)
  ///     let body = try verified.body(received)
  ///
  /// Configure what it accepts with its properties. The defaults are strict:
  ///
  ///     var verifier = SigV4.Verifier(region: "us-east-1", service: .s3)
  ///     verifier.unsignedPayloads = .allowed      // over TLS only
  ///
  /// Don't act on a request before `verify` returns. The same request can arrive twice until it
  /// expires: Signature Version 4 doesn't prevent that.
  public struct Verifier: Hashable, Sendable {
    /// The services to accept, with their signing rules. S3 Express has two, `.s3Express` and
    /// `.s3ExpressControl`. If both are accepted, a request with a session's token is for the
    /// first.
    public var services: [SigV4.Service]

    /// The regions to accept.
    public var regions: [String]

    /// The signature algorithms to accept. The default is Signature Version 4 only.
    ///
    /// ``UnverifiedRequest/algorithm`` tells you which kind of key a request needs. With
    /// `ecdsaP256SHA256`, the request's region set must include one of ``regions``.
    public var algorithms: [Algorithm] = [.hmacSHA256]

    /// The maximum difference between the clocks of client and server. If it's nil, AWS's values
    /// apply: 900 seconds for the S3 family, 300 for other services.
    public var clockTolerance: Duration?

    /// The maximum lifetime of presigned URLs and forms. Values above seven days have no effect.
    public var maximumLifetime = Duration.seconds(604_800)

    /// Whether to accept unsigned bodies.
    ///
    /// - `rejected`: the body must be signed. This rejects all requests to VPC Lattice, which never
    ///   signs it.
    /// - `allowedInURLs`: accepts unsigned bodies with presigned URLs of the S3 family, and with
    ///   VPC Lattice.
    /// - `allowed`: accepts all unsigned bodies, which can be changed in transit: use it over TLS
    ///   only. If the request's scheme isn't TLS, header-signed requests must still sign the body.
    public var unsignedPayloads = Acceptance.allowedInURLs

    /// Headers that must be present and signed, in addition to `host`. If a header named `x-amz-*`
    /// is present, it must always be signed. So must `x-goog-*` and `x-tos-*` if ``services``
    /// contains `.googleCloudStorage` or `.tos`, whichever service a request is signed for.
    public var signedHeaders: [String] = []

    /// Headers of these kinds that may be unsigned, by name: those that your own CDN or proxy adds,
    /// such as `x-amz-cf-id`.
    ///
    /// The verifier ignores them, so don't act on them. It rejects an unsigned header that belongs
    /// to the signature or the body, such as `x-amz-date`, even if it's listed here.
    public var unsignedHeaders: [String] = []

    /// Whether to accept unsigned content types.
    ///
    /// Browsers send them with uploads to presigned URLs. `curl --data-binary` and minio-go send
    /// them with header-signed requests. If someone changes one in transit, a browser could later
    /// run an uploaded picture as a web page.
    public var unsignedContentTypes = Acceptance.rejected

    /// Whether to accept temporary credentials. Their session token is always verified.
    public var sessionTokens = Acceptance.allowed

    /// The maximum size of a signed chunk in bytes. It's buffered until its signature is verified.
    ///
    /// Unsigned chunks have no maximum, since clients such as the AWS SDK for Rust send the whole
    /// body as one.
    public var maximumChunkByteCount = 16_777_216

    /// The meaning of `+` in a path, for services that decode paths. It must match how your router
    /// or framework reads paths.
    ///
    /// Amazon S3 reads a space. RFC 3986 and nearly all HTTP frameworks read a plus sign, so that's
    /// the default. Otherwise, a signature for `/a%20b` would also be valid for `/a+b`.
    public var plusSignInPaths = SigV4.Query.PlusSign.literal

    /// The meaning of `+` in a query. The default is a space, as in forms and for Amazon S3.
    public var plusInQueries = SigV4.Query.PlusSign.space

    /// Whether to accept paths with `.` or `..` segments, or that start with `//`. It has no effect
    /// for the S3 family, which doesn't normalize paths.
    ///
    /// Other services sign `/admin/../public/x` as `/public/x`, so both have the same signature. If
    /// you allow such paths, use ``VerifiedRequest/pathSegments`` instead of the received path.
    /// Some parsers read the first segment after `//` as a host.
    public var dotSegments = Acceptance.rejected

    /// Creates a strict verifier for services and regions.
    public init(services: [SigV4.Service], regions: [String]) {
      self.services = services
      self.regions = regions
    }

    /// Creates a strict verifier for one service in one region.
    public init(region: String, service: SigV4.Service) {
      self.init(services: [service], regions: [region])
    }

    /// Creates a verifier that's as lenient as Amazon S3 with bodies. Use it over TLS only.
    ///
    /// It accepts unsigned bodies, and unsigned content types with presigned URLs. Unlike Amazon
    /// S3, it doesn't read a plus sign in a path as a space (see ``plusSignInPaths``).
    public static func s3Compatible(
      services: [SigV4.Service] = [.s3], regions: [String]
    ) -> Verifier {
      var verifier = Verifier(services: services, regions: regions)
      verifier.unsignedPayloads = .allowed
      verifier.unsignedContentTypes = .allowedInURLs
      return verifier
    }

    /// Checks everything that doesn't need a key.
    ///
    /// - Parameters:
    ///   - request: the received request. If you use it again afterward, its memory is copied.
    ///   - now: the server's time.
    /// - Returns: The request with the access key ID of the key to look up.
    /// - Throws: A ``VerificationError`` with a code such as `notSigned`, `multipleSignatures`,
    ///   `malformedAuthorization`, `wrongScope`, `requestTimeTooSkewed`, `urlExpired` or
    ///   `unsignedHeader`.
    public func check(
      _ request: consuming ReceivedRequest, at now: Timestamp
    ) throws(VerificationError) -> UnverifiedRequest {
      try UnverifiedRequest(request, self, at: now)
    }
  }
}

extension SigV4 {
  /// Whether a verifier accepts an optional feature of requests. New values may be added.
  public struct Acceptance: Hashable, Sendable {
    private let name: String

    /// Rejects the request.
    public static let rejected = Self(name: "rejected")
    /// Accepts it in presigned URLs only.
    public static let allowedInURLs = Self(name: "allowedInURLs")
    /// Accepts it in every request.
    public static let allowed = Self(name: "allowed")

    /// Whether it's accepted for a signature location.
    func allows(_ location: SignatureLocation) -> Bool {
      self == .allowed || self == .allowedInURLs && location == .query
    }
  }
}

extension SigV4.Verifier {
  /// Returns a credential's service. Throws `wrongScope` if this verifier doesn't accept the
  /// service, or the region if the scope has one. S3 Express has two services of the same name,
  /// which differ in the session token.
  func service(
    of scope: SigV4.CredentialScope.Parts, in text: TextSpan, hasS3SessionToken: Bool,
    _ source: SigV4.Claim.Source
  ) throws(SigV4.VerificationError) -> SigV4.Service {
    let name = text.extracting(scope.service)
    var found: SigV4.Service?
    for service in services where service.names == scope.names && service.isNamed(name) {
      let isOfS3SessionToken = service.sessionTokenRule == .signedAsS3SessionToken
      if isOfS3SessionToken == hasS3SessionToken {
        found = service
        break
      }
      found = found ?? service
    }
    let region = text.extracting(scope.region)
    var hasRegion = scope.region.isEmpty
    for index in regions.indices where !hasRegion {
      hasRegion = regions[index].hasSameBytes(as: region)
    }
    if let found, hasRegion { return found }
    throw .wrongScope(
      SigV4.CredentialScope(scope, of: text), nil, self, isRegionKnown: hasRegion, source)
  }

  /// Rejects a region set that includes none of this verifier's regions.
  func check(
    _ regionSet: Range<Int>?, _ scope: SigV4.CredentialScope.Parts, in text: TextSpan,
    _ source: SigV4.Claim.Source
  ) throws(SigV4.VerificationError) {
    guard let regionSet else { return }
    let claimed = text.extracting(regionSet)
    if SigV4.ClaimedRegions.hasOne(of: regions, claimed) { return }
    throw .wrongScope(
      SigV4.CredentialScope(scope, of: text), claimed.array, self, isRegionKnown: false, source)
  }

  /// Rejects a session token if the verifier doesn't accept any.
  func checkTokens(_ location: SigV4.SignatureLocation) throws(SigV4.VerificationError) {
    if sessionTokens.allows(location) { return }
    throw SigV4.VerificationError(
      .sessionTokenNotAllowed,
      "The request has a session token, but the verifier doesn't accept temporary credentials "
        + "here.",
      fix: "Use a long-term access key in the client, or set verifier.sessionTokens to .allowed.")
  }

  /// The allowed clock skew, in seconds.
  func window(of service: SigV4.Service) -> Int64 {
    max(0, clockTolerance?.limitedComponents.seconds ?? (service.isObjectStorage ? 900 : 300))
  }

  /// The maximum lifetime, in seconds.
  var maximumLifetimeInSeconds: Int64 { min(maximumLifetime.limitedComponents.seconds, 604_800) }
}
