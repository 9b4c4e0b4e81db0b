// SPDX-License-Identifier: Apache-2.0
// Warnings about the parts of a request that S3 ignores or misreads.

public import RequestSigning
internal import SecureHashing

extension SigV4.Bucket {
  /// A part of a request that Amazon S3 ignores or misreads. New warnings may be added.
  public struct RequestWarning: Hashable, Sendable, CustomStringConvertible {
    /// The kind of warning: `ignoredParameter`, `copySource` or `missingChecksum`.
    public let name: String

    /// The problem and its fix, for people.
    public let message: String

    /// The name and the message.
    public var description: String { name + ": " + message }

    fileprivate init(_ name: String, _ message: UTF8Text) {
      self.name = name
      self.message = message.string
    }
  }
}

extension SigV4.Request {
  /// The parts of this request that Amazon S3 ignores or misreads. Empty for most requests.
  ///
  /// The request is signed and sent unchanged. Sources: S3 API Reference, PutObject, CopyObject,
  /// DeleteObjects. Public reports of checksums and ACLs as parameters (aws/aws-sdk 480, boto/boto3
  /// 1070).
  public var objectStorageWarnings: [SigV4.Bucket.RequestWarning] {
    ignoredParameters + copySourceWarnings + checksumWarnings
  }

  /// Parameters that S3 expects as headers.
  private var ignoredParameters: [SigV4.Bucket.RequestWarning] {
    query.parameters.compactMap { name, _ in
      func begins(with beginning: StaticString) -> Bool {
        name.prefix(beginning.utf8CodeUnitCount).spellsIgnoringCase(beginning)
      }
      if Self.headersOfContent.contains(where: { name.spellsIgnoringCase($0) })
        || Self.headersOfChecksums.contains(where: begins)
      {
        return .init(
          "ignoredParameter", "S3 ignores the parameter \(quoted: name). Send it as a header.")
      }
      if Self.otherHeaders.contains(where: begins) {
        return .init(
          "ignoredParameter",
          """
          Bucket policies and some stores ignore the parameter \(quoted: name). Send it as a header.
          """)
      }
      return nil
    }
  }

  private static var headersOfContent: [StaticString] {
    [
      "content-type", "content-md5", "content-length", "content-encoding", "content-disposition",
      "content-language", "cache-control",
    ]
  }

  private static var headersOfChecksums: [StaticString] {
    ["x-amz-checksum-", "x-amz-sdk-checksum-algorithm"]
  }

  /// The beginnings of header names. (aws-sdk-go-v2 leaves these in the headers of presigned
  /// requests.)
  private static var otherHeaders: [StaticString] {
    [
      "x-amz-acl", "x-amz-grant-", "x-amz-copy-source", "x-amz-metadata-directive", "x-amz-mfa",
      "x-amz-server-side-encryption", "x-amz-storage-class", "x-amz-website-redirect-location",
      "x-amz-tagging", "x-amz-object-lock-", "x-amz-meta-",
    ]
  }

  /// S3 API Reference, CopyObject: the value is URL-encoded, and S3 reads a '+' as a space.
  private var copySourceWarnings: [SigV4.Bucket.RequestWarning] {
    headers.values(named: "x-amz-copy-source").compactMap { value in
      let bytes = Array(value.utf8)[...]
      let position =
        bytes.firstIndex { $0 == ASCIIByte.plus || $0 <= ASCIIByte.space || $0 > 0x7E }
        ?? bytes.span.positionOfStrayPercent
      guard let position else { return nil }
      return .init(
        "copySource",
        """
        S3 decodes x-amz-copy-source, and its value contains \(quoted: [bytes[position]]) at \
        offset \(position). Encode the key in it.
        """)
    }
  }

  /// botocore's model of S3: the operations that require a checksum, by their query parameter.
  private var checksumWarnings: [SigV4.Bucket.RequestWarning] {
    let subresource = query.parameters.first { parameter in
      Self.subresourcesWithChecksum.contains { parameter.name.spells($0) }
    }
    guard let subresource, method == "PUT" || method == "POST", hasBody else { return [] }
    let hasChecksum = headers.contains { header in
      let name = Array(header.name.utf8)[...]
      return name.spellsIgnoringCase("content-md5") || name.spellsIgnoringCase("x-amz-trailer")
        || name.prefix(15).spellsIgnoringCase("x-amz-checksum-")
    }
    if hasChecksum { return [] }
    return [
      .init(
        "missingChecksum",
        """
        S3 requires a Content-MD5 or x-amz-checksum-* header with the parameter \
        \(quoted: subresource.name). Add one of them.
        """)
    ]
  }

  private var hasBody: Bool {
    switch payload.kind {
    case .digestOfNothing: false
    case .digest(let digest): digest != SHA256.hash(data: EmptyCollection())
    case .unsigned, .literal: true
    }
  }

  private static var subresourcesWithChecksum: [StaticString] {
    [
      "delete", "acl", "cors", "encryption", "legal-hold", "lifecycle", "logging",
      "metadataConfiguration", "metadataInventoryTable", "metadataJournalTable", "metadataTable",
      "object-lock", "ownershipControls", "policy", "publicAccessBlock", "replication",
      "requestPayment", "retention", "tagging", "versioning", "website",
    ]
  }
}
