// SPDX-License-Identifier: Apache-2.0
// Shared by tokens and WebSocket URLs: presigning with fixed parameters, and input checks.

public import RequestSigning

extension SigV4 {
  /// A connection to open: the service, the caller and the time.
  struct Connection {
    let service: Service
    let region: String
    let credentials: Credentials
    let timestamp: Timestamp

    /// Creates a connection to a service with the standard signing rules.
    init(
      _ service: String, region: String, _ credentials: Credentials, at timestamp: Timestamp
    ) throws(SigningError) {
      try credentials.identity.checkNotSecret()
      self.service = try .standard(service)
      self.region = region
      self.credentials = credentials
      self.timestamp = timestamp
    }

    /// The expiration of a lifetime that starts now, or of the credentials if that's earlier.
    func end(after seconds: Int) throws(SigningError) -> Timestamp {
      let end = try timestamp.advanced(bySeconds: Int64(seconds))
      return credentials.identity.expiration.map { Swift.min(end, $0) } ?? end
    }

    /// The URL that opens the connection.
    ///
    /// It's used immediately, so it's signed even if the credentials expire before it does.
    func url(
      _ request: Request, seconds: Int
    ) throws(SigningError) -> PresignedURL {
      let signer = try Signer(credentials: credentials, region: region, service: service)
      let lifetime = try SigV4.URLLifetime(seconds: seconds, until: end(after: seconds))
      return try signer.presignedURL(for: request, lifetime, at: timestamp)
    }

    /// The token, which is a presigned URL without its scheme.
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
  /// Throws `invalidHost` unless the string contains only a host.
  static func checkHost(_ host: String) throws(SigV4.SigningError) {
    let bytes = Array(host.utf8)
    let isIPv6 = bytes.first == 0x5B && bytes.last == 0x5D
    if bytes.contains(where: { $0 == ASCIIByte.slash || $0 == ASCIIByte.at })
      || bytes.contains(ASCIIByte.colon) && !isIPv6
    {
      // Hides a user and password in front of the host.
      let at = bytes.lastIndex(of: ASCIIByte.at).map { $0 + 1 } ?? 0
      throw SigV4.SigningError(
        .invalidHost,
        "The value that ends in \(quoted: bytes[at...]) isn't only a host name.",
        fix: "Use only the name, such as db.example.com, without a scheme, user, port or path.")
    }
  }

  /// Throws `invalidHost` for hosts that no AWS database has: IP addresses, local names, and names
  /// with a trailing dot. The server compares the host with its own name, whatever address the
  /// client uses.
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
    // Creating the request rejects an empty host.
    if isPublicName || host.utf8.isEmpty { return }
    throw SigV4.SigningError(
      .invalidHost,
      "No RDS or DSQL endpoint has the name \(quoted: host.bytesInUTF8[...]).",
      fix: "Sign the endpoint's name, and connect to your tunnel's address.")
  }

  static func checkPort(_ port: Int) throws(SigV4.SigningError) {
    if port < 1 || port > 65_535 {
      throw SigV4.SigningError(
        .invalidHost,
        "The port must be 1 to 65535, not \(port).",
        fix: "Use the port that the server listens on, such as 5432 or 3306.")
    }
  }

  static func checkUser(_ user: String) throws(SigV4.SigningError) {
    if user.isEmpty || user.utf8.contains(where: ASCIIByte.isControl) {
      throw SigV4.SigningError(
        .invalidUser,
        "\(quoted: user) isn't a valid user name: it's empty or contains a control character.",
        fix: "Use the name that you connect with, of a user that can sign in with IAM.")
    }
  }

  /// Throws `invalidResourceName` unless the name is valid in lowercase, as it's stored.
  static func checkCacheName(_ name: String) throws(SigV4.SigningError) {
    if !SigV4.DNSLabel.isValid(name.utf8.map(ASCIIByte.lowercased)) {
      throw SigV4.SigningError(
        .invalidResourceName,
        """
        \(quoted: name) isn't a valid cache or cluster name, which has up to 63 letters, digits \
        and '-'.
        """, fix: "Use the name it was created with, not the host of its endpoint.")
    }
  }

  static func checkLifetime(
    _ seconds: Int, atMost limit: Int = 604_800
  ) throws(SigV4.SigningError) {
    if seconds < 1 || seconds > limit {
      throw SigV4.SigningError(
        .invalidLifetime,
        "The lifetime must be 1 to \(limit) seconds, not \(seconds).",
        fix: "Use a lifetime in this range.")
    }
  }
}

/// Errors of tokens.
extension SigV4.SigningError.Code {
  /// The user name is empty or contains a control character. Use the name that you connect with, of
  /// a user that can sign in with IAM.
  public static var invalidUser: Self { Self(name: "invalidUser") }
  /// The name isn't valid for a cache, cluster, channel, client or identity provider. Use the name
  /// it was created with, not its host. For a signaling channel, use the whole ARN.
  public static var invalidResourceName: Self { Self(name: "invalidResourceName") }
  /// A server's challenge or nonce has a different form, or doesn't contain yours. Pass what the
  /// server sent in this connection, and end the connection if it's not what you expect.
  public static var invalidNonce: Self { Self(name: "invalidNonce") }
}
