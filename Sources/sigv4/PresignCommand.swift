// SPDX-License-Identifier: Apache-2.0
// sigv4 presign: a URL that carries its signature.

internal import DocumentSupport
internal import RequestSigning

/// `sigv4 presign [options] URL`
enum PresignCommand {
  static func run(_ arguments: some Sequence<String>) async throws(CommandError) {
    let arguments = try Arguments(
      arguments, SigningOptions.specifications + [.value("--expires", "--expires-in")])
    let options = try await SigningOptions(arguments)
    let presigned = try presign(options, expires: arguments.value("--expires"))
    try options.tellWarnings()
    if arguments.has("--json") {
      try System.write(json(presigned).indented + "\n", to: .standardOutput)
    } else if arguments.has("--curl") {
      let command = CurlCommand.text(
        method: presigned.method, url: presigned.url, headers: presigned.requiredHeaders,
        body: options.body)
      try System.write(command, to: .standardOutput)
    } else {
      try System.write(presigned.url + "\n", to: .standardOutput)
      try tellRequiredHeaders(presigned)
    }
  }

  static func presign(
    _ options: SigningOptions, expires: String?
  ) throws(CommandError) -> SigV4.PresignedURL {
    if expires == nil, case .unsupported = options.signer.preparer.service.lifetimeRule {
      return try signing { () throws(SigV4.SigningError) in
        try options.signer.presign(options.request, at: options.timestamp)
      }
    }
    let seconds = try seconds(expires ?? "1h")
    return try signing { () throws(SigV4.SigningError) in
      try options.signer.presign(options.request, validFor: seconds, at: options.timestamp)
    }
  }

  /// The URL alone goes to standard output, so that a script can take it; what its holder has to
  /// send goes to standard error.
  static func tellRequiredHeaders(_ presigned: SigV4.PresignedURL) throws(CommandError) {
    if presigned.requiredHeaders.isEmpty { return }
    let lines = presigned.requiredHeaders.map { "  \($0.name): \($0.value)\n" }.joined()
    try System.write(
      "Whoever uses the URL has to send these headers:\n" + lines, to: .standardError)
  }

  /// A number of seconds, or a number with s, m, h or d after it.
  static func seconds(_ text: String) throws(CommandError) -> Int {
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    let unit = text.last.flatMap { units[$0] }
    let number = Int(unit == nil ? text : String(text.dropLast()))
    let (seconds, overflow) = (number ?? 0).multipliedReportingOverflow(by: unit ?? 1)
    if number == nil || overflow {
      throw CommandError.usage("--expires takes 900, 15m, 12h or 7d, not \(text)")
    }
    return seconds
  }

  static func json(_ presigned: SigV4.PresignedURL) -> JSONText {
    var members: [(name: String, value: JSONText)] = [
      ("method", .string(presigned.method)),
      ("url", .string(presigned.url)),
      ("headers", .headers(presigned.requiredHeaders)),
      ("canonicalRequest", .string(presigned.canonicalRequest.text)),
      ("stringToSign", .string(presigned.stringToSign.text)),
      ("credentialScope", .string(presigned.credentialScope.text)),
      ("signedHeaders", .string(presigned.signedHeaders)),
      ("signature", .string(presigned.signature.hexadecimal)),
    ]
    if let expiration = presigned.expiration {
      members.append(("expires", .string(expiration.text)))
    }
    return .object(members)
  }
}
