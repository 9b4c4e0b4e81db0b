// SPDX-License-Identifier: Apache-2.0
// The conditions of a policy: which values the fields of a form may have, and how long a file is.

public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4.PostPolicy {
  /// What an upload has to satisfy. It is checked when a ``SigV4/PostPolicy`` is made of it.
  public struct Condition: Sendable {
    enum Kind: Sendable {
      case exact(String)
      case startsWith(String)
      case contentLength(Int64, Int64)
    }

    let name: String
    let kind: Kind

    /// The field has exactly this value, and is in the form.
    ///
    /// In the value, `${filename}` stands for the name of the file: S3 puts it there before it looks
    /// at the conditions, so that only what stands before it can be one.
    public static func field(_ name: String, _ value: String) -> Self {
      Self(name: name, kind: .exact(value))
    }

    /// The field is filled by the page, and its value begins with this; "" allows any value.
    public static func field(_ name: String, startsWith prefix: String) -> Self {
      Self(name: name, kind: .startsWith(prefix))
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

    /// The checksum of the one file that may be uploaded, in base64: `.checksumSHA256` for example.
    public static func checksum(_ checksum: SigV4.ChunkTrailer, _ value: String) -> Self {
      field(checksum.name, value)
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
  public enum SuccessStatus: Sendable {
    /// 200, with an empty body.
    case ok
    /// 201, with an XML document that names the object.
    case created
    /// 204, with an empty body; what S3 does unless it is told otherwise.
    case noContent

    var text: String {
      switch self {
      case .ok: "200"
      case .created: "201"
      case .noContent: "204"
      }
    }
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
    if case .exact(let value) = kind { return value }
    return nil
  }

  /// What the value of the field has to begin with, when the page fills it in.
  var openPrefix: String? {
    if case .startsWith(let prefix) = kind { return prefix }
    return nil
  }

  func isNamed(_ other: String) -> Bool {
    ASCIIByte.equalIgnoringCase(name.utf8, other.utf8)
  }

  /// What S3 replaces by the name of the file.
  package static var filenameVariable: String { "${filename}" }

  /// What stands before `${filename}` in a value, or nil when it is not there.
  static func prefixBeforeFilename(_ value: String) -> ArraySlice<UInt8>? {
    let bytes = Array(value.utf8)[...]
    return BytewiseSearch.range(of: filenameVariable, in: bytes).map { bytes[..<$0.lowerBound] }
  }
}

extension SigV4.PostPolicy.Condition {
  /// Refuses what no upload could satisfy.
  func check() throws(SigV4.SigningError) {
    switch kind {
    case .exact(let value):
      try Self.checkName(name)
      try Self.checkText(value, of: name)
      try checkValue(value)
    case .startsWith(let prefix):
      try Self.checkName(name)
      try Self.checkText(prefix, of: name)
      if Self.prefixBeforeFilename(prefix) != nil {
        throw invalid(
          "would have to begin with ${filename}, which S3 replaces before it compares; leave it "
            + "and what follows it out of the prefix")
      }
    case .contentLength(let lowest, let highest):
      if lowest < 0 || highest < lowest || highest > SigV4.PostPolicy.largestFile {
        throw invalid(
          "of \(lowest) to \(highest) bytes is none; give the smaller number first, and both from "
            + "0 to 5368709120 (5 GiB), the largest file of one request")
      }
    }
  }

  /// Refuses the names of fields that the signer writes, that are none, or that need no condition.
  static func checkName(_ name: String) throws(SigV4.SigningError) {
    let reserved = [
      "bucket", "policy", "file", "signature", "AWSAccessKeyId", "x-amz-algorithm",
      "x-amz-credential", "x-amz-date", "x-amz-security-token", "x-amz-signature",
      "content-length-range",
    ]
    let isReserved = reserved.contains { ASCIIByte.equalIgnoringCase(name.utf8, $0.utf8) }
    if name.utf8.isEmpty || isReserved || !name.utf8.allSatisfy(ASCIIByte.isTokenCharacter) {
      throw SigV4.SigningError(
        .invalidPostPolicy,
        """
        \(UTF8Text.quoted(name)) cannot be given as a field: it is no name of one, or the signer or \
        the page writes it (the file itself goes last, its length is .contentLength); leave it out
        """)
    }
  }

  static func checkText(_ text: String, of name: String) throws(SigV4.SigningError) {
    if text.utf8.contains(where: ASCIIByte.isControl) {
      throw SigV4.SigningError(
        .invalidPostPolicy,
        """
        the value of the field \(UTF8Text.quoted(name)) has a control character, which browsers send \
        in another form than it is signed in; take it out
        """)
    }
  }

  /// What is known of the values of some fields.
  func checkValue(_ value: String) throws(SigV4.SigningError) {
    if isNamed("key") && value.utf8.isEmpty {
      throw invalid("is empty, and no object has such a key; give one")
    }
    let statuses: [SigV4.PostPolicy.SuccessStatus] = [.ok, .created, .noContent]
    let isStatus = statuses.contains { $0.text.utf8.elementsEqual(value.utf8) }
    if isNamed("success_action_status") && !isStatus {
      throw invalid(
        "is \(UTF8Text.quoted(value)), for which S3 answers 204 all the same; give 200, 201 or 204")
    }
    let isLink = ["https://", "http://"].contains {
      ASCIIByte.equalIgnoringCase(value.utf8.prefix($0.utf8.count), $0.utf8)
    }
    if isNamed("success_action_redirect") && !isLink {
      throw invalid(
        "is \(UTF8Text.quoted(value)), which S3 ignores without a word; give an absolute URL with "
          + "https:// or http://")
    }
    let checksums: [SigV4.ChunkTrailer] = [
      .checksumCRC32, .checksumCRC32C, .checksumCRC64NVME, .checksumSHA1, .checksumSHA256,
    ]
    if let checksum = checksums.first(where: { isNamed($0.name) }),
      value.utf8.count != checksum.valueByteCount || (try? Base64.decode(value)) == nil
    {
      throw invalid(
        "is \(UTF8Text.quoted(value)), which is no such checksum; give its bytes in base64, "
          + "\(checksum.valueByteCount) characters")
    }
  }

  func invalid(_ problem: String) -> SigV4.SigningError {
    SigV4.SigningError(
      .invalidPostPolicy, "the condition on \(quoted: name) \(problem)")
  }
}
