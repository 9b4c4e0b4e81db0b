// SPDX-License-Identifier: Apache-2.0
// The proxies that libcurl uses, whatever a session's configuration is.

internal import Foundation

/// The proxies that libcurl uses from the environment (curl(1), "ENVIRONMENT").
enum EnvironmentProxy {
  /// Returns the environment variable that sets a proxy for a URL, or nil if none does.
  static func variable(
    for host: String, url: String, _ value: (String) -> String?
  ) -> String? {
    let exceptions = value("no_proxy") ?? value("NO_PROXY") ?? ""
    if names(exceptions).contains(where: { excludes($0, host.lowercased()) }) { return nil }
    // Not HTTP_PROXY, which a client can set with a header in a CGI program.
    let variables =
      url.lowercased().hasPrefix("https:")
      ? ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
      : ["http_proxy", "all_proxy", "ALL_PROXY"]
    return variables.first { value($0)?.isEmpty == false }
  }

  private static func names(_ list: String) -> [String] {
    list.lowercased().split { $0 == "," || $0 == " " }.map { String($0) }
  }

  /// Whether a name is exactly the host, or "*". Other patterns don't count as exceptions.
  private static func excludes(_ name: String, _ host: String) -> Bool {
    let trim = CharacterSet(charactersIn: "[]")
    return name == "*"
      || name.trimmingCharacters(in: trim) == host.trimmingCharacters(in: trim)
  }
}
