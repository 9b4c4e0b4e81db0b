// SPDX-License-Identifier: Apache-2.0
// Copies of objects within a store, in one request or in parts.

internal import DocumentSupport
internal import Foundation
public import RequestSigning
public import S3Signing

extension SigningSession {
  /// Copies an object within the store, without downloading it.
  ///
  ///     try await session.copy(photo, to: bucket.object("copy.jpg"))
  ///     try await session.copy(photo, versionID: old, to: photo)  // restores a version
  ///
  /// The session must be for the bucket of `target`, and both buckets must be in the same store.
  /// The copy has the same metadata and tags, unless `headers` contains `x-amz-metadata-directive:
  /// REPLACE` or `x-amz-tagging-directive: REPLACE`.
  ///
  /// S3 copies up to 5 GiB in one request. If it rejects the request and the object is larger, the
  /// object is copied in parts of 256 MiB or more. That needs the permissions to read the source's
  /// metadata and tags, and a source in the session's region. If the source changes meanwhile, the
  /// copy fails and is aborted.
  ///
  /// - Parameters:
  ///   - source: the object to copy. A Multi-Region Access Point, or an access point of Object
  ///     Lambda or Outposts, isn't supported as its bucket.
  ///   - versionID: the version to copy, or nil for the current one.
  ///   - target: the destination.
  ///   - headers: new metadata, encryption, storage class, conditions.
  ///
  /// - Throws: The errors of ``send(_:payload:maximumByteCount:)``, `TransferError` with
  ///   `unexpectedStatus` if the server doesn't copy the object, `invalidResponse`, `abortFailed`
  ///   or `conflictingHeader`, and the errors of `SigV4.Bucket.Object.copySource(versionID:)`. The
  ///   server code `NoSuchUpload` can mean that the response to a completed copy was lost.
  ///
  /// Source: Amazon S3, API Reference, "CopyObject" and "UploadPartCopy".
  @concurrent @discardableResult public func copy(
    _ source: SigV4.Bucket.Object, versionID: String? = nil, to target: SigV4.Bucket.Object,
    headers: SigV4.Headers = [:]
  ) async throws -> UploadedObject {
    let copied = try CopySource(self, source, versionID, headers)
    let request = try target.putRequest(
      .empty, headers: headers.requiring(service.copySourceHeader, copied.place))
    let answer = try await answer(
      to: Exchange(
        request: request, direction: .plain(nil), expected: .document(root: ["CopyObjectResult"])))
    // What stores respond to a source that's too large.
    if [400, 413].contains(answer.response.statusCode),
      let copy = try await PartCopy(copied, to: target)?.run()
    {
      return copy
    }
    guard let eTag = try answer.document("the copy").text(named: "ETag") else {
      throw TransferError(
        .invalidResponse,
        "The response has no ETag, so the copy may not exist.",
        fix: "Check the endpoint \(target.bucket.endpoint.host).",
        status: answer.response.statusCode)
    }
    return UploadedObject(eTag: eTag, answer, partCount: 1)
  }
}

/// A copy in parts.
private struct PartCopy: Sendable {
  private let parts: MultipartUpload
  private let byteCount: Int64
  /// The headers of each part that describe the source.
  private let sourceHeaders: SigV4.Headers
  private let partByteCount: Int

  private static let smallestPart = 256 << 20

  /// Requests the source's metadata. Returns nil if the source is small enough for one request, or
  /// if its metadata can't be read.
  init?(_ source: CopySource, to target: SigV4.Bucket.Object) async throws {
    let answer = try await source.answer(to: "HEAD")
    let head = ObjectHead(answer.response)
    let sizes = try PartSizes(
      source.session.options, at: target.bucket.endpoint, atLeast: Self.smallestPart)
    // Amazon S3, API Reference, "CopyObject": a copy in one request is as large as a part.
    guard answer.isSuccess, let byteCount = head.contentLength, let eTag = head.eTag,
      byteCount > sizes.limits.partByteCounts.upperBound
    else { return nil }
    self.byteCount = byteCount
    partByteCount = try sizes.byteCount(for: byteCount)
    sourceHeaders = source.partHeaders(eTag)
    parts = try MultipartUpload(
      source.session, target, await source.headersOfCopy(answer), nil, sizes)
  }

  func run() async throws -> UploadedObject? {
    var ranges = Ranges(byteCount: byteCount)
    guard let first = ranges.next(partByteCount) else { return nil }
    return try await parts.run(
      first, then: ranges, partByteCount: partByteCount, send: { try await send($0, $1, $2) })
  }

  /// The ranges of an object.
  private struct Ranges: PartSource {
    let byteCount: Int64
    private var position: Int64 = 0

    init(byteCount: Int64) { self.byteCount = byteCount }

    mutating func next(_ partByteCount: Int) -> Range<Int64>? {
      let range = position..<position + min(Int64(partByteCount), byteCount - position)
      position = range.upperBound
      return range.isEmpty ? nil : range
    }
  }

