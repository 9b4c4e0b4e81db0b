// SPDX-License-Identifier: Apache-2.0
// A signed request as a curl command for a POSIX shell, and the body that --data describes.

internal import RequestSigning
internal import SecureHashing

/// A curl command that sends exactly what was signed.
enum CurlCommand {
  static func text(
    method: String, url: String, headers: SigV4.Headers, body: RequestBody, _ connectTo: ConnectTo?
  ) -> String {
    // An empty text is a body whose length curl sends.
    let body = body.isEmpty && expectsBody(method) ? RequestBody(parts: [""]) : body
    var options = connectOptions(connectTo)
    if method == "HEAD" && body.isEmpty {
      options.append("--head")
    } else if method != (body.isEmpty ? "GET" : "POST") {
      options.append("-X " + quoted(method))
    }
    options += pathOptions(url)
    // Curl would take brackets for a pattern.
    if url.contains("[") { options.append("--globoff") }
    let lines = headerLines(headers, hasBody: !body.isEmpty).split(separator: "\n")
    options += lines.map { "-H " + quoted(String($0)) }
    return command(options + body.curlOptions, url)
  }

  /// Sends a file without reading all of it into memory. Curl takes brackets and braces in its name for a
  /// pattern.
  static func upload(
    of file: String, to url: String, headers: SigV4.Headers, _ connectTo: ConnectTo?
  ) -> String {
    let options = pathOptions(url) + connectOptions(connectTo) + headerOptions(headers)
    if !addsName(to: url) { return command(["--globoff", "-T " + quoted(file)] + options, url) }
    return command(["-T -", "-H 'Transfer-Encoding:'"] + options, url) + " < " + quoted(file)
  }

  /// Whether curl adds the name of an uploaded file to a URL: one whose path has no last segment, once
  /// its dot segments are resolved.
  static func addsName(to url: String) -> Bool {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let last = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    return ["", ".", ".."].contains(last)
  }

  /// RFC 9110, 8.6: a request says that it has no body where its method expects one. S3 answers 411
  /// otherwise.
  static func expectsBody(_ method: String) -> Bool { ["PUT", "POST", "PATCH"].contains(method) }

  /// The Content-Length of a request whose empty body is signed, unless it has one.
  static func lengthOfNothing(_ options: SigningOptions, _ arguments: Arguments) -> SigV4.Headers {
    let headers = options.request.headers
    let isKnown = ["content-length", "transfer-encoding"].contains {
      !headers.values(named: $0).isEmpty
    }
    let isEmpty = options.body.isEmpty && !arguments.has("--unsigned-payload")
    return isEmpty && !isKnown && expectsBody(options.request.method)
      ? ["Content-Length": "0"] : [:]
  }

  /// Curl would drop dot segments.
  private static func pathOptions(_ url: String) -> [String] {
    url.split(separator: "/").contains { $0.hasPrefix(".") } ? ["--path-as-is"] : []
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

  /// Headers as 'curl -H @-' reads them. The last line, without a value, keeps curl from adding a type
  /// to the body that is not signed.
  static func headerLines(_ headers: SigV4.Headers, hasBody: Bool = false) -> String {
    let lines = headers.map { headerText($0) + "\n" }.joined()
    let isTyped = !hasBody || !headers.values(named: "content-type").isEmpty
    return lines + (isTyped ? "" : "Content-Type:\n")
  }

  /// Curl drops a header that ends with its colon, and sends one that ends with a semicolon as empty.
  private static func headerText(_ header: SigV4.Header) -> String {
    header.value.isEmpty ? header.name + ";" : header.name + ": " + header.value
  }

  /// A word for a POSIX shell, in single quotes.
  static func quoted(_ text: String) -> String {
    // By scalars: an apostrophe with an accent on it is another character, and ends the word too.
    "'" + text.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }
}

/// The parts of a body as given with --data: text, "@FILE", or "@-" for standard input.
struct RequestBody {
  let parts: [String]

  var isEmpty: Bool { parts.isEmpty }

  /// The digest of the parts, joined by '&' as curl does, each unchanged, in constant memory.
  func payload() throws -> SigV4.Payload {
    if parts.isEmpty { return .empty }
    var hash = SHA256()
    for (index, part) in parts.enumerated() {
      if index > 0 { hash.update(data: "&".utf8) }
      if part.hasPrefix("@") {
        try System.readPortions(of: String(part.dropFirst())) { hash.update(data: $0) }
      } else {
        hash.update(data: part.utf8)
      }
    }
    return .digest(hash.finalize())
  }

  /// The same parts as options of curl.
  var curlOptions: [String] {
    parts.map { ($0.hasPrefix("@") ? "--data-binary " : "--data-raw ") + CurlCommand.quoted($0) }
  }
}
