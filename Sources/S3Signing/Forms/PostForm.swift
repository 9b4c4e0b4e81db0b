// SPDX-License-Identifier: Apache-2.0
// POST policies: signing them, and the forms that result.

public import RequestSigning
internal import SecureHashing

extension SigV4.Signer {
  /// Signs a policy and returns a form. Anyone who has the form can upload what the policy allows.
  ///
  /// - Throws: `credentialsExpired`, `lifetimeExceedsCredentials` if the form would outlive the
  ///   credentials, `timestampOutOfRange`, `secretRequired` if the signer has no secret, and
  ///   `scopeMismatch` if it has only a key for a different day or signs with Signature Version 4a.
  public func sign(
    _ policy: SigV4.PostPolicy, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.PostForm {
    let pending = try prepare(policy, at: timestamp)
    let key = try signingKey(at: timestamp)
    return pending.signed(with: key.signature(of: pending.stringToSign))
  }

  /// Prepares a form for a signature created outside the library, such as in an HSM. Its string to
  /// sign is the policy in base64.
  ///
  /// - Throws: `credentialsExpired`, `lifetimeExceedsCredentials` or `timestampOutOfRange`, and
  ///   `scopeMismatch` if the signer signs with Signature Version 4a.
  public func prepare(
    _ policy: SigV4.PostPolicy, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.PendingSignature<SigV4.PostForm> {
    if !hasDailyKeys {
      throw SigV4.SigningError(
        .scopeMismatch,
        "S3 accepts only forms with AWS4-HMAC-SHA256, but the signer uses a different algorithm.",
        fix: "Use a signer for one region, or a presigned PUT.")
    }
    try identity.checkNotSecret(host: policy.bucket.host)
    try preparer.checkCredentials(at: timestamp)
    let scope = scope(at: timestamp)
    var fields = [
      SigV4.PostForm.Field(.algorithm, preparer.algorithm.name.description, service.names),
      SigV4.PostForm.Field(
        .credential, identity.accessKeyID + "/" + scope.text, service.names),
      SigV4.PostForm.Field(.date, timestamp.text, service.names),
    ]
    if let token = identity.sessionToken {
      fields.append(SigV4.PostForm.Field(.securityToken, token, service.names))
    }
    let end = try policy.expiration(at: timestamp, identity)
    let document = policy.document(until: end ?? timestamp, fields)
    let content = SigV4.PostForm.Content(
      bucket: policy.bucket, conditions: policy.conditions, expiration: end,
      credentialScope: scope, policy: Base64.encode(document), signingFields: fields)
    return SigV4.PendingSignature(
      SigV4.StringToSign(bytes: Array(content.policy.utf8)), nil, scope
    ) { SigV4.PostForm(content, signature: $0) }
  }
}

extension SigV4.PostPolicy {
  /// The conditions, or nil for a custom document.
  fileprivate var conditions: [Condition]? {
    if case .conditions(let conditions, _) = content { return conditions }
    return nil
  }

  /// The expiration of a form signed at `timestamp`, or nil for a custom document, which contains
  /// it.
  fileprivate func expiration(
    at timestamp: SigV4.Timestamp, _ identity: SigV4.Identity
  ) throws(SigV4.SigningError) -> SigV4.Timestamp? {
    guard case .conditions(_, let lifetime) = content else { return nil }
    let end = try timestamp.advanced(bySeconds: Int64(lifetime))
    if let last = identity.expiration, last < end {
      throw SigV4.SigningError(
        .lifetimeExceedsCredentials,
        """
        The form would expire at \(end.text), but its credentials, \(identity.shownAccessKeyID), \
        expire at \(last.text).
        """,
        fix: """
          Use a lifetime of at most \(last.unixSeconds - timestamp.unixSeconds) seconds, or \
          credentials that expire later.
          """)
    }
    return end
  }

  /// The policy as JSON (S3 API Reference, "POST Policy"), deterministic and in ASCII.
  fileprivate func document(
    until end: SigV4.Timestamp, _ signingFields: [SigV4.PostForm.Field]
  ) -> [UInt8] {
    switch content {
    case .document(let bytes): return bytes
    case .conditions(let conditions, _):
      let lines =
        [Self.json("bucket", bucket.name)] + conditions.map { $0.json }
        + signingFields.map { Self.json($0.name, $0.value) }
      let list = lines.joined(separator: ", ")
      return Array(#"{"expiration": "\#(end.extendedText)", "conditions": [\#(list)]}"#.utf8)
    }
  }

  fileprivate static func json(_ name: String, _ value: String) -> String {
    "{" + json(name) + ": " + json(value) + "}"
  }

  /// RFC 8259, 7. Escapes non-ASCII characters as S3 requires, and '$', which would start a field
  /// name. S3's own escape for it, a backslash, isn't valid JSON.
  fileprivate static func json(_ text: String) -> String {
    let escaped = text.utf16.map { unit in
      switch unit {
      case 0x22, 0x5C: "\\" + String(UnicodeScalar(UInt8(unit)))
      case 0x20...0x7E where unit != 0x24: String(UnicodeScalar(UInt8(unit)))
      default: "\\u" + String(0x1_0000 + UInt32(unit), radix: 16).dropFirst()
      }
    }
    return "\"" + escaped.joined() + "\""
  }
}

extension SigV4.PostPolicy.Condition {
  fileprivate var json: String {
    switch kind {
    case .exact(let value):
      if let prefix = Self.prefixBeforeFilename(value) { return json(startsWith: Array(prefix)) }
      return SigV4.PostPolicy.json(name, String(decoding: value, as: UTF8.self))
    case .startsWith(let prefix): return json(startsWith: prefix)
    case .contentLength(let lowest, let highest):
      return "[\"content-length-range\", \(lowest), \(highest)]"
    }
  }

  private func json(startsWith prefix: [UInt8]) -> String {
    let texts = ["starts-with", name, String(decoding: prefix, as: UTF8.self)]
      .map { SigV4.PostPolicy.json($0) }
    // The dollar sign before the field name isn't escaped.
    return "[\(texts[0]), \"$\(texts[1].dropFirst()), \(texts[2])]"
  }
}

extension SigV4 {
  /// A form with which a browser uploads a file directly to a bucket.
  ///
  /// Anyone who has the fields can upload with them. Treat them as a secret.
  public struct PostForm: Sendable, CustomStringConvertible {
    private let content: Content

    /// The signature of the policy.
    public let signature: Signature

    /// The fields before the ones of the signature.
    private var given: [Field]

    fileprivate init(_ content: Content, signature: Signature) {
      self.content = content
      self.signature = signature
      given = (content.conditions ?? []).compactMap { condition in
        condition.value.map { Field(name: condition.name, value: $0) }
      }
    }

    /// What is signed, and where it's posted. Secret.
    fileprivate struct Content: Sendable {
      let bucket: Bucket
      let conditions: [PostPolicy.Condition]?
      let expiration: Timestamp?
      let credentialScope: CredentialScope

      /// The policy in base64. Its ASCII bytes are signed.
      let policy: String

      /// The fields of the signature, in order. Each has its condition in the policy.
      let signingFields: [Field]
    }

    /// The URL to which the form is posted, as `multipart/form-data`.
    public var url: String {
      let bucket = content.bucket
      let path = URIEncoding.encode(bucket.plainPath, as: .path)
      return bucket.endpoint.scheme.name + "://" + bucket.host + "/"
        + String(decoding: path, as: UTF8.self)
    }

    /// The time at which the form expires, or nil for a custom policy document.
    public var expiration: Timestamp? { content.expiration }

    /// The scope of the signature.
    public var credentialScope: CredentialScope { content.credentialScope }

    /// The signed policy in base64.
    ///
    /// Secret: it contains the session token of temporary credentials.
    public var policy: String { content.policy }

    /// The fields in order. Add the file after them, as the last field, with the name `file`.
    public var fields: [Field] {
      given + content.signingFields + [
        Field(name: "policy", value: policy),
        Field(.signature, signature.hexString, credentialScope.names),
      ]
    }

    /// The names of the fields that have a condition but no value yet, for the page to fill in.
    public var fieldsToFill: [String] {
      (content.conditions ?? []).filter { $0.openPrefix != nil && !hasField($0.name) }.map(\.name)
    }

    /// Returns the form with an additional field.
    ///
    /// - Throws: `fieldNotInPolicy` if the policy has no condition on the field,
    ///   `conflictingFormField` if the form already has it or the value doesn't begin with the
    ///   policy's prefix, and `invalidPostPolicy` if the name or value isn't valid in a form. The
    ///   conditions of a custom document aren't checked.
    public func adding(_ name: String, _ value: String) throws(SigningError) -> PostForm {
      try check(name, value)
      var form = self
      form.given.append(Field(name: name, value: value))
      return form
    }

    private func check(_ name: String, _ value: String) throws(SigningError) {
      if hasField(name) {
        throw SigningError(
          .conflictingFormField,
          "The form already has a field \(quoted: name).",
          fix: "Remove the second one.")
      }
      try PostPolicy.Condition.check(Array(value.utf8), of: name)
      let isIgnored = name.lowercased().hasPrefix("x-ignore-")
      guard let conditions = content.conditions, !isIgnored else { return }
      guard let prefix = conditions.first(where: { $0.isNamed(name) })?.openPrefix else {
        throw SigningError(
          .fieldNotInPolicy,
          "The policy doesn't allow the field \(quoted: name).",
          fix: """
            Add .field with this name to the policy, with its value or startsWith: "", and sign it \
            again.
            """)
      }
      try PostPolicy.Condition.checkType(value, of: name, beginning: prefix)
      let isPrefixed = value.utf8.starts(with: prefix)
      if !isPrefixed || !PostPolicy.Condition.begins(Array(value.utf8), with: prefix, of: name) {
        throw SigningError(
          .conflictingFormField,
          """
          The value of the field \(quoted: name), or a type in its list, doesn't begin with \
          \(quoted: prefix), which the policy requires.
          """,
          fix: "Use a value that begins with this prefix.")
      }
    }

    private func hasField(_ name: String) -> Bool {
      fields.contains { ASCIIByte.equalIgnoringCase($0.name.utf8, name.utf8) }
    }

    /// The fields as hidden HTML inputs, one per line, escaped and in ASCII.
    ///
    /// Names and values are escaped as attributes. Insert the lines into a `form` element with
    /// `accept-charset="utf-8"`, before the file input.
    public var hiddenInputs: String {
      fields.map { field in
        let (name, value) = (Self.attribute(field.name), Self.attribute(field.value))
        return "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
      }.joined(separator: "\n")
    }

    /// Escapes a string for an attribute in double quotes.
    private static func attribute(_ text: String) -> String {
      let special = "&<>\"'".unicodeScalars
      return text.unicodeScalars.map { scalar in
        scalar.isASCII && !special.contains(scalar) ? String(scalar) : "&#\(scalar.value);"
      }.joined()
    }

    /// The URL and scope, without the policy, token or signature.
    public var description: String { "PostForm(\(url), \(credentialScope.text))" }

    /// A form field.
    public struct Field: Hashable, Sendable, CustomStringConvertible {
      /// The name.
      public let name: String

      /// The value, which may be secret.
      public let value: String

      package init(name: String, value: String) {
        self.name = name
        self.value = value
      }

      /// A field of the signature.
      init(_ field: SignatureField, _ value: String, _ names: SignatureNames) {
        self.init(name: names.header(field).string, value: value)
      }

      /// The name, without the value.
      public var description: String { name }
    }
  }
}

extension SigV4.PostForm: Redacted {}
extension SigV4.PostForm.Field: Redacted {}
