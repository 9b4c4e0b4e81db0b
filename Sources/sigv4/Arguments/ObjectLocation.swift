// SPDX-License-Identifier: Apache-2.0
// Parses s3://bucket/key.

internal import CredentialProviders
internal import RequestSigning
internal import S3Signing

/// An object or bucket as `s3://bucket/key`. Everything after the bucket is the unencoded key.
struct ObjectLocation {
  let bucket: String
  let key: String

  /// The endpoint URL of a store other than Amazon S3, or nil.
  let endpoint: String?

  /// The options or variables that set the endpoint, for error messages.
  private let endpointName: String

  /// The settings for endpoints of Amazon S3, such as FIPS.
  private let settings: ServiceSettings

  /// The settings of Amazon S3 alone, which apply to other stores, too.
  private let s3: S3Settings

  private let addressing: SigV4.Bucket.Addressing

  /// Parses an object. Returns nil if the string is a different kind of URL.
  init?(_ text: String, _ arguments: Arguments) throws {
    try self.init(bucketOrObject: text, arguments)
    if key.isEmpty {
      throw CommandError(.usage, "\(text) has no key.", fix: "Use s3://bucket/key.")
    }
  }

  /// Parses a bucket with or without a key. Returns nil if the string is a different kind of URL.
  /// If the arguments contain no endpoint, uses the one from the environment or the profile, like
  /// the AWS CLI.
  init?(bucketOrObject text: String, _ arguments: Arguments) throws {
    let scheme = "s3://"
    guard text.utf8.starts(with: scheme.utf8) else { return nil }
    try GivenURL.check(text)
    (bucket, key) = Self.parts(ofPlace: text.utf8.dropFirst(scheme.utf8.count))
    var settings = try CommandCredentials(arguments).settings()
    s3 = settings.s3
    addressing = arguments.has("--virtual-hosted") ? .virtualHosted : s3.addressing
    if let endpoint = arguments.value("--endpoint") {
      self.endpoint = SentURL.text(of: endpoint)
      endpointName = "--endpoint"
      self.settings = ServiceSettings()
    } else {
      if let region = arguments.value("--region") { settings.setRegion(region) }
      self.settings = settings
      endpoint = try settings.endpointURL(of: .s3).map { SentURL.text(of: $0) }
      endpointName = "AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL and the profile"
    }
  }

  /// Splits `bucket/key`. The resource of an access point's ARN has slashes or colons:
  /// `accesspoint/NAME`, or `outpost/ID/accesspoint/NAME` (S3, User Guide, "Using Amazon S3 access
  /// points").
  static func parts(ofPlace place: some Collection<UInt8>) -> (bucket: String, key: String) {
    let (slash, colon) = (UInt8(ascii: "/"), UInt8(ascii: ":"))
    let start = place.prefix { $0 != slash }
    let fields = start.split(
      separator: colon, maxSplits: 5, omittingEmptySubsequences: false)
    var bucketByteCount = start.count
    if fields.count == 6 && fields[0].elementsEqual("arn".utf8) {
      let fieldCount = fields[5].first == UInt8(ascii: "o") ? 4 : 2
      let missing = fieldCount - fields[5].split(separator: colon).count
      for _ in 0..<max(missing, 0) {
        let rest = place.dropFirst(bucketByteCount)
        bucketByteCount += rest.prefix(1).count + rest.dropFirst().prefix { $0 != slash }.count
      }
    }
    return (
      String(decoding: place.prefix(bucketByteCount), as: UTF8.self),
      String(decoding: place.dropFirst(bucketByteCount + 1), as: UTF8.self)
    )
  }

  private func store(at url: String, region: String) throws -> SigV4.S3Endpoint {
    do throws(SigV4.SigningError) {
      return try .custom(url: url, region: region)
    } catch {
      if !Self.codesOfEndpoints.contains(error.code) { throw error }
      throw CommandError(
        .failure, "\(error.code.name): \(error.problem)", fix: "\(error.fix) Check \(endpointName)."
      )
    }
  }

  private static var codesOfEndpoints: [SigV4.SigningError.Code] {
    [.invalidURL, .invalidHost, .invalidPath, .invalidPercentEncoding, .invalidEndpoint]
  }

  private func variant() throws -> SigV4.S3Endpoint.Variant {
    let isDualStack = settings.usesDualStackEndpoints || s3.usesDualStackEndpoints
    switch (settings.usesFIPSEndpoints, isDualStack, s3.usesAccelerateEndpoints) {
    case (false, false, false): return .standard
    case (true, false, false): return .fips
    case (false, true, false): return .dualStack
    case (true, true, false): return .fipsDualStack
    case (false, false, true): return .accelerate
    case (false, true, true): return .accelerateDualStack
    case (true, _, true): throw Self.unaccelerated("FIPS endpoints don't")
    }
  }

  private static func unaccelerated(_ subject: String) -> CommandError {
    CommandError(
      .failure, "\(subject) support use_accelerate_endpoint.",
      fix: "Remove the setting below s3 = from the profile.")
  }

  /// Whether this is a multi-region access point.
  private var isMultiRegion: Bool { endpoint == nil && bucket.hasSuffix(".mrap") }

