// SPDX-License-Identifier: Apache-2.0
// What a bucket holds, asked for page by page.

internal import DocumentSupport
public import Foundation
internal import RequestSigning
internal import S3Signing
internal import SigningSupport

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// What a bucket holds, in the order of the server. Each page is asked for when the one before was used.
public struct BucketList<Element: Sendable>: AsyncSequence, Sendable {
  fileprivate let session: SigningSession
  fileprivate let query: [(String, String?)]
  fileprivate let kind: BucketListKind<Element>

  /// Starts at the first page.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(list: self) }

  /// Asks for one page after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let list: BucketList
    private var page: ArraySlice<Element> = []
    private var markers: [(String, String?)]? = []

    fileprivate init(list: BucketList) { self.list = list }

    /// The next one; nil at the end.
    ///
    /// Throws what ``SigningSession/send(_:payload:maximumByteCount:)`` throws, and `TransferError` with
    /// `unexpectedStatus`, `invalidAnswer`, or `bucketMissing` for a session that was made without a
    /// bucket.
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

  /// The elements of a page, and the parameters of the next one.
  fileprivate func page(
    _ markers: [(String, String?)]
  ) async throws -> (elements: [Element], markers: [(String, String?)]?) {
    let request = try session.requiredBucket().request(
      "GET", query: SigV4.Query(query + [("encoding-type", "url")] + markers))
    let answer = try await session.answer(to: Exchange(request: request, direction: .plain(nil)))
    try answer.expectSuccess("a list")
    let page = BucketPage(try answer.xmlFields(of: "request for a list"))
    let next = try nextMarkers(page, after: markers, answer)
    return (page.entries.compactMap(kind.element), next)
  }

  private func nextMarkers(
    _ page: BucketPage, after markers: [(String, String?)], _ answer: LoadedAnswer
  ) throws(TransferError) -> [(String, String?)]? {
    if page.text(of: "IsTruncated") != "true" { return nil }
    let next = kind.markers.compactMap { name, field in
      page.text(of: field).map { (name, String?.some($0)) }
    }
    // A page that leads to itself would be asked for without end.
    if next.isEmpty || next.elementsEqual(markers, by: ==) {
      throw TransferError(
        .invalidAnswer,
        "the server says that there is more, and not where it begins, so the list would end too early or "
          + "never; look at what answers", status: answer.response.statusCode)
    }
    return next
  }
}

/// How pages of objects, versions or unfinished uploads are asked for, and read.
struct BucketListKind<Element: Sendable>: Sendable {
  /// The parameters of the first page.
  let query: [(String, String?)]

  /// The parameters that ask for the next page, and the fields of an answer that have their values.
  let markers: [(parameter: String, field: String)]

  /// An element of an answer; nil for one that is something else.
  let element: @Sendable (BucketListEntry) -> Element?
}

/// An element of an answer that lists a bucket: the texts of its fields.
struct BucketListEntry: Sendable {
  /// The name of the element, such as `Contents`.
  let name: String

  fileprivate let fields: [XMLFieldReader.Field]
  fileprivate let isEncoded: Bool

  /// The text of a field; nil when there is none.
  func text(_ name: String) -> String? {
    guard let text = fields.first(where: { $0.name == name })?.text else { return nil }
    let isName = ["Key", "Prefix"].contains(name)
    return isEncoded && isName ? BucketPage.decoded(text) : text
  }

  /// The time of a field.
  func date(_ name: String) -> Date? {
    text(name).flatMap { SigV4.Timestamp(extended: $0) }.map { Date($0) }
  }
}

/// A page of a list.
private struct BucketPage {
  let entries: [BucketListEntry]
  private let fields: [XMLFieldReader.Field]
  private let isEncoded: Bool

  init(_ fields: [XMLFieldReader.Field]) {
    let isEncoded = fields.contains { $0.name == "EncodingType" && $0.text == "url" }
    // Fields of the page itself are those beside IsTruncated.
    let root = fields.first { $0.name == "IsTruncated" }?.parentNumber ?? 0
    self.fields = fields.filter { $0.parentNumber == root }
    self.isEncoded = isEncoded
    entries = Dictionary(
      grouping: fields.filter { $0.parentNumber != root }, by: \.parentNumber
    ).sorted { $0.key < $1.key }.map { _, fields in
      BucketListEntry(name: fields[0].parent, fields: fields, isEncoded: isEncoded)
    }
  }

  /// A marker of the page, decoded where the server encoded it: a token is sent back as it came.
  func text(of name: String) -> String? {
    let text = fields.first { $0.name == name }?.text
    if text?.isEmpty ?? true { return nil }
    return isEncoded && name == "NextKeyMarker" ? text.map(Self.decoded) : text
  }

