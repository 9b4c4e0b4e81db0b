// SPDX-License-Identifier: Apache-2.0
// sigv4 sign: the headers that sign a request.

internal import DocumentSupport
internal import RequestSigning

/// `sigv4 sign [options] URL`
enum SignCommand {
  static func run(_ arguments: some Sequence<String>) async throws(CommandError) {
    let arguments = try Arguments(arguments, SigningOptions.specifications)
    let options = try await SigningOptions(arguments)
    let signed = try signing { () throws(SigV4.SigningError) in
      try options.signer.sign(options.request, at: options.timestamp)
    }
    try options.tellWarnings()
    let headers = options.request.headers + signed.headers
    if arguments.has("--json") {
      try System.write(json(signed, headers).indented + "\n", to: .standardOutput)
    } else if arguments.has("--curl") {
      let command = CurlCommand.text(
        method: signed.method, url: signed.url, headers: headers, body: options.body)
      try System.write(command, to: .standardOutput)
    } else {
      // Curl drops a header that ends with its colon, and sends one that ends with a semicolon.
      let lines = headers.map { CurlCommand.headerText($0) + "\n" }.joined()
      try System.write(lines, to: .standardOutput)
      try options.tellURL(signed.url, given: arguments.operands[0])
    }
  }

  static func json(_ signed: SigV4.SignedRequest, _ headers: SigV4.Headers) -> JSONText {
    .object([
      ("method", .string(signed.method)),
      ("url", .string(signed.url)),
      ("headers", .headers(headers)),
      ("canonicalRequest", .string(signed.canonicalRequest.text)),
      ("stringToSign", .string(signed.stringToSign.text)),
      ("credentialScope", .string(signed.credentialScope.text)),
      ("signedHeaders", .string(signed.signedHeaders)),
      ("signature", .string(signed.signature.hexadecimal)),
    ])
  }
}

extension JSONText {
  /// Headers as pairs, since a name may be repeated.
  static func headers(_ headers: SigV4.Headers) -> JSONText {
    .array(headers.map { .array([.string($0.name), .string($0.value)]) })
  }
}
