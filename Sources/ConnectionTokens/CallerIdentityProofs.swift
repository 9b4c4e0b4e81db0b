// SPDX-License-Identifier: Apache-2.0
// Proofs that are a signed GetCallerIdentity request: HashiCorp Vault, MongoDB, Google Cloud.

internal import DocumentSupport
public import RequestSigning
internal import SecureHashing

extension SigV4.IdentityProof {
  /// Creates the body of a login to HashiCorp Vault (or OpenBao) with its AWS auth method.
  ///
  /// Send ``text`` as the JSON body of `POST /v1/auth/aws/login`. Vault sends the request in it to
  /// AWS STS. For 15 minutes, anyone who has it can log in as you at each Vault server that accepts
  /// it, so let the server require a server ID.
  ///
  /// - Parameters:
  ///   - role: The Vault role. Nil means the role with the name of your IAM role or user.
  ///   - serverID: The value that the server requires in `X-Vault-AWS-IAM-Server-ID`, such as its
  ///     host. Nil if it requires none.
  ///   - host: The STS endpoint that the server is configured with.
  ///   - region: The endpoint's region. Nil if it's the host's second label, or us-east-1 for the
  ///     global endpoint. A VPC endpoint needs its region.
  ///   - credentials: The caller's credentials.
  ///   - timestamp: The current time.
  /// - Throws: `invalidHost`, `invalidRegion`, also for a VPC endpoint without one,
  ///   `invalidHeaderValue` or `nonASCIIHeader` for a server ID that no header can contain, or
  ///   `credentialsExpired`.
  ///
  /// Source: HashiCorp Vault, "AWS auth method (API)", "Login", and hvac, `iam_login`.
  public static func vault(
    role: String? = nil, serverID: String? = nil, host: String = "sts.amazonaws.com",
    region: String? = nil, credentials: SigV4.Credentials, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Self {
    let connection = try SigV4.Connection.sts(at: host, region: region, credentials, timestamp)
    let labels = host.lowercased().utf8.split(separator: ASCIIByte.dot)
    if region == nil && labels.contains(where: { $0.elementsEqual("vpce".utf8) }) {
      throw SigV4.SigningError(
        .invalidRegion,
        "The region of the VPC endpoint \(quoted: host) is missing.",
        fix: "Pass the region that the endpoint is in.")
    }
    let signed = try connection.callerIdentity(
      host: host, contentType: "application/x-www-form-urlencoded; charset=utf-8",
      headers: serverID.map { [("X-Vault-AWS-IAM-Server-ID", $0)] } ?? [])
    let headers = JSONText.object(
      [("Host", .array([.string(signed.host)]))]
        + signed.headers.map { ($0.name, .array([.string($0.value)])) })
    let fields =
      [
        ("iam_http_request_method", signed.method),
        ("iam_request_url", Base64.encode(signed.url.utf8)),
        ("iam_request_headers", Base64.encode(headers.compact.utf8)),
        ("iam_request_body", Base64.encode(SigV4.Connection.callerIdentity.utf8)),
      ] + (role.map { [("role", $0)] } ?? [])
    return Self(
      JSONText.object(fields.map { ($0.0, .string($0.1)) }).compact, fields, of: signed,
      until: try connection.end(after: SigV4.Connection.stsSeconds))
  }

  /// Creates the second message of a sign-in to MongoDB with MONGODB-AWS.
  ///
  /// ``fields`` are `a`, `d` and, with temporary credentials, `t`: the strings of the BSON document
  /// to send. ``text`` is the same as JSON. The server sends the request in it to AWS STS. For 15
  /// minutes, anyone who has it can prove to STS that they are you, but no other MongoDB server
  /// accepts it, because the server's nonce is signed.
  ///
  /// - Parameters:
  ///   - clientNonce: The 32 random bytes that you sent as `r` in the first message.
  ///   - serverNonce: The 64 bytes of `s` in the server's response. They begin with yours.
  ///   - host: The STS host, `h` in the server's response. It contains the region.
  ///   - credentials: The caller's credentials.
  ///   - timestamp: The current time.
  /// - Throws: `invalidNonce` unless the server's nonce is 64 bytes that begin with the client's
  ///   32, `invalidHost` or `credentialsExpired`.
  ///
  /// Source: MongoDB, "Authentication" specification, MONGODB-AWS, and pymongo-auth-aws.
  public static func mongoDB(
    clientNonce: some Collection<UInt8>, serverNonce: some Collection<UInt8>, host: String,
    credentials: SigV4.Credentials, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Self {
    if clientNonce.count != 32 || serverNonce.count != 64 || !serverNonce.starts(with: clientNonce)
    {
      throw SigV4.SigningError(
        .invalidNonce,
        """
        The server's nonce must be the client's 32 bytes and 32 more, but they're \
        \(clientNonce.count) and \(serverNonce.count) bytes long, or differ.
        """,
        fix: "Treat the server as an attacker: close the connection.")
    }
    let connection = try SigV4.Connection.sts(at: host, credentials, timestamp)
    let signed = try connection.callerIdentity(
      host: host, contentType: "application/x-www-form-urlencoded",
      headers: [
        ("X-MongoDB-Server-Nonce", Base64.encode(serverNonce)), ("X-MongoDB-GS2-CB-Flag", "n"),
      ])
    let token = credentials.identity.sessionToken.map { [("t", $0)] } ?? []
    let fields = [("a", signed.authorization), ("d", timestamp.text)] + token
    return Self(
      JSONText.object(fields.map { ($0.0, .string($0.1)) }).compact, fields, of: signed,
      until: try connection.end(after: SigV4.Connection.stsSeconds))
  }

  /// Creates the subject token for Google Cloud's workload identity federation.
  ///
  /// Send ``text`` as `subject_token` to Google's `https://sts.googleapis.com/v1/token`, with the
  /// type `urn:ietf:params:aws:token-type:aws4_request`. Google sends the request in it to AWS STS.
  /// For 15 minutes, anyone who has it can use it, but only for this provider, because its name is
  /// signed.
  ///
  /// - Parameters:
  ///   - audience: The provider's full name: `//iam.googleapis.com/projects/NUMBER/locations/`
  ///     `global/workloadIdentityPools/POOL/providers/PROVIDER`, with or without `https:`.
  ///   - region: The region of the STS endpoint.
  ///   - credentials: The caller's credentials.
  ///   - timestamp: The current time.
  /// - Throws: `invalidResourceName`, `invalidRegion` or `credentialsExpired`.
  ///
  /// Source: google-auth, `google.auth.aws`, and Google Cloud, "Configure Workload Identity
  /// Federation with AWS or Azure".
  public static func google(
    audience: String, region: String, credentials: SigV4.Credentials,
    at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Self {
    try checkAudience(audience)
    let connection = try SigV4.Connection("sts", region: region, credentials, at: timestamp)
    let host = "sts." + region + "." + (try SigV4.AWSPartition(region: region)).domain
    let signed = try connection.signed(
      SigV4.Request(
        "POST", host: host, query: ["Action": "GetCallerIdentity", "Version": "2011-06-15"],
        headers: ["x-goog-cloud-target-resource": audience]))
    let token = credentials.identity.sessionToken.map { [("x-amz-security-token", $0)] } ?? []
    let fields =
      [
        ("Authorization", signed.authorization), ("host", signed.host),
        ("x-amz-date", timestamp.text), ("x-goog-cloud-target-resource", audience),
      ] + token
    let json = JSONText.object([
      (
        "headers",
        .array(fields.map { .object([("key", .string($0.0)), ("value", .string($0.1))]) })
      ),
      ("method", .string(signed.method)),
      ("url", .string("https://" + host + "?" + SigV4.Connection.callerIdentity)),
    ])
    let encoded = URIEncoding.encode(Array(json.compact.utf8), as: .path)
    return Self(
      encoded.textInUTF8, fields, of: signed,
      until: try connection.end(after: SigV4.Connection.stsSeconds))
  }

  /// Throws `invalidResourceName` unless the string is the name of a provider.
  private static func checkAudience(_ audience: String) throws(SigV4.SigningError) {
    let name = audience.hasPrefix("https:") ? audience.dropFirst(6) : audience[...]
    if !name.hasPrefix("//iam.googleapis.com/") || !name.utf8.allSatisfy(ASCIIByte.isVisible) {
      throw SigV4.SigningError(
        .invalidResourceName,
        "\(quoted: audience) isn't the name of a workload identity pool provider.",
        fix: """
          Use its full name: //iam.googleapis.com/projects/NUMBER/locations/global/\
          workloadIdentityPools/POOL/providers/PROVIDER.
          """)
    }
  }
}
