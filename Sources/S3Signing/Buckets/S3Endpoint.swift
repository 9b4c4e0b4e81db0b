// SPDX-License-Identifier: Apache-2.0
// Endpoints of Amazon S3 and S3-compatible stores.

public import RequestSigning

extension SigV4 {
  /// An endpoint of Amazon S3, Cloudflare R2, MinIO or another S3-compatible store.
  ///
  ///     try SigV4.S3Endpoint.aws(region: "eu-west-1", variant: .dualStack)
  ///     try SigV4.S3Endpoint.r2(account: "0123456789abcdef0123456789abcdef", jurisdiction: .eu)
  ///     try SigV4.S3Endpoint.minIO(url: "http://127.0.0.1:9000")
  ///
  /// It includes the region and service, so ``signer(credentials:)`` needs only credentials.
  public struct S3Endpoint: Hashable, Sendable {
    /// The scheme: `https`, or `http` for your own store.
    public let scheme: Scheme

    /// The host without a bucket, and its port unless it's the default of the scheme.
    public let host: String

    /// The region in the credential scope: "auto" for R2, empty for Multi-Region Access Points.
    public let region: String

    /// The service and its signing rules.
    public let service: Service

    let kind: Kind

    /// The path before every bucket and key, percent-encoded, such as "/storage/v1/s3". Empty for
    /// most stores.
    public var path: String {
      if plainPath.isEmpty { return "" }
      return "/" + String(decoding: URIEncoding.encode(plainPath, as: .path), as: UTF8.self)
    }

    /// The path as plain bytes, without the leading '/'.
    var plainPath: [UInt8] = []

    /// The path before a bucket or key, as plain bytes. It ends with '/' unless it's empty.
    var pathStart: [UInt8] {
      plainPath.isEmpty || plainPath.last == ASCIIByte.slash
        ? plainPath : plainPath + [ASCIIByte.slash]
    }

    /// The rules for bucket names and addressing.
    enum Kind: Hashable {
      case aws(Variant)
      case multiRegion
      /// The name before the host, and the ARN with which a copy names its source, or nil if that
      /// isn't supported.
      case accessPoint(name: String, source: String?)
      case s3ExpressZone(zoneID: String)
      case s3ExpressControl
      case anyStore
      /// A store that supports only path addressing.
      case pathStore
      /// A store that supports only virtual-hosted addressing.
      case hostStore
      /// A store that supports path addressing for older buckets only.
      case hostFirstStore
    }

    /// Returns the endpoint of Amazon S3 in a region of any partition, including China and
    /// GovCloud.
    ///
    /// - Throws: `invalidRegion` if the region isn't valid, and `conflictingEndpoint` for a variant
    ///   that the partition doesn't support.
    public static func aws(
      region: String, variant: Variant = .standard
    ) throws(SigningError) -> Self {
      let partition = try AWSPartition(region: region)
      try variant.check(in: partition, region: region)
      let name = variant.isAccelerated ? "s3-accelerate" : variant.isFIPS ? "s3-fips" : "s3"
      let place = variant.isAccelerated ? "" : region + "."
      // Amazon S3, User Guide, "Amazon S3 endpoints".
      return Self(
        scheme: .https, host: name + variant.dualStackLabel + "." + place + partition.domain,
        region: region, service: .s3, kind: .aws(variant))
    }

    /// Returns the endpoint of a Cloudflare R2 account, whose ID is 32 hexadecimal digits.
    ///
    /// - Throws: `invalidEndpoint` if the account ID isn't valid.
    public static func r2(
      account: String, jurisdiction: Jurisdiction = .default
    ) throws(SigningError) -> Self {
      let isID = account.utf8.allSatisfy { ASCIIByte.hexadecimalValue($0) != nil }
      if account.utf8.count != 32 || !isID {
        throw SigningError(
          .invalidEndpoint,
          "\(quoted: account) isn't a Cloudflare account ID.",
          fix: """
            Use only the 32 hexadecimal digits next to R2 in the dashboard, without https:// or a \
            domain.
            """)
      }
      let url = "https://" + account + jurisdiction.label + ".r2.cloudflarestorage.com"
      return try custom(url: url, region: "auto")
    }

