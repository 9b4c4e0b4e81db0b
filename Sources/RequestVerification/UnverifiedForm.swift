// SPDX-License-Identifier: Apache-2.0
// The form of an upload before and after its policy is verified, and the verification of its file.

public import RequestSigning
public import S3Signing
internal import SecureHashing
internal import SigningSupport

extension SigV4.Verifier {
  /// Checks everything of a form that needs no key.
  ///
  ///     let unverified = try verifier.check(form, at: now)
  ///     let credentials = await credentials(of: unverified.accessKeyID)     // your look-up
  ///     let verified = try unverified.verify(with: credentials)
  ///     let file = try verified.file(received)
  ///
  /// The policy of the form has to allow each of its fields, and the bucket. `now` is the server's
  /// clock.
  ///
  /// Throws a ``SigV4/VerificationError``: among its codes are `notSigned`, `multipleSignatures`,
  /// `formTooLarge`, `malformedForm`, `malformedPolicy`, `policyExpired`, `policyConditionFailed`.
  public func check(
    _ form: SigV4.ReceivedForm, at now: SigV4.Timestamp
  ) throws(SigV4.VerificationError) -> SigV4.UnverifiedForm {
    try checkCarrier(form.request)
    var fields = try SigV4.FormFields(form)
    guard let algorithm = fields.value(.algorithm) else {
      throw SigV4.VerificationError(
        .notSigned,
        "The form isn't signed: it has no field x-amz-algorithm before its file.",
        fix: "Check for a page that puts it after the file, or treat the client as unknown.")
    }
    // Forms are signed with Signature Version 4 alone.
    _ = try Algorithm(named: algorithm.bytesInUTF8[...], among: [.hmacSHA256])
    let credential = try SigV4.ClaimedCredential(
      fields.required(.credential).bytesInUTF8[...], malformed: .malformedForm)
    let service = try self.service(of: credential, malformed: .malformedForm)
    let signature = try SigV4.SignatureFields.signature(
      fields.required(.signature).bytesInUTF8[...], .hmacSHA256, malformed: .malformedForm)
    // Secret.
    let sentToken = fields.value(.securityToken)
    let token = try sentToken.map { token throws(SigV4.VerificationError) in
      try accepted(token: token.bytesInUTF8[...], .header)
    }
    let timestamp = try timestamp(fields, credential, service, at: now)
    let document = try fields.required("policy")
    let permission = try permission(document, signedAt: timestamp, at: now)
    try fields.insert(form.lastOfFileName)
    try permission.check(fields, bucket: form.bucket)
    _ = try fields.required("key")
    let checksum = try fields.checksum()
    let signer = SigV4.ClaimedSigner(
      credential: credential, token: token, signature: signature, claimTime: now)
    return SigV4.UnverifiedForm(
      timestamp: timestamp, expiration: permission.expiration, bucket: form.bucket, signer: signer,
      fields: fields, byteCounts: permission.byteCounts, checksum: checksum, document: document)
  }

  /// Only POST carries forms, and one that is signed itself would have two signers.
  private func checkCarrier(
    _ request: SigV4.ReceivedRequest
  ) throws(SigV4.VerificationError) {
    try request.checkRequestLine()
    if !request.method.hasSameBytes(as: "POST") {
      throw SigV4.VerificationError(
        .invalidRequest,
        "The form was sent with \(UTF8Text.quoted(request.method)), but forms require POST.",
        fix: "Check what routes requests to the verifier.")
    }
    let message = try SigV4.ReceivedMessage(request, plus: plusInQueries)
    let authorization = try message.value(of: .authorization)
    let parameters = try SigV4.SignatureParameters(message)
    if authorization != nil || !parameters.isEmpty {
      throw SigV4.VerificationError(
        .multipleSignatures,
        "The request has two signatures: a form, and an Authorization header or the parameters of "
          + "a presigned URL.",
        fix: "Treat it as an attack. Another server could act on the unverified signature.")
    }
  }