  /// Amazon S3, API Reference, "ListObjectsV2", `encoding-type`: a form's encoding, in which '+' is a
  /// space (as botocore reads it).
  static func decoded(_ text: String) -> String {
    String(
      decoding: URIEncoding.decode(Array(text.utf8)[...], plusMeaning: ASCIIByte.space),
      as: UTF8.self)
  }
}

/// An object of a list, or what keys have in common up to a delimiter.
public struct ListedObject: Hashable, Sendable {
  /// The key; of a common prefix that prefix.
  public let key: String

  /// The size in bytes; 0 for a common prefix.
  public let size: Int64

  /// When it was stored; nil for a common prefix.
  public let lastModified: Date?

  /// The tag of the object, in quotes; nil for a common prefix.
  public let eTag: String?

  /// The class of storage, such as `STANDARD`.
  public let storageClass: String?

  /// Whether this is what several keys begin with, and no object.
  public let isPrefix: Bool

  /// `Contents` or `CommonPrefixes`.
  init?(_ entry: BucketListEntry) {
    switch entry.name {
    case "Contents":
      guard let key = entry.text("Key") else { return nil }
      self.key = key
      isPrefix = false
    case "CommonPrefixes":
      guard let key = entry.text("Prefix") else { return nil }
      self.key = key
      isPrefix = true
    default: return nil
    }
    size = entry.text("Size").flatMap { Int64($0) } ?? 0
    lastModified = entry.date("LastModified")
    eTag = entry.text("ETag")
    storageClass = entry.text("StorageClass")
  }
}

/// A version of an object, or the mark that one was deleted.
public struct ObjectVersion: Hashable, Sendable {
  /// The key.
  public let key: String

  /// The version.
  public let versionID: String

  /// Whether this is the version that a request without a version gets.
  public let isLatest: Bool

  /// Whether this marks that the object was deleted.
  public let isDeleteMarker: Bool

  /// The size in bytes; 0 for a delete marker.
  public let size: Int64

  /// When it was stored.
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

/// An upload in parts that was begun, and neither completed nor removed.
public struct UnfinishedUpload: Hashable, Sendable {
  /// The key.
  public let key: String

  /// The ID of the upload.
  public let uploadID: String

  /// When it was begun.
  public let initiated: Date?

  /// `Upload`.
  init?(_ entry: BucketListEntry) {
    guard entry.name == "Upload", let key = entry.text("Key"),
      let uploadID = entry.text("UploadId")
    else { return nil }
    self.key = key
    self.uploadID = uploadID
    initiated = entry.date("Initiated")
  }
}

extension SigningSession {
  /// The objects of the session's bucket whose keys begin with a text.
  ///
  ///     for try await object in session.list(prefix: "2026/") { print(object.key, object.size) }
  ///
  /// With a delimiter, such as `/`, keys that have it after the prefix are put together into one common
  /// prefix (``ListedObject/isPrefix``), as a folder is.
  ///
  /// Source: Amazon S3, API Reference, "ListObjectsV2".
  public func list(prefix: String = "", delimiter: String? = nil) -> BucketList<ListedObject> {
    list(
      BucketListKind(
        query: [("list-type", "2")], markers: [("continuation-token", "NextContinuationToken")]
      ) { ListedObject($0) }, prefix, delimiter)
  }

  /// The versions of the objects of the session's bucket whose keys begin with a text.
  ///
  /// Source: Amazon S3, API Reference, "ListObjectVersions".
  public func listVersions(prefix: String = "") -> BucketList<ObjectVersion> {
    list(
      BucketListKind(
        query: [("versions", nil)],
        markers: [("key-marker", "NextKeyMarker"), ("version-id-marker", "NextVersionIdMarker")]
      ) { ObjectVersion($0) }, prefix, nil)
  }

  /// The uploads in parts of the session's bucket that are not finished, whose parts cost money.
  ///
  /// Source: Amazon S3, API Reference, "ListMultipartUploads".
  public func listUploads(prefix: String = "") -> BucketList<UnfinishedUpload> {
    list(
      BucketListKind(
        query: [("uploads", nil)],
        markers: [("key-marker", "NextKeyMarker"), ("upload-id-marker", "NextUploadIdMarker")]
      ) { UnfinishedUpload($0) }, prefix, nil)
  }

  private func list<Element>(
    _ kind: BucketListKind<Element>, _ prefix: String, _ delimiter: String?
  ) -> BucketList<Element> {
    var query = kind.query
    if !prefix.isEmpty { query.append(("prefix", prefix)) }
    if let delimiter { query.append(("delimiter", delimiter)) }
    return BucketList(session: self, query: query, kind: kind)
  }
}
