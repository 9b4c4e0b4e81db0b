// SPDX-License-Identifier: Apache-2.0
// Addresses that secrets are sent to: encrypted, or to the machine itself.

internal import RequestSigning

/// The address of a service, which may be trusted with a secret.
struct ServiceURL {
  /// The URL as it was given; one that paths are appended to, without '/' at its end.
  let text: String

  /// The scheme and the host, with its port. Fit for a message: a query may be secret.
  let origin: String

  /// Which hosts may be spoken to without TLS.
  enum PlainHosts {
    /// The machine itself, and these.
    case loopback(and: [String])
    /// Any: nothing but what is on this network answers there.
    case any
  }

  /// Checks a URL that somebody configured; `name` says where, for a message.
  ///
  /// Throws `invalidConfiguration` for what is no URL, for user information, which makes one host
  /// look like another, and for a host that may not be spoken to without TLS.
  init(
    _ url: String, named name: String, plain: PlainHosts = .loopback(and: [])
  ) throws(CredentialError) {
    let isVisible = url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x5C && $0 != 0x23 }
    let authority = url.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != "/" && $0 != "?" }
    guard isVisible, !authority.contains("@"),
      let request = try? SigV4.Request("GET", url: url)
    else {
      throw CredentialError(
        .invalidConfiguration,
        "\(name) is no URL that credentials can be asked of (\(url.utf8.count) bytes, not shown); "
          + "give one of visible ASCII, encoded, without a user's name: https://host/path")
    }
    text = url
    origin = request.scheme.name + "://" + request.host
    if request.scheme.name == "https" { return }
    let host = Self.host(of: request.host)
    switch plain {
    case .any: return
    case .loopback(let others):
      if Self.isLoopback(host) || others.contains(host) { return }
      let allowed = others.isEmpty ? "" : " or to " + others.joined(separator: ", ")
      throw CredentialError(
        .invalidConfiguration,
        "\(name) names \(origin.shown), to which credentials would travel in plain "
          + "text; http is allowed to the machine itself\(allowed) only: use https")
    }
  }

  /// Checks a URL that paths are appended to, which a query would swallow.
  init(
    base url: String, named name: String, plain: PlainHosts = .loopback(and: [])
  ) throws(CredentialError) {
    if url.contains("?") {
      throw CredentialError(
        .invalidConfiguration,
        "\(name) has a query (\(url.utf8.count) bytes, not shown), and paths are appended to it; "
          + "give scheme, host and path only")
    }
    try self.init(
      url.hasSuffix("/") ? String(url.dropLast()) : url, named: name, plain: plain)
  }

  /// The host without its port.
  private static func host(of authority: String) -> String {
    if authority.hasPrefix("[") {
      return String(authority.prefix { $0 != "]" }) + "]"
    }
    return String(authority.prefix { $0 != ":" })
  }

  /// RFC 1122, 3.2.1.3 (g): 127.0.0.0/8; RFC 4291, 2.5.3: ::1; RFC 6761, 6.3: localhost.
  private static func isLoopback(_ host: String) -> Bool {
    if ["localhost", "[::1]", "[0:0:0:0:0:0:0:1]"].contains(host) { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    let isAddress =
      parts.count == 4
      && parts.allSatisfy { part in
        part.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8(part) != nil
          && (part.count == 1 || part.first != "0")
      }
    return isAddress && parts[0] == "127"
  }
}
