// SPDX-License-Identifier: Apache-2.0
// Hosts that no proxy may stand before: this machine, and the addresses of its own link.

internal import Foundation

/// Hosts of this machine and of its link.
enum NearHost {
  /// Whether a host is on this machine or its link. Names other than `localhost` are not looked up.
  static func contains(_ host: String) -> Bool {
    let host = bare(host)
    return isLoopback(host) || host.hasPrefix("169.254.") && isIPv4(host)
      || host.contains(":") && (host.hasPrefix("fe80:") || host.hasPrefix("fd00:ec2:"))
  }

  /// Whether a host is this machine.
  static func isLoopback(_ host: String) -> Bool {
    let host = bare(host)
    return host == "localhost" || host == "::1" || host.hasPrefix("127.") && isIPv4(host)
  }

  private static func bare(_ host: String) -> String {
    host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")).lowercased()
  }

  private static func isIPv4(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}

/// The proxies that libcurl takes from the environment (curl(1), "ENVIRONMENT").
enum EnvironmentProxy {
  /// The variable that names a proxy for a URL; nil when none does.
  static func variable(
    for host: String, url: String, _ value: (String) -> String?
  ) -> String? {
    let exceptions = value("no_proxy") ?? value("NO_PROXY") ?? ""
    if names(exceptions).contains(where: { excludes($0, host.lowercased()) }) { return nil }
    // Not HTTP_PROXY: in a CGI program that is a header of the client's.
    let variables =
      url.lowercased().hasPrefix("https:")
      ? ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
      : ["http_proxy", "all_proxy", "ALL_PROXY"]
    return variables.first { value($0)?.isEmpty == false }
  }

  private static func names(_ list: String) -> [String] {
    list.lowercased().split { $0 == "," || $0 == " " }.map { String($0) }
  }

  /// Exactly the host or everything: what is less certain counts as no exception.
  private static func excludes(_ name: String, _ host: String) -> Bool {
    let trim = CharacterSet(charactersIn: "[]")
    return name == "*"
      || name.trimmingCharacters(in: trim) == host.trimmingCharacters(in: trim)
  }
}
