// SPDX-License-Identifier: Apache-2.0
// Creates a request and its signer from the arguments and the environment.

internal import CredentialProviders
internal import MultiRegionSigning
internal import S3Signing
internal import RequestSigning

/// A request from the arguments, and everything needed to sign it.
struct SigningOptions {
  let request: SigV4.Request
  let signer: SigV4.Signer
  let timestamp: SigV4.Timestamp
  let body: RequestBody

  /// The address that curl connects to if it differs from the signed host, or nil.
  let connectTo: ConnectTo?

  /// Warnings about changes to the object key in transit.
  let warnings: [SigV4.Bucket.Warning]

  private let arguments: Arguments

  static var specifications: [OptionSpecification] {
    .named("-X", "-d") + requestSpecifications + .named("--json")
  }

  /// The options that all requests share.
  static var requestSpecifications: [OptionSpecification] {
    .named(
      "-H", "--utf8-headers", "--query", "--unsigned-payload", "--unsigned-header", "--profile",
      "--region",
      "--region-set", "--service", "--endpoint", "--virtual-hosted", "--at", "--curl", "--quiet")
  }

  init(_ arguments: Arguments) async throws {
    let url = try GivenURL.only(arguments.operands)
    if arguments.has("--curl") && arguments.has("--json") {
      throw CommandError(
        .usage, "--curl and --json can't be used together.", fix: "Remove one of them.")
    }
    let body = RequestBody(parts: arguments.values("-d"))
    let payload =
      arguments.has("--unsigned-payload") ? SigV4.Payload.unsigned : try body.payload()
    try await self.init(
      arguments, arguments.value("-X") ?? (body.isEmpty ? "GET" : "POST"), url: url,
      payload: payload, body: body)
  }

  /// Creates a request to an https:// or s3:// URL.
  init(
    _ arguments: Arguments, _ method: String, url: String, payload: SigV4.Payload,
    body: RequestBody = RequestBody(parts: [])
  ) async throws {
    let headers = try Self.headers(of: arguments)
    if let location = try ObjectLocation(bucketOrObject: url, arguments) {
      if !headers.values(named: "host").isEmpty {
        throw CommandError(
          .usage, "-H Host can't be used with \(url).",
          fix: "Use --endpoint for the host, and curl's --connect-to for the address to connect to."
        )
      }
      let scope = try Self.scope(arguments, location.guess, of: url)
      (request, warnings) = try location.request(
        method, query: Self.parameters(arguments), headers: headers, payload: payload,
        in: scope.region)
      connectTo = nil
      signer = try await Self.signer(arguments, scope, for: request)
    } else {
      if let name = ["--endpoint", "--query", "--virtual-hosted"].first(where: arguments.has) {
        throw CommandError(
          .usage, "\(name) can be used only with s3://bucket/key.",
          fix: "Remove it. Any other URL contains its server and query.")
      }
      if arguments.has("--region") && arguments.has("--region-set") {
        throw CommandError(
          .usage, "--region and --region-set can be combined only for s3://bucket/key.",
          fix: "Remove one of them.")
      }
      let url = SentURL.text(of: url)
      connectTo = try ConnectTo(url, headers)
      request = try SigV4.Request(
        method, url: connectTo.map { SentURL.text(of: $0.url) } ?? url, headers: headers,
        payload: payload)
      warnings = []
      let guess = try Self.guess(request, url, arguments)
      signer = try await Self.signer(
        arguments, Self.scope(arguments, guess, of: request.host), for: request)
    }
    self.arguments = arguments
    self.body = body
    timestamp = try Self.timestamp(arguments.value("--at"))
  }

  /// Prints warnings on standard error: changes to the object key in transit, values that the
  /// server ignores, misreads or rejects, and unsigned parts.
  func tellWarnings(
    about sent: SigV4.Request, unsigned headers: SigV4.Headers, other others: SigV4.Headers
  ) {
    let found = signer.service.isObjectStorage ? sent.objectStorageWarnings : []
    let texts = found.map(\.description)
    // The path has most of the key's warnings, too.
    for text in warnings.map(\.description) where !texts.contains(text) { arguments.tell(text) }
    for text in texts { arguments.tell(text) }
    if signer.service.isObjectStorage, let host = SigV4.NamedStore.requiredHost(of: request) {
      arguments.tell(
        "\(request.host) rejects a bucket name in the path. Use "
          + "\(request.scheme.name)://\(host)/, or s3://bucket/key with --endpoint.")
    }
    if arguments.has("--unsigned-payload") && request.scheme == .http {
      arguments.tell(
        "The body isn't signed and the URL isn't https. The body can be tampered with in transit."
      )
    }
    // Skip headers that sigv4 adds itself, such as the length of an upload.
    let names = headers.map(\.name).filter { !request.headers.values(named: $0).isEmpty }
    if !names.isEmpty {
      let isChosen = arguments.has("--unsigned-header")
      let reason = isChosen ? "" : " because proxies change them"
      arguments.tell(
        "These headers aren't signed\(reason): \(names.joined(separator: ", "))."
      )
    }
    if !others.isEmpty {
      arguments.tell(
        "These headers aren't part of the signature's protocol, so the store may ignore or "
          + "reject them: "
          + others.map(\.name).joined(separator: ", ") + ".")
    }
  }

  /// Prints the signed URL on standard error if it differs from the passed URL.
  func tellURL(_ url: String, given: String) {
    if url != given || request.path.hasDotSegments {
      arguments.tell(
        "Send the request to the signed URL, \(url) (--curl prints a command for it)."
      )
    }
  }

