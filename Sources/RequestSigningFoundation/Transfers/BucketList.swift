// SPDX-License-Identifier: Apache-2.0
// Lists the contents of a bucket page by page.

internal import DocumentSupport
public import Foundation
internal import RequestSigning
internal import S3Signing

/// The contents of a bucket, in the server's order. Pages are requested one at a time, as you
/// iterate.
public struct BucketList<Element: Sendable>: AsyncSequence, Sendable {
  fileprivate let session: SigningSession
  /// The bucket, or nil for the session's own.
  fileprivate let bucket: SigV4.Bucket?
  fileprivate let query: [(String, String?)]
  fileprivate let kind: BucketListKind<Element>

  /// Creates an iterator that starts with the first page.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(list: self) }

  /// Requests one page at a time.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let list: BucketList
    private var page: ArraySlice<Element> = []
    private var markers: [(String, String?)]? = []

    fileprivate init(list: BucketList) { self.list = list }

    /// Returns the next element, or nil at the end.
    ///
    /// - Throws: The errors of ``SigningSession/send(_:payload:maximumByteCount:)``, and
    ///   `TransferError` with `unexpectedStatus`, `invalidResponse`, or `bucketMissing` if there
    ///   is no bucket.
    public mutating func next() async throws -> Element? {
      while page.isEmpty {
        guard let asked = markers else { return nil }
        let answer = try await list.page(asked)
        page = answer.elements[...]
        markers = answer.markers
      }
      return page.popFirst()
    }
  }

  /// Requests a page. Returns its elements and the parameters of the next page.
  fileprivate func page(
    _ markers: [(String, String?)]
  ) async throws -> (elements: [Element], markers: [(String, String?)]?) {
    let bucket = try bucket ?? session.requiredBucket()
    let request = try bucket.request(
      "GET", query: SigV4.Query(query + [("encoding-type", "url")] + markers))
    let answer = try await session.answer(
      to: Exchange(
        request: request, direction: .plain(nil), expected: .document(root: [kind.root])))
    let page = BucketPage(try answer.document("a list").fields)
    let next = try nextMarkers(page, after: markers, answer)
    let entries = page.entries.filter { kind.entryNames.contains($0.name) }
    return (try entries.map { try element($0, in: bucket, answer) }, next)
  }

  private func element(
    _ entry: BucketListEntry, in bucket: SigV4.Bucket, _ answer: LoadedResponse
  ) throws(TransferError) -> Element {
    if let element = kind.element(entry, bucket) { return element }
    throw incomplete("A \(entry.name) element has no key, or no ID.", answer)
  }

  private func incomplete(_ problem: String, _ answer: LoadedResponse) -> TransferError {
    TransferError(
      .invalidResponse, "The list is incomplete: " + problem, fix: "Check the endpoint.",
      status: answer.response.statusCode)
  }

  private func nextMarkers(
    _ page: BucketPage, after markers: [(String, String?)], _ answer: LoadedResponse
  ) throws(TransferError) -> [(String, String?)]? {
    guard let isTruncated = page.isTruncated else {
      throw incomplete("IsTruncated is neither true nor false.", answer)
    }
    if !isTruncated { return nil }
    let next = kind.markers.compactMap { name, field in
      page.text(of: field).map { (name, String?.some($0)) }
    }
    // Prevents an infinite loop: a page must not refer to itself.
    if next.isEmpty || next.elementsEqual(markers, by: ==) {
      throw incomplete("The response is truncated, but has no new continuation marker.", answer)
    }
    return next
  }
}

/// How to request and parse pages of objects, versions or unfinished uploads.
struct BucketListKind<Element: Sendable>: Sendable {
  /// The name of the response's root element.
  let root: String

  /// The parameters of the first page.
  let query: [(String, String?)]

  /// The parameters that request the next page, and the response fields with their values.
  let markers: [(parameter: String, field: String)]

  /// The names of the elements that are listed.
  let entryNames: [String]

