// SPDX-License-Identifier: Apache-2.0
// sigv4 curl: signs a request and sends it with curl.

internal import CredentialProviders
internal import POSIXCredentialSources
internal import RequestSigning

/// `sigv4 curl [options of curl and sign] URL`
///
/// curl reads the signed request from descriptor 3 and the body from its standard input, because
/// all users of the machine can see arguments, which must not contain tokens or signatures.
enum SendCommand {
  static var specifications: [OptionSpecification] {
    SigningOptions.requestSpecifications.filter { !["-H", "--curl"].contains($0.names[0]) }
  }

  static func run(_ arguments: [String]) async throws {
    let help = try output(of: ["curl", "--disable", "--help", "all"])
    let known = CurlOptions(help: String(decoding: help, as: UTF8.self))
    let given = try CurlArguments(arguments, known, specifications)
    let added = given.addedHeaders.flatMap { ["-H", $0] }
    let own = try Arguments(given.own + added, specifications + .named("-H"))
    let body = try given.body()
    let payload = try own.has("--unsigned-payload") ? .unsigned : body?.payload() ?? .empty
    let options = try await SigningOptions(own, given.method, url: given.url(), payload: payload)
    let signed = try options.signer.sign(options.request, at: options.timestamp)
    options.tellWarnings(
      about: options.request, unsigned: signed.unsignedHeaders,
      other: signed.headersOfOtherProtocols)
    let sent = try SentBody(body, to: signed.url, options.request.headers)
    let lines = CurlCommand.headerLines(
      signed.headers, hasBody: body != nil)
    let headers =
      lines.split(separator: "\n").map(String.init) + given.removedHeaders + sent.headers
    let connectTo = options.connectTo.map { [("connect-to", $0.option as String?)] } ?? []
    // The body comes last, because curl reads it as soon as it reads this option.
    let configuration =
      [("url", signed.url), ("globoff", nil), ("path-as-is", nil), ("no-location", nil)]
      + connectTo + given.methodOptions + headers.map { ("header", $0) }
      + given.proxyHeaders.map { ("proxy-header", $0) } + sent.options
    let status = try status(
      of: ["curl", "--disable"] + given.passed + ["--config", "/dev/fd/3"], input: sent.input,
      more: Array(text(configuration).utf8))
    System.exit(code: status)
  }

  #if os(tvOS) || os(watchOS)
    // No command can run there. sigv4 compiles because Xcode builds all targets of a package.
    private static let notHere = CommandError(
      .failure, "Can't run curl on this system.", fix: "Use sigv4 sign, and send the request.")

    private static func output(of command: [String]) throws -> [UInt8] { throw notHere }

    private static func status(
      of command: [String], input: ChildInput, more: [UInt8]
    ) throws -> Int32 { throw notHere }
  #else
    private static func output(of command: [String]) throws -> [UInt8] {
      try running { try ChildProcess.output(of: command, withoutVariables: "AWS_") }
    }

    private static func status(
      of command: [String], input: ChildInput, more: [UInt8]
    ) throws -> Int32 {
      try running { try ChildProcess.status(of: command, input: input, more: more) }
    }

    /// Calls `body`, which runs curl. A missing curl isn't reported as a credentials error.
    private static func running<Result>(_ body: () throws -> Result) throws -> Result {
      do {
        return try body()
      } catch let error as CredentialError {
        throw CommandError(.failure, error.problem, fix: error.fix)
      }
    }
  #endif

  /// A curl configuration (curl(1), --config). Values are quoted and escaped.
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

/// curl's options, headers and input for the body.
struct SentBody {
  var options: [(name: String, value: String?)] = []
  var headers: [String] = []
  var input = ChildInput.portions([])

  init(_ body: CurlBody?, to url: String, _ given: SigV4.Headers) throws {
    switch body {
    case .upload(let path) where CurlCommand.addsName(to: url):
      try upload(.file(path), byteCount: System.byteCount(of: path), given)
    case .upload(let path): options = [("upload-file", path)]
    case .input(let portions):
      upload(.portions(portions), byteCount: portions.reduce(0) { $0 + $1.count }, given)
    case .file(let path): options = [("data-binary", "@" + path)]
    case .bytes(let bytes):
      options = [("data-binary", "@-")]
      input = .portions([bytes])
    case nil: break
    }
  }

  /// Uploads standard input. Without a Content-Length and an empty Transfer-Encoding, curl sends it
  /// in chunks, with a given Content-Length, too.
  private mutating func upload(_ input: ChildInput, byteCount: Int?, _ given: SigV4.Headers) {
    self.input = input
    options = [("upload-file", "-")]
    let hasLength = !given.values(named: "content-length").isEmpty
    if !given.values(named: "transfer-encoding").isEmpty || !hasLength && byteCount == nil {
      return
    }
    let length = hasLength ? nil : byteCount.map { "Content-Length: \($0)" }
    headers = [length, "Transfer-Encoding:"].compactMap { $0 }
  }
}
