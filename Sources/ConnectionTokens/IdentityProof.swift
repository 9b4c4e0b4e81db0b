// SPDX-License-Identifier: Apache-2.0
// Proofs of identity: signed requests in the form that a service or a third party expects.

public import RequestSigning
internal import SecureHashing

extension SigV4 {
  /// A signed request as a proof of who you are, in the form that a server expects.
  ///
  ///     let proof = try SigV4.IdentityProof.vault(
  ///       role: "app", serverID: "vault.example.com", credentials: credentials, at: now)
  ///     let body = proof.text  // of POST https://vault.example.com/v1/auth/aws/login
  ///
  /// The server learns who you are, but not the secret. Some servers aren't AWS: they send the
  /// request to AWS themselves. Until ``expiration``, such a server, or anyone who reads the proof,
  /// can replay it. Sign the server's name or nonce with it, so that no other server accepts it.
  public struct IdentityProof: Sendable {
    /// The proof as the server expects it. Treat it as a secret.
    public let text: String

    /// The values in the proof, by their names in it, for drivers that assemble it themselves.
    public let fields: [(name: String, value: String)]

    /// When AWS no longer accepts the proof, so that it can't be replayed: after minutes, or when
    /// the credentials expire if that's earlier.
    public let expiration: Timestamp

    /// The signed host.
    public let host: String

    /// The signature's credential scope.
    public let credentialScope: CredentialScope

    /// The canonical request. If the server rejects the proof, compare it with the server's. It may
    /// contain a session token.
    public let canonicalRequest: CanonicalRequest

    /// The string to sign.
    public let stringToSign: StringToSign

    /// Creates a proof from the headers of a signed request.
    init(
      _ text: String, _ fields: [(name: String, value: String)], of signed: SignedRequest,
      until expiration: Timestamp
    ) {
      self.init(
        text, fields, host: signed.host, signed.credentialScope, signed.canonicalRequest,
        signed.stringToSign, until: expiration)
    }

    init(
      _ text: String, _ fields: [(name: String, value: String)], host: String,
      _ scope: CredentialScope, _ request: CanonicalRequest, _ stringToSign: StringToSign,
      until expiration: Timestamp
    ) {
      self.text = text
      self.fields = fields
      self.expiration = expiration
      self.host = host
      credentialScope = scope
      canonicalRequest = request
      self.stringToSign = stringToSign
    }
  }
}

extension SigV4.IdentityProof: CustomStringConvertible {
  /// The host, the scope and the expiration, without the proof.
  public var description: String {
    "IdentityProof(\(host), \(credentialScope.text), replayable until \(expiration.text))"
  }
}

extension SigV4.IdentityProof: Redacted {}

extension SigV4.Connection {
  /// How long AWS STS accepts a signed request: 15 minutes.
  ///
  /// Sources: HashiCorp Vault, "AWS auth method", and aws-iam-authenticator, which both rely on it.
  static var stsSeconds: Int { 900 }

  /// Creates a connection to AWS STS at a host. Without a region, it's the host's second label, or
  /// us-east-1 for the global endpoint.
  ///
  /// Source: MongoDB, "Authentication" specification, MONGODB-AWS, "Region Calculation".
  static func sts(
    at host: String, region: String? = nil, _ credentials: SigV4.Credentials,
    _ timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Self {
    try checkHost(host)
    let name = host.lowercased()
    let labels = name.utf8.split(separator: ASCIIByte.dot, omittingEmptySubsequences: false)
    if host.utf8.count > 255 || labels.contains(where: \.isEmpty) {
      throw SigV4.SigningError(
        .invalidHost,
        "\(quoted: host) isn't a host of AWS STS.",
        fix: "Use sts.amazonaws.com, or the endpoint of a region: sts.eu-west-1.amazonaws.com.")
    }
    let isGlobal = labels.count == 1 || name == globalSTSHost
    let regionOfHost = isGlobal ? "us-east-1" : String(Substring(labels[1]))
    return try Self("sts", region: region ?? regionOfHost, credentials, at: timestamp)
  }

  /// The endpoint of AWS STS in us-east-1.
  static var globalSTSHost: String { "sts.amazonaws.com" }

  /// Signs a request in its headers, all of them: the server sends exactly these.
  func signed(_ request: SigV4.Request) throws(SigV4.SigningError) -> SigV4.SignedRequest {
    var service = service
    service.unsignedHeaders = .none
    return try SigV4.Signer(credentials: credentials, region: region, service: service)
      .sign(request, at: timestamp)
  }

  /// The body of a GetCallerIdentity request, which tells the receiver the caller's ARN.
  static var callerIdentity: String { "Action=GetCallerIdentity&Version=2011-06-15" }

  /// Signs a GetCallerIdentity request in the body of a POST, with a signed Content-Length.
  func callerIdentity(
    host: String, contentType: String, headers: [(String, String)]
  ) throws(SigV4.SigningError) -> SigV4.SignedRequest {
    let body = Array(Self.callerIdentity.utf8)
    return try signed(
      SigV4.Request(
        "POST", host: host,
        headers: SigV4.Headers(
          [("Content-Length", String(body.count)), ("Content-Type", contentType)] + headers),
        payload: .bytes(body)))
  }
}