    /// Returns the endpoint of a MinIO server, such as `http://127.0.0.1:9000`.
    ///
    /// - Throws: The errors of ``custom(url:region:service:)``.
    public static func minIO(
      url: String, region: String = "us-east-1"
    ) throws(SigningError) -> Self {
      try custom(url: url, region: region)
    }

    /// Returns the endpoint of any other store, from its URL and region.
    ///
    ///     try .custom(
    ///       url: "https://REF.storage.supabase.co/storage/v1/s3", region: "eu-central-1")
    ///
    /// The path precedes every bucket and key, both sent and signed, as in boto3.
    ///
    /// - Throws: `invalidURL`, `invalidHost`, `invalidPath` or `invalidPercentEncoding` if the
    ///   string isn't a URL, `invalidEndpoint` for a URL with a query, a user, a fragment, an empty
    ///   or dot segment, or a scheme other than http and https, and `invalidRegion`.
    public static func custom(
      url: String, region: String, service: Service = .s3
    ) throws(SigningError) -> Self {
      let origin = try origin(url)
      let isHTTP = origin.scheme == .https || origin.scheme == .http
      let path = URIEncoding.decode(origin.path.strict)
      if !isHTTP || !origin.query.isEmpty || !isPlain(url) || !isPath(path) {
        throw SigningError(
          .invalidEndpoint,
          """
          The endpoint at \(quoted: origin.host) has a query, a user, a fragment, an empty or dot \
          segment in its path, or a scheme other than http and https.
          """,
          fix: """
            Use only the scheme, host, port and path, such as https://example.com/s3, and pass the \
            bucket separately.
            """)
      }
      try CredentialScope.checkRegion(region)
      return Self(
        scheme: origin.scheme, host: origin.host, region: region, service: service,
        kind: NamedStore.at(origin.host)?.store.kind ?? .anyStore,
        plainPath: Array(path.dropFirst()))
    }

    /// Whether a URL has no fragment and no user, which requests drop.
    private static func isPlain(_ url: String) -> Bool {
      let parts = url.utf8.split(
        separator: ASCIIByte.slash, maxSplits: 3, omittingEmptySubsequences: false)
      return !url.utf8.contains(ASCIIByte.hash) && !parts.prefix(3).joined().contains(ASCIIByte.at)
    }

    /// Whether all segments of a path arrive unchanged. HTTP clients and proxies resolve "." and
    /// "..", and merge slashes.
    private static func isPath(_ path: [UInt8]) -> Bool {
      let segments = path.dropFirst().split(
        separator: ASCIIByte.slash, omittingEmptySubsequences: false)
      return !segments.dropLast().contains { $0.isEmpty }
        && !segments.contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
    }

    private static func origin(_ url: String) throws(SigningError) -> Request {
      do {
        return try Request("GET", url: url)
      } catch  where error.code == .invalidURL {
        throw SigningError(
          .invalidURL,
          "\(error.problem)",
          fix: "Write the endpoint as https://host/path or http://host:port.")
      }
    }

    /// Returns the endpoint that creates, deletes and lists the directory buckets of a region (S3
    /// Express).
    ///
    /// - Throws: `invalidRegion`, and `conflictingEndpoint` for a variant that S3 Express doesn't
    ///   support.
    public static func s3ExpressControl(
      region: String, variant: Variant = .standard
    ) throws(SigningError) -> Self {
      try s3Express(
        variant.isFIPS ? "s3express-control-fips" : "s3express-control", region: region,
        variant: variant, kind: .s3ExpressControl)
    }

    /// Returns the endpoint of a zone. The names of its directory buckets precede its host.
    static func s3ExpressZone(
      _ zoneID: String, region: String, variant: Variant
    ) throws(SigningError) -> Self {
      try s3Express(
        (variant.isFIPS ? "s3express-fips-" : "s3express-") + zoneID, region: region,
        variant: variant, kind: .s3ExpressZone(zoneID: zoneID))
    }

