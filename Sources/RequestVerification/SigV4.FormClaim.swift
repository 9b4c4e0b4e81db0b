// SPDX-License-Identifier: Apache-2.0
// What a form claims, waiting for the key that proves its policy or does not.

internal import DocumentSupport
public import RequestSigning
internal import S3Signing
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// What the form of an upload claims: that somebody allowed it. It is no proof: find the key, and
  /// ``verify(with:)``.
  public struct FormClaim: Sendable {
    /// Who claims to have signed the policy, in visible ASCII.
    public var accessKeyID: String { signer.accessKeyID }

    /// The day, region and service of the key that is needed. They are ones that the policy of the
    /// verifier accepts.
    public var scope: CredentialScope { signer.scope }

    /// When the form claims to have been signed.
    public let timestamp: Timestamp

    /// When the form ends.
    public let expiration: Timestamp

    /// The bucket of the request, which the policy names too.
    public let bucket: String

    /// The session token that was sent, for look-ups that go by it. Secret, and not proved.
    public var sessionToken: String? { signer.sessionToken }

    let signer: ClaimedSigner
    let fields: FormFields
    let byteCounts: ClosedRange<Int64>

    /// The policy in base64, as it was signed.
    let document: String

    /// Proves the claim with the credentials of ``accessKeyID``.
    ///
    /// Throws `signatureMismatch`; `sessionTokenMismatch` when the token is not that of the credentials,
    /// or is missing; `credentialsExpired`; and `wrongKey` for credentials of somebody else.
    public func verify(with credentials: Credentials) throws(VerificationError) -> VerifiedForm {
      try verify(signer.signingKey(of: credentials), credentials.identity.sessionTokenBytes)
    }

    /// Proves the claim with a signing key for ``scope``, and the session token that belongs to it.
    ///
    /// Throws what ``verify(with:)`` throws.
    public func verify(
      with key: SigningKey, sessionToken: String? = nil
    ) throws(VerificationError) -> VerifiedForm {
      try verify(key, sessionToken.map { SymmetricKey(data: $0.utf8) })
    }

    /// What to throw when nobody has the access key ID.
    public var unknownAccessKey: VerificationError { signer.unknownAccessKey }
  }
}

extension SigV4.FormClaim: CustomStringConvertible {
  /// Access key ID, scope and bucket. Neither token nor signature.
  public var description: String {
    "FormClaim(\(accessKeyID), \(scope.text), \(UTF8Text.quoted(bucket)))"
  }

  private func verify(
    _ key: SigV4.SigningKey, _ expectedToken: SymmetricKey?
  ) throws(SigV4.VerificationError) -> SigV4.VerifiedForm {
    try signer.check(key)
    // S3 API Reference, "Authenticating Requests in Browser-Based Uploads Using POST".
    if !signer.isSignature(key.signature(of: document.bytesInUTF8)) {
      throw SigV4.VerificationError(
        .signatureMismatch,
        """
        the signature of \(UTF8Text.quoted(accessKeyID)) for \(scope.text) is not the one of this \
        policy; look for a page that changes the field policy, or signs with another key
        """,
        elements: [
          ("AWSAccessKeyId", Array(accessKeyID.utf8)),
          ("StringToSign", Array(document.utf8)),
          ("SignatureProvided", Array(signer.signature.hexadecimal.utf8)),
        ])
    }
    try signer.checkToken(expectedToken)
    return SigV4.VerifiedForm(claim: self)
  }
}

extension SigV4.FormClaim: Redacted {}