  private func timestamp(
    _ fields: SigV4.FormFields, _ credential: SigV4.ClaimedCredential, _ service: SigV4.Service,
    at now: SigV4.Timestamp
  ) throws(SigV4.VerificationError) -> SigV4.Timestamp {
    let date = try fields.required(.date)
    guard let timestamp = try? SigV4.Timestamp(date) else {
      throw SigV4.VerificationError(
        .malformedForm,
        "The date \(SigV4.shown(date.utf8)) isn't valid.",
        fix: "Use the form 20130524T000000Z in the page that signs.")
    }
    try credential.checkDay(of: timestamp)
    let window = self.window(of: service)
    if timestamp.unixSeconds - now.unixSeconds > window { throw .skewed(timestamp, now, window) }
    return timestamp
  }

  /// What the document allows, for as long as it and the key live.
  private func permission(
    _ document: String, signedAt timestamp: SigV4.Timestamp, at now: SigV4.Timestamp
  ) throws(SigV4.VerificationError) -> SigV4.ReceivedPolicy {
    guard let bytes = try? Base64.decode(document) else {
      throw .malformedPolicy("isn't valid base64")
    }
    let permission = try SigV4.ReceivedPolicy(bytes)
    let longest = maximumLifetimeInSeconds
    if permission.expiration.unixSeconds - timestamp.unixSeconds > longest {
      throw .malformedPolicy(
        "expires at \(permission.expiration.text), more than \(longest) seconds after it was signed"
      )
    }
    if permission.expiration < now {
      throw SigV4.VerificationError(
        .policyExpired,
        "The form expired at \(permission.expiration.text) (now \(now.text)).",
        fix: "Ask the client to load its page again.")
    }
    return permission
  }
}

extension SigV4 {
  /// The form of an upload, whose signature isn't verified yet. Look up the key of ``accessKeyID``, and call
  /// ``verify(with:)``.
  public struct UnverifiedForm: Equatable, Sendable {
    /// The access key ID in the form, in visible ASCII.
    public var accessKeyID: String { signer.accessKeyID }

    /// The day, region and service of the key that is needed. They are ones that the policy of the
    /// verifier accepts.
    public var scope: CredentialScope { signer.scope }

    /// The time of the signature, according to the form.
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
    let checksum: FormFields.Checksum?

    /// The policy in base64, as it was signed.
    let document: String

    /// Verifies the signature with the credentials of ``accessKeyID``.
    ///
    /// Throws `signatureMismatch`; `sessionTokenMismatch` when the token is not that of the
    /// credentials, or is missing; `credentialsExpired`; and `wrongKey` for those of another access
    /// key ID.
    public func verify(with credentials: Credentials) throws(VerificationError) -> VerifiedForm {
      try check(signer.signingKey(of: credentials), credentials.identity.sessionTokenBytes)
      return VerifiedForm(form: self)
    }

    /// Verifies the signature with a signing key for ``scope`` and its session token.
    ///
    /// Throws what ``verify(with:)`` throws.
    public func verify(
      with key: SigningKey, sessionToken: String? = nil
    ) throws(VerificationError) -> VerifiedForm {
      try check(key, sessionToken.map { SymmetricKey(data: $0.utf8) })
      return VerifiedForm(form: self)
    }

    /// What to throw when the access key ID is not known.
    public var unknownAccessKey: VerificationError { signer.unknownAccessKey }
  }
}

extension SigV4.UnverifiedForm: CustomStringConvertible {
  /// Access key ID, scope and bucket. Neither token nor signature.
  public var description: String {
    "UnverifiedForm(\(accessKeyID), \(scope.text), \(UTF8Text.quoted(bucket)))"
  }

  private func check(
    _ key: SigV4.SigningKey, _ expectedToken: SymmetricKey?
  ) throws(SigV4.VerificationError) {
    try signer.checkOwner(key.accessKeyID, key.scope)
    // S3 API Reference, "Authenticating Requests in Browser-Based Uploads Using POST".
    if signer.signature != key.signature(of: document.bytesInUTF8) {
      throw SigV4.VerificationError(
        .signatureMismatch,
        "The signature of \(UTF8Text.quoted(accessKeyID)) for \(scope.text) doesn't match this "
          + "policy.",
        fix: "Check for a page that changes the policy field or signs with a different key.",
        elements: [
          ("AWSAccessKeyId", accessKeyID),
          ("StringToSign", document),
          ("SignatureProvided", signer.signature.hexString),
        ])
    }
    try signer.checkToken(expectedToken)
  }
}