  private func send(
    _ range: Range<Int64>, _ number: Int, _ id: String
  ) async throws -> MultipartUpload.Part {
    let bytes = "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
    let name = parts.session.service.copySourceHeader + "-range"
    let request = try parts.request(number, id, headers: sourceHeaders + [name: bytes])
    // Older versions of the Versity S3 Gateway respond with a CopyObjectResult.
    let answer = try await parts.session.answer(
      to: Exchange(
        request: request, direction: .plain(nil),
        expected: .document(root: ["CopyPartResult", "CopyObjectResult"])))
    let document = try answer.document("the ETag of part \(number)")
    func text(_ name: String) throws -> String {
      guard let text = document.text(named: name) else { throw parts.missing(name) }
      return text
    }
    let checksum = try parts.checksum.map { algorithm in
      try SigV4.Checksum(algorithm, base64: text("Checksum" + algorithm.name))
    }
    return MultipartUpload.Part(
      number: number, byteCount: range.byteCount, eTag: try text("ETag"), checksum: checksum)
  }
}

/// The object to copy, and the caller's headers of the copy.
private struct CopySource: Sendable {
  let session: SigningSession
  let object: SigV4.Bucket.Object
  let versionID: String?
  let headers: SigV4.Headers
  /// The value of `x-amz-copy-source`.
  let place: String

  private var prefix: String { session.service.copySourceHeader + "-" }
  private static let owner = "x-amz-source-expected-bucket-owner"

  init(
    _ session: SigningSession, _ object: SigV4.Bucket.Object, _ versionID: String?,
    _ headers: SigV4.Headers
  ) throws(SigV4.SigningError) {
    self.session = session
    self.object = object
    self.versionID = versionID
    self.headers = headers
    place = try object.copySource(versionID: versionID)
  }

  /// Sends a request to the object itself, with the caller's headers for the source as such a
  /// request spells them.
  func answer(
    to method: String, subresource: String? = nil, upTo maximumByteCount: Int = .max,
    expecting expected: ExpectedBody = .anything
  ) async throws -> LoadedResponse {
    let query = [subresource.map { ($0, nil) }, versionID.map { ("versionId", $0) }]
    var renamed = headers.filtered { $0 == "x-amz-request-payer" }
    for header in headers {
      let name = header.name.lowercased()
      if name == Self.owner {
        renamed.append("x-amz-expected-bucket-owner", header.value)
      } else if name.hasPrefix(prefix) && subresource == nil {
        let rest = String(name.dropFirst(prefix.count))
        renamed.append(rest.hasPrefix("if-") ? rest : "x-amz-" + rest, header.value)
      }
    }
    let request = try object.request(
      method, query: SigV4.Query(query.compactMap(\.self)), headers: renamed)
    return try await session.answer(
      to: Exchange(
        request: request, direction: .plain(nil), maximumByteCount: maximumByteCount,
        expected: expected))
  }

  /// The headers of each part that describe the source. The caller's conditions were checked with
  /// the metadata, and hold as long as the entity tag does.
  func partHeaders(_ eTag: String) -> SigV4.Headers {
    headers.filtered { name in
      name == Self.owner || name.hasPrefix(prefix) && !name.hasPrefix(prefix + "if-")
    } + [session.service.copySourceHeader: place, prefix + "if-match": eTag]
  }

  /// The headers of the copy: the caller's, and the source's metadata and tags, which S3 doesn't
  /// copy with parts.
  func headersOfCopy(_ head: LoadedResponse) async throws -> SigV4.Headers {
    var result = headers.filtered { name in
      name != Self.owner && !name.hasPrefix(prefix)
        && !["x-amz-metadata-directive", "x-amz-tagging-directive"].contains(name)
    }
    if !isReplaced("x-amz-metadata-directive") {
      let fields = head.response.allHeaderFields.compactMap { name, value in
        (name as? String).map { SigV4.Header($0, "\(value)") }
      }
      result =
        result.filtered { !Self.isMetadata($0) } + SigV4.Headers(fields).filtered(Self.isMetadata)
    }
    if !isReplaced("x-amz-tagging-directive") {
      result["x-amz-tagging"] = try await tags(head)
    }
    return result
  }

  private func isReplaced(_ directive: String) -> Bool {
    headers[directive]?.uppercased() == "REPLACE"
  }

  /// Amazon S3, User Guide, "Working with object metadata".
  private static func isMetadata(_ name: String) -> Bool {
    name.hasPrefix("x-amz-meta-")
      || [
        "cache-control", "content-disposition", "content-encoding", "content-language",
        "content-type", "expires",
      ].contains(name)
  }

  /// Returns the tags in the form of `x-amz-tagging`, or nil if the object or the store has none.
  private func tags(_ head: LoadedResponse) async throws -> String? {
    // S3 sends the number only to a caller who may read the tags, so its absence says nothing.
    let count = head.response.value(forHTTPHeaderField: "x-amz-tagging-count")
    if count == "0" || object.bucket.isDirectory { return nil }
    let answer = try await answer(
      to: "GET", subresource: "tagging", upTo: 1 << 20,
      expecting: .document(root: ["Tagging"]))
    if count == nil && [404, 405, 501].contains(answer.response.statusCode) { return nil }
    let document = try answer.document("the tags of the object to copy")
    let fields = document.fields.filter { $0.parent == "Tag" }
    if fields.isEmpty { return nil }
    return Dictionary(grouping: fields, by: \.parentNumber).sorted { $0.key < $1.key }
      .map { _, fields in
        func encoded(_ name: String) -> String {
          let text = fields.first { $0.name == name }?.text ?? ""
          return String(decoding: URIEncoding.encode(Array(text.utf8)), as: UTF8.self)
        }
        return encoded("Key") + "=" + encoded("Value")
      }.joined(separator: "&")
  }
}
