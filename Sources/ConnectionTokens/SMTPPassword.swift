// SPDX-License-Identifier: Apache-2.0
// Passwords for the SMTP interface of Amazon SES.

public import RequestSigning
internal import SecureHashing

extension SigV4 {
  /// A user name and password for an SMTP server.
  ///
  /// It never expires, and is valid until the access key is deleted or deactivated. Treat it as a
  /// secret.
  public struct SMTPPassword: Sendable {
    /// The SMTP user name: the access key ID.
    public let userName: String

    /// The SMTP password.
    public let text: String

    /// The region that the password is for.
    public let region: String

    /// Creates the SMTP password of Amazon SES for an access key and a region.
    ///
    /// Connect to `email-smtp.REGION.amazonaws.com` with TLS. The password can send mail only, and
    /// doesn't reveal the secret access key. Anyone who has it can send mail as you, for as long as
    /// the key is active.
    ///
    /// - Throws: `invalidSessionToken` for temporary credentials, which SMTP doesn't support, or
    ///   `invalidRegion`.
    ///
    /// Source: Amazon SES, Developer Guide, "Obtaining Amazon SES SMTP credentials", "Convert
    /// existing IAM credentials".
    public static func ses(
      region: String, credentials: Credentials
    ) throws(SigningError) -> Self {
      if credentials.identity.sessionToken != nil {
        throw SigningError(
          .invalidSessionToken,
          "The SMTP interface of Amazon SES doesn't support temporary credentials.",
          fix: "Use the access key of an IAM user that may call ses:SendRawEmail.")
      }
      try credentials.identity.checkNotSecret()
      // The date of the algorithm is fixed.
      let date = try Timestamp("11111111T000000Z")
      let key = SigningKey(
        credentials, scope: try CredentialScope(dayOf: date, region: region, service: "ses"))
      let version: [UInt8] = [0x04]
      let code = key.signature(of: Array("SendRawEmail".utf8)).bytes
      return Self(
        userName: credentials.accessKeyID, text: Base64.encode(version + code), region: region)
    }
  }
}

extension SigV4.SMTPPassword: CustomStringConvertible {
  /// The user name and the region, without the password.
  public var description: String { "SMTPPassword(\(userName), \(region))" }
}

extension SigV4.SMTPPassword: Redacted {}
