// SPDX-License-Identifier: Apache-2.0
// What sign and presign have in common: from arguments and environment to a request and a signer.

internal import CredentialProviders
internal import MultiRegionSigning
internal import S3Signing
internal import RequestSigning

/// A request, and all that is needed to sign it, as the arguments describe them.
struct SigningOptions {
  let request: SigV4.Request
  let signer: SigV4.Signer
  let timestamp: SigV4.Timestamp
  let body: RequestBody

  /// Where curl connects to, if not to the host that is signed.
  let connectTo: ConnectTo?

  /// What may happen to the key of an object in transit.
  let warnings: [SigV4.Bucket.KeyWarning]

  private let arguments: Arguments

  static var specifications: [OptionSpecification] {
    .named("-X", "-d") + requestSpecifications + .named("--json")
  }

  /// The options of every request.
  static var requestSpecifications: [OptionSpecification] {
    .named(
      "-H", "--utf8-headers", "--query", "--unsigned-payload", "--profile", "--region",
      "--region-set", "--service", "--endpoint", "--virtual-hosted", "--at", "--curl", "--quiet")
  }

  init(_ arguments: Arguments) async throws {
    guard let url = arguments.operands.first, arguments.operands.count == 1 else {
      throw CommandError.usage(
        arguments.operands.isEmpty
          ? "the URL to sign is missing"
          : "sign one URL at a time; \(arguments.operands[1]) is a second one")
    }
    if arguments.has("--curl") && arguments.has("--json") {
      throw CommandError.usage("--curl and --json cannot be used together")
    }
    let body = RequestBody(parts: arguments.values("-d"))
    let payload =
      arguments.has("--unsigned-payload") ? SigV4.Payload.unsigned : try body.payload()
    try await self.init(
      arguments, arguments.value("-X") ?? (body.isEmpty ? "GET" : "POST"), url: url,
      payload: payload, body: body)
  }

  /// A request to a URL, or to an object that is named s3://bucket/key.
  init(
    _ arguments: Arguments, _ method: String, url: String, payload: SigV4.Payload,
    body: RequestBody = RequestBody(parts: [])
  ) async throws {
    let headers = try Self.headers(of: arguments)
    if let location = try ObjectLocation(bucketOrObject: url, arguments) {
      if !headers.values(named: "host").isEmpty {
        throw CommandError.usage(
          "-H Host goes with an https:// URL. Use --endpoint for the host of \(url), and curl's "
            + "--connect-to for the address to connect to")
      }
      let scope = try Self.scope(arguments, location.guess, of: url)
      (request, warnings) = try location.request(
        method, query: Self.parameters(arguments), headers: headers, payload: payload,
        in: scope.region)
      connectTo = nil
      signer = try await Self.signer(arguments, scope, for: request)
    } else {
      if let name = ["--endpoint", "--query", "--virtual-hosted"].first(where: arguments.has) {
        throw CommandError.usage(
          "\(name) goes with s3://bucket/key; any other URL already has its server and its query")
      }
      if arguments.has("--region") && arguments.has("--region-set") {
        throw CommandError.usage(
          "--region and --region-set can be combined for s3://bucket/key only, whose host has a region"
        )
      }
      connectTo = try ConnectTo(url, headers)
      request = try SigV4.Request(
        method, url: connectTo?.url ?? url, headers: headers, payload: payload)
      warnings = []
      let guess = try Self.guess(request, url, arguments)
      signer = try await Self.signer(
        arguments, Self.scope(arguments, guess, of: request.host), for: request)
    }
    self.arguments = arguments
    self.body = body
    timestamp = try Self.timestamp(arguments.value("--at"))
  }

  /// Tells on standard error what may happen to the key of the object, what the server ignores or
  /// misreads, and what is not signed.
  func tellWarnings(unsigned headers: SigV4.Headers, other others: SigV4.Headers) throws {
    for warning in warnings { try arguments.tell("\(warning)") }
    if signer.service.isObjectStorage {
      for warning in request.objectStorageWarnings { try arguments.tell("\(warning)") }
    }
    if arguments.has("--unsigned-payload") && request.scheme == .http {
      try arguments.tell(
        "the body is not signed and the URL is not https, so it can be changed on the way unnoticed"
      )
    }
    // Not those that sigv4 adds itself, such as the length of an upload.
    let names = headers.map(\.name).filter { !request.headers.values(named: $0).isEmpty }
    if !names.isEmpty {
      try arguments.tell(
        "these headers are sent but not signed, since proxies change them: \(names.joined(separator: ", "))"
      )
    }
    if !others.isEmpty {
      try arguments.tell(
        "these headers do not belong to the protocol of AWS, so the store ignores or refuses them: "
          + others.map(\.name).joined(separator: ", "))
    }
  }

  /// Tells on standard error where to send the request, unless the given URL is exactly that.
  func tellURL(_ url: String, given: String) throws {
    if url != given || request.path.hasDotSegments {
      try arguments.tell(
        "the URL that was signed is \(url): send exactly that; --curl prints a command that does")
    }
  }

  /// The headers to sign.
  static func headers(of arguments: Arguments) throws -> SigV4.Headers {
    let headers = try headers(arguments.values("-H"))
    return arguments.has("--utf8-headers") ? headers.encodedAsUTF8 : headers
  }

