// SPDX-License-Identifier: Apache-2.0
// What sign and presign have in common: from arguments and environment to a request and a signer.

internal import RequestSigning

/// A request, and all that is needed to sign it, as the arguments describe them.
nonisolated struct SigningOptions {
  let request: SigV4.Request
  let signer: SigV4.Signer
  let timestamp: SigV4.Timestamp
  let body: RequestBody

  static var specifications: [OptionSpecification] {
    [
      .value("-X", "--request"), .value("-H", "--header"), .value("-d", "--data"),
      .flag("--unsigned-payload"), .value("--region"), .value("--service"), .value("--at"),
      .flag("--curl"), .flag("--json"),
    ]
  }

  init(_ arguments: Arguments) throws(CommandError) {
    guard let url = arguments.operands.first, arguments.operands.count == 1 else {
      throw CommandError.usage(
        arguments.operands.isEmpty
          ? "the URL to sign is missing"
          : "one URL is signed at a time, and \(arguments.operands[1]) is a second one")
    }
    if arguments.has("--curl") && arguments.has("--json") {
      throw CommandError.usage("--curl and --json exclude each other")
    }
    let body = RequestBody(arguments.values("-d"))
    let method = arguments.value("-X") ?? (body.isEmpty ? "GET" : "POST")
    let headers = try Self.headers(arguments.values("-H"))
    let payload =
      arguments.has("--unsigned-payload") ? SigV4.Payload.unsigned : try body.payload()
    let request = try signing { () throws(SigV4.SigningError) in
      try SigV4.Request(method, url: url, headers: headers, payload: payload)
    }
    self.request = request
    self.body = body
    self.timestamp = try Self.timestamp(arguments.value("--at"))
    self.signer = try Self.signer(arguments, host: request.host)
  }

  /// Curl's forms: "name: value"; "name;" for an empty value; "name:" is no header at all.
  static func headers(_ texts: [String]) throws(CommandError) -> SigV4.Headers {
    var headers: SigV4.Headers = [:]
    for text in texts {
      if let colon = text.firstIndex(of: ":"), colon > text.startIndex {
        let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        if !value.isEmpty { headers.append(String(text[..<colon]), String(value)) }
      } else if text.hasSuffix(";") && text.count > 1 {
        headers.append(String(text.dropLast()), "")
      } else {
        throw CommandError.usage("-H takes 'name: value', and one was given without a colon")
      }
    }
    return headers
  }

  static func timestamp(_ text: String?) throws(CommandError) -> SigV4.Timestamp {
    try signing { () throws(SigV4.SigningError) in
      guard let text else { return try SigV4.Timestamp(unixSeconds: System.unixSeconds()) }
      if let seconds = Int64(text) { return try SigV4.Timestamp(unixSeconds: seconds) }
      return try SigV4.Timestamp(text)
    }
  }

  static func signer(
    _ arguments: Arguments, host: String
  ) throws(CommandError) -> SigV4.Signer {
    let credentials = try environmentCredentials()
    let guess = ServiceGuess(host: String(host.prefix { $0 != ":" }))
    guard let service = arguments.value("--service") ?? guess.service else {
      throw CommandError.usage("the host \(host) does not tell its service; give --service NAME")
    }
    let region =
      arguments.value("--region") ?? guess.region ?? System.environmentVariable("AWS_REGION")
      ?? System.environmentVariable("AWS_DEFAULT_REGION") ?? guess.defaultRegion
    guard let region else {
      throw CommandError.usage(
        "the host \(host) does not tell its region; give --region NAME or set AWS_REGION")
    }
    return try signing { () throws(SigV4.SigningError) in
      try SigV4.Signer(
        credentials: credentials, region: region, service: SigV4.Service.named(service))
    }
  }

  /// Credentials come from the environment, since arguments can be seen by other users.
  static func environmentCredentials() throws(CommandError) -> SigV4.Credentials {
    guard let accessKeyID = System.environmentVariable("AWS_ACCESS_KEY_ID"),
      let secretAccessKey = System.environmentVariable("AWS_SECRET_ACCESS_KEY")
    else {
      throw CommandError(
        .credentials,
        "there are no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and "
          + "AWS_SESSION_TOKEN for temporary ones) in the environment")
    }
    return try signing { () throws(SigV4.SigningError) in
      try SigV4.Credentials(
        accessKeyID: accessKeyID, secretAccessKey: secretAccessKey,
        sessionToken: System.environmentVariable("AWS_SESSION_TOKEN"))
    }
  }
}
