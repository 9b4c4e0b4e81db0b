// SPDX-License-Identifier: Apache-2.0
// Signing for the host of -H 'Host: ...' and connecting to the address of the URL: curl's --connect-to.

internal import RequestSigning

/// A request that is signed for one host and sent to another address: through a tunnel, a port forward
/// or a proxy.
struct ConnectTo {
  /// The URL to sign and to give to curl.
  let url: String

  /// The value of curl's --connect-to: HOST1:PORT1:HOST2:PORT2.
  let option: String

  /// Nil unless a Host header names another host than the URL.
  init?(_ url: String, _ headers: SigV4.Headers) throws {
    let hosts = headers.values(named: "host")
    guard let given = hosts.first else { return nil }
    if given.isEmpty || hosts.count > 1 {
      throw CommandError.usage("-H 'Host: NAME' takes one host. Host is always signed and sent")
    }
    let dialed = try SigV4.Request("GET", url: url)
    let signed = try SigV4.Request("GET", scheme: dialed.scheme, host: given)
    if signed.host == dialed.host { return nil }
    let scheme = dialed.scheme.name + "://"
    let rest = url.dropFirst(scheme.count).drop { !"/?#".contains($0) }
    self.url = scheme + signed.host + rest
    option = Self.address(of: signed) + ":" + Self.address(of: dialed)
  }

  /// Host and port, also where that is the default one.
  private static func address(of request: SigV4.Request) -> String {
    let hasPort = request.host.drop { $0 != "]" }.dropFirst().hasPrefix(":")
    if hasPort || !request.host.hasPrefix("[") && request.host.contains(":") { return request.host }
    let isTLS = request.scheme == .https || request.scheme == .wss
    return request.host + (isTLS ? ":443" : ":80")
  }
}

extension SigningOptions {
  /// Refuses to print headers or a URL alone, which do not say where to connect.
  func requireOwnAddress() throws {
    guard let connectTo else { return }
    throw CommandError.usage(
      "-H Host names another host than the URL. Use 'sigv4 curl' or --curl, or sign \(connectTo.url) and "
        + "send it with curl --connect-to \(connectTo.option)")
  }
}