  /// Converts one of these elements of a bucket. Returns nil if it has no key, or no ID.
  let element: @Sendable (BucketListEntry, SigV4.Bucket) -> Element?
}

/// An element of a list response.
struct BucketListEntry: Sendable {
  /// The name of the element, such as `Contents`.
  let name: String

  fileprivate let fields: [XMLFieldReader.Field]
  fileprivate let isEncoded: Bool

  /// Returns the content of a field, or nil if it's missing.
  func text(_ name: String) -> String? {
    guard let text = fields.first(where: { $0.name == name })?.text else { return nil }
    let isName = ["Key", "Prefix"].contains(name)
    return isEncoded && isName ? BucketPage.decoded(text) : text
  }

  /// Returns the content of a field as a date.
  func date(_ name: String) -> Date? {
    text(name).flatMap { SigV4.Timestamp(extended: $0) }.map { Date($0) }
  }
}

/// A parsed list response.
struct BucketPage {
  let entries: [BucketListEntry]
  private let fields: [XMLFieldReader.Field]
  private let isEncoded: Bool

  init(_ fields: [XMLFieldReader.Field]) {
    let isEncoded = fields.contains { $0.name == "EncodingType" && $0.text == "url" }
    // The root element is the first one, so its number is 0.
    self.fields = fields.filter { $0.parentNumber == 0 }
    self.isEncoded = isEncoded
    entries = Dictionary(
      grouping: fields.filter { $0.parentNumber > 0 }, by: \.parentNumber
    ).sorted { $0.key < $1.key }.map { _, fields in
      BucketListEntry(name: fields[0].parent, fields: fields, isEncoded: isEncoded)
    }
  }

  /// Whether there are more pages, or nil for an invalid value (XML Schema, 2, 3.2.2, boolean).
  var isTruncated: Bool? {
    switch text(of: "IsTruncated")?.lowercased() {
    case "true", "1": true
    case "false", "0", nil: false
    default: nil
    }
  }

  /// Returns a field of the page itself. Key markers are decoded, but tokens and IDs are opaque.
  func text(of name: String) -> String? {
    let text = fields.first { $0.name == name }?.text
    guard let text, !text.isEmpty else { return nil }
    return isEncoded && name == "NextKeyMarker" ? marker(text) : text
  }

  /// Returns the key in a marker. OpenStack Swift encodes only the keys of a page, and decoding its
  /// marker would skip or repeat keys. Source: swift, `s3api/controllers/bucket.py`.
  private func marker(_ text: String) -> String {
    let keys = entries.compactMap { $0.text("Key") ?? $0.text("Prefix") }
    func isListed(_ marker: String) -> Bool {
      keys.contains { $0.utf8.elementsEqual(marker.utf8) }
    }
    let decoded = Self.decoded(text)
    return isListed(text) && !isListed(decoded) ? text : decoded
  }

  /// Decodes a key as botocore does, with '+' as a space. Source: Amazon S3, API Reference,
  /// "ListObjectsV2", `encoding-type`.
  static func decoded(_ text: String) -> String {
    String(
      decoding: URIEncoding.decode(Array(text.utf8)[...], plusMeaning: ASCIIByte.space),
      as: UTF8.self)
  }
}

/// A version of an object, or a delete marker.
public struct ObjectVersion: Hashable, Sendable {
  /// The key.
  public let key: String

  /// The version ID.
  public let versionID: String

  /// Whether this is the current version.
  public let isLatest: Bool

  /// Whether this is a delete marker.
  public let isDeleteMarker: Bool

  /// The size in bytes, or 0 for a delete marker.
  public let size: Int64

  /// The time of the last modification.
  public let lastModified: Date?

  /// `Version` or `DeleteMarker`.
  init?(_ entry: BucketListEntry) {
    guard ["Version", "DeleteMarker"].contains(entry.name), let key = entry.text("Key"),
      let versionID = entry.text("VersionId")
    else { return nil }
    self.key = key
    self.versionID = versionID
    isLatest = entry.text("IsLatest") == "true"
    isDeleteMarker = entry.name == "DeleteMarker"
    size = entry.text("Size").flatMap { Int64($0) } ?? 0
    lastModified = entry.date("LastModified")
  }
}