  /// The headers to sign.
  static func headers(of arguments: Arguments) throws -> SigV4.Headers {
    let headers = try headers(arguments.values("-H"))
    return arguments.has("--utf8-headers") ? headers.encodedAsUTF8 : headers
  }

  /// Parses curl's forms: "name: value", "name;" for an empty value, and "name:" for no header.
  static func headers(_ texts: [String]) throws -> SigV4.Headers {
    try SigV4.Headers(
      texts.compactMap { text in
        if case .field(let header) = try GivenHeader(text) { header } else { nil }
      })
  }

  static func timestamp(_ text: String?) throws -> SigV4.Timestamp {
    guard let text else { return try SigV4.Timestamp(unixSeconds: System.unixSeconds()) }
    if let seconds = Int64(text) { return try SigV4.Timestamp(unixSeconds: seconds) }
    return try SigV4.Timestamp(text)
  }

  /// The --query parameters of an object or a bucket.
  static func parameters(_ arguments: Arguments) -> [(String, String?)] {
    arguments.values("--query").map { $0.split(atFirst: "=") }
  }

  /// The service and region of the host. The endpoint for buckets in the environment or the profile
  /// is S3.
  private static func guess(
    _ request: SigV4.Request, _ url: String, _ arguments: Arguments
  ) throws -> ServiceGuess {
    let parts = request.host.split(separator: ":", maxSplits: 1).map(String.init)
    let guess = ServiceGuess(host: parts[0])
    if parts.count == 2, let port = Int(parts[1]), !guess.serves(port: port, of: parts[0]) {
      arguments.tell(
        "AWS doesn't serve \(parts[0]) on port \(port). For a tunnel, use its address in the URL "
          + "and -H 'Host: \(parts[0])'.")
    }
    // The host of an IoT thing serves MQTT over WebSockets at one path, and HTTP at all others.
    if guess.service == "iotdata", url.prefix(while: { $0 != "?" }).hasSuffix("/mqtt") {
      return ServiceGuess(service: "iotdevicegateway", region: guess.region)
    }
    if guess.service != nil || arguments.has("--service") { return guess }
    guard let endpoint = try CommandCredentials(arguments).settings().endpointURL(of: .s3),
      try SigV4.Request("GET", url: SentURL.text(of: endpoint)).host == request.host
    else { return guess }
    arguments.tell(
      "Assuming the service s3, because \(request.host) is the endpoint for s3:// URLs.")
    return ServiceGuess(service: "s3", region: nil)
  }

  /// Creates a signer for a service in a region or region set.
  static func signer(
    _ arguments: Arguments, _ scope: SigningScope, for request: SigV4.Request? = nil
  ) async throws -> SigV4.Signer {
    let names = arguments.values("--unsigned-header")
    return try scope.signer(
      await CommandCredentials(arguments).credentials(), for: request,
      unsigned: .default.union(.names(names)))
  }

  /// Determines the service and regions of a host or an object.
  static func scope(
    _ arguments: Arguments, _ guess: ServiceGuess, of place: String
  ) throws -> SigningScope {
    let regions = try (arguments.value("--region-set") ?? guess.regionSet).map {
      try SigV4.RegionSet($0)
    }
    if guess.regionSet != nil && arguments.has("--region") {
      throw CommandError(
        .usage, "\(place) isn't in a single region.", fix: "Remove --region, or use --region-set.")
    }
    guard let service = arguments.value("--service") ?? guess.service else {
      let hasRegion =
        try regions != nil
        || (arguments.value("--region") ?? guess.region
          ?? CommandCredentials(arguments).region()) != nil
      throw CommandError(
        .usage, "Can't determine the service \(hasRegion ? "" : "and region ")of \(place).",
        fix:
          "Use --service NAME\(hasRegion ? "" : " and --region NAME"). For a bucket in another "
          + "store, use s3://bucket/key with --endpoint URL or AWS_ENDPOINT_URL.")
    }
    // With a region set, only the host of a bucket needs a region.
    let needsRegion = regions == nil || place.hasPrefix("s3://")
    let region = needsRegion ? try region(arguments, guess, of: place) : ""
    return SigningScope(service: service, region: region, regions: regions)
  }

  /// Returns a region, which must be lowercase for AWS's hosts.
  private static func checked(_ region: String, of host: String) throws -> String {
    let isAWS = SigV4.AWSPartition.isAWS(host: String(host.prefix { $0 != ":" }))
    if !isAWS || region == region.lowercased() { return region }
    throw CommandError(
      .usage, "\(region) isn't a region, because AWS region names are lowercase.",
      fix: "Use \(region.lowercased()).")
  }

  /// Determines the region of a host or an object, with a note if it's assumed. Empty for a
  /// multi-region host.
  static func region(
    _ arguments: Arguments, _ guess: ServiceGuess, of place: String
  ) throws -> String {
    if guess.regionSet != nil { return "" }
    if let region = arguments.value("--region") {
      let region = try checked(ServiceRegion.withoutFIPS(region), of: place)
      if let regionOfHost = guess.region, regionOfHost != region {
        arguments.tell(
          "\(place) is in \(regionOfHost), but the request is signed for \(region).")
      }
      return region
    }
    if let region = guess.region { return region }
    if let region = try CommandCredentials(arguments).region() {
      return try checked(region, of: place)
    }
    if let region = guess.defaultRegion {
      arguments.tell("Assuming the region \(region). To change it, use --region or AWS_REGION.")
      return region
    }
    throw CommandError(
      .usage, "Can't determine the region of \(place).",
      fix: "Use --region NAME, or set AWS_REGION.")
  }
}
