// SPDX-License-Identifier: Apache-2.0
// Hosts that are never asked through a proxy: this machine, and the addresses of its own link.

internal import Foundation
internal import SigningSupport

/// Hosts of this machine and of its link.
enum NearHost {
  /// Whether a host is on this machine or its link. Names other than `localhost` are not looked up.
  static func contains(_ host: String) -> Bool {
    if IPAddressGrammar.isLoopback(host.utf8) { return true }
    let host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")).lowercased()
    if let groups = firstGroups(host) {
      // RFC 4291, 2.5.6: fe80::/10; fd00:ec2::/32 is Amazon's.
      return groups.first & 0xFFC0 == 0xFE80 || groups.first == 0xFD00 && groups.second == 0x0EC2
    }
    // RFC 3927, 2.1: 169.254.0.0/16.
    return host.hasPrefix("169.254.") && IPAddressGrammar.isVersion4(Array(host.utf8)[...])
  }

  /// The first two groups of an IPv6 address, of which '::' may leave out the second; nil for all else.
  private static func firstGroups(_ host: String) -> (first: UInt16, second: UInt16)? {
    let groups = host.split(separator: ":", omittingEmptySubsequences: false)
    guard groups.count > 2, let first = UInt16(groups[0].isEmpty ? "0" : groups[0], radix: 16),
      let second = UInt16(groups[1].isEmpty ? "0" : groups[1], radix: 16)
    else { return nil }
    return (first, second)
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