/// A multipart upload that was neither completed nor aborted.
/// ``SigningSession/abort(_:)-(UnfinishedUpload)`` removes its parts.
public struct UnfinishedUpload: Hashable, Sendable {
  /// The key.
  public let key: String

  /// The upload ID.
  public let uploadID: String

  /// The time when it was started.
  public let initiated: Date?

  let bucket: SigV4.Bucket

  /// `Upload`.
  init?(_ entry: BucketListEntry, in bucket: SigV4.Bucket) {
    guard entry.name == "Upload", let key = entry.text("Key"),
      let uploadID = entry.text("UploadId")
    else { return nil }
    self.key = key
    self.uploadID = uploadID
    initiated = entry.date("Initiated")
    self.bucket = bucket
  }
}

extension SigningSession {
  /// Lists the objects of a bucket whose keys start with a prefix.
  ///
  ///     for try await object in session.list(prefix: "2026/") { print(object.key, object.size) }
  ///
  /// If you pass a delimiter, such as `/`, keys that contain it after the prefix are grouped like
  /// files in directories. Each group is one common prefix (``ListedObject/isPrefix``).
  ///
  /// - Parameters:
  ///   - bucket: the bucket. The default is the session's own.
  ///   - prefix: the start of the keys.
  ///   - delimiter: the end of a common prefix, or nil to list all keys.
  ///
  /// Source: Amazon S3, API Reference, "ListObjectsV2".
  public func list(
    _ bucket: SigV4.Bucket? = nil, prefix: String = "", delimiter: String? = nil
  ) -> BucketList<ListedObject> {
    list(
      bucket,
      BucketListKind(
        root: "ListBucketResult", query: [("list-type", "2")],
        markers: [("continuation-token", "NextContinuationToken")],
        entryNames: ["Contents", "CommonPrefixes"]
      ) { ListedObject($0, in: $1) }, prefix, delimiter)
  }

  /// Lists the versions of all objects of a bucket whose keys start with a prefix. The default
  /// is the session's own bucket.
  ///
  /// Source: Amazon S3, API Reference, "ListObjectVersions".
  public func listVersions(
    _ bucket: SigV4.Bucket? = nil, prefix: String = ""
  ) -> BucketList<ObjectVersion> {
    list(
      bucket,
      BucketListKind(
        root: "ListVersionsResult", query: [("versions", nil)],
        markers: [("key-marker", "NextKeyMarker"), ("version-id-marker", "NextVersionIdMarker")],
        entryNames: ["Version", "DeleteMarker"]
      ) { entry, _ in ObjectVersion(entry) }, prefix, nil)
  }

  /// Lists the unfinished multipart uploads of a bucket. Their parts cost money until they're
  /// completed or aborted with ``abort(_:)-(UnfinishedUpload)``. The default is the session's own
  /// bucket.
  ///
  /// Source: Amazon S3, API Reference, "ListMultipartUploads".
  public func listUploads(
    _ bucket: SigV4.Bucket? = nil, prefix: String = ""
  ) -> BucketList<UnfinishedUpload> {
    list(
      bucket,
      BucketListKind(
        root: "ListMultipartUploadsResult", query: [("uploads", nil)],
        markers: [("key-marker", "NextKeyMarker"), ("upload-id-marker", "NextUploadIdMarker")],
        entryNames: ["Upload"]
      ) { UnfinishedUpload($0, in: $1) }, prefix, nil)
  }

  private func list<Element>(
    _ bucket: SigV4.Bucket?, _ kind: BucketListKind<Element>, _ prefix: String,
    _ delimiter: String?
  ) -> BucketList<Element> {
    var query = kind.query
    if !prefix.isEmpty { query.append(("prefix", prefix)) }
    if let delimiter { query.append(("delimiter", delimiter)) }
    return BucketList(session: self, bucket: bucket, query: query, kind: kind)
  }
}
