// SPDX-License-Identifier: Apache-2.0
// Addresses of this machine and its link, and the URLs that are allowed without TLS.

internal import CredentialProviders
internal import RequestSigning

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An address of this machine or its link: 4 bytes for IPv4, 16 bytes for IPv6.
package struct NearAddress: Equatable, Sendable {
  let bytes: [UInt8]

  var family: Int32 { bytes.count == 4 ? AF_INET : AF_INET6 }

  /// The addresses of a host, with or without brackets. Empty if the host isn't this machine or on
  /// its link. Names other than `localhost` aren't resolved.
  package static func addresses(of host: String) -> [NearAddress] {
    // RFC 6761, 6.3.
    if host.lowercased() == "localhost" {
      return ["127.0.0.1", "::1"].compactMap { NearAddress($0) }
    }
    let isInBrackets = host.hasPrefix("[") && host.hasSuffix("]")
    let address = NearAddress(isInBrackets ? String(host.dropFirst().dropLast()) : host)
    return address.map { [$0] } ?? []
  }

  private init?(_ text: String) {
    var bytes = [UInt8](repeating: 0, count: text.utf8.contains(ASCIIByte.colon) ? 16 : 4)
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    // Safety: inet_pton() writes 4 or 16 bytes, the size of the array.
    let isAddress = unsafe bytes.withUnsafeMutableBytes {
      unsafe inet_pton(family, text, $0.baseAddress) == 1
    }
    self.bytes = bytes
    if !isAddress || !isLocal { return nil }
  }

  private var isLocal: Bool {
    if bytes.count == 4 {
      // RFC 1122, 3.2.1.3 (g): 127.0.0.0/8; RFC 3927, 2.1: 169.254.0.0/16.
      return bytes[0] == 127 || bytes.starts(with: [169, 254])
    }
    // RFC 4291, 2.5.3: ::1. fd00:ec2::/32 belongs to Amazon. Not fe80::/10, which needs a zone.
    return bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
      || bytes.starts(with: [0xFD, 0x00, 0x0E, 0xC2])
  }
}

/// The destination of a request that's allowed without TLS.
struct NearTarget: Sendable {
  let addresses: [NearAddress]
  let port: UInt16
  /// The host and port, as in the URL.
  let authority: String
  /// The path and the query.
  let path: String

  /// Throws `invalidConfiguration` if the URL isn't an http URL, or its host requires TLS.
  init(_ request: SigV4.HTTPRequest) throws(CredentialError) {
    let prefix = request.url.prefix(7)
    let rest = request.url.dropFirst(7)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let isPlain = request.url.utf8.allSatisfy { ASCIIByte.isVisible($0) && $0 != UInt8(ascii: "#") }
    if request.url.prefix(8).lowercased() == "https://" { throw Self.needsTLS(request) }
    guard prefix.lowercased() == "http://", isPlain,
      let (host, port) = Self.hostAndPort(of: String(authority))
    else {
      throw CredentialError(
        .invalidConfiguration,
        "\(request) wasn't sent: it isn't a valid URL.", fix: "Check its scheme, host and port.")
    }
    addresses = NearAddress.addresses(of: host)
    if addresses.isEmpty {
      throw CredentialError(
        .invalidConfiguration,
        "\(request) wasn't sent: plain HTTP is only for this machine and its link (\(Self.near)).",
        fix: "Check the address, or use https.")
    }
    self.port = port
    self.authority = String(authority)
    let path = rest.dropFirst(authority.count)
    self.path = (path.hasPrefix("/") ? "" : "/") + path
  }

  /// Parses a host and a port. Returns nil if there is no host or the port isn't valid.
  private static func hostAndPort(of authority: String) -> (String, UInt16)? {
    var host = authority.prefix { $0 != ":" }
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = authority[...end]
    }
    let rest = authority.dropFirst(host.count)
    if host.isEmpty { return nil }
    if rest.isEmpty { return (String(host), 80) }
    let digits = rest.dropFirst()
    guard rest.hasPrefix(":"), digits.utf8.allSatisfy(ASCIIByte.isDigit), let port = UInt16(digits)
    else { return nil }
    return (String(host), port)
  }

  private static func needsTLS(_ request: SigV4.HTTPRequest) -> CredentialError {
    CredentialError(
      .invalidConfiguration,
      "\(request) wasn't sent: these sources don't support TLS and reach only this machine and its "
        + "link (\(near)).",
      fix: "Use an http closure that supports TLS, such as the one in RequestSigningFoundation.")
  }

  private static let near = "127.0.0.0/8, 169.254.0.0/16, ::1, fd00:ec2::/32, localhost"
}
