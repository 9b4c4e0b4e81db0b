// SPDX-License-Identifier: Apache-2.0
// An upload form before and after its policy is verified, and the verifier of its file.

public import RequestSigning
public import S3Signing
internal import SecureHashing

extension SigV4.Verifier {
  /// Checks everything in a form that doesn't need a key.
  ///
  ///     let unverified = try verifier.check(form, at: now)
  ///     let credentials = await credentials(of: unverified.accessKeyID)     // your look-up
  ///     let verified = try unverified.verify(with: credentials)
  ///     let file = try verified.file(received)
  ///
  /// The form's policy must allow each field and the bucket.
  ///
  /// - Parameters:
  ///   - form: the received form.
  ///   - now: the server's time.
  /// - Returns: The form with the access key ID of the key to look up.
  /// - Throws: A ``SigV4/VerificationError`` with a code such as `notSigned`, `multipleSignatures`,
  ///   `formTooLarge`, `malformedForm`, `malformedPolicy`, `policyExpired` or
  ///   `policyConditionFailed`.
  public func check(
    _ form: consuming SigV4.ReceivedForm, at now: SigV4.Timestamp
  ) throws(SigV4.VerificationError) -> SigV4.UnverifiedForm {
    var form = form
    try checkCarrier(&form.request)
    var fields = try SigV4.FormFields(form, services)
    guard let algorithm = fields.value(.algorithm) else {
      throw SigV4.VerificationError(
        .notSigned,
        "The form isn't signed: it has no field \(fields.names.headerPrefix)algorithm before its "
          + "file.",
        fix: "Check for a page that puts it after the file, or treat the client as unknown.")
    }
    // Forms support Signature Version 4 only.
    let named = try algorithm.withUTF8Bytes { (name) throws(SigV4.VerificationError) in
      try Algorithm(named: name, hmacAlgorithms, of: services)
    }
    if named.names != fields.names {
      throw SigV4.VerificationError(
        .malformedForm,
        "The fields \(fields.names.headerPrefix)* don't belong to \(named.name).",
        fix: "Check for a page that mixes the names of two services.")
    }
    var text = SigV4.FormText()
    let credential = try SigV4.ClaimedCredential(
      text.append(fields.required(.credential)), in: text.message.memory.bytes.span, named, .form)
    let service = try service(
      of: credential.scope, in: text.message.memory.bytes.span, hasS3SessionToken: false, .form)
    let signature = text.append(try fields.required(.signature))
    try Algorithm.hmacSHA256.checkSignature(
      text.message.memory.bytes.span.extracting(signature), .form)
    // Secret.
    let token = fields.value(.securityToken).map { text.append($0) }
    if token != nil { try checkTokens(.header) }
    let timestamp = try timestamp(
      fields, credential, in: text.message.memory.bytes.span, service, at: now)
    let policy = try fields.required("policy")
    let permission = try permission(policy, signedAt: timestamp, at: now)
    let document = text.append(policy)
    try fields.insert(form.lastOfFileName)
    try permission.check(fields, bucket: form.bucket)
    _ = try fields.required("key")
    let checksum = try fields.checksum()
    let claim = SigV4.Claim(
      message: text.message, source: .form, algorithm: named, credential: credential,
      signature: signature, token: token, timestamp: timestamp, checkTime: now, service: service)
    return SigV4.UnverifiedForm(
      expiration: permission.expiration, bucket: form.bucket, claim: claim, fields: fields,
      byteCounts: permission.byteCounts, checksum: checksum, document: document)
  }

