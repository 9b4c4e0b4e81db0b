// SPDX-License-Identifier: Apache-2.0
// What a verifier accepts, as a value, and the first phase of verification, which needs no key.

@_exported public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Verifies requests that clients have signed, in their headers or in their query.
  ///
  ///     let verifier = SigV4.Verifier(region: "us-east-1", service: .s3)
  ///     let unverified = try verifier.check(request, at: now)
  ///     let credentials = await credentials(of: unverified.accessKeyID)     // your look-up
  ///     let verified = try unverified.verify(with: credentials)
  ///     let body = try verified.body(received)
  ///
  /// Its properties configure what it accepts. The defaults are strict:
  ///
  ///     var verifier = SigV4.Verifier(region: "us-east-1", service: .s3)
  ///     verifier.unsignedPayloads = .allowed      // over TLS only
  ///
  /// Don't act on a request before `verify` returns. The same request can arrive twice within its window:
  /// Signature Version 4 doesn't prevent that.
  public struct Verifier: Hashable, Sendable {
    /// The services that may stand in the scope, with their rules.
    public var services: [SigV4.Service]

    /// The regions that may stand in the scope.
    public var regions: [String]

    /// The algorithms that a request may be signed with: Signature Version 4 alone. A claim says which
    /// one it is, and needs a key of that algorithm.
    ///
    /// With `ecdsaP256SHA256` one of ``regions`` has to be in the set that is signed.
    public var algorithms: [Algorithm] = [.hmacSHA256]

    /// The maximum difference between the clocks of client and server. Nil uses AWS's values: 900 seconds for
    /// the S3 family, 300 for other services.
    public var clockTolerance: Duration?

    /// The maximum lifetime of presigned URLs and forms. Values above seven days have no effect.
    public var maximumLifetime = Duration.seconds(604_800)

    /// Whether to accept unsigned bodies.
    ///
    /// - `rejected`: the body must be signed. This rejects all requests to VPC Lattice, which never signs it.
    /// - `allowedInURLs`: accepts unsigned bodies with presigned URLs of the S3 family, and with VPC Lattice.
    /// - `allowed`: accepts all unsigned bodies, which can be changed in transit: use it over TLS only. If the
    ///   request's scheme isn't TLS, header-signed requests must still sign the body.
    public var unsignedPayloads = Acceptance.allowedInURLs

    /// Headers that must be present and signed, in addition to `host`. Headers named `x-amz-*` must always be
    /// signed if they are present.
    public var signedHeaders: [String] = []

    /// `x-amz-*` headers that may be unsigned, by name: those that your own CDN or proxy adds, such as
    /// `x-amz-cf-id`.
    ///
    /// The verifier ignores them, so don't act on them. It rejects an unsigned header that belongs to the
    /// signature or the body, such as `x-amz-date`, even if it's listed here.
    public var unsignedHeaders: [String] = []

    /// Whether to accept unsigned content types.
    ///
    /// Browsers send them with uploads to presigned URLs. `curl --data-binary` and minio-go send them with
    /// header-signed requests. If someone changes one in transit, a browser could later run an uploaded
    /// picture as a web page.
    public var unsignedContentTypes = Acceptance.rejected

    /// Whether to accept temporary credentials. Their session token is always verified.
    public var sessionTokens = Acceptance.allowed

    /// The maximum chunk size in bytes, up to 268,435,455. A signed chunk is buffered until its signature is
    /// verified.
    public var maximumChunkByteCount = 16_777_216

    /// What a '+' in a path means to a service that decodes paths. It has to be what it means to
    /// what acts on the path.
    ///
    /// Amazon S3 takes a space. RFC 3986 and nearly all HTTP frameworks take a plus sign, so that is
    /// the default: otherwise a signature for `/a%20b` would also open `/a+b`.
    public var plusSignInPaths = SigV4.Query.PlusSign.literal

    /// What a '+' in a query means; a space, as to forms and to Amazon S3.
    public var plusInQueries = SigV4.Query.PlusSign.space

    /// Whether to accept paths with `.` or `..` segments, or that start with `//`. It has no effect for the S3
    /// family, which doesn't normalize paths.
    ///
    /// Other services sign `/admin/../public/x` as `/public/x`, so both have the same signature. If you allow
    /// such paths, use ``VerifiedRequest/pathSegments`` instead of the received path. Some parsers read the
    /// first segment after `//` as a host.
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

    /// What Amazon S3 accepts, but for a plus sign in paths (see ``plusSignInPaths``): bodies that are not
    /// signed, and content types that are not signed by a presigned URL. Behind TLS only.
    public static func s3Compatible(
      services: [SigV4.Service] = [.s3], regions: [String]
    ) -> Verifier {
      var verifier = Verifier(services: services, regions: regions)
      verifier.unsignedPayloads = .allowed
      verifier.unsignedContentTypes = .allowedInURLs
      return verifier
    }

    /// Checks everything that needs no key, and returns the request with the access key ID of the key to look up.
    /// `now` is the server's time.
    ///
    /// Throws a ``VerificationError`` with codes such as `notSigned`, `multipleSignatures`,
    /// `malformedAuthorization`, `wrongScope`, `requestTimeTooSkewed`, `urlExpired`,
    /// `unsignedHeader`.
    public func check(
      _ request: ReceivedRequest, at now: Timestamp
    ) throws(VerificationError) -> UnverifiedRequest {
      UnverifiedRequest(parts: try ClaimParts(request, self, at: now))
    }
  }
}

