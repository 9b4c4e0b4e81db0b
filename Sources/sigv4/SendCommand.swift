// SPDX-License-Identifier: Apache-2.0
// sigv4 curl: signs a request and lets curl send it.

internal import CredentialProviders
internal import POSIXCredentialSources
internal import RequestSigning

/// `sigv4 curl [options of curl and sign] URL`
///
/// Curl reads from its standard input what was signed, so that neither a token nor a signature stands
/// in an argument, which all users of the machine can see.
enum SendCommand {
  static var specifications: [OptionSpecification] {
    SigningOptions.requestSpecifications.filter { !["-H", "--curl"].contains($0.names[0]) }
  }

  static func run(_ arguments: [String]) async throws {
    let help = try running { () throws(CredentialError) in
      try ChildProcess.output(of: ["curl", "--help", "all"])
    }
    let known = CurlOptions(help: String(decoding: help, as: UTF8.self))
    let given = try CurlArguments(arguments, known, specifications)
    let added = given.addedHeaders.flatMap { ["-H", $0] }
    let own = try Arguments(given.own + added, specifications + .named("-H"))
    let body = try given.body()
    let payload = try own.has("--unsigned-payload") ? .unsigned : body?.payload() ?? .empty
    let options = try await SigningOptions(own, given.method, url: given.url(), payload: payload)
    let signed = try options.signer.sign(options.request, at: options.timestamp)
    try options.tellWarnings(
      unsigned: signed.unsignedHeaders, other: signed.otherProtocolHeaders)
    let lines = CurlCommand.headerLines(
      options.request.headers + signed.headers, hasBody: body != nil)
    let headers = lines.split(separator: "\n").map(String.init) + given.removedHeaders
    // The body comes last: curl reads descriptor 3 as soon as it is named, before the rest of this.
    let configuration =
      [("url", signed.url), ("globoff", nil), ("path-as-is", nil), ("no-location", nil)]
      + given.methodOptions + headers.map { ("header", $0) } + bodyOptions(body)
    var bytes: [UInt8] = []
    if case .bytes(let body) = body { bytes = body }
    let status = try running { () throws(CredentialError) in
      try ChildProcess.status(
        of: ["curl", "--disable"] + given.passed + ["--config", "-"],
        input: Array(text(configuration).utf8), more: bytes)
    }
    System.exit(code: status)
  }

  /// Calls `body`, which runs curl; that curl is not there is no mistake of credentials.
  private static func running<Result>(
    _ body: () throws(CredentialError) -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch {
      throw CommandError(.failure, error.message)
    }
  }

  private static func bodyOptions(_ body: CurlBody?) -> [(name: String, value: String?)] {
    switch body {
    case .upload(let path): [("upload-file", path)]
    case .file(let path): [("data-binary", "@" + path)]
    case .bytes: [("data-binary", "@/dev/fd/3")]
    case nil: []
    }
  }

  /// curl(1), --config: a parameter in double quotes, with escapes.
  static func text(_ options: [(name: String, value: String?)]) -> String {
    let escapes: [Unicode.Scalar: String] = [
      "\\": "\\\\", "\"": "\\\"", "\t": "\\t", "\n": "\\n", "\r": "\\r",
    ]
    return options.map { name, value in
      guard let value else { return name + "\n" }
      let escaped = value.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
      return name + " = \"" + escaped + "\"\n"
    }.joined()
  }
}
