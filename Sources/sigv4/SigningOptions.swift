// SPDX-License-Identifier: Apache-2.0
// What sign and presign have in common: from arguments and environment to a request and a signer.

internal import S3Signing
internal import RequestSigning

/// A request, and all that is needed to sign it, as the arguments describe them.
struct SigningOptions {
  let request: SigV4.Request
  let signer: SigV4.Signer
  let timestamp: SigV4.Timestamp
  let body: RequestBody

  /// What is known to happen to the key of an object on its way.
  let warnings: [SigV4.Bucket.KeyWarning]

  static var specifications: [OptionSpecification] {
    requestSpecifications + [.value("-X", "--request"), .value("-d", "--data"), .flag("--json")]
  }

  /// The options of every request.
  static var requestSpecifications: [OptionSpecification] {
    [
      .value("-H", "--header"), .flag("--unsigned-payload"), .value("--region"),
      .value("--service"), CommandCredentials.specification, .value("--endpoint", "--endpoint-url"),
      .value("--at"),
      .flag("--curl"),
    ]
  }

  init(_ arguments: Arguments) async throws {
    guard let url = arguments.operands.first, arguments.operands.count == 1 else {
      throw CommandError.usage(
        arguments.operands.isEmpty
          ? "the URL to sign is missing"
          : "sign one URL at a time; \(arguments.operands[1]) is a second one")
    }
    if arguments.has("--curl") && arguments.has("--json") {
      throw CommandError.usage("--curl and --json exclude each other")
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
    let headers = try Self.headers(arguments.values("-H"))
    if let location = try ObjectLocation(url, arguments) {
      let region = try Self.region(arguments, location.guess, of: url)
      let object = try location.object(in: region)
      request = try object.request(method, headers: headers, payload: payload)
      warnings = object.warnings
      signer = try await Self.signer(arguments, location.guess, of: url)
    } else {
      if arguments.value("--endpoint") != nil {
        throw CommandError.usage(
          "--endpoint is the server of an s3://bucket/key, not of another URL")
      }
      request = try SigV4.Request(method, url: url, headers: headers, payload: payload)
      warnings = []
      let guess = ServiceGuess(host: String(request.host.prefix { $0 != ":" }))
      signer = try await Self.signer(arguments, guess, of: request.host)
    }
    self.body = body
    timestamp = try Self.timestamp(arguments.value("--at"))
  }

  /// Tells on standard error what may happen to the key of the object.
  func tellWarnings() throws {
    for warning in warnings {
      try System.write("sigv4: \(warning)\n", to: .standardError)
    }
  }

  /// Tells on standard error where to send the request, unless the given URL is exactly that.
  func tellURL(_ url: String, given: String) throws {
    if url != given || request.path.hasDotSegments {
      try System.write(
        "sigv4: what was signed is \(url), byte for byte; --curl prints a command that sends "
          + "exactly that\n", to: .standardError)
    }
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

  /// A signer for the service and the region of a host or an object.
  static func signer(
    _ arguments: Arguments, _ guess: ServiceGuess, of place: String
  ) async throws -> SigV4.Signer {
    let credentials = try await CommandCredentials(arguments).credentials()
    guard let service = arguments.value("--service") ?? guess.service else {
      throw CommandError.usage("the service of \(place) is not known; give --service NAME")
    }
    let region = try region(arguments, guess, of: place)
    return try SigV4.Signer(
      credentials: credentials, region: region, service: SigV4.Service.named(service))
  }

  static func region(
    _ arguments: Arguments, _ guess: ServiceGuess, of place: String
  ) throws -> String {
    if let region = arguments.value("--region") ?? guess.region { return region }
    if let region = try CommandCredentials(arguments).region() { return region }
    if let region = guess.defaultRegion { return region }
    throw CommandError.usage(
      "the region of \(place) is not known; give --region NAME or set AWS_REGION")
  }
}