extension SigV4 {
  /// Whether a verifier accepts an optional feature of requests. There may be more values in the future.
  public struct Acceptance: Hashable, Sendable {
    private let name: String

    /// Rejects the request.
    public static let rejected = Self(name: "rejected")
    /// Accepts it in presigned URLs only.
    public static let allowedInURLs = Self(name: "allowedInURLs")
    /// Accepts it in every request.
    public static let allowed = Self(name: "allowed")

    /// Whether it's accepted for a location of the signature.
    func allows(_ location: SignatureLocation) -> Bool {
      self == .allowed || self == .allowedInURLs && location == .query
    }
  }
}

extension SigV4.Verifier {
  /// The service of a credential that is for this server, and for its region if the scope has one.
  func service(
    of credential: SigV4.ClaimedCredential,
    malformed: @autoclosure () -> SigV4.VerificationError.Code
  ) throws(SigV4.VerificationError) -> SigV4.Service {
    let scope = credential.scope
    let index = services.indices.first { services[$0].isNamed(scope.service) }
    let hasRegion =
      scope.region.isEmpty || regions.contains { $0.hasSameBytes(as: scope.region) }
    if let index, hasRegion { return services[index] }
    throw .wrongScope(scope, nil, self, isRegionKnown: hasRegion, malformed: malformed())
  }

  /// Refuses a set of regions without one of this server.
  func check(
    _ claimed: SigV4.ClaimedRegions?, _ scope: SigV4.CredentialScope,
    malformed: @autoclosure () -> SigV4.VerificationError.Code
  ) throws(SigV4.VerificationError) {
    guard let claimed, !claimed.hasOne(of: regions) else { return }
    throw .wrongScope(scope, claimed, self, isRegionKnown: false, malformed: malformed())
  }

  /// A session token, as a key so that nothing prints it. Secret.
  func accepted(
    token: ArraySlice<UInt8>, _ location: SigV4.SignatureLocation
  ) throws(SigV4.VerificationError) -> SymmetricKey {
    if sessionTokens.allows(location) { return SymmetricKey(data: token) }
    throw SigV4.VerificationError(
      .sessionTokenNotAllowed,
      "The request has a session token, but the verifier doesn't accept temporary credentials "
        + "here.",
      fix: "Use a long-term access key in the client, or set verifier.sessionTokens to .allowed.")
  }

  /// In seconds.
  func window(of service: SigV4.Service) -> Int64 {
    max(0, clockTolerance?.components.seconds ?? (service.isObjectStorage ? 900 : 300))
  }

  /// The maximum lifetime, in seconds.
  var maximumLifetimeInSeconds: Int64 { min(maximumLifetime.components.seconds, 604_800) }
}
