// SPDX-License-Identifier: Apache-2.0
// Prints a signed request as a curl command for a POSIX shell, and reads the body of --data.

internal import RequestSigning
internal import SecureHashing

/// Curl commands that send exactly the signed request.
enum CurlCommand {
  static func text(
    method: String, url: String, headers: SigV4.Headers, body: RequestBody, _ connectTo: ConnectTo?
  ) -> String {
    // For an empty string, curl sends a Content-Length of 0.
    let body = body.isEmpty && expectsBody(method) ? RequestBody(parts: [""]) : body
    var options = connectOptions(connectTo)
    if method == "HEAD" && body.isEmpty {
      options.append("--head")
    } else if method != (body.isEmpty ? "GET" : "POST") {
      options.append("-X " + quoted(method))
    }
    options += pathOptions(url)
    // Otherwise curl reads brackets as a pattern.
    if url.contains("[") { options.append("--globoff") }
    let lines = headerLines(headers, hasBody: !body.isEmpty).split(separator: "\n")
    options += lines.map { "-H " + quoted(String($0)) }
    return command(options + body.curlOptions, url)
  }

  /// A command that streams a file. `--globoff` is for brackets and braces in its name, which curl
  /// reads as a pattern.
  static func upload(
    of file: String, to url: String, headers: SigV4.Headers, _ connectTo: ConnectTo?
  ) -> String {
    let options = pathOptions(url) + connectOptions(connectTo) + headerOptions(headers)
    if !addsName(to: url) { return command(["--globoff", "-T " + quoted(file)] + options, url) }
    return command(["-T -", "-H 'Transfer-Encoding:'"] + options, url) + " < " + quoted(file)
  }

  /// Whether curl appends the name of an uploaded file to a URL. It does if the path has no last
  /// segment after its dot segments are resolved.
  static func addsName(to url: String) -> Bool {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let last = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    // curl 8.13 and later resolve %2E, too.
    let decoded = URIEncoding.decode(Array(last.utf8)[...])
    return ["", ".", ".."].contains { $0.utf8.elementsEqual(decoded) }
  }

  /// Whether requests with this method need a Content-Length even without a body (RFC 9110, 8.6).
  /// S3 responds with 411 otherwise.
  static func expectsBody(_ method: String) -> Bool { ["PUT", "POST", "PATCH"].contains(method) }

  /// A Content-Length of 0 if the empty body is signed and the request doesn't have this header.
  static func lengthOfNothing(_ options: SigningOptions, _ arguments: Arguments) -> SigV4.Headers {
    let headers = options.request.headers
    let isKnown = ["content-length", "transfer-encoding"].contains {
      !headers.values(named: $0).isEmpty
    }
    let isEmpty = options.body.isEmpty && !arguments.has("--unsigned-payload")
    return isEmpty && !isKnown && expectsBody(options.request.method)
      ? ["Content-Length": "0"] : [:]
  }

  /// The option that keeps dot segments, if the path has any.
  private static func pathOptions(_ url: String) -> [String] {
    url.split(separator: "/").contains { $0.hasPrefix(".") || $0.lowercased().hasPrefix("%2e") }
      ? ["--path-as-is"] : []
  }

  private static func connectOptions(_ connectTo: ConnectTo?) -> [String] {
    connectTo.map { ["--connect-to " + quoted($0.option)] } ?? []
  }

  private static func headerOptions(_ headers: SigV4.Headers) -> [String] {
    headers.map { "-H " + quoted(headerText($0)) }
  }

  private static func command(_ options: [String], _ url: String) -> String {
    "curl " + (options + [quoted(url)]).joined(separator: " \\\n  ")
  }

  /// The headers in the format of 'curl -H @-'. A last line without a value keeps curl from adding
  /// an unsigned content type.
  static func headerLines(_ headers: SigV4.Headers, hasBody: Bool = false) -> String {
    let lines = headers.map { headerText($0) + "\n" }.joined()
    let isTyped = !hasBody || !headers.values(named: "content-type").isEmpty
    return lines + (isTyped ? "" : "Content-Type:\n")
  }

  /// A header line. curl drops a header with a trailing colon, but sends one with a trailing
  /// semicolon with an empty value.
  static func headerText(_ header: SigV4.Header) -> String {
    header.value.isEmpty ? header.name + ";" : header.name + ": " + header.value
  }

  /// Quotes a word for a POSIX shell.
  static func quoted(_ text: String) -> String {
    // By scalars, because an apostrophe with a combining accent is a different character but also
    // ends the word.
    "'" + text.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }
}

/// The parts of a body from --data: plain text, "@FILE", or "@-" for standard input.
struct RequestBody {
  let parts: [String]

  var isEmpty: Bool { parts.isEmpty }

  /// Hashes the unchanged parts in constant memory, joined by '&' as curl 8.6 and later join them:
  /// only after a part that isn't empty.
  func payload() throws -> SigV4.Payload {
    if parts.isEmpty { return .empty }
    var hash = SHA256()
    var isBegun = false
    for part in parts {
      if isBegun { hash.update(data: "&".utf8) }
      if part.hasPrefix("@") {
        try System.readPortions(of: String(part.dropFirst())) {
          hash.update(data: $0)
          isBegun = true
        }
      } else {
        hash.update(data: part.utf8)
        isBegun = isBegun || !part.isEmpty
      }
    }
    return .digest(hash.finalize())
  }

  /// The parts as curl options, without the empty ones at the beginning, after which older versions
  /// of curl send an '&'.
  var curlOptions: [String] {
    let rest = parts.drop { $0.isEmpty || $0.hasPrefix("@") && Self.isEmpty(file: $0.dropFirst()) }
    return (rest.isEmpty ? parts.suffix(1) : rest).map {
      ($0.hasPrefix("@") ? "--data-binary " : "--data-raw ") + CurlCommand.quoted($0)
    }
  }

  private static func isEmpty(file: Substring) -> Bool {
    (try? System.byteCount(of: String(file))) == 0
  }
}
