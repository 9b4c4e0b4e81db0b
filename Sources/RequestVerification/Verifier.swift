// SPDX-License-Identifier: Apache-2.0
// What a request claims, before a key is looked up; and what a verifier accepts, as a value.

@_exported public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Verifies requests that clients have signed, in their headers or in their query.
  ///
  ///     let verifier = SigV4.Verifier(region: "us-east-1", service: .s3)
  ///     let claim = try verifier.claim(of: request, at: now)
  ///     let credentials = await credentials(of: claim.accessKeyID)     // the caller's business
  ///     let verified = try claim.verify(with: credentials)
  ///     let body = try verified.body(received)
  ///
  /// Its properties say what it accepts; it begins with the careful defaults:
  ///
  ///     var verifier = SigV4.Verifier(region: "us-east-1", service: .s3)
  ///     verifier.unsignedPayloads = .allowed      // behind TLS
  ///
  /// A claim proves nothing: do not believe any of it before `verify`. The same request can come
  /// twice within its window; Signature Version 4 has no means against that.
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

    /// By how much a client's clock may differ from the server's, either way. Nil: 900 seconds for
    /// S3 and its family, 300 for all other services, as AWS has it.
    public var clockTolerance: Duration?

    /// The maximum lifetime of a presigned URL, or of a form; never more than seven days.
    public var maximumLifetime = Duration.seconds(604_800)

    /// Whether a request may have a body that its signature does not cover.
    ///
    /// - `rejected`: the signature always covers the body. So no request to VPC Lattice is valid, which never
    ///   covers it.
    /// - `allowedInURLs`: presigned URLs of the S3 family leave the body open unless they say otherwise, and
    ///   so do all requests to VPC Lattice; others that are signed in their headers do not.
    /// - `allowed`: the body can be changed on its way without being noticed: only with TLS. Where the scheme
    ///   of the request says that there is none, a request that is signed in its headers is refused.
    public var unsignedPayloads = Acceptance.allowedInURLs

    /// Headers that have to be in the request and signed, beside `host`. Those named `x-amz-*` have to be
    /// signed whenever they are there, listed or not.
    public var signedHeaders: [String] = []

    /// `x-amz-*` headers that may be unsigned, by name: those that your own CDN or proxy adds, such as
    /// `x-amz-cf-id`.
    ///
    /// The verifier ignores them, so don't act on them. It rejects an unsigned header that belongs to the
    /// signature or the body, such as `x-amz-date`, even if it's listed here.
    public var unsignedHeaders: [String] = []

    /// Whether a request may have a content type that is not signed.
    ///
    /// Browsers send one with a file that a page puts to a presigned URL; `curl --data-binary` and programs
    /// that use minio-go send one with requests that are signed in their headers. On the way it can be
    /// changed, and a browser may later run as a page what was uploaded as a picture.
    public var unsignedContentTypes = Acceptance.rejected

    /// Whether temporary credentials may be used. The token has to be the one that belongs to the key.
    public var sessionTokens = Acceptance.allowed

    /// The maximum size of a chunk in bytes, never more than 268,435,455: a signed chunk is kept
    /// until its signature is checked.
    public var maximumChunkByteCount = 16_777_216

    /// What a '+' in a path means to a service that decodes paths. It has to be what it means to
    /// what acts on the path.
    ///
    /// Amazon S3 takes a space. RFC 3986 and nearly all HTTP frameworks take a plus sign, so that is
    /// the default: otherwise a signature for `/a%20b` would also open `/a+b`.
    public var plusInPaths = SigV4.Query.PlusSign.literal

    /// What a '+' in a query means; a space, as to forms and to Amazon S3.
    public var plusInQueries = SigV4.Query.PlusSign.space

    /// Whether the path may have segments `.` or `..`, or begin with `//`, for a service that drops
    /// these before it signs; it matters for no other.
    ///
    /// Services other than the S3 family sign `/admin/../public/x` as `/public/x`. A signature for
    /// the one is good for the other, and a server that acts on the path as it came acts on what was
    /// not signed: where you allow it, act on ``VerifiedRequest/pathSegments``. The same holds for `//` at
    /// the beginning, before which some readers see a host.
    public var dotSegments = Acceptance.rejected

    /// A verifier for these services and regions, with the careful defaults.
    public init(services: [SigV4.Service], regions: [String]) {
      self.services = services
      self.regions = regions
    }

    /// A verifier for one service in one region, with the careful defaults.
    public init(region: String, service: SigV4.Service) {
      self.init(services: [service], regions: [region])
    }

    /// What Amazon S3 accepts, but for a plus sign in paths (see ``plusInPaths``): bodies that are not
    /// signed, and content types that are not signed by a presigned URL. Behind TLS only.
    public static func likeS3(
      services: [SigV4.Service] = [.s3], regions: [String]
    ) -> Verifier {
      var verifier = Verifier(services: services, regions: regions)
      verifier.unsignedPayloads = .allowed
      verifier.unsignedContentTypes = .allowedInURLs
      return verifier
    }

    /// What a request claims: who signed it, for what, and when.
    ///
    /// Everything that can be refused without a key is refused here. `now` is the server's clock.
    ///
    /// Throws a ``VerificationError``: among its codes are `notSigned`, `mixedMechanisms`,
    /// `malformedAuthorization`, `wrongScope`, `requestTimeTooSkewed`, `urlExpired`,
    /// `unsignedHeader`.
    public func claim(
      of request: ReceivedRequest, at now: Timestamp
    ) throws(VerificationError) -> Claim {
      Claim(parts: try ClaimParts(request, self, at: now))
    }
  }
}

extension SigV4 {
  /// Whether a verifier accepts something that a request may have. More rules may come.
  public struct Acceptance: Hashable, Sendable {
    private let name: String

    /// A request that has it is refused.
    public static let rejected = Self(name: "rejected")
    /// Presigned URLs may have it.
    public static let allowedInURLs = Self(name: "allowedInURLs")
    /// Every request may have it.
    public static let allowed = Self(name: "allowed")

    /// Whether a request that is signed in one place may have it.
    func allows(_ mechanism: Mechanism) -> Bool {
      self == .allowed || self == .allowedInURLs && mechanism == .query
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
    let index = services.indices.first { services[$0].name.hasSameBytes(as: scope.service) }
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
    token: ArraySlice<UInt8>, _ mechanism: SigV4.Mechanism
  ) throws(SigV4.VerificationError) -> SymmetricKey {
    if sessionTokens.allows(mechanism) { return SymmetricKey(data: token) }
    throw SigV4.VerificationError(
      .sessionTokenRefused,
      "the request has a session token, and the verifier accepts no temporary credentials here; give the "
        + "client a key that does not expire, or accept session tokens")
  }

  /// In seconds.
  func window(of service: SigV4.Service) -> Int64 {
    max(0, clockTolerance?.components.seconds ?? (service.isObjectStorage ? 900 : 300))
  }

  /// The maximum lifetime, in seconds.
  var maximumLifetimeInSeconds: Int64 { min(maximumLifetime.components.seconds, 604_800) }
}
