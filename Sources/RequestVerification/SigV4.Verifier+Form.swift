// SPDX-License-Identifier: Apache-2.0
// The corridor of a POST policy walked from the other end: fields, policy, conditions.

internal import DocumentSupport
public import RequestSigning
internal import S3Signing
internal import SecureHashing
internal import SigningSupport

extension SigV4.Verifier {
  /// What a form claims: who allowed which upload, and until when.
  ///
  ///     let claim = try verifier.claim(of: form, at: now)
  ///     let credentials = await credentials(of: claim.accessKeyID)     // the caller's business
  ///     let verified = try claim.verify(with: credentials)
  ///     let file = try verified.file(received)
  ///
  /// The policy of the form has to allow each of its fields, and the bucket. `now` is the server's
  /// clock.
  ///
  /// Throws a ``SigV4/VerificationError``: among its codes are `notSigned`, `mixedMechanisms`,
  /// `formTooLarge`, `malformedForm`, `malformedPolicy`, `policyExpired`, `policyConditionFailed`.
  public func claim(
    of form: SigV4.ReceivedForm, at now: SigV4.Timestamp
  ) throws(SigV4.VerificationError) -> SigV4.FormClaim {
    try checkCarrier(form.request)
    let fields = try SigV4.FormFields(form)
    try checkAlgorithm(fields)
    let credential = try SigV4.ClaimedCredential(
      Array(fields.required("x-amz-credential").utf8), malformed: .malformedForm)
    let service = try policy.service(of: credential)
    let signature = try SigV4.SignatureFields.signature(
      fields.required("x-amz-signature").utf8, .malformedForm)
    let token = try token(fields)
    let timestamp = try timestamp(fields, credential, service, at: now)
    let document = try fields.required("policy")
    let permission = try permission(document, signedAt: timestamp, at: now)
    let named = fields.naming(form.lastOfFileName)
    try permission.check(named, bucket: form.bucket)
    _ = try named.required("key")
    let signer = SigV4.ClaimedSigner(
      credential: credential, token: token, signature: signature, claimTime: now)
    return SigV4.FormClaim(
      timestamp: timestamp, expiration: permission.expiration, bucket: form.bucket, signer: signer,
      fields: named, byteCounts: permission.byteCounts, document: document)
  }

  /// Only POST carries forms, and one that is signed itself would have two signers.
  private func checkCarrier(
    _ request: SigV4.ReceivedRequest
  ) throws(SigV4.VerificationError) {
    try request.checkRequestLine()
    if !request.method.utf8.elementsEqual("POST".utf8) {
      throw SigV4.VerificationError(
        .invalidRequest,
        """
        a form came with \(UTF8Text.quoted(request.method)), and forms are posted; look at what \
        routes requests to the verifier
        """)
    }
    let authorization = try SigV4.ReceivedHeaders(request).value(of: "authorization")
    let query = SigV4.Query.received(request.query, plus: policy.plusInQueries)
    let parameters = try SigV4.QueryFields(query)
    if authorization != nil || parameters != nil {
      throw SigV4.VerificationError(
        .mixedMechanisms,
        """
        the request has a form, and an Authorization header or parameters of a presigned URL too; \
        whoever believes one of them may act on the other, so take it for an attack
        """)
    }
  }

  private func checkAlgorithm(
    _ fields: SigV4.FormFields
  ) throws(SigV4.VerificationError) {
    guard let algorithm = fields.value("x-amz-algorithm") else {
      throw SigV4.VerificationError(
        .notSigned,
        """
        the form has no field x-amz-algorithm before its file, so nobody has signed it; look for a \
        page that puts it after the file, or treat the client as unknown
        """)
    }
    if !algorithm.utf8.elementsEqual(SigV4.SignatureAlgorithm.hmacSHA256.name.utf8) {
      throw .unsupportedAlgorithm(Array(algorithm.utf8)[...])
    }
  }

  /// Secret.
  private func token(
    _ fields: SigV4.FormFields
  ) throws(SigV4.VerificationError) -> SymmetricKey? {
    guard let token = fields.value("x-amz-security-token") else { return nil }
    return try policy.accepted(token: Array(token.utf8))
  }

  private func timestamp(
    _ fields: SigV4.FormFields, _ credential: SigV4.ClaimedCredential, _ service: SigV4.Service,
    at now: SigV4.Timestamp
  ) throws(SigV4.VerificationError) -> SigV4.Timestamp {
    let date = try fields.required("x-amz-date")
    guard let timestamp = try? SigV4.Timestamp(date) else {
      throw SigV4.VerificationError(
        .malformedForm,
        """
        the date \(SigV4.shown(Array(date.utf8)[...])) is none that can be signed; look for a page \
        that writes it otherwise than 20130524T000000Z
        """)
    }
    try credential.checkDay(of: timestamp)
    let window = policy.window(of: service)
    if timestamp.unixSeconds &- now.unixSeconds > window { throw .skewed(timestamp, now, window) }
    return timestamp
  }

  /// What the document allows, for as long as it and the key live.
  private func permission(
    _ document: String, signedAt timestamp: SigV4.Timestamp, at now: SigV4.Timestamp
  ) throws(SigV4.VerificationError) -> SigV4.ReceivedPolicy {
    guard let bytes = try? Base64.decode(document) else {
      throw .malformedPolicy("is not in base64")
    }
    let permission = try SigV4.ReceivedPolicy(bytes)
    let longest = Int64(min(policy.longestLifetime, 604_800))
    if permission.expiration.unixSeconds &- timestamp.unixSeconds > longest {
      throw .malformedPolicy(
        "wants to live until \(permission.expiration.text), more than \(longest) seconds after it was "
          + "signed")
    }
    if permission.expiration < now { throw .policyExpired(permission.expiration, now) }
    return permission
  }
}
