// SPDX-License-Identifier: Apache-2.0
// sigv4 sign and presign: print signed headers or a presigned URL.

internal import DocumentSupport
internal import RequestSigning
internal import S3Signing

/// `sigv4 sign [options] URL`
enum SignCommand {
  static func run(_ arguments: [String]) async throws {
    let arguments = try Arguments(arguments, SigningOptions.specifications)
    let options: SigningOptions
    let signed: SigV4.SignedRequest
    do {
      options = try await SigningOptions(arguments)
      if !arguments.has("--curl") { try options.requireOwnAddress() }
      signed = try options.signer.sign(options.request, at: options.timestamp)
    } catch {
      if !arguments.has("--json") && !arguments.has("--curl") { warnOfPipe(arguments) }
      throw error
    }
    options.tellWarnings(
      about: options.request, unsigned: signed.unsignedHeaders,
      other: signed.headersOfOtherProtocols)
    let headers = signed.headers
    if arguments.has("--json") {
      try System.writeLine(json(signed, headers).indented)
    } else if arguments.has("--curl") {
      try System.writeLine(
        CurlCommand.text(
          method: signed.method, url: signed.url, headers: headers, body: options.body,
          options.connectTo))
    } else {
      let length = CurlCommand.lengthOfNothing(options, arguments)
      try System.write(
        CurlCommand.headerLines(headers + length, hasBody: !options.body.isEmpty),
        to: .standardOutput)
      options.tellURL(signed.url, given: arguments.operands[0])
    }
  }

  /// Warns that curl at the other end of a pipe sends its request anyway.
  private static func warnOfPipe(_ arguments: Arguments) {
    if !System.isPipe(.standardOutput) { return }
    arguments.tell(
      "Nothing was signed, but a 'curl -H @-' that reads this output sends its request without a "
        + "signature. Use 'sigv4 curl', which sends only signed requests.")
  }

  static func json(_ signed: SigV4.SignedRequest, _ headers: SigV4.Headers) -> JSONText {
    .object([
      ("method", .string(signed.method)),
      ("url", .string(signed.url)),
      ("headers", .headers(headers)),
      ("unsignedHeaders", .headers(signed.unsignedHeaders)),
      ("headersOfOtherProtocols", .headers(signed.headersOfOtherProtocols)),
      ("canonicalRequest", .string(signed.canonicalRequest.text)),
      ("stringToSign", .string(signed.stringToSign.text)),
      ("credentialScope", .string(signed.credentialScope.text)),
      ("signedHeaders", .string(signed.signedHeaders)),
      ("signature", .string(signed.signature.hexString)),
    ])
  }
}

/// `sigv4 presign [options] URL`
enum PresignCommand {
  static var specifications: [OptionSpecification] {
    SigningOptions.specifications + .named("--expires", "--keys")
  }

  static func run(_ arguments: [String]) async throws {
    let arguments = try Arguments(arguments, specifications)
    if let file = arguments.value("--keys") { return try await presign(keysIn: file, arguments) }
    let options = try await SigningOptions(arguments)
    if !arguments.has("--curl") { try options.requireOwnAddress() }
    let presigned = try presign(options, arguments)
    options.tellWarnings(
      about: options.request, unsigned: presigned.unsignedHeaders,
      other: presigned.headersOfOtherProtocols)
    if arguments.has("--json") {
      try System.writeLine(json(presigned).indented)
    } else if arguments.has("--curl") {
      try System.writeLine(
        CurlCommand.text(
          method: presigned.method, url: presigned.url, headers: presigned.requiredHeaders,
          body: options.body, options.connectTo))
    } else {
      try System.writeLine(presigned.url)
      tell(required: presigned.requiredHeaders, arguments)
    }
  }

  static func presign(
    _ options: SigningOptions, _ arguments: Arguments
  ) throws -> SigV4.PresignedURL {
    let isUnlimited =
      arguments.value("--expires") == nil
      && options.signer.service.lifetimeRule == .unsupported
    return try options.signer.presignedURL(
      for: options.request,
      expiresIn: isUnlimited ? nil : arguments.lifetime(default: "1h"), at: options.timestamp)
  }

