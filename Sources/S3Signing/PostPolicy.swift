// SPDX-License-Identifier: Apache-2.0
// What a browser may upload with a form: the policy before it is signed, and its conditions.

public import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// What may be uploaded with a form, straight from a browser to a bucket (POST Object).
  ///
  ///     let policy = try SigV4.PostPolicy(
  ///       bucket: bucket, expiresIn: .seconds(900),
  ///       conditions: [
  ///         .key("uploads/${filename}"), .field("Content-Type", startsWith: "image/"),
  ///         .contentLength(from: 1, through: 10_485_760),
  ///       ])
  ///     let form = try signer.sign(policy, at: now)
  ///
  /// Each field of a form needs a condition: S3 refuses what the policy does not mention. A field
  /// whose value is known is a field of the form at once; one that has to begin with something is
  /// filled by the page, or by ``PostForm/adding(_:_:)``.
  ///
  /// Source: Amazon S3, API Reference, "POST Policy".
  public struct PostPolicy: Hashable, Sendable {
    let bucket: Bucket
    let content: Content

    enum Content: Hashable {
      case conditions([Condition], lifetime: Int)
      case document([UInt8])
    }

    /// A policy of conditions, good for 1 second to 7 days from when it is signed.
    ///
    /// There has to be one on the key. The bucket and the parts of the signature get theirs by
    /// themselves.
    ///
    /// Throws `invalidLifetime`, `invalidPostPolicy` for a condition that no upload could satisfy, or
    /// a name that cannot have one, and `conflictingEndpoint` for S3 Express, which takes no forms.
    public init(
      bucket: Bucket, expiresIn lifetime: Duration = .seconds(3_600), conditions: [Condition]
    ) throws(SigningError) {
      let seconds = lifetime.wholeSeconds
      try Self.checkBucket(bucket)
      if seconds < 1 || seconds > 604_800 {
        throw SigningError(
          .invalidLifetime,
          "A form's lifetime must be 1 to 604800 seconds (7 days), not \(seconds).",
          fix: "Use a lifetime in this range.")
      }
      for condition in conditions { try condition.check() }
      try Self.checkNames(conditions)
      self.bucket = bucket
      content = .conditions(conditions, lifetime: seconds)
    }

    /// A policy document of your own: JSON in UTF-8, signed byte for byte.
    ///
    /// It has to hold conditions for bucket, key, `x-amz-algorithm`, `x-amz-credential`, `x-amz-date`
    /// and, for temporary credentials, `x-amz-security-token`; they are not checked here.
    ///
    /// Throws `invalidPostPolicy` when it is empty, and `conflictingEndpoint` for S3 Express.
    public init(
      bucket: Bucket, document: some Collection<UInt8>
    ) throws(SigningError) {
      try Self.checkBucket(bucket)
      if document.isEmpty {
        throw SigningError(
          .invalidPostPolicy,
          "The policy document is empty.",
          fix: "Pass the JSON document, or use conditions.")
      }
      self.bucket = bucket
      content = .document(Array(document))
    }

    private static func checkBucket(_ bucket: Bucket) throws(SigningError) {
      try SigV4.StoreUse.form.check(atHost: bucket.host)
      if bucket.endpoint.kind == .s3ExpressZone || bucket.endpoint.kind == .s3ExpressControl {
        throw SigningError(
          .conflictingEndpoint,
          """
          The bucket \(quoted: bucket.name) is in S3 Express, which doesn't support form uploads.
          """,
          fix: "Use a presigned PUT.")
      }
    }

    private static func checkNames(_ conditions: [Condition]) throws(SigningError) {
      for (index, condition) in conditions.enumerated()
      where conditions[..<index].contains(where: { $0.isNamed(condition.name) }) {
        throw SigningError(
          .invalidPostPolicy,
          "The policy has two conditions on \(quoted: condition.name).",
          fix: "Remove one of them.")
      }
      if !conditions.contains(where: { $0.isNamed("key") }) {
        throw SigningError(
          .invalidPostPolicy,
          "The policy has no condition on the key, which S3 requires.",
          fix: """
            Add .key("..."), which may end in ${filename}, or .key(startsWith: "...").
            """)
      }
    }

    /// The largest file of one request in bytes: 5 GiB.
    package static var largestFile: Int64 { 5_368_709_120 }
  }
}

extension SigV4.PostPolicy: CustomStringConvertible {
  /// The bucket, and how many conditions there are.
  public var description: String {
    switch content {
    case .conditions(let conditions, let lifetime):
      "PostPolicy(\(bucket.name), \(conditions.count) conditions, \(lifetime) seconds)"
    case .document(let bytes): "PostPolicy(\(bucket.name), a document of \(bytes.count) bytes)"
    }
  }
}

