// SPDX-License-Identifier: Apache-2.0
// POST policies: what a browser can upload with a form.

public import RequestSigning

extension SigV4 {
  /// A policy for uploads by form, directly from a browser to a bucket (POST Object).
  ///
  ///     let policy = try SigV4.PostPolicy(
  ///       bucket: bucket, expiresIn: .seconds(900),
  ///       conditions: [
  ///         .key("uploads/${filename}"), .field("Content-Type", startsWith: "image/"),
  ///         .contentLength(from: 1, through: 10_485_760),
  ///       ])
  ///     let form = try signer.sign(policy, at: now)
  ///
  /// Each form field needs a condition, because S3 rejects fields that the policy doesn't mention.
  /// A field with an exact value is added to the form. A field with a prefix is filled in by the
  /// page, or by ``PostForm/adding(_:_:)``.
  ///
  /// Source: Amazon S3, API Reference, "POST Policy".
  public struct PostPolicy: Hashable, Sendable {
    let bucket: Bucket
    let content: Content

    enum Content: Hashable {
      case conditions([Condition], lifetime: Int)
      case document([UInt8])
    }

    /// Creates a policy from conditions. Its forms are valid for `lifetime` after signing, 1 second
    /// to 7 days.
    ///
    /// Pass a condition on the key. The conditions on the bucket and the signature are added
    /// automatically.
    ///
    /// - Throws: `invalidLifetime`, `invalidPostPolicy` for a condition that no upload could
    ///   satisfy or a name that can't have one, `conflictingEndpoint` for S3 Express and access
    ///   points, and `unsupportedByStore` for Cloudflare R2 and Backblaze B2. None of them supports
    ///   forms.
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

    /// Creates a policy from your own document: JSON in UTF-8, signed byte for byte.
    ///
    /// It must contain conditions for bucket, key, `x-amz-algorithm`, `x-amz-credential`,
    /// `x-amz-date` and, for temporary credentials, `x-amz-security-token`. They aren't checked.
    ///
    /// - Throws: `invalidPostPolicy` if it's empty, `conflictingEndpoint` for S3 Express and access
    ///   points, and `unsupportedByStore` for Cloudflare R2.
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
      if bucket.isDirectory || bucket.endpoint.kind == .s3ExpressControl {
        throw SigningError(
          .conflictingEndpoint,
          """
          The bucket \(quoted: bucket.name) is in S3 Express, which doesn't support form uploads.
          """,
          fix: "Use a presigned PUT.")
      }
      if bucket.endpoint.isAccessPoint {
        throw SigningError(
          .conflictingEndpoint,
          "\(quoted: bucket.name) is an access point, which doesn't support form uploads.",
          fix: "Use the bucket behind it, or a presigned PUT.")
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

    /// The maximum file size of one request in bytes: 5 GiB.
    package static var largestFile: Int64 { 5_368_709_120 }
  }
}

extension SigV4.PostPolicy: CustomStringConvertible {
  /// The bucket, and the number of conditions.
  public var description: String {
    switch content {
    case .conditions(let conditions, let lifetime):
      "PostPolicy(\(bucket.name), \(conditions.count) conditions, \(lifetime) seconds)"
    case .document(let bytes): "PostPolicy(\(bucket.name), a document of \(bytes.count) bytes)"
    }
  }
}

extension SigV4.PostPolicy {
  /// A condition that an upload must satisfy. It's checked when you create a ``SigV4/PostPolicy``.
  public struct Condition: Hashable, Sendable {
    let name: String
    let kind: Kind

    /// Values as bytes, because strings that are equal in Unicode can have different signatures.
    enum Kind: Hashable {
      case exact([UInt8])
      case startsWith([UInt8])
      case contentLength(Int64, Int64)
    }

    /// Requires an exact value, and adds the field to the form.
    ///
    /// In the value, `${filename}` stands for the file name. S3 inserts it before it checks the
    /// conditions, so only the part before it is a condition. In a Content-Type, nothing can
    /// precede it.
    public static func field(_ name: String, _ value: String) -> Self {
      Self(name: name, kind: .exact(Array(value.utf8)))
    }

    /// Requires a value with this prefix, which the page fills in. "" allows any value.
    public static func field(_ name: String, startsWith prefix: String) -> Self {
      Self(name: name, kind: .startsWith(Array(prefix.utf8)))
    }

    /// Limits the file size in bytes: 0 to 5,368,709,120 (5 GiB).
    public static func contentLength(from lowest: Int64, through highest: Int64) -> Self {
      Self(name: "content-length-range", kind: .contentLength(lowest, highest))
    }

    /// Sets the object key, in which `${filename}` stands for the file name.
    public static func key(_ key: String) -> Self { field("key", key) }

    /// Lets the page choose a key with this prefix.
    public static func key(startsWith prefix: String) -> Self {
      field("key", startsWith: prefix)
    }

    /// Sets a canned access control list (ACL), such as "private". Most buckets have ACLs disabled.
    public static func acl(_ acl: String) -> Self { field("acl", acl) }