  /// Rejects methods other than POST, and a request that's signed itself.
  private func checkCarrier(
    _ request: inout SigV4.ReceivedRequest
  ) throws(SigV4.VerificationError) {
    try request.checkRequestLine()
    if !request.method.hasSameBytes(as: "POST") {
      throw SigV4.VerificationError(
        .invalidRequest,
        "The form was sent with \(UTF8Text.quoted(request.method)), but forms require POST.",
        fix: "Check what routes requests to the verifier.")
    }
    try request.readFields(plus: plusInQueries)
    let authorization = try request.value(of: .authorization)
    let parameters = try SigV4.SignatureParameters(request.message, services)
    if authorization != nil || !parameters.isEmpty {
      throw SigV4.VerificationError(
        .multipleSignatures,
        "The request has two signatures: a form, and an Authorization header or the parameters of "
          + "a presigned URL.",
        fix: "Treat it as an attack. Another server could act on the unverified signature.")
    }
  }

  private func timestamp(
    _ fields: SigV4.FormFields, _ credential: SigV4.ClaimedCredential, in text: TextSpan,
    _ service: SigV4.Service, at now: SigV4.Timestamp
  ) throws(SigV4.VerificationError) -> SigV4.Timestamp {
    let date = try fields.required(.date)
    guard let timestamp = try? SigV4.Timestamp(date) else {
      throw SigV4.VerificationError(
        .malformedForm,
        "The date \(SigV4.shown(date.utf8)) isn't valid.",
        fix: "Use the form 20130524T000000Z in the page that signs.")
    }
    try credential.checkDay(of: timestamp, in: text, .form)
    let window = self.window(of: service)
    if timestamp.unixSeconds - now.unixSeconds > window { throw .skewed(timestamp, now, window) }
    return timestamp
  }

  /// Returns what the policy document allows, and checks its expiration.
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
  /// An upload form whose signature isn't verified yet.
  ///
  /// Look up the credentials of ``accessKeyID``, and call ``verify(with:)``.
  public struct UnverifiedForm: Sendable {
    /// The access key ID in the form, in visible ASCII.
    public var accessKeyID: String { claim.accessKeyID }

    /// The day, region and service of the key you need. The verifier accepts the region and
    /// service.
    public var scope: CredentialScope { claim.scope }

    /// The time of the signature, according to the form.
    public var timestamp: Timestamp { claim.timestamp }

    /// The expiration of the form.
    public let expiration: Timestamp

    /// The bucket in the request and in the policy.
    public let bucket: String

    /// The session token in the form, if your look-up needs it. It's secret, and not verified yet.
    public var sessionToken: String? { claim.sessionToken }

    let claim: Claim
    let fields: FormFields
    let byteCounts: ClosedRange<Int64>
    let checksum: FormFields.Checksum?

    /// The policy as it was signed, in base64.
    let document: Range<Int>

    /// Verifies the signature with the credentials of ``accessKeyID``.
    ///
    /// - Throws: `signatureMismatch`, `sessionTokenMismatch` if the session token is missing or
    ///   doesn't belong to the credentials, `credentialsExpired`, or `wrongKey` for a different
    ///   access key ID.
    public func verify(with credentials: Credentials) throws(VerificationError) -> VerifiedForm {
      try check(claim.signingKey(of: credentials), credentials.identity.sessionTokenBytes)
      return VerifiedForm(form: self)
    }

    /// Verifies the signature with a signing key for ``scope`` and its session token: nil or an
    /// empty string if there is no token.
    ///
    /// A signing key has no expiration, so check that its credentials haven't expired first.
    ///
    /// - Throws: The errors of ``verify(with:)`` except `credentialsExpired`.
    public func verify(
      with key: SigningKey, sessionToken: String? = nil
    ) throws(VerificationError) -> VerifiedForm {
      try check(key, Claim.token(sessionToken))
      return VerifiedForm(form: self)
    }

    /// The error to throw if you don't recognize the access key ID.
    public var unknownAccessKey: VerificationError { claim.unknownAccessKey }
  }
}

extension SigV4.UnverifiedForm: Equatable, CustomStringConvertible {
  /// Whether both are the same form with the same signature.
  public static func == (left: Self, right: Self) -> Bool {
    left.claim == right.claim && left.expiration == right.expiration
      && left.bucket == right.bucket && left.fields == right.fields
      && left.byteCounts == right.byteCounts && left.checksum == right.checksum
      && left.claim.message[left.document] == right.claim.message[right.document]
  }

