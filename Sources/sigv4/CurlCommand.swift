// SPDX-License-Identifier: Apache-2.0
// A signed request as a curl command for a POSIX shell.

internal import RequestSigning

/// A curl command that sends exactly what was signed.
enum CurlCommand {
  static func text(
    method: String, url: String, headers: SigV4.Headers, body: RequestBody
  ) -> String {
    var options: [String] = []
    if method == "HEAD" && body.isEmpty {
      options.append("--head")
    } else if method != (body.isEmpty ? "GET" : "POST") {
      options.append("-X " + quoted(method))
    }
    options += pathOptions(url)
    // Curl would take brackets for a pattern.
    if url.contains("[") { options.append("--globoff") }
    options += headers.map { "-H " + quoted(headerText($0)) }
    if !body.isEmpty && headers.values(named: "content-type").isEmpty {
      // Curl would add one that is not signed.
      options.append("-H 'Content-Type:'")
    }
    options += body.curlOptions
    return command(options, url)
  }

  /// Sends a file, if possible without reading all of it into memory.
  static func upload(of file: String, to url: String, headers: SigV4.Headers) -> String {
    // Curl would add the name of the file to a URL that ends with a slash, and it takes brackets and
    // braces in the name for a pattern.
    let body =
      url.last == "/"
      ? ["-X PUT", "-H 'Content-Type:'", "--data-binary " + quoted("@" + file)]
      : ["--globoff", "-T " + quoted(file)]
    return command(
      body + pathOptions(url) + headers.map { "-H " + quoted(headerText($0)) }, url)
  }

  /// Curl would drop dot segments.
  private static func pathOptions(_ url: String) -> [String] {
    let hasDotSegment = zip(url.utf8, url.utf8.dropFirst()).contains {
      $0 == UInt8(ascii: "/") && $1 == UInt8(ascii: ".")
    }
    return hasDotSegment ? ["--path-as-is"] : []
  }

  private static func command(_ options: [String], _ url: String) -> String {
    "curl " + (options + [quoted(url)]).joined(separator: " \\\n  ") + "\n"
  }

  /// A header in curl's words, in which one with an empty value ends with a semicolon.
  static func headerText(_ header: SigV4.Header) -> String {
    header.value.isEmpty ? header.name + ";" : header.name + ": " + header.value
  }

  /// A word for a POSIX shell, in single quotes.
  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