    /// Sets the content type.
    public static func contentType(_ type: String) -> Self { field("Content-Type", type) }

    /// Lets the page fill in a content type with this prefix, such as "image/".
    public static func contentType(startsWith prefix: String) -> Self {
      field("Content-Type", startsWith: prefix)
    }

    /// Sets object metadata, in the field `x-amz-meta-` plus this name.
    public static func metadata(_ name: String, _ value: String) -> Self {
      field("x-amz-meta-" + name, value)
    }

    /// Lets the page fill in object metadata with this prefix.
    public static func metadata(_ name: String, startsWith prefix: String) -> Self {
      field("x-amz-meta-" + name, startsWith: prefix)
    }

    /// Allows only the file with this checksum.
    public static func checksum(_ checksum: SigV4.Checksum) -> Self {
      field(checksum.algorithm.headerName, checksum.text)
    }

    /// Redirects the browser after the upload to an absolute URL. S3 adds the bucket, key and ETag
    /// as parameters.
    public static func successRedirect(_ url: String) -> Self {
      field("success_action_redirect", url)
    }

    /// Sets the status of S3's response if the browser isn't redirected: 200 or 204 with an empty
    /// body, or 201 with an XML document that names the object. The default is 204.
    public static func successStatus(_ status: Int) -> Self {
      field("success_action_status", "\(status)")
    }
  }
}

extension SigV4.PostPolicy.Condition: CustomStringConvertible {
  /// The field name and the kind of condition.
  public var description: String {
    switch kind {
    case .exact: name + " has an exact value"
    case .startsWith: name + " starts with"
    case .contentLength(let lowest, let highest): "\(lowest) to \(highest) bytes"
    }
  }

  /// The value in the form, or nil if the page fills it in.
  var value: String? {
    if case .exact(let value) = kind { return String(decoding: value, as: UTF8.self) }
    return nil
  }

  /// The prefix of a value that the page fills in, or nil for other conditions.
  var openPrefix: [UInt8]? {
    if case .startsWith(let prefix) = kind { return prefix }
    return nil
  }

  func isNamed(_ other: String) -> Bool {
    ASCIIByte.equalIgnoringCase(name.utf8, other.utf8)
  }

  /// Returns whether a field's value begins with a prefix. In a content type, each type of a list
  /// must (S3 API Reference, "POST Policy").
  package static func begins(_ value: [UInt8], with prefix: [UInt8], of name: String) -> Bool {
    if !ASCIIByte.equalIgnoringCase(name.utf8, "content-type".utf8) {
      return value.starts(with: prefix)
    }
    return value.split(separator: ASCIIByte.comma, omittingEmptySubsequences: false).allSatisfy {
      $0.drop(while: ASCIIByte.isWhitespace).starts(with: prefix)
    }
  }

  /// The variable that S3 replaces with the file name.
  package static var filenameVariable: String { "${filename}" }

  /// The part of a value before `${filename}`, or nil without one.
  static func prefixBeforeFilename(_ value: [UInt8]) -> ArraySlice<UInt8>? {
    BytewiseSearch.range(of: filenameVariable, in: value[...]).map { value[..<$0.lowerBound] }
  }
}

extension SigV4.PostPolicy.Condition {
  /// Throws if no upload could satisfy the condition.
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

  /// Throws for the names of fields that the signer or the page adds or that can't be sent, and for
  /// values that browsers change when they send them.
  static func check(_ value: [UInt8], of name: String) throws(SigV4.SigningError) {
    let signed: [SignatureField] = [
      .algorithm, .credential, .date, .securityToken, .signature,
    ]
    let reserved =
      ["bucket", "policy", "file", "signature", "AWSAccessKeyId", "content-length-range"]
      + SignatureNames.allCases.flatMap { names in
        signed.map { names.header($0).string }
      }
    let isReserved = reserved.contains { ASCIIByte.equalIgnoringCase(name.utf8, $0.utf8) }
    if name.isEmpty || isReserved || !name.utf8.allSatisfy(ASCIIByte.isTokenCharacter) {
      throw SigV4.SigningError(
        .invalidPostPolicy,
        """
        \(quoted: name) can't be added as a field: it isn't a valid name, or the signer or the \
        page adds it.
        """,
        fix: """
          Remove this field. The page adds the file last. To limit its size, add a length condition.
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

  /// Checks the values of fields with known rules.
  private func checkValue(_ value: String) throws(SigV4.SigningError) {
    if isNamed("key") && value.isEmpty {
      throw invalid(
        "The object key in the condition on \(quoted: name) is empty.", fix: "Pass a key.")
    }
    if isNamed("key") && value.utf8.count > 1_024 {
      throw invalid(
        "The object key in the condition on \(quoted: name) is longer than 1,024 bytes.",
        fix: "Pass a shorter key.")
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

  /// Throws for a content type that contains a file name. A comma in the name would start a second
  /// type, which doesn't have the policy's prefix. An empty prefix allows any type.
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