extension SigV4.UnverifiedForm: Redacted {}

extension SigV4 {
  /// A form whose policy has a valid signature. Its file isn't verified yet: call ``file(_:)`` or
  /// ``fileVerifier()``, which consume the value.
  public struct VerifiedForm: ~Copyable, Sendable {
    /// Who signed, for what, and until when: proved from here on.
    public let form: UnverifiedForm

    /// How many bytes the file may have, up to 5 GiB.
    public var allowedByteCounts: ClosedRange<Int64> { form.byteCounts }

    /// The fields that the policy allows, with the name of the file in place of `${filename}`. What
    /// the client sent beside them, `x-ignore-` fields, is not among them.
    public var fields: [PostForm.Field] {
      form.fields.fields.filter { !ReceivedPolicy.isOpen(ReceivedPolicy.key($0.name)) }
    }

    /// The key of the object.
    public var key: String { value(named: "key") ?? "" }

    /// The value of a field, whose name has no case; nil when the form does not have it.
    public func value(named name: String) -> String? {
      ReceivedPolicy.isOpen(ReceivedPolicy.key(name)) ? nil : form.fields.value(name)
    }

    /// Checks a file that is in memory, and returns it.
    ///
    /// Throws `fileTooLarge`, `fileTooSmall`, and `checksumMismatch` when a field such as
    /// `x-amz-checksum-sha256` names another checksum.
    public consuming func file(
      _ bytes: some Collection<UInt8>
    ) throws(VerificationError) -> [UInt8] {
      var verifier = fileVerifier()
      var file: [UInt8] = []
      try verifier.update(bytes, into: &file)
      _ = try verifier.finish()
      return file
    }

    /// Verifies a file that arrives in portions.
    public consuming func fileVerifier() -> BodyVerifier {
      BodyVerifier(file: FileVerifier(form))
    }
  }

  /// Compares the length and the checksums of a file with what its form allows.
  struct FileVerifier: Sendable {
    private let byteCounts: ClosedRange<Int64>

    /// Never more than the upper bound and one, however much there is.
    private var byteCount: Int64 = 0

    private var computation: Checksum.Computation?
    private let expectedChecksum: String?

    init(_ form: UnverifiedForm) {
      byteCounts = form.byteCounts
      computation = form.checksum.map { Checksum.Computation($0.algorithm) }
      expectedChecksum = form.checksum?.text
    }

    /// Takes the next bytes of the file. Throws `fileTooLarge` as soon as it is.
    mutating func update(_ bytes: UnsafeRawBufferPointer) throws(VerificationError) {
      byteCount += min(Int64(bytes.count), byteCounts.upperBound + 1 - byteCount)
      try checkLargest()
      unsafe computation?.update(bytes)
    }

    private func checkLargest() throws(VerificationError) {
      if byteCount <= byteCounts.upperBound { return }
      throw VerificationError(
        .fileTooLarge,
        "The file is larger than \(byteCounts.upperBound) bytes, the maximum in its policy.",
        fix: "Discard the file, and ask the client for a smaller one.",
        elements: [("MaxSizeAllowed", String(byteCounts.upperBound))])
    }

    /// Ends the file. Throws `fileTooLarge`, `fileTooSmall` and `checksumMismatch`.
    func finish() throws(VerificationError) {
      try checkLargest()
      if byteCount < byteCounts.lowerBound {
        throw VerificationError(
          .fileTooSmall,
          "The file is \(byteCount) bytes long, but its policy requires at least "
            + "\(byteCounts.lowerBound).",
          fix: "Discard the file, and ask the client for a larger one.",
          elements: [
            ("ProposedSize", String(byteCount)),
            ("MinSizeAllowed", String(byteCounts.lowerBound)),
          ])
      }
      guard let computation, let expectedChecksum else { return }
      if computation.finalize().text.hasSameBytes(as: expectedChecksum) { return }
      throw VerificationError(
        .checksumMismatch,
        "The file doesn't match the checksum in field \(computation.algorithm.headerName).",
        fix: "Discard the file, and ask the client to send it again.")
    }
  }
}
