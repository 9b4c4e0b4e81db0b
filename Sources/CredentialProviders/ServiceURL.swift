// SPDX-License-Identifier: Apache-2.0
// Addresses that secrets are sent to: encrypted, or to the machine itself.

internal import RequestSigning
internal import SigningSupport

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
    /// Any: only this network answers there.
    case any
  }

  /// Checks a URL from the configuration; `name` says where it was set, for a message.
  ///
  /// Throws `invalidConfiguration` for a text that is not a URL, for user information, which makes one
  /// host look like another, and for a host that may not be spoken to without TLS.
  init(
    _ url: String, named name: String, plain: PlainHosts = .loopback(and: [])
  ) throws(CredentialError) {
    let authority = url.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != "/" && $0 != "?" }
    guard url.isVisibleASCII, !url.utf8.contains(where: "\\#".utf8.contains),
      !authority.utf8.contains(UInt8(ascii: "@")), let request = try? SigV4.Request("GET", url: url)
    else {
      throw CredentialError(
        .invalidConfiguration,
        "\(name) is not a URL that can be asked for credentials (\(url.utf8.count) bytes, not shown); "
          + "give one of visible ASCII, encoded, without a user's name: https://host/path")
    }
    text = url
    origin = request.scheme.name + "://" + request.host
    guard request.scheme.name != "https", case .loopback(let others) = plain else { return }
    let host = request.host
    // The port may be any.
    if IPAddressGrammar.isLoopback(host.utf8)
      || others.contains(where: { host == $0 || host.hasPrefix($0 + ":") })
    {
      return
    }
    let allowed = others.isEmpty ? "" : " or to " + others.joined(separator: ", ")
    throw CredentialError(
      .invalidConfiguration,
      "\(name) names \(origin.shown), to which credentials would travel in plain text; http is allowed "
        + "to the machine itself\(allowed) only: use https")
  }

  /// Checks a URL that paths are appended to, which a query would swallow.
  init(
    base url: String, named name: String, plain: PlainHosts = .loopback(and: [])
  ) throws(CredentialError) {
    if url.utf8.contains(UInt8(ascii: "?")) {
      throw CredentialError(
        .invalidConfiguration,
        "\(name) has a query (\(url.utf8.count) bytes, not shown), and paths are appended to it; "
          + "give scheme, host and path only")
    }
    try self.init(
      url.hasSuffix("/") ? String(url.dropLast()) : url, named: name, plain: plain)
  }
}

/// Regions as parts of hosts.
enum ServiceRegion {
  /// The domain of a region's services. Throws `invalidConfiguration`.
  static func domain(of region: String) throws(CredentialError) -> String {
    do throws(SigV4.SigningError) {
      return try SigV4.AWSPartition(region: region).domain
    } catch {
      throw CredentialError(.invalidConfiguration, error.message)
    }
  }
}
