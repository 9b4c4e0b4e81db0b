// SPDX-License-Identifier: Apache-2.0
// A signed request as a curl command for a POSIX shell.

internal import RequestSigning

/// A curl command that sends exactly what was signed.
nonisolated enum CurlCommand {
  static func text(
    method: String, url: String, headers: SigV4.Headers, body: RequestBody
  ) -> String {
    var options: [String] = []
    if method == "HEAD" && body.isEmpty {
      options.append("--head")
    } else if method != (body.isEmpty ? "GET" : "POST") {
      options.append("-X " + quoted(method))
    }
    // Curl would drop dot segments, and take brackets for a pattern.
    if url.contains("/.") { options.append("--path-as-is") }
    if url.contains("[") { options.append("--globoff") }
    options += headers.map { "-H " + quoted(headerText($0)) }
    if !body.isEmpty && headers.values(named: "content-type").isEmpty {
      // Curl would add one that is not signed.
      options.append("-H 'Content-Type:'")
    }
    options += body.curlOptions
    options.append(quoted(url))
    return "curl " + options.joined(separator: " \\\n  ") + "\n"
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
