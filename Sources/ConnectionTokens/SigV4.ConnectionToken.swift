// SPDX-License-Identifier: Apache-2.0
// A token with which a client proves who it is when it connects: a presigned URL in disguise.

public import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// A token that opens connections to a database, a cache or a cluster, in place of a password.
  ///
  ///     let token = try SigV4.ConnectionToken.rds(
  ///       host: host, port: 5432, user: "app", region: region, credentials: credentials, at: now)
  ///     connect(host, user: "app", password: token.text)
  ///
  /// A connection that is open stays open when its token expires. Whoever has the token can use it:
  /// treat it as a secret.
  public struct ConnectionToken: Sendable {
    /// The token, byte for byte as the server expects it. Secret.
    public let text: String

    /// When the token stops to work: at the end of its life or, if that is earlier, when the
    /// credentials end.
    public let expiration: Timestamp

    /// What the token is made of, with the rooms of its signature, to be compared. Secret.
    public let presignedURL: PresignedURL

    init(_ text: String, of url: PresignedURL, until expiration: Timestamp) {
      self.text = text
      self.expiration = expiration
      presignedURL = url
    }
  }
}

extension SigV4.ConnectionToken: CustomStringConvertible {
  /// Host and scope. Never the token.
  public var description: String {
    "ConnectionToken(\(presignedURL.host), \(presignedURL.credentialScope.text))"
  }
}

extension SigV4.ConnectionToken: ConcealsContents {}
