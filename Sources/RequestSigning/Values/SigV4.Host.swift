// SPDX-License-Identifier: Apache-2.0
// The authority of a URL as the value of the Host header, in the one form in which it is sent.

nonisolated extension SigV4 {
  /// The scheme of a request. It decides which port is the default one.
  public enum Scheme: Sendable {
    /// Port 443.
    case https
    /// Port 80.
    case http
    /// WebSocket over TLS, port 443.
    case wss
    /// WebSocket, port 80.
    case ws

    /// The name in a URL.
    public var name: String {
      switch self {
      case .https: "https"
      case .http: "http"
      case .wss: "wss"
      case .ws: "ws"
      }
    }

    var defaultPort: Int {
      switch self {
      case .https, .wss: 443
      case .http, .ws: 80
      }
    }

    static func named(_ name: some Collection<UInt8>) -> Scheme? {
      let all: [Scheme] = [.https, .http, .wss, .ws]
      return all.first { ASCII.equalIgnoringCase(name, $0.name.utf8) }
    }
  }

  /// The value of a Host header: lowercase, without user information, without the default port.
  struct Host: Sendable {
    let text: String

    /// Reads `[user@]host[:port]` (RFC 3986, 3.2).
    init(authority: some Collection<UInt8>, scheme: Scheme) throws(SigningError) {
      let bytes = Array(authority)
      let start = bytes.lastIndex(of: ASCII.at).map { $0 + 1 } ?? 0
      let (name, port) = try Self.split(bytes[start...])
      try Self.checkName(name)
      var text = name.map(ASCII.lowercased)
      if let number = try Self.number(ofPort: port), number != scheme.defaultPort {
        text.append(ASCII.colon)
        text.append(contentsOf: String(number).utf8)
      }
      self.text = String(decoding: text, as: UTF8.self)
    }

    /// The name (an IPv6 address with its brackets) and what follows the colon after it.
    static func split(
      _ authority: ArraySlice<UInt8>
    ) throws(SigningError) -> (name: ArraySlice<UInt8>, port: ArraySlice<UInt8>) {
      let nameEnd: Int
      if authority.first == 0x5B {
        guard let bracket = authority.firstIndex(of: 0x5D) else {
          throw invalid(authority, "the bracket of its IPv6 address is not closed")
        }
        nameEnd = bracket + 1
      } else {
        nameEnd = authority.firstIndex(of: ASCII.colon) ?? authority.endIndex
      }
      let rest = authority[nameEnd...]
      if let first = rest.first, first != ASCII.colon {
        throw invalid(authority, "something other than a port follows the address in brackets")
      }
      return (authority[..<nameEnd], rest.dropFirst())
    }

    static func checkName(_ name: ArraySlice<UInt8>) throws(SigningError) {
      if name.isEmpty { throw invalid(name, "it is empty") }
      if name.first == 0x5B {
        if !isIPv6Address(name.dropFirst().dropLast()) {
          throw invalid(name, "what stands in brackets is no IPv6 address without a zone")
        }
        return
      }
      if name.contains(where: { $0 > 0x7F }) {
        throw invalid(name, "it has characters outside of ASCII; write it in Punycode (xn--...)")
      }
      if !name.allSatisfy({ ASCII.isUnreserved($0) }) {
        throw invalid(name, "it may hold letters, digits, '-', '.', '_' and '~' only")
      }
      let labels = name.split(separator: ASCII.dot, omittingEmptySubsequences: false)
      // One dot at the end is the root of the domain names.
      let ended = labels.count > 1 && labels.last?.isEmpty == true ? labels.dropLast() : labels[...]
      if ended.contains(where: { $0.isEmpty }) {
        throw invalid(name, "there is nothing before one of its dots")
      }
    }

    /// RFC 4291, 2.2: eight groups of hexadecimal digits, of which one run of zeros may be written
    /// as '::' and the last two as an IPv4 address.
    static func isIPv6Address(_ address: ArraySlice<UInt8>) -> Bool {
      let groups = address.split(separator: ASCII.colon, omittingEmptySubsequences: false)
      if groups.count < 3 { return false }
      var groupCount = 0
      for (index, group) in groups.enumerated() where !group.isEmpty {
        let isHexadecimal =
          group.count <= 4 && group.allSatisfy { ASCII.hexadecimalValue($0) != nil }
        let isIPv4 = index == groups.count &- 1 && isIPv4Address(group)
        if !isHexadecimal && !isIPv4 { return false }
        groupCount &+= isHexadecimal ? 1 : 2
      }
      let empty = groups.indices.filter { groups[$0].isEmpty }
      switch empty {
      case []: return groupCount == 8
      case [0, 1, 2]: return groups.count == 3  // ::
      case [0, 1], [groups.count &- 2, groups.count &- 1]: return groupCount < 8  // ::a and a::
      default:
        return empty.count == 1 && empty != [0] && empty != [groups.count &- 1] && groupCount < 8
      }
    }

    /// Four numbers from 0 to 255, without leading zeros.
    static func isIPv4Address(_ address: ArraySlice<UInt8>) -> Bool {
      let numbers = address.split(separator: ASCII.dot, omittingEmptySubsequences: false)
      return numbers.count == 4
        && numbers.allSatisfy { digits in
          !digits.isEmpty && digits.count <= 3 && digits.allSatisfy(ASCII.isDigit)
            && (digits.count == 1 || digits.first != 0x30)
            && digits.reduce(0) { $0 &* 10 &+ Int($1 &- 0x30) } <= 255
        }
    }

    static func number(ofPort port: ArraySlice<UInt8>) throws(SigningError) -> Int? {
      if port.isEmpty { return nil }
      var number = 0
      for byte in port {
        guard ASCII.isDigit(byte), number <= 65_535 else { throw invalidPort(port) }
        number = number &* 10 &+ Int(byte &- 0x30)
      }
      if number < 1 || number > 65_535 { throw invalidPort(port) }
      return number
    }

    static func invalid(_ host: ArraySlice<UInt8>, _ reason: String) -> SigningError {
      SigningError(
        .invalidHost,
        "the host \(quoted(host)) cannot be signed: \(reason). The Host header is always signed, "
          + "so give it exactly as it will be sent: example.com, example.com:8080 or [::1]:9000")
    }

    static func invalidPort(_ port: ArraySlice<UInt8>) -> SigningError {
      SigningError(
        .invalidHost,
        "the port \(port.allSatisfy(ASCII.isDigit) ? quoted(port) : "(not shown)") is no number from "
          + "1 to 65535; correct it, or leave it out for the default port of the scheme. A host is "
          + "given without https:// and without a path")
    }
  }
}
