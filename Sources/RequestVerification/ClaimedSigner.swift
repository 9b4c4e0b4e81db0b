// SPDX-License-Identifier: Apache-2.0
// Who claims to have signed, and what the key that is found has to have in common with the claim.

internal import DocumentSupport
internal import RequestSigning
internal import S3Signing
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Who claims to have signed something, and with which signature.
  struct ClaimedSigner: Sendable {
    let credential: ClaimedCredential

    /// Secret.
    let token: SymmetricKey?

    let signature: SHA256.Digest

    /// The server's clock.
    let claimTime: Timestamp

    var accessKeyID: String { credential.accessKeyID }
    var scope: CredentialScope { credential.scope }

    /// Secret, and not proved.
    var sessionToken: String? { token?.text }

    /// The signing key that credentials of this signer give.
    func signingKey(of credentials: Credentials) throws(VerificationError) -> SigningKey {
      let identity = credentials.identity
      try checkOwner(identity.accessKeyID, scope)
      if let expiration = identity.expiration, expiration <= claimTime {
        throw VerificationError(
          .credentialsExpired,
          """
          the credentials \(identity.accessKeyID) expired at \(expiration.text), and now it is \
          \(claimTime.text); ask the client to get new ones
          """)
      }
      return SigningKey(credentials, scope: scope)
    }

    /// A key of somebody else, or for something else, proves nothing.
    func check(_ key: SigningKey) throws(VerificationError) {
      try checkOwner(key.accessKeyID, key.scope)
    }

    /// Whether the claimed signature is the one that was computed.
    func isSignature(_ computed: Signature) -> Bool {
      ConstantTime.equal(computed.bytes, signature)
    }

    /// The token has to be the one that belongs to the key, and there only if one does.
    func checkToken(_ expected: SymmetricKey?) throws(VerificationError) {
      let isExpected =
        switch (token, expected) {
        case (nil, nil): true
        case (let token?, let expected?): token == expected
        default: false
        }
      if !isExpected {
        throw VerificationError(
          .sessionTokenMismatch,
          "the session token of the request is \(token == nil ? "missing" : "not the one") that "
            + "belongs to \(UTF8Text.quoted(accessKeyID)); look for a client that mixes credentials"
        )
      }
    }

    private func checkOwner(
      _ id: String, _ keyScope: CredentialScope
    ) throws(VerificationError) {
      if !id.utf8.elementsEqual(accessKeyID.utf8) || keyScope != scope {
        throw VerificationError(
          .wrongKey,
          """
          the claim is one of \(UTF8Text.quoted(accessKeyID)) for \(scope.text), and the key is that of \
          \(UTF8Text.quoted(id)) for \(keyScope.text); look up the key that the claim names
          """)
      }
    }

    /// What to throw when nobody has the access key ID.
    var unknownAccessKey: VerificationError {
      VerificationError(
        .unknownAccessKey,
        """
        there is no key with the ID \(UTF8Text.quoted(accessKeyID)); look whether it was deleted, or \
        belongs to another installation
        """, elements: [("AWSAccessKeyId", Array(accessKeyID.utf8))])
    }
  }
}
