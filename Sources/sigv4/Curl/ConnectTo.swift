// SPDX-License-Identifier: Apache-2.0
// Signs for the host of -H 'Host: ...' and connects to the URL's address with curl's --connect-to.

internal import RequestSigning

/// A request that is signed for one host and sent to a different address, such as a tunnel, a port
/// forward or a proxy.
struct ConnectTo {
  /// The URL to sign and to pass to curl.
  let url: String

  /// The value of curl's --connect-to: HOST1:PORT1:HOST2:PORT2.
  let option: String

  /// Returns nil unless a Host header differs from the URL's host.
  init?(_ url: String, _ headers: SigV4.Headers) throws {
    let hosts = headers.values(named: "host")
    guard let given = hosts.first else { return nil }
    if given.isEmpty || hosts.count > 1 {
      throw CommandError(
        .usage, "-H 'Host: NAME' must set exactly one host.",
        fix: "Pass one host. The Host header is always signed and sent.")
    }
    let dialed = try SigV4.Request("GET", url: url)
    let signed = try SigV4.Request("GET", scheme: dialed.scheme, host: given)
    if signed.host == dialed.host { return nil }
    let scheme = dialed.scheme.name + "://"
    let rest = url.dropFirst(scheme.count).drop { !"/?#".contains($0) }
    self.url = scheme + signed.host + rest
    option = Self.address(of: signed) + ":" + Self.address(of: dialed)
  }

  /// The host and the port, even if it's the default port.
  private static func address(of request: SigV4.Request) -> String {
    let hasPort = request.host.drop { $0 != "]" }.dropFirst().hasPrefix(":")
    if hasPort || !request.host.hasPrefix("[") && request.host.contains(":") { return request.host }
    let isTLS = request.scheme == .https || request.scheme == .wss
    return request.host + (isTLS ? ":443" : ":80")
  }
}

extension SigningOptions {
  /// Throws if headers or a URL alone don't contain the address to connect to.
  func requireOwnAddress() throws {
    guard let connectTo else { return }
    throw CommandError(
      .usage, "The -H Host header differs from the URL's host.",
      fix:
        "Use 'sigv4 curl' or --curl, or sign \(connectTo.url) and pass --connect-to "
        + "\(connectTo.option) to curl.")
  }
}