  /// The access key ID, scope and bucket, without the token and signature.
  public var description: String {
    "UnverifiedForm(\(claim.shownAccessKeyID), \(scope.text), \(UTF8Text.quoted(bucket)))"
  }

  private func check(
    _ key: SigV4.SigningKey, _ expectedToken: SymmetricKey?
  ) throws(SigV4.VerificationError) {
    try claim.check(key)
    // S3 API Reference, "Authenticating Requests in Browser-Based Uploads Using POST".
    let text = claim.message.memory.bytes.span
    let expected = key.signature(of: text.extracting(document))
    if !expected.isSpelled(by: text.extracting(claim.signature)) {
      throw SigV4.VerificationError(
        .signatureMismatch,
        "The signature of \(UTF8Text.quoted(claim.shownAccessKeyID)) for \(scope.text) doesn't "
          + "match this policy.",
        fix: "Check for a page that changes the policy field or signs with a different key.",
        elements: [
          ("AWSAccessKeyId", claim.shownAccessKeyID),
          ("StringToSign", claim.text(document)),
          ("SignatureProvided", claim.text(claim.signature)),
        ])
    }
    try claim.checkToken(expectedToken)
  }
}

extension SigV4.UnverifiedForm: Redacted {}

extension SigV4 {
  /// A form whose policy has a valid signature.
  ///
  /// Its file isn't verified yet. Call ``file(_:)`` or ``fileVerifier()``, which consume the value.
  public struct VerifiedForm: ~Copyable, Sendable {
    /// The form, whose signature is now verified: its signer, scope and expiration.
    public let form: UnverifiedForm

    /// The allowed sizes of the file, in bytes, up to 5 GiB.
    public var allowedByteCounts: ClosedRange<Int64> { form.byteCounts }

    /// The fields that the policy allows, with the file name instead of `${filename}`. They don't
    /// include the signature, the policy, or `x-ignore-` fields.
    public var fields: [PostForm.Field] {
      form.fields.fields.filter { !form.fields.isOpen(ReceivedPolicy.key($0.name)) }
    }

    /// The object key.
    public var key: String { value(named: "key") ?? "" }

    /// Returns the value of a field, or nil if the form doesn't have it. The name is
    /// case-insensitive.
    public func value(named name: String) -> String? {
      form.fields.isOpen(ReceivedPolicy.key(name)) ? nil : form.fields.value(name)
    }

    /// Verifies a file in memory, and returns it.
    ///
    /// - Throws: `fileTooLarge`, `fileTooSmall`, or `checksumMismatch` if the file doesn't match a
    ///   field such as `x-amz-checksum-sha256`.
    public consuming func file(
      _ bytes: some Collection<UInt8>
    ) throws(VerificationError) -> [UInt8] {
      var verifier = fileVerifier()
      var file: [UInt8] = []
      try verifier.update(bytes, into: &file)
      _ = try verifier.finish()
      return file
    }

    /// Returns a verifier for a file that arrives in portions.
    public consuming func fileVerifier() -> BodyVerifier {
      BodyVerifier(.file(FileVerifier(form)))
    }
  }

  /// Compares the size and checksum of a file with the form's policy and fields.
  struct FileVerifier: Sendable {
    private let byteCounts: ClosedRange<Int64>

    /// The size so far, up to the maximum plus one.
    private var byteCount: Int64 = 0

    private var computation: Checksum.Computation?
    private let expectedChecksum: String?

    init(_ form: UnverifiedForm) {
      byteCounts = form.byteCounts
      computation = form.checksum.map { Checksum.Computation($0.algorithm) }
      expectedChecksum = form.checksum?.text
    }

    /// Checks the next bytes of the file. Throws `fileTooLarge` as soon as the file is too large.
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

    /// Checks the complete file. Throws `fileTooLarge`, `fileTooSmall` or `checksumMismatch`.
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
