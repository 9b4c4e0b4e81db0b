// SPDX-License-Identifier: Apache-2.0
// s3://bucket/key: an object as the command lines of object storage name it.

internal import CredentialProviders
internal import RequestSigning
internal import S3Signing

/// `s3://bucket/key`, in which everything after the bucket is the key, unchanged.
struct ObjectLocation {
  let bucket: String
  let key: String

  /// The origin of a store that is not Amazon S3.
  let endpoint: String?

  /// Where it was given.
  private let endpointName: String

  /// Which endpoints of Amazon S3 are used.
  private let settings: ServiceSettings

  private let addressing: SigV4.Bucket.Addressing

  /// An object. Nil when the text is another URL.
  init?(_ text: String, _ arguments: Arguments) throws {
    try self.init(bucketOrObject: text, arguments)
    if key.isEmpty {
      throw CommandError.usage("\(text) has no key; write s3://bucket/key")
    }
  }

  /// A bucket, with a key or without one. Nil when the text is another URL. Without an endpoint in
  /// the arguments those of the environment and of the profile count, as for other command lines.
  init?(bucketOrObject text: String, _ arguments: Arguments) throws {
    let scheme = "s3://"
    guard text.utf8.starts(with: scheme.utf8) else { return nil }
    let rest = text.utf8.dropFirst(scheme.utf8.count)
    var bucket = rest.prefix { $0 != UInt8(ascii: "/") }
    // The ARN of an access point has a slash itself.
    if bucket.starts(with: "arn:".utf8) && bucket.suffix(12).elementsEqual(":accesspoint".utf8) {
      bucket = rest.prefix(
        bucket.count + 1 + rest.dropFirst(bucket.count + 1).prefix { $0 != UInt8(ascii: "/") }.count
      )
    }
    let key = rest.dropFirst(bucket.count + 1)
    if bucket.isEmpty {
      throw CommandError.usage("\(text) has no bucket; write s3://bucket/key")
    }
    self.bucket = String(decoding: bucket, as: UTF8.self)
    self.key = String(decoding: key, as: UTF8.self)
    addressing = arguments.has("--virtual-hosted") ? .virtualHosted : .automatic
    if let endpoint = arguments.value("--endpoint") {
      self.endpoint = endpoint
      endpointName = "option --endpoint"
      settings = ServiceSettings()
    } else {
      var settings = try CommandCredentials(arguments).settings()
      if let region = arguments.value("--region") { settings.setRegion(region) }
      self.settings = settings
      endpoint = try settings.endpointURL(of: .s3)
      endpointName = "AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL or the profile"
    }
  }

  private func store(at url: String, region: String) throws -> SigV4.S3Endpoint {
    do throws(SigV4.SigningError) {
      return try .custom(url: url, region: region)
    } catch {
      if !Self.codesOfEndpoints.contains(error.code) { throw error }
      throw CommandError(.failure, "\(error) (\(endpointName))")
    }
  }

  private static var codesOfEndpoints: [SigV4.SigningError.Code] {
    [.invalidURL, .invalidHost, .invalidPath, .invalidPercentEncoding, .invalidEndpoint]
  }

  private var variant: SigV4.S3Endpoint.Variant {
    switch (settings.usesFIPSEndpoints, settings.usesDualStackEndpoints) {
    case (false, false): .standard
    case (true, false): .fips
    case (false, true): .dualStack
    case (true, true): .fipsDualStack
    }
  }

  /// Whether this is an access point in many regions of AWS.
  private var isMultiRegion: Bool { endpoint == nil && bucket.hasSuffix(".mrap") }

  /// S3, and the region that the host of the endpoint tells.
  var guess: ServiceGuess {
    if isMultiRegion { return .allRegions(of: "s3") }
    let origin = endpoint.flatMap { try? SigV4.Request("GET", url: $0) }
    let host = origin.map { String($0.host.prefix { $0 != ":" }) }
    return ServiceGuess(service: "s3", region: host.flatMap { ServiceGuess(host: $0).region })
  }

  /// A request for the object, or without a key for the bucket: GET lists it, PUT creates it.
  func request(
    _ method: String, query: [(String, String?)], headers: SigV4.Headers, payload: SigV4.Payload,
    in region: String
  ) throws -> (SigV4.Request, [SigV4.Bucket.KeyWarning]) {
    let bucket = try bucket(in: region)
    if !key.isEmpty {
      let object = try bucket.object(key)
      let request = try object.request(
        method, query: SigV4.Query(query), headers: headers, payload: payload)
      return (request, object.warnings)
    }
    // A parameter without a value names a part of the bucket: its tags, its policy.
    if method == "DELETE" && !query.contains(where: { $0.1 == nil || $0.1 == "" }) {
      throw CommandError.usage(
        "s3://\(self.bucket) has no key, so the whole bucket would be deleted; give a key, or the "
          + "https:// URL of the bucket when that is meant")
    }
    let lists = method == "GET" && query.allSatisfy { Self.parametersOfLists.contains($0.0) }
    let query = (lists ? [("list-type", "2")] : []) + query
    let request = try bucket.request(
      method, query: SigV4.Query(query), headers: headers, payload: payload)
    return (request, [])
  }

  /// Amazon S3 API Reference, ListObjectsV2.
  private static var parametersOfLists: [String] {
    [
      "prefix", "delimiter", "max-keys", "continuation-token", "start-after", "encoding-type",
      "fetch-owner",
    ]
  }

  /// The bucket: of the endpoint, or of Amazon S3.
  func bucket(in region: String) throws -> SigV4.Bucket {
    if let endpoint {
      return try SigV4.Bucket(
        bucket, at: store(at: endpoint, region: region), addressing: addressing)
    }
    if isMultiRegion {
      return try .multiRegionAccessPoint(bucket, variant: variant, addressing: addressing)
    }
    return try .aws(bucket, region: region, variant: variant, addressing: addressing)
  }
}
