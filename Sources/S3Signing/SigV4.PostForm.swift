// SPDX-License-Identifier: Apache-2.0
// What signing a policy gives: a form waiting for its signature, and one that has it.

public import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// A form whose policy is known and whose signature is not.
  public struct PreparedPostForm: Sendable {
    let bucket: Bucket
    let conditions: [PostPolicy.Condition]?
    let expiration: Timestamp?
    let timestamp: Timestamp
    let preparer: Preparer
    let buffer: SigningBuffer

    /// What the signature will be good for.
    public var credentialScope: CredentialScope { preparer.scope(at: timestamp) }

    /// Room 2: the policy in base64, whose ASCII bytes have to be signed with the signing key of the
    /// scope. It holds the session token of temporary credentials. Secret.
    public var policy: String { buffer.text(buffer.layout.stringToSign) }

    /// Room 5: the form with its signature, which is not checked here.
    public func signed(with signature: Signature) -> PostForm {
      PostForm(self, signature)
    }
  }

  /// A form with which a browser uploads a file straight to a bucket.
  ///
  /// Whoever has the fields can upload with them: treat them as a secret.
  public struct PostForm: Sendable {
    /// Where the form is posted to, as `multipart/form-data`.
    public let url: String

    /// When the form stops to work; nil when the policy is a document of one's own.
    public let expiration: Timestamp?

    /// What the signature is good for.
    public let credentialScope: CredentialScope

    /// Room 4.
    public let signature: Signature

    /// Room 2: the policy in base64, which was signed. It holds the session token of temporary
    /// credentials. Secret.
    public let policy: String

    let conditions: [PostPolicy.Condition]?
    var given: [Field]
    let signing: [Field]

    /// A field of a form.
    public struct Field: Sendable, CustomStringConvertible {
      /// The name.
      public let name: String

      /// The value. It may be secret.
      public let value: String

      package init(name: String, value: String) {
        self.name = name
        self.value = value
      }

      /// The name. Never the value.
      public var description: String { name }
    }

    /// The fields in order. The file comes after them, as the last field, with the name `file`.
    public var fields: [Field] { given + signing }

    /// The names of the fields that have a condition and no value yet, for the page to fill in.
    public var openFields: [String] {
      (conditions ?? []).filter { $0.openPrefix != nil && !hasField($0.name) }.map { $0.name }
    }

    /// The same form with one more field.
    ///
    /// Throws `uncoveredFormField` when the policy has no condition on it, so that S3 would refuse
    /// the form, and `conflictingFormField` when the form has the field already or the value does not
    /// begin as the policy says. For a document of one's own nobody knows the conditions.
    public func adding(_ name: String, _ value: String) throws(SigningError) -> PostForm {
      try check(name, value)
      var form = self
      form.given.append(Field(name: name, value: value))
      return form
    }

    /// The fields as hidden inputs of HTML, a line each, escaped, in ASCII.
    ///
    /// Names and values are escaped as attributes; put the lines into a `form` element that says
    /// `accept-charset="utf-8"`, before the input of the file.
    public var hiddenInputs: String {
      fields.map { field in
        "<input type=\"hidden\" name=\"" + Self.attribute(field.name) + "\" value=\""
          + Self.attribute(field.value) + "\">"
      }.joined(separator: "\n")
    }
  }
}

extension SigV4.PreparedPostForm: CustomStringConvertible {
  /// Bucket and scope. Neither policy nor token.
  public var description: String {
    "PreparedPostForm(\(bucket.name), \(credentialScope.text))"
  }
}

extension SigV4.PostForm: CustomStringConvertible {
  /// URL and scope. Neither policy, token nor signature.
  public var description: String { "PostForm(\(url), \(credentialScope.text))" }
}

extension SigV4.PostForm {
  init(_ prepared: SigV4.PreparedPostForm, _ signature: SigV4.Signature) {
    let bucket = prepared.bucket
    let path = bucket.isInPath ? URIEncoding.encode(bucket.name.bytesInUTF8) : []
    url =
      bucket.endpoint.scheme.name + "://" + bucket.host + "/"
      + path.textInUTF8
    expiration = prepared.expiration
    credentialScope = prepared.credentialScope
    self.signature = signature
    policy = prepared.policy
    conditions = prepared.conditions
    given = (conditions ?? []).compactMap { condition in
      condition.value.map { Field(name: condition.name, value: $0) }
    }
    signing =
      prepared.preparer.policyFields(at: prepared.timestamp) + [
        Field(name: "policy", value: policy),
        Field(name: "x-amz-signature", value: signature.hexadecimal),
      ]
  }

  func hasField(_ name: String) -> Bool {
    fields.contains { ASCIIByte.equalIgnoringCase($0.name.utf8, name.utf8) }
  }

  func check(_ name: String, _ value: String) throws(SigV4.SigningError) {
    if hasField(name) {
      throw SigV4.SigningError(
        .conflictingFormField,
        """
        the form has the field \(UTF8Text.quoted(name)) already, and S3 refuses one that comes twice; \
        leave it out
        """)
    }
    try SigV4.PostPolicy.Condition.checkName(name)
    try SigV4.PostPolicy.Condition.checkText(value, of: name)
    let ignored = "x-ignore-".utf8
    let isIgnored = ASCIIByte.equalIgnoringCase(name.utf8.prefix(ignored.count), ignored)
    guard let conditions, !isIgnored else { return }
    let prefix = conditions.first { $0.isNamed(name) }?.openPrefix
    guard let prefix else {
      throw SigV4.SigningError(
        .uncoveredFormField,
        """
        the policy has no condition on the field \(UTF8Text.quoted(name)), so S3 would refuse the \
        form; give the policy .field with this name and the value, or with startsWith: "", and \
        sign it again
        """)
    }
    if !value.utf8.starts(with: prefix.utf8) {
      throw SigV4.SigningError(
        .conflictingFormField,
        """
        the value of the field \(UTF8Text.quoted(name)) does not begin with \(UTF8Text.quoted(prefix)), \
        as the policy says, so S3 would refuse the form; give one that does
        """)
    }
  }

  /// A text as the value of an attribute in double quotes.
  static func attribute(_ text: String) -> String {
    var escaped: [UInt8] = []
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&", "<", ">", "\"", "'":
        escaped += ("&#" + String(scalar.value) + ";").utf8
      default:
        if scalar.isASCII {
          escaped.append(UInt8(truncatingIfNeeded: scalar.value))
        } else {
          escaped += ("&#" + String(scalar.value) + ";").utf8
        }
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}

extension SigV4.PreparedPostForm: ConcealsContents {}
extension SigV4.PostForm: ConcealsContents {}
extension SigV4.PostForm.Field: ConcealsContents {}
