// SPDX-License-Identifier: Apache-2.0
// Hosts that no proxy may stand before: this machine, and the addresses of its own link.

internal import Foundation

/// Hosts of this machine and of its link.
enum NearHost {
  /// Whether a host is on this machine or its link. Names other than `localhost` are not looked up.
  static func contains(_ host: String) -> Bool {
    let host = bare(host)
    if let groups = firstGroups(host) {
      // RFC 4291, 2.5.6: fe80::/10; fd00:ec2::/32 is Amazon's.
      return isLoopback(host) || groups.first & 0xFFC0 == 0xFE80
        || groups.first == 0xFD00 && groups.second == 0x0EC2
    }
    return isLoopback(host) || host.hasPrefix("169.254.") && isIPv4(host)
  }

  /// Whether a host is this machine.
  // Wider than the one of ServiceURL, which takes hosts of requests only: any case, with brackets or
  // without.
  static func isLoopback(_ host: String) -> Bool {
    let host = bare(host)
    return ["localhost", "::1", "0:0:0:0:0:0:0:1"].contains(host)
      || host.hasPrefix("127.") && isIPv4(host)
  }

  private static func bare(_ host: String) -> String {
    host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")).lowercased()
  }

  /// The first two groups of an IPv6 address, of which '::' may leave out the second; nil for all else.
  private static func firstGroups(_ host: String) -> (first: UInt16, second: UInt16)? {
    let groups = host.split(separator: ":", omittingEmptySubsequences: false)
    guard groups.count > 2, let first = UInt16(groups[0].isEmpty ? "0" : groups[0], radix: 16),
      let second = UInt16(groups[1].isEmpty ? "0" : groups[1], radix: 16)
    else { return nil }
    return (first, second)
  }

  /// Four numbers as everybody reads them: what begins with a zero is octal to some.
  private static func isIPv4(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in UInt8(part).map { String($0) == part } ?? false }
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
