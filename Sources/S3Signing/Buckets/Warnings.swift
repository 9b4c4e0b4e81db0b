// SPDX-License-Identifier: Apache-2.0
// Warnings about keys, and about the parts of a request that S3 ignores, misreads or rejects.

public import RequestSigning
internal import SecureHashing

extension SigV4.Bucket {
  /// A known problem with a key or a request, which is signed and sent unchanged. You get warnings
  /// from ``Object/warnings`` and from `objectStorageWarnings` of a request. New ones may be added.
  public struct Warning: Hashable, Sendable, CustomStringConvertible {
    /// The name of the warning: one of those below, `ignoredParameter`, `responseHeader`,
    /// `copySource`, `tagging`, `customerKey` or `missingChecksum`.
    public let name: String

    /// The problem and its fix, for people.
    public let message: String

    /// The name and the message.
    public var description: String { name + ": " + message }

    /// The key has a segment "." or "..", as in `photos/../a.jpg`.
    public static let dotSegments = Self(
      name: "dotSegments",
      message:
        "URL types and proxies resolve '.' and '..' segments, which changes the key and breaks the "
        + "signature. Use a different key, or send the URL unchanged.")

    /// The key begins with '/' or contains '//'.
    public static let emptySegments = Self(
      name: "emptySegments",
      message:
        "Some URL types, proxies and stores that save objects as files merge consecutive slashes. "
        + "Use a different key, or send the URL unchanged.")

    /// The key is longer than 1,024 bytes in UTF-8.
    public static let tooLong = Self(
      name: "tooLong",
      message: "Amazon S3 and most stores reject keys longer than 1,024 bytes. Use a shorter key.")

    /// The warnings about the bytes of a key.
    static func ofKey(_ key: [UInt8]) -> [Self] {
      // The path has a slash before the key.
      let segments = ([ASCIIByte.slash] + key).split(
        separator: ASCIIByte.slash, omittingEmptySubsequences: false)
      let hasDots = segments.contains { $0.spells(".") || $0.spells("..") }
      let isMerged = segments.dropFirst().dropLast().contains { $0.isEmpty }
      return (hasDots ? [dotSegments] : []) + (isMerged ? [emptySegments] : [])
        + (key.count > 1_024 ? [tooLong] : [])
    }
  }
}

extension SigV4.Bucket.Warning {
  init(_ name: String, _ message: UTF8Text) {
    self.init(name: name, message: message.string)
  }
}

extension SigV4.Request {
  /// The parts of this request that Amazon S3 ignores, misreads or rejects. Empty for most
  /// requests.
  ///
  /// The request is signed and sent unchanged. Sources: S3 API Reference, PutObject, GetObject,
  /// CopyObject, DeleteObjects. Public reports of checksums and ACLs as parameters (aws/aws-sdk
  /// 480, boto/boto3 1070).
  public var objectStorageWarnings: [SigV4.Bucket.Warning] {
    pathWarnings + ignoredParameters + responseHeaderWarnings + copySourceWarnings
      + taggingWarnings + customerKeyWarnings + checksumWarnings
  }

  /// Keys that change in transit. How long a key is can't be seen in a path, which may begin with
  /// the bucket.
  private var pathWarnings: [SigV4.Bucket.Warning] {
    SigV4.Bucket.Warning.ofKey(URIEncoding.decode(path.strict.dropFirst()))
      .filter { $0 != .tooLong }
  }

  /// Parameters that S3 expects as headers, or in a different case.
  private var ignoredParameters: [SigV4.Bucket.Warning] {
    query.parameters.compactMap { name, _ in
      if let known = Self.caseSensitiveParameters.first(where: { name.spellsIgnoringCase($0) }) {
        if name.spells(known) { return nil }
        return .init(
          "ignoredParameter",
          "S3 ignores the parameter \(quoted: name). Write it as \(known).")
      }
      if Self.headersOfContent.contains(where: { name.spellsIgnoringCase($0) })
        || name.begins(withOneOf: Self.headersOfChecksums)
      {
        return .init(
          "ignoredParameter", "S3 ignores the parameter \(quoted: name). Send it as a header.")
      }
      if name.begins(withOneOf: Self.otherHeaders) {
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

  /// Parameters that S3 ignores in a different case (S3 API Reference): `?VersionId=1` reads or
  /// deletes the current version, and `?ACL` stores the document as an object.
  private static var caseSensitiveParameters: [StaticString] {
    responseParameters + subresourcesWithChecksum
      + ["partNumber", "uploadId", "uploads", "versionId"]
  }

  /// botocore's model of S3: the operations that require a checksum, by their query parameter.
  /// S3 API Reference, PutObject: uploads with Object Lock require one, too, even of no bytes
  /// (aws/aws-sdk-php 1694, versity/versitygw 1776). Copies and the start of a multipart upload
  /// have no body.
  private var checksumWarnings: [SigV4.Bucket.Warning] {
    let names = headers.map { Array($0.name.utf8)[...] }
    if names.contains(where: Self.isChecksum) { return [] }
    let subresource = query.parameters.first { parameter in
      Self.subresourcesWithChecksum.contains { parameter.name.spells($0) }
    }
    if let subresource, method == "PUT" || method == "POST", hasBody {
      return [missingChecksum("the parameter \(quoted: subresource.name)")]
    }
    let isCopy = names.contains { $0.spellsIgnoringCase("x-amz-copy-source") }
    let lock = names.first { $0.begins(withOneOf: ["x-amz-object-lock-"]) }
    if let lock, method == "PUT", !isCopy {
      return [missingChecksum("the header \(quoted: lock)")]
    }
    return []
  }

  private func missingChecksum(_ reason: UTF8Text) -> SigV4.Bucket.Warning {
    .init(
      "missingChecksum",
      "S3 requires a Content-MD5 or x-amz-checksum-* header with \(reason). Add one of them.")
  }

  /// Whether a header contains a checksum, or announces one. The other names with this beginning
  /// contain none (S3 API Reference, CreateMultipartUpload and HeadObject).
  private static func isChecksum(_ name: ArraySlice<UInt8>) -> Bool {
    if name.spellsIgnoringCase("content-md5") || name.spellsIgnoringCase("x-amz-trailer") {
      return true
    }
    let others: [StaticString] = [
      "x-amz-checksum-algorithm", "x-amz-checksum-mode", "x-amz-checksum-type",
    ]
    return name.begins(withOneOf: ["x-amz-checksum-"])
      && !others.contains { name.spellsIgnoringCase($0) }
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

extension ArraySlice<UInt8> {
  /// Whether a name begins with one of these, in any case.
  func begins(withOneOf beginnings: [StaticString]) -> Bool {
    beginnings.contains { prefix($0.utf8CodeUnitCount).spellsIgnoringCase($0) }
  }
}