extension SigV4.PostPolicy {
  /// What an upload has to satisfy. It is checked when a ``SigV4/PostPolicy`` is made of it.
  public struct Condition: Hashable, Sendable {
    let name: String
    let kind: Kind

    /// Values as bytes, since Unicode calls texts equal that are signed differently.
    enum Kind: Hashable {
      case exact([UInt8])
      case startsWith([UInt8])
      case contentLength(Int64, Int64)
    }

    /// The field has exactly this value, and is in the form.
    ///
    /// In the value, `${filename}` stands for the name of the file: S3 puts it there before it looks
    /// at the conditions, so that only what stands before it can be one. A Content-Type may not go on with it.
    public static func field(_ name: String, _ value: String) -> Self {
      Self(name: name, kind: .exact(Array(value.utf8)))
    }

    /// The field is filled by the page, and its value begins with this; "" allows any value.
    public static func field(_ name: String, startsWith prefix: String) -> Self {
      Self(name: name, kind: .startsWith(Array(prefix.utf8)))
    }

    /// The file has so many bytes: 0 to 5,368,709,120, which is 5 GiB.
    public static func contentLength(from lowest: Int64, through highest: Int64) -> Self {
      Self(name: "content-length-range", kind: .contentLength(lowest, highest))
    }

    /// The key of the object, in which `${filename}` stands for the name of the file.
    public static func key(_ key: String) -> Self { field("key", key) }

    /// The page chooses a key that begins with this.
    public static func key(startsWith prefix: String) -> Self {
      field("key", startsWith: prefix)
    }

    /// A canned access control list, such as "private"; most buckets have these switched off.
    public static func acl(_ acl: String) -> Self { field("acl", acl) }

    /// The type of the content.
    public static func contentType(_ type: String) -> Self { field("Content-Type", type) }

    /// The page fills in a type of the content that begins with this, such as "image/".
    public static func contentType(startsWith prefix: String) -> Self {
      field("Content-Type", startsWith: prefix)
    }

    /// Metadata of the object: `x-amz-meta-` and this name.
    public static func metadata(_ name: String, _ value: String) -> Self {
      field("x-amz-meta-" + name, value)
    }

    /// Metadata of the object that the page fills in.
    public static func metadata(_ name: String, startsWith prefix: String) -> Self {
      field("x-amz-meta-" + name, startsWith: prefix)
    }

    /// The checksum of the one file that may be uploaded.
    public static func checksum(_ checksum: SigV4.Checksum) -> Self {
      field(checksum.algorithm.headerName, checksum.text)
    }

    /// Where the browser goes after the upload: an absolute URL, to which S3 adds bucket, key and
    /// ETag as parameters.
    public static func successRedirect(_ url: String) -> Self {
      field("success_action_redirect", url)
    }

    /// What S3 answers after the upload, when the browser goes nowhere.
    public static func successStatus(_ status: SuccessStatus) -> Self {
      field("success_action_status", status.text)
    }
  }

  /// What S3 answers after an upload.
  public struct SuccessStatus: Hashable, Sendable {
    fileprivate let text: String

    /// 200, with an empty body.
    public static let ok = Self(text: "200")
    /// 201, with an XML document that names the object.
    public static let created = Self(text: "201")
    /// 204, with an empty body; what S3 does unless it is told otherwise.
    public static let noContent = Self(text: "204")
  }
}

extension SigV4.PostPolicy.Condition: CustomStringConvertible {
  /// The name of the field, and what kind of condition it is.
  public var description: String {
    switch kind {
    case .exact: name + " is given"
    case .startsWith: name + " starts with"
    case .contentLength(let lowest, let highest): "\(lowest) to \(highest) bytes"
    }
  }

  /// The value that the form has at once.
  var value: String? {
    if case .exact(let value) = kind { return String(decoding: value, as: UTF8.self) }
    return nil
  }

  /// What the value of the field has to begin with, when the page fills it in.
  var openPrefix: [UInt8]? {
    if case .startsWith(let prefix) = kind { return prefix }
    return nil
  }

  func isNamed(_ other: String) -> Bool {
    ASCIIByte.equalIgnoringCase(name.utf8, other.utf8)
  }

  /// What S3 replaces by the name of the file.
  package static var filenameVariable: String { "${filename}" }

  /// What stands before `${filename}` in a value, or nil when it is not there.
  static func prefixBeforeFilename(_ value: [UInt8]) -> ArraySlice<UInt8>? {
    BytewiseSearch.range(of: filenameVariable, in: value[...]).map { value[..<$0.lowerBound] }
  }
}

