// SPDX-License-Identifier: Apache-2.0
// The SASL response with which a Cassandra driver signs in to Amazon Keyspaces.

public import RequestSigning
internal import SecureHashing

extension SigV4.IdentityProof {
  /// Creates the response to the SASL challenge of Amazon Keyspaces (for Apache Cassandra).
  ///
  /// The initial response, before the challenge, is `SigV4` and two zero bytes. The proof is valid
  /// for 15 minutes, but only for this challenge, because its nonce is signed.
  ///
  /// - Parameters:
  ///   - challenge: The server's challenge, which contains `nonce=` and 32 characters.
  ///   - region: The region of the keyspace.
  ///   - credentials: The caller's credentials.
  ///   - timestamp: The current time.
  /// - Throws: `invalidNonce`, `invalidRegion` or `credentialsExpired`.
  ///
  /// Source: AWS's SigV4 authentication plugins for Cassandra drivers, such as cassandra-sigv4.
  public static func keyspaces(
    challenge: some Collection<UInt8>, region: String, credentials: SigV4.Credentials,
    at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Self {
    let seconds = 900
    let nonce = try nonce(in: Array(challenge))
    let connection = try SigV4.Connection("cassandra", region: region, credentials, at: timestamp)
    let signer = try SigV4.Signer(
      credentials: credentials, region: region, service: connection.service)
    try signer.preparer.checkCredentials(at: timestamp)
    let key = try signer.signingKey(at: timestamp)
    let encoded = { (text: String) in URIEncoding.encode(Array(text.utf8)).textInUTF8 }
    let time = timestamp.withMilliseconds
    let names = "host"
    let beginning = """
      PUT
      /authenticate
      X-Amz-Algorithm=AWS4-HMAC-SHA256\
      &X-Amz-Credential=\(encoded(credentials.accessKeyID + "/" + key.scope.text))\
      &X-Amz-Date=\(encoded(time))\
      &X-Amz-Expires=\(seconds)
      host:cassandra


      """
    let start = beginning.utf8.count
    let request = SigV4.CanonicalRequest(
      bytes: Array((beginning + names + "\n" + SHA256.hash(data: nonce).hexString).utf8),
      signedHeaders: start..<start + names.utf8.count)
    let stringToSign = SigV4.StringToSign(
      bytes: Array(
        """
        AWS4-HMAC-SHA256
        \(time)
        \(key.scope.text)
        \(request.digest.hexString)
        """.utf8))
    let token = credentials.identity.sessionToken.map { [("session_token", $0)] } ?? []
    let fields =
      [
        ("signature", key.signature(of: stringToSign).hexString),
        ("access_key", credentials.accessKeyID), ("amzdate", time),
      ] + token
    return Self(
      fields.map { $0.0 + "=" + $0.1 }.joined(separator: ","), fields, host: "cassandra", key.scope,
      request, stringToSign, until: try connection.end(after: seconds))
  }

  /// The 32 bytes after `nonce=`.
  private static func nonce(in challenge: [UInt8]) throws(SigV4.SigningError) -> ArraySlice<UInt8> {
    guard let name = BytewiseSearch.range(of: "nonce=", in: challenge[...]),
      challenge.endIndex - name.upperBound >= 32
    else {
      throw SigV4.SigningError(
        .invalidNonce,
        "The challenge \(quoted: challenge) doesn't contain nonce= and 32 characters.",
        fix: "Pass the whole challenge that the server sent after the initial response.")
    }
    return challenge[name.upperBound..<name.upperBound + 32]
  }
}

extension SigV4.Timestamp {
  /// The form of Keyspaces: `2022-12-14T08:38:34.000Z`.
  fileprivate var withMilliseconds: String {
    let digits = textBytes
    let text = { (range: Range<Int>) in digits[range].textInUTF8 }
    return text(0..<4) + "-" + text(4..<6) + "-" + text(6..<8) + "T" + text(9..<11) + ":"
      + text(11..<13) + ":" + text(13..<15) + ".000Z"
  }
}
