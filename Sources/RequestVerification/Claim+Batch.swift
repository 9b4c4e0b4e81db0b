// SPDX-License-Identifier: Apache-2.0
// Many claims, proved side by side.

public import RequestSigning
public import SecureHashing

extension SigV4.Claim {
  /// What ``verify(with:bodyDigest:)`` returns or throws.
  public typealias Verdict = Result<SigV4.VerifiedRequest, SigV4.VerificationError>

  /// Proves many claims, each with the credentials of its access key ID: keys are derived, requests hashed
  /// and signatures computed side by side.
  ///
  ///     SigV4.Claim.verifyBatch(waiting.map { ($0.claim, $0.credentials, nil) }) { index, verdict in
  ///       waiting[index].answer(verdict)
  ///     }
  ///
  /// `body` is called for each claim, in their order, with its index and its verdict: the one of
  /// ``verify(with:bodyDigest:)``. It pays most on processors without SHA instructions. For many claims of
  /// one key, derive it once and hand the key in.
  public static func verifyBatch(
    _ claims: [(
      claim: SigV4.Claim, credentials: SigV4.Credentials, bodyDigest: SHA256.Digest?
    )], _ body: (_ index: Int, _ verdict: consuming Verdict) -> Void
  ) {
    let keys = SigV4.SigningKey.batch(of: claims.map { ($0.credentials, $0.claim.scope) })
    verify(
      zip(claims, keys).map { item, key in
        Result { () throws(SigV4.VerificationError) in
          try item.claim.check(.hmacSHA256)
          let identity = item.credentials.identity
          try item.claim.parts.signer.check(identity)
          return try Attempt(item.claim, key, identity.sessionTokenBytes, item.bodyDigest)
        }
      }, body)
  }

  /// Proves many claims, each with a signing key for its scope and the session token that belongs to it:
  /// requests are hashed and signatures computed side by side.
  ///
  /// `body` is called for each claim, in their order, with its index and its verdict: the one of
  /// ``verify(with:sessionToken:bodyDigest:)``.
  public static func verifyBatch(
    _ claims: [(
      claim: SigV4.Claim, key: SigV4.SigningKey, sessionToken: String?, bodyDigest: SHA256.Digest?
    )], _ body: (_ index: Int, _ verdict: consuming Verdict) -> Void
  ) {
    verify(
      claims.map { item in
        Result { () throws(SigV4.VerificationError) in
          try item.claim.check(.hmacSHA256)
          try item.claim.parts.signer.checkOwner(item.key.accessKeyID, item.key.scope)
          let token = item.sessionToken.map { SymmetricKey(data: $0.utf8) }
          return try Attempt(item.claim, item.key, token, item.bodyDigest)
        }
      }, body)
  }

  /// A claim, and what is to prove it.
  private struct Attempt {
    let claim: SigV4.Claim
    let key: SigV4.SigningKey
    let expectedToken: SymmetricKey?
    let bodyDigest: SHA256.Digest?
    let canonicalRequest: SigV4.CanonicalRequest

    init(
      _ claim: SigV4.Claim, _ key: SigV4.SigningKey, _ expectedToken: SymmetricKey?,
      _ bodyDigest: SHA256.Digest?
    ) throws(SigV4.VerificationError) {
      self.claim = claim
      self.key = key
      self.expectedToken = expectedToken
      self.bodyDigest = bodyDigest
      canonicalRequest = try claim.canonicalRequest(bodyDigest)
    }

    func verdict(
      _ rightSignature: SigV4.Signature, _ stringToSign: SigV4.StringToSign
    ) -> Verdict {
      Result { () throws(SigV4.VerificationError) in
        // Signatures are compared in constant time.
        let isRight = claim.parts.signer.signature == rightSignature
        return try claim.verified(
          isRight, canonicalRequest, stringToSign, .code(key), expectedToken, bodyDigest)
      }
    }
  }

  /// SigV4, steps 2, 3 and 5, each for all.
  private static func verify(
    _ attempts: [Result<Attempt, SigV4.VerificationError>],
    _ body: (Int, consuming Verdict) -> Void
  ) {
    let waiting = attempts.compactMap { try? $0.get() }
    let digests = SHA256.hashBatch(waiting.map { $0.canonicalRequest.bytes })
    let signed = zip(waiting, digests).map { attempt, digest in
      (key: attempt.key, stringToSign: attempt.claim.stringToSign(of: digest))
    }
    let signatures = SigV4.SigningKey.signatures(of: signed)
    var next = 0
    for (index, attempt) in attempts.enumerated() {
      switch attempt {
      case .success(let attempt):
        body(index, attempt.verdict(signatures[next], signed[next].stringToSign))
        next += 1
      case .failure(let error): body(index, .failure(error))
      }
    }
  }
}