extension SigV4.PostPolicy.Condition {
  /// Refuses what no upload could satisfy.
  fileprivate func check() throws(SigV4.SigningError) {
    switch kind {
    case .exact(let value):
      try Self.check(value, of: name)
      try checkValue(String(decoding: value, as: UTF8.self))
    case .startsWith(let prefix):
      try Self.check(prefix, of: name)
      if Self.prefixBeforeFilename(prefix) != nil {
        throw invalid(
          """
          The prefix of the condition on \(quoted: name) contains ${filename}, which S3 replaces \
          before it compares.
          """,
          fix: "Remove ${filename} and everything after it from the prefix.")
      }
      let isOfList = prefix.contains(ASCIIByte.comma) || prefix.first == ASCIIByte.space
      if isNamed("content-type") && isOfList {
        throw invalid(
          """
          No upload satisfies the condition on \(quoted: name): S3 compares each type in a \
          comma-separated list, and none begins with \(quoted: prefix).
          """,
          fix: "Use a prefix such as image/.")
      }
    case .contentLength(let lowest, let highest):
      if lowest < 0 || highest < lowest || highest > SigV4.PostPolicy.largestFile {
        throw invalid(
          """
          The condition on \(quoted: name) isn't a valid range: \(lowest) to \(highest) bytes.
          """,
          fix:
            "Pass the smaller number first. One request can upload 0 to 5368709120 bytes (5 GiB).")
      }
    }
  }

  /// Refuses the names of fields that the signer writes, that cannot be sent, or that need no
  /// condition, and values that browsers send in another form.
  static func check(_ value: [UInt8], of name: String) throws(SigV4.SigningError) {
    let signed: [SignatureField] = [
      .algorithm, .credential, .date, .securityToken, .signature,
    ]
    let reserved =
      ["bucket", "policy", "file", "signature", "AWSAccessKeyId", "content-length-range"]
      + signed.map(\.header.description)
    let isReserved = reserved.contains { ASCIIByte.equalIgnoringCase(name.utf8, $0.utf8) }
    if name.isEmpty || isReserved || !name.utf8.allSatisfy(ASCIIByte.isTokenCharacter) {
      throw SigV4.SigningError(
        .invalidPostPolicy,
        """
        \(quoted: name) can't be added as a field: it isn't a valid name, or the signer or the \
        page adds it.
        """,
        fix: """
          Remove this field. The page adds the file last, and .contentLength(from:through:) limits \
          its size.
          """)
    }
    if value.contains(where: ASCIIByte.isControl) {
      throw SigV4.SigningError(
        .invalidPostPolicy,
        """
        The value of the field \(quoted: name) has a control character, which browsers change when \
        they send it.
        """,
        fix: "Remove the control character.")
    }
  }

  /// What is known of the values of some fields.
  private func checkValue(_ value: String) throws(SigV4.SigningError) {
    if isNamed("key") && value.isEmpty {
      throw invalid(
        "The condition on \(quoted: name) is an empty object key.", fix: "Pass a key.")
    }
    if isNamed("success_action_status") && !["200", "201", "204"].contains(value) {
      throw invalid(
        """
        The condition on \(quoted: name) is \(quoted: value), for which S3 responds with 204.
        """,
        fix: "Use 200, 201 or 204.")
    }
    try Self.checkType(value, of: name)
    let isLink = ["https://", "http://"].contains { value.lowercased().hasPrefix($0) }
    if isNamed("success_action_redirect") && !isLink {
      throw invalid(
        "The condition on \(quoted: name) is \(quoted: value), which S3 silently ignores.",
        fix: "Use an absolute URL with https:// or http://.")
    }
    let algorithm = SigV4.Checksum.Algorithm.all.first { isNamed($0.headerName) }
    if let algorithm, (try? SigV4.Checksum(algorithm, base64: value)) == nil {
      throw invalid(
        """
        The condition on \(quoted: name) is \(quoted: value), which isn't a valid \
        \(algorithm.name) checksum.
        """,
        fix: "Use its \(algorithm.byteCount) bytes in base64.")
    }
  }

  /// Refuses a content type with the name of a file in it: after a comma in that name stands a type that does not
  /// begin as the policy says. Where a prefix is empty, any type does.
  static func checkType(
    _ value: String, of name: String, beginning prefix: [UInt8]? = nil
  ) throws(SigV4.SigningError) {
    guard ASCIIByte.equalIgnoringCase(name.utf8, "content-type".utf8),
      let beforeFilename = prefixBeforeFilename(Array(value.utf8)),
      !(prefix ?? Array(beforeFilename)).isEmpty
    else { return }
    throw SigV4.SigningError(
      .invalidPostPolicy,
      """
      The field \(quoted: name) is \(quoted: value), but a comma in the file name would split it \
      into two types, and S3 would reject the second one.
      """,
      fix: "Use a type without ${filename}.")
  }

  private func invalid(_ problem: UTF8Text, fix: UTF8Text) -> SigV4.SigningError {
    SigV4.SigningError(.invalidPostPolicy, problem, fix: fix)
  }
}