  /// Prints a URL for each line of a file, in order, in batches.
  private static func presign(keysIn file: String, _ arguments: Arguments) async throws {
    let url = try GivenURL.only(arguments.operands)
    guard let location = try ObjectLocation(bucketOrObject: url, arguments) else {
      throw CommandError(
        .usage, "--keys needs a bucket.", fix: "Use s3://bucket or s3://bucket/prefix.")
    }
    if let name = ["--json", "--curl", "-d"].first(where: arguments.has) {
      throw CommandError(
        .usage, "--keys prints one URL per line and can't be used with \(name).",
        fix: "Remove \(name).")
    }
    let scope = try SigningOptions.scope(arguments, location.guess, of: url)
    if scope.regions != nil {
      throw CommandError(
        .usage, "--keys signs for one region, but this URL would be signed for a region set.",
        fix: "Remove --region-set, or use the URL of a bucket in one region.")
    }
    let signer = try await SigningOptions.signer(arguments, scope)
    let headers = try SigningOptions.headers(of: arguments)
    let bucket = try location.bucket(in: scope.region)
    let method = arguments.value("-X") ?? "GET"
    let query = SigV4.Query(SigningOptions.parameters(arguments))
    let lifetime = try arguments.lifetime(default: "1h")
    let time = try SigningOptions.timestamp(arguments.value("--at"))
    tell(required: headers, arguments)
    let common = try bucket.object("k").request(
      method, query: query, headers: headers, payload: .unsigned)
    for warning in common.objectStorageWarnings { arguments.tell("\(warning)") }
    try System.readLines(of: file, atOnce: 1 << 10) { keys in
      let keys = try keys.map { location.key + (try key($0, of: file)) }
      if !arguments.has("-q") {
        for key in keys {
          for warning in try bucket.object(key).warnings {
            arguments.tell("\(UTF8Text.quoted(key)): \(warning)")
          }
        }
      }
      let urls = try signer.presignedURLs(
        for: keys, in: bucket, method: SigV4.HTTPMethod(method), query: query,
        headers: headers, expiresIn: lifetime, at: time)
      try System.write(urls.map { $0 + "\n" }.joined(), to: .standardOutput)
    }
  }

  /// The key in a line, without the carriage return of a Windows newline.
  private static func key(_ line: String, of file: String) throws -> String {
    let key = line.utf8.last == 0x0D ? String(decoding: line.utf8.dropLast(), as: UTF8.self) : line
    if !key.isEmpty { return key }
    throw CommandError(
      .failure, "\(file) has an empty line, which isn't a key.", fix: "Remove the line.")
  }

  /// Prints the headers to send with the URL on standard error, so that scripts can read the URL
  /// from standard output.
  private static func tell(required headers: SigV4.Headers, _ arguments: Arguments) {
    if headers.isEmpty || arguments.has("-q") { return }
    let lines = headers.map { "  \($0.name): \($0.value)\n" }.joined()
    System.report("Send these headers with the URL:\n" + lines)
  }

  static func json(_ presigned: SigV4.PresignedURL) -> JSONText {
    var members: [(name: String, value: JSONText)] = [
      ("method", .string(presigned.method)),
      ("url", .string(presigned.url)),
      ("headers", .headers(presigned.requiredHeaders)),
      ("unsignedHeaders", .headers(presigned.unsignedHeaders)),
      ("headersOfOtherProtocols", .headers(presigned.headersOfOtherProtocols)),
      ("canonicalRequest", .string(presigned.canonicalRequest.text)),
      ("stringToSign", .string(presigned.stringToSign.text)),
      ("credentialScope", .string(presigned.credentialScope.text)),
      ("signedHeaders", .string(presigned.signedHeaders)),
      ("signature", .string(presigned.signature.hexString)),
    ]
    if let expiration = presigned.expiration {
      members.append(("expires", .string(expiration.text)))
    }
    return .object(members)
  }
}

extension JSONText {
  /// An array of pairs, because names can be repeated.
  static func headers(_ headers: SigV4.Headers) -> JSONText {
    .array(headers.map { .array([.string($0.name), .string($0.value)]) })
  }
}
