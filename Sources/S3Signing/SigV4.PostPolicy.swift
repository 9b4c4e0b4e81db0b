// SPDX-License-Identifier: Apache-2.0
// What a browser may upload with a form: the policy, before anybody signs it.

public import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// What may be uploaded with a form, straight from a browser to a bucket (POST Object).
  ///
  ///     let policy = try SigV4.PostPolicy(
  ///       bucket: bucket, validFor: 900,
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
  public struct PostPolicy: Sendable {
    let bucket: Bucket
    let content: Content

    enum Content: Sendable {
      case conditions([Condition], lifetime: Int)
      case document([UInt8])
    }

    /// A policy of conditions, good for 1 to 604,800 seconds from when it is signed.
    ///
    /// There has to be one on the key. The bucket and the parts of the signature get theirs by
    /// themselves.
    ///
    /// Throws `invalidLifetime`, `invalidPostPolicy` for a condition that no upload could satisfy, or
    /// a name that cannot have one, and `conflictingEndpoint` for S3 Express, which takes no forms.
    public init(
      bucket: Bucket, validFor seconds: Int = 3_600, conditions: [Condition]
    ) throws(SigningError) {
      try Self.checkBucket(bucket)
      try Self.checkLifetime(seconds)
      for condition in conditions { try condition.check() }
      try Self.checkNames(conditions)
      self.bucket = bucket
      content = .conditions(conditions, lifetime: seconds)
    }

    /// A policy document of one's own: JSON in UTF-8, signed byte for byte.
    ///
    /// It has to hold conditions for bucket, key, `x-amz-algorithm`, `x-amz-credential`, `x-amz-date`
    /// and, for temporary credentials, `x-amz-security-token`, and nobody checks them.
    ///
    /// Throws `invalidPostPolicy` when it is empty, and `conflictingEndpoint` for S3 Express.
    public init(
      bucket: Bucket, document: some Collection<UInt8>
    ) throws(SigningError) {
      try Self.checkBucket(bucket)
      if document.isEmpty {
        throw SigningError(
          .invalidPostPolicy,
          """
          the policy document is empty, and S3 refuses a form with it; give the JSON text, or \
          conditions
          """)
      }
      self.bucket = bucket
      content = .document(Array(document))
    }
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

  /// The largest file of one request in bytes: 5 GiB.
  package static var largestFile: Int64 { 5_368_709_120 }

  /// The conditions, or nil when the policy is a document.
  var conditions: [Condition]? {
    if case .conditions(let conditions, _) = content { return conditions }
    return nil
  }

  /// When a form that is signed at a moment stops to work; nil for a document, which says so itself.
  func expiration(
    at timestamp: SigV4.Timestamp, _ identity: SigV4.Identity
  ) throws(SigV4.SigningError) -> SigV4.Timestamp? {
    guard case .conditions(_, let lifetime) = content else { return nil }
    let end = try timestamp.advanced(bySeconds: Int64(lifetime))
    if let last = identity.expiration, last < end {
      throw SigV4.SigningError(
        .outlivesCredentials,
        """
        the form would be valid until \(end.text), but the credentials \(identity.accessKeyID) \
        expire at \(last.text) and the form dies with them; ask for \
        \(last.unixSeconds &- timestamp.unixSeconds) seconds at most, or use credentials that live \
        longer
        """)
    }
    return end
  }

  static func checkBucket(_ bucket: SigV4.Bucket) throws(SigV4.SigningError) {
    switch bucket.endpoint.kind {
    case .s3ExpressZone, .s3ExpressControl:
      throw SigV4.SigningError(
        .conflictingEndpoint,
        """
        S3 Express takes no uploads by form, and \(UTF8Text.quoted(bucket.name)) is there; use a \
        presigned PUT
        """)
    case .aws, .anyStore: return
    }
  }

  static func checkLifetime(_ seconds: Int) throws(SigV4.SigningError) {
    if seconds < 1 || seconds > 604_800 {
      throw SigV4.SigningError(
        .invalidLifetime,
        "a form cannot be valid for \(seconds) seconds; ask for 1 to 604800, which is seven days")
    }
  }

  static func checkNames(_ conditions: [Condition]) throws(SigV4.SigningError) {
    for (index, condition) in conditions.enumerated()
    where conditions[..<index].contains(where: { $0.isNamed(condition.name) }) {
      throw SigV4.SigningError(
        .invalidPostPolicy,
        """
        there are two conditions on \(UTF8Text.quoted(condition.name)), and an upload has to satisfy \
        both; leave one out
        """)
    }
    if !conditions.contains(where: { $0.isNamed("key") }) {
      throw SigV4.SigningError(
        .invalidPostPolicy,
        """
        there is no condition on the key, and S3 refuses a form without a key; give .key("..."), \
        which may end in ${filename}, or .key(startsWith: "...")
        """)
    }
  }
}