    private static func s3Express(
      _ name: String, region: String, variant: Variant, kind: Kind
    ) throws(SigningError) -> Self {
      let partition = try AWSPartition(region: region)
      try variant.check(in: partition, region: region)
      if variant.isAccelerated {
        throw SigningError(
          .conflictingEndpoint,
          "S3 Express doesn't support S3 Accelerate.",
          fix: "Use the variant .standard, .dualStack, .fips or .fipsDualStack.")
      }
      return Self(
        scheme: .https, host: name + variant.dualStackLabel + "." + region + "." + partition.domain,
        region: region, service: .s3ExpressControl, kind: kind)
    }

    /// Creates a signer for the region and service of this endpoint.
    ///
    /// - Throws: `conflictingEndpoint` for Multi-Region Access Points, and the errors of
    ///   `SigV4.Signer.init(credentials:region:service:)`.
    public func signer(credentials: Credentials) throws(SigningError) -> Signer {
      try checkRegion()
      return try Signer(credentials: credentials, region: region, service: service)
    }

    /// Creates a request to the endpoint itself, such as a GET that lists the buckets.
    ///
    /// - Throws: `conflictingEndpoint` for S3 Accelerate and access points, and the errors of
    ///   `SigV4.Request.init(_:scheme:host:path:query:headers:payload:)`.
    public func request(
      _ method: String, query: Query = .empty, headers: Headers = [:], payload: Payload = .empty
    ) throws(SigningError) -> Request {
      let isAccelerated = if case .aws(let variant) = kind { variant.isAccelerated } else { false }
      if isAccelerated || isAccessPoint {
        throw SigningError(
          .conflictingEndpoint,
          """
          S3 Accelerate and access points support only buckets and their objects, but this request \
          has no bucket.
          """,
          fix: "Use S3Endpoint.aws with the variant .standard or .dualStack for it.")
      }
      return try Request(
        method, scheme: scheme, host: host, path: .plain(plainPath), query: query, headers: headers,
        payload: payload)
    }
  }
}

extension SigV4.Path {
  /// Creates a path in object storage from plain bytes, without the leading '/'.
  static func plain(_ bytes: [UInt8]) throws(SigV4.SigningError) -> Self {
    bytes.isEmpty ? .root : try .key(bytes: bytes)
  }
}

extension SigV4.S3Endpoint: CustomStringConvertible {
  /// The scheme, host, path, region and service.
  public var description: String {
    "S3Endpoint(\(scheme.name)://\(host)\(path), \(region), \(service.name))"
  }
}

extension SigV4.S3Endpoint {
  /// An AWS endpoint of a region. Only the combinations that AWS supports exist.
  public struct Variant: Hashable, Sendable {
    var isDualStack = false
    var isFIPS = false
    var isAccelerated = false

    /// IPv4 only: `s3.eu-west-1.amazonaws.com`.
    public static let standard = Self()
    /// IPv4 and IPv6: `s3.dualstack.eu-west-1.amazonaws.com`.
    public static let dualStack = Self(isDualStack: true)
    /// Cryptography validated by FIPS 140: `s3-fips.us-east-1.amazonaws.com`.
    public static let fips = Self(isFIPS: true)
    /// FIPS 140 over IPv4 and IPv6.
    public static let fipsDualStack = Self(isDualStack: true, isFIPS: true)
    /// S3 Transfer Acceleration: `s3-accelerate.amazonaws.com`. Enable it for the bucket first.
    public static let accelerate = Self(isAccelerated: true)
    /// S3 Transfer Acceleration over IPv4 and IPv6.
    public static let accelerateDualStack = Self(isDualStack: true, isAccelerated: true)

    var dualStackLabel: String { isDualStack ? ".dualstack" : "" }

    func check(
      in partition: SigV4.AWSPartition, region: String
    ) throws(SigV4.SigningError) {
      if partition.isChina && (isFIPS || isAccelerated) {
        throw SigV4.SigningError(
          .conflictingEndpoint,
          "\(quoted: region) is in AWS China, which doesn't support FIPS or S3 Accelerate.",
          fix: "Use the variant .standard or .dualStack.")
      }
    }
  }

  /// The jurisdiction in which R2 stores a bucket's objects.
  public struct Jurisdiction: Hashable, Sendable {
    let label: String

    /// Buckets without a jurisdiction.
    public static let `default` = Self(label: "")
    /// The European Union.
    public static let eu = Self(label: ".eu")
    /// FedRAMP.
    public static let fedramp = Self(label: ".fedramp")
  }
}