  /// The access point of one region that an ARN names, or nil.
  private var accessPoint: SigV4.S3Endpoint? {
    if endpoint != nil { return nil }
    return try? SigV4.Bucket.accessPoint(bucket).endpoint
  }

  /// The service and region of an access point, or S3 and the region in the host, if any.
  var guess: ServiceGuess {
    if isMultiRegion { return .allRegions(of: "s3") }
    if let point = accessPoint {
      return ServiceGuess(service: point.service.name, region: point.region)
    }
    let origin = endpoint.flatMap { try? SigV4.Request("GET", url: $0) }
    let host = origin.map { String($0.host.prefix { $0 != ":" }) }
    let known = host.map { ServiceGuess(host: $0) }
    if let known, known.service == "s3", known.regionSet == nil { return known }
    return ServiceGuess(service: "s3", region: known?.region)
  }

  /// Creates a request for the object, or for the bucket if there is no key: GET lists it, PUT
  /// creates it. Also returns warnings about the key.
  func request(
    _ method: String, query: [(String, String?)], headers: SigV4.Headers, payload: SigV4.Payload,
    in region: String
  ) throws -> (SigV4.Request, [SigV4.Bucket.Warning]) {
    let bucket = try bucket(in: region)
    if !key.isEmpty {
      let object = try bucket.object(key)
      let request = try object.request(
        method, query: SigV4.Query(query), headers: headers, payload: payload)
      return (request, object.warnings)
    }
    let isOfPart = query.contains { Self.deletableParts.contains($0.0) && ($0.1 ?? "").isEmpty }
    if method == "DELETE" && !isOfPart {
      throw CommandError(
        .usage, "s3://\(self.bucket) has no key, so this request would delete the whole bucket.",
        fix: "Pass a key, or a part of the bucket such as --query tagging. To delete the bucket, "
          + "use its https:// URL.")
    }
    let lists = method == "GET" && query.allSatisfy { Self.parametersOfLists.contains($0.0) }
    let query = (lists ? [("list-type", "2")] : []) + query
    let request = try bucket.request(
      method, query: SigV4.Query(query), headers: headers, payload: payload)
    return (request, [])
  }

  /// The parts of a bucket that a DELETE request removes instead of the bucket. Source: the
  /// service model "s3" of botocore 1.43.11.
  private static var deletableParts: [String] {
    [
      "analytics", "cors", "encryption", "intelligent-tiering", "inventory", "lifecycle",
      "metadataConfiguration", "metadataTable", "metrics", "ownershipControls", "policy",
      "publicAccessBlock", "replication", "tagging", "website",
    ]
  }

  /// The parameters of a list request. Source: Amazon S3 API Reference, ListObjectsV2.
  private static var parametersOfLists: [String] {
    [
      "prefix", "delimiter", "max-keys", "continuation-token", "start-after", "encoding-type",
      "fetch-owner",
    ]
  }

  /// The bucket at the endpoint, or at Amazon S3.
  func bucket(in region: String) throws -> SigV4.Bucket {
    if let endpoint {
      if s3.usesAccelerateEndpoints { throw Self.unaccelerated("\(endpoint) doesn't") }
      if bucket.hasPrefix("arn:") {
        throw CommandError(
          .usage, "\(bucket) is an ARN, and only Amazon S3 has access points.",
          fix: "Pass the name of a bucket, or unset \(endpointName).")
      }
      return try SigV4.Bucket(
        bucket, at: store(at: endpoint, region: region), addressing: addressing)
    }
    let variant = try variant()
    do throws(SigV4.SigningError) {
      return try bucketOfAWS(in: region, variant)
    } catch {
      // Without these settings, the bucket may have an endpoint.
      guard error.code == .conflictingEndpoint, (try? bucketOfAWS(in: region, .standard)) != nil
      else { throw error }
      throw CommandError(
        .failure, "\(error.code.name): \(error.problem)",
        fix: variantFix)
    }
  }

  private func bucketOfAWS(
    in region: String, _ variant: SigV4.S3Endpoint.Variant
  ) throws(SigV4.SigningError) -> SigV4.Bucket {
    if isMultiRegion {
      return try .multiRegionAccessPoint(bucket, variant: variant, addressing: addressing)
    }
    if bucket.hasPrefix("arn:") { return try .accessPoint(bucket, variant: variant) }
    return try .aws(bucket, region: region, variant: variant, addressing: addressing)
  }

  /// How to select no variant.
  private var variantFix: String {
    let variables = [
      settings.usesDualStackEndpoints ? "AWS_USE_DUALSTACK_ENDPOINT" : nil,
      settings.usesFIPSEndpoints ? "AWS_USE_FIPS_ENDPOINT" : nil,
    ].compactMap(\.self)
    if s3.usesAccelerateEndpoints || variables.isEmpty {
      return "Remove use_accelerate_endpoint or use_dualstack_endpoint below s3 = from the profile."
    }
    return "Unset \(variables.joined(separator: " and ")), or remove the setting from the profile."
  }
}

extension S3Settings {
  fileprivate var addressing: SigV4.Bucket.Addressing {
    switch addressingStyle {
    case .automatic: .automatic
    case .virtual: .virtualHosted
    case .path: .path
    }
  }
}
