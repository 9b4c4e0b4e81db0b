// SPDX-License-Identifier: Apache-2.0
// The authority of a URL as the value of the Host header, in the one form in which it is sent.

internal import SigningSupport

extension SigV4 {
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
    public var name: String { text.description }

    var text: StaticString {
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

    static func named(_ name: UnsafeRawBufferPointer) -> Scheme? {
      let all: [Scheme] = [.https, .http, .wss, .ws]
      // Safety: both are read only.
      return all.first { unsafe ASCIIByte.equalIgnoringCase(name, $0.text.bytesInUTF8) }
    }
  }

  /// The value of a Host header: lowercase, without user information, without the default port.
  struct Host: Sendable {
    let bytes: [UInt8]

    /// Reads `[user@]host[:port]` (RFC 3986, 3.2).
    init(authority: ArraySlice<UInt8>, scheme: Scheme) throws(SigningError) {
      var rest = authority
      while case let at = rest.firstPosition(of: ASCIIByte.at), at < rest.endIndex {
        rest = rest[at...].dropFirst()
      }
      let (name, port) = try Self.split(rest)
      try Self.checkName(name)
      let number = try Self.number(ofPort: port)
      var bytes: [UInt8] = []
      bytes.append(upTo: name.count + 6) { text in
        for byte in name { text.append(byte: ASCIIByte.lowercased(byte)) }
        if let number, number != scheme.defaultPort {
          text.append(byte: ASCIIByte.colon)
          text.append(decimal: number)
        }
      }
      self.bytes = bytes
    }

    /// The name (an IPv6 address with its brackets) and what follows the colon after it.
    static func split(
      _ authority: ArraySlice<UInt8>
    ) throws(SigningError) -> (name: ArraySlice<UInt8>, port: ArraySlice<UInt8>) {
      var nameEnd = authority.firstPosition(of: ASCIIByte.colon)
      if authority.first == 0x5B {
        guard let bracket = authority.firstIndex(of: 0x5D) else {
          throw invalid(authority, "the bracket of its IPv6 address is not closed")
        }
        nameEnd = bracket &+ 1
      }
      let rest = authority[nameEnd...]
      if let first = rest.first, first != ASCIIByte.colon {
        throw invalid(authority, "something other than a port follows the address in brackets")
      }
      return (authority[..<nameEnd], rest.dropFirst())
    }

    static func checkName(_ name: ArraySlice<UInt8>) throws(SigningError) {
      if name.isEmpty { throw invalid(name, "it is empty") }
      if name.first == 0x5B {
        if !IPAddressGrammar.isVersion6(name[name.startIndex &+ 1..<name.endIndex &- 1]) {
          throw invalid(name, "the text in brackets is not an IPv6 address, or it has a zone")
        }
        return
      }
      var previous = ASCIIByte.dot
      for byte in name {
        if byte > 0x7F {
          throw invalid(name, "it has characters outside of ASCII; write it in Punycode (xn--...)")
        }
        if !ASCIIByte.isUnreserved(byte) {
          throw invalid(name, "it may hold letters, digits, '-', '.', '_' and '~' only")
        }
        // One dot at the end is the root of the domain names.
        if byte == ASCIIByte.dot && previous == ASCIIByte.dot {
          throw invalid(name, "there is nothing before one of its dots")
        }
        previous = byte
      }
    }

    static func number(ofPort port: ArraySlice<UInt8>) throws(SigningError) -> Int? {
      if port.isEmpty { return nil }
      var number = 0
      for byte in port {
        guard ASCIIByte.isDigit(byte), number <= 65_535 else { throw invalidPort(port) }
        number = number &* 10 &+ Int(byte &- 0x30)
      }
      if number < 1 || number > 65_535 { throw invalidPort(port) }
      return number
    }

    static func invalid(_ host: ArraySlice<UInt8>, _ reason: StaticString) -> SigningError {
      SigningError(
        .invalidHost,
        """
        the host \(quoted: host) cannot be signed: \(reason). The Host header is always signed, so \
        give it exactly as it will be sent: example.com, example.com:8080 or [::1]:9000
        """)
    }

    static func invalidPort(_ port: ArraySlice<UInt8>) -> SigningError {
      let isShown = port.allSatisfy(ASCIIByte.isDigit)
      let shown: UTF8Text = isShown ? "\(quoted: port)" : "(not shown)"
      return SigningError(
        .invalidHost,
        """
        the port \(shown) is not a number from 1 to 65535; correct it, or leave it out for the \
        default port of the scheme. A host is given without https:// and without a path
        """)
    }
  }
}