  /// Curl's forms: "name: value"; "name;" for an empty value; "name:" leaves the header out.
  static func headers(_ texts: [String]) throws -> SigV4.Headers {
    var headers: SigV4.Headers = [:]
    for text in texts {
      if case (let name, let value?) = text.split(atFirst: ":"), !name.isEmpty {
        let value = value.drop { $0 == " " || $0 == "\t" }
        if !value.isEmpty { headers.append(name, String(value)) }
      } else if text.hasSuffix(";") && text.count > 1 {
        headers.append(String(text.dropLast()), "")
      } else {
        throw CommandError.usage("-H takes 'name: value', and one was given without a colon")
      }
    }
    return headers
  }

  static func timestamp(_ text: String?) throws -> SigV4.Timestamp {
    guard let text else { return try SigV4.Timestamp(unixSeconds: System.unixSeconds()) }
    if let seconds = Int64(text) { return try SigV4.Timestamp(unixSeconds: seconds) }
    return try SigV4.Timestamp(text)
  }

  /// The parameters of --query, for an object or a bucket.
  static func parameters(_ arguments: Arguments) -> [(String, String?)] {
    arguments.values("--query").map { $0.split(atFirst: "=") }
  }

  /// What the host tells. The server that the environment or the profile names for buckets is one of S3.
  private static func guess(
    _ request: SigV4.Request, _ url: String, _ arguments: Arguments
  ) throws -> ServiceGuess {
    let parts = request.host.split(separator: ":", maxSplits: 1).map(String.init)
    let guess = ServiceGuess(host: parts[0])
    if parts.count == 2, let port = Int(parts[1]), !guess.serves(port: port, of: parts[0]) {
      try arguments.tell(
        "AWS does not serve \(parts[0]) on port \(port). For a tunnel, use its address in the URL and "
          + "-H 'Host: \(parts[0])'")
    }
    // The host of a thing takes MQTT over WebSockets at one path, and requests of HTTP at the others.
    if guess.service == "iotdata", url.prefix(while: { $0 != "?" }).hasSuffix("/mqtt") {
      return ServiceGuess(service: "iotdevicegateway", region: guess.region)
    }
    if guess.service != nil || arguments.has("--service") { return guess }
    guard let endpoint = try CommandCredentials(arguments).settings().endpointURL(of: .s3),
      try SigV4.Request("GET", url: endpoint).host == request.host
    else { return guess }
    try arguments.tell("\(request.host) is the server of s3://..., so the service s3 is assumed")
    return ServiceGuess(service: "s3", region: nil)
  }

  /// A signer for a service in a region, or in a set of them.
  static func signer(
    _ arguments: Arguments, _ scope: SigningScope, for request: SigV4.Request? = nil
  ) async throws -> SigV4.Signer {
    try scope.signer(await CommandCredentials(arguments).credentials(), for: request)
  }

  /// Service and regions of a host or an object.
  static func scope(
    _ arguments: Arguments, _ guess: ServiceGuess, of place: String
  ) throws -> SigningScope {
    let regions = try (arguments.value("--region-set") ?? guess.regionSet).map {
      try SigV4.RegionSet($0)
    }
    if guess.regionSet != nil && arguments.has("--region") {
      throw CommandError.usage(
        "\(place) has no single region; leave --region out, or give --region-set instead")
    }
    guard let service = arguments.value("--service") ?? guess.service else {
      let hasRegion =
        try regions != nil
        || (arguments.value("--region") ?? guess.region
          ?? CommandCredentials(arguments).region()) != nil
      throw CommandError.usage(
        "the service \(hasRegion ? "" : "and the region ")of \(place) \(hasRegion ? "is" : "are") "
          + "not known; give --service NAME\(hasRegion ? "" : " and --region NAME"), or for a bucket of "
          + "a store s3://bucket/key with --endpoint URL or AWS_ENDPOINT_URL")
    }
    // Where a set of regions is signed, only the host of a bucket still needs one.
    let needsRegion = regions == nil || place.hasPrefix("s3://")
    let region = needsRegion ? try region(arguments, guess, of: place) : ""
    return SigningScope(service: service, region: region, regions: regions)
  }

  /// A region, which AWS's hosts spell in lowercase.
  private static func checked(_ region: String, of host: String) throws -> String {
    let isAWS = SigV4.AWSPartition.isAWS(host: String(host.prefix { $0 != ":" }))
    if !isAWS || region == region.lowercased() { return region }
    throw CommandError.usage(
      "\(region) is not a region: AWS writes them in lowercase, \(region.lowercased())")
  }

  /// The region of a host or an object; one that is assumed is told. Empty for a place in many.
  static func region(
    _ arguments: Arguments, _ guess: ServiceGuess, of place: String
  ) throws -> String {
    if guess.regionSet != nil { return "" }
    if let region = arguments.value("--region") {
      let region = try checked(ServiceRegion.withoutFIPS(region), of: place)
      if let regionOfHost = guess.region, regionOfHost != region {
        try arguments.tell("\(place) is in \(regionOfHost), and is signed for \(region)")
      }
      return region
    }
    if let region = guess.region { return region }
    if let region = try CommandCredentials(arguments).region() {
      return try checked(region, of: place)
    }
    if let region = guess.defaultRegion {
      try arguments.tell("the region \(region) is assumed; --region or AWS_REGION sets another")
      return region
    }
    throw CommandError.usage(
      "the region of \(place) is not known; give --region NAME or set AWS_REGION")
  }
}
