// SPDX-License-Identifier: Apache-2.0
// What all tokens and WebSocket URLs share: presigning with fixed parameters, and their inputs.

public import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// A connection to be opened: who opens it, when, and to what.
  struct Connection {
    let service: Service
    let region: String
    let credentials: Credentials
    let timestamp: Timestamp

    /// A connection to a service that goes by the rules of a standard one.
    init(
      _ service: String, region: String, _ credentials: Credentials, at timestamp: Timestamp
    ) throws(SigningError) {
      self.service = try .standard(service)
      self.region = region
      self.credentials = credentials
      self.timestamp = timestamp
    }

    /// The end of a life that begins now, or that of the credentials, if it is earlier.
    func end(after seconds: Int) throws(SigningError) -> Timestamp {
      let end = try timestamp.advanced(bySeconds: Int64(seconds))
      return credentials.identity.expiration.map { Swift.min(end, $0) } ?? end
    }

    /// The URL that opens the connection.
    ///
    /// It is used at once, so it is signed even when the credentials end before it does.
    func url(
      _ request: Request, seconds: Int
    ) throws(SigningError) -> PresignedURL {
      let signer = try Signer(credentials: credentials, region: region, service: service)
      return try signer.presign(
        request, lifetime: seconds, until: end(after: seconds), at: timestamp)
    }

    /// The token that is such a URL without its scheme.
    func token(
      host: String, query: Query, seconds: Int = 900
    ) throws(SigningError) -> ConnectionToken {
      let url = try url(Request("GET", host: host, query: query), seconds: seconds)
      return ConnectionToken(
        url.host + url.target, of: url, until: try end(after: seconds))
    }
  }
}

extension SigV4.Connection {
  /// Refuses anything but a host alone.
  static func checkHost(_ host: String) throws(SigV4.SigningError) {
    let bytes = Array(host.utf8)
    let isIPv6 = bytes.first == 0x5B && bytes.last == 0x5D
    if bytes.contains(where: { $0 == ASCIIByte.slash || $0 == ASCIIByte.at })
      || bytes.contains(ASCIIByte.colon) && !isIPv6
    {
      // A user and a password may stand before the host.
      let at = bytes.lastIndex(of: ASCIIByte.at).map { $0 + 1 } ?? 0
      throw SigV4.SigningError(
        .invalidHost,
        """
        what ends in \(quoted: bytes[at...]) is not a host alone, and the server would compare it \
        with its own; give the name only, such as db.example.com, without a scheme, a user, a port \
        or a path
        """)
    }
  }

  /// Refuses a host that no database of AWS has: an IP address, a local name, or a name with a dot at its
  /// end. The server compares the host with its own name, whatever address the client connects to.
  static func checkDatabaseHost(_ host: String) throws(SigV4.SigningError) {
    try checkHost(host)
    let labels = host.utf8.map(ASCIIByte.lowercased).split(
      separator: ASCIIByte.dot, omittingEmptySubsequences: false)
    let last = labels.last ?? []
    // RFC 6761, 6.2 to 6.4, RFC 6762, 3, and ICANN's resolution 2024.07.29.06.
    let localNames: [StaticString] = ["localhost", "local", "internal", "test", "invalid"]
    let isPublicName =
      labels.count > 1 && last.first.map(ASCIIByte.isDigit) == false
      && !localNames.contains { last.spells($0) }
    // An empty host is refused as any other request refuses it.
    if isPublicName || host.utf8.isEmpty { return }
    throw SigV4.SigningError(
      .invalidHost,
      """
      No RDS or DSQL endpoint has the name \(quoted: host.bytesInUTF8[...]). Sign the name of the \
      endpoint, and connect to the address of your tunnel.
      """)
  }

  static func checkPort(_ port: Int) throws(SigV4.SigningError) {
    if port < 1 || port > 65_535 {
      throw SigV4.SigningError(
        .invalidHost,
        """
        \(port) is not a port, and the port is a part of what is signed; give the number from 1 to \
        65535 on which the server listens, such as 5432 or 3306
        """)
    }
  }

  static func checkUser(_ user: String) throws(SigV4.SigningError) {
    if user.isEmpty || user.utf8.contains(where: ASCIIByte.isControl) {
      throw SigV4.SigningError(
        .invalidUser,
        """
        \(quoted: user) cannot be the name of a user: it is empty or has a control character; give \
        the user that is allowed to sign in with IAM, the same as when connecting
        """)
    }
  }

  /// The name of a cache in lowercase, in which it is stored.
  static func checkCacheName(_ name: String) throws(SigV4.SigningError) {
    if !SigV4.DNSLabel.isValid(name.utf8.map(ASCIIByte.lowercased)) {
      throw SigV4.SigningError(
        .invalidResourceName,
        """
        \(quoted: name) cannot be the name of a cache or cluster: letters, digits and '-' only, up \
        to 63. Give the name that it was created with, and not the host of its endpoint
        """)
    }
  }

  static func checkLifetime(
    _ seconds: Int, atMost limit: Int = 604_800
  ) throws(SigV4.SigningError) {
    if seconds < 1 || seconds > limit {
      throw SigV4.SigningError(
        .invalidLifetime,
        "what opens this connection cannot be valid for \(seconds) seconds; ask for 1 to \(limit)")
    }
  }
}

/// Why a token cannot be made.
extension SigV4.SigningError.Code {
  /// The name of a user is empty or has a control character. Give the user that signs in with IAM,
  /// the same as when connecting.
  public static var invalidUser: Self { Self(name: "invalidUser") }
  /// No cache, cluster, channel or client can have this name. Give the name that it was created
  /// with, not its host; for a signalling channel its whole ARN.
  public static var invalidResourceName: Self { Self(name: "invalidResourceName") }
}
