// SPDX-License-Identifier: Apache-2.0
// The bytes of an object in parts, each requested when it's needed.

public import Foundation
public import RequestSigning
public import S3Signing

/// The bytes of an object in parts. One part at a time is in memory. A server that doesn't support
/// ranges sends the whole object as one part.
///
/// Each part is requested after the previous one was used, so a slow reader needs neither memory
/// nor an open connection. If the server is busy, only that part is retried. If the object is
/// replaced during the iteration, ``AsyncIterator/next()`` throws `objectReplaced`. Unless the
/// object fits into one part, it also throws if the object has no strong entity tag, or if the HTTP
/// client decodes it (Content-Encoding), as URLSession does. The object's checksum isn't verified.
///
/// Source: RFC 9110, 14 (ranges) and 13.1.1 (`If-Match`).
public struct ObjectBytes: AsyncSequence, Sendable {
  /// A part.
  public typealias Element = Data

  fileprivate let session: SigningSession
  fileprivate let object: SigV4.Bucket.Object
  fileprivate let headers: SigV4.Headers

  /// Creates an iterator that starts at the first byte.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: self) }

  /// Requests one part after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let bytes: ObjectBytes
    private var position: Int64 = 0
    private var isFinished = false
    /// The version of the object, from the first part.
    private var version: DownloadVersion?

    fileprivate init(bytes: ObjectBytes) { self.bytes = bytes }

    /// Returns the next part, or nil at the end.
    ///
    /// - Throws: The errors of ``SigningSession/send(_:payload:maximumByteCount:)``, and
    ///   `TransferError` with `objectReplaced`, `invalidResponse`, `unexpectedStatus`, or
    ///   `conflictingHeader` if the headers contain a range, a condition or Accept-Encoding.
    public mutating func next() async throws -> Data? {
      if isFinished { return nil }
      if version == nil { try bytes.headers.checkForRange() }
      let byteCount = Int64(Swift.max(bytes.session.options.partByteCount, 1))
      let last = position + Swift.min(byteCount, .max - position) - 1
      let range =
        version?.headers(from: position, through: last)
        ?? DownloadVersion.headers(from: position, through: last)
      let request = try bytes.object.getRequest(
        headers: SigV4.Headers(Array(bytes.headers) + range))
      let answer = try await bytes.session.answer(
        to: Exchange(request: request, direction: .plain(nil)))
      if let version {
        try takeNext(answer, of: version)
      } else {
        // An empty object has no first byte, so no range is satisfiable.
        if answer.response.statusCode == 416 { return nil }
        try takeFirst(answer)
      }
      return answer.body
    }

    private mutating func takeFirst(_ answer: LoadedResponse) throws {
      try answer.expectSuccess("the first bytes of the object")
      let response = answer.response
      position = Int64(answer.body.count)
      // A server that doesn't support ranges sends the whole object.
      isFinished = response.statusCode == 200
      if isFinished { return }
      guard response.statusCode == 206, let range = ContentRange(response),
        range.bytes.lowerBound == 0
      else { throw TransferError.otherRange(0) }
      isFinished = range.bytes.upperBound == range.total
      if range.bytes.upperBound != position {
        // The client decodes the content, which changes its size.
        if !response.isDecoded { throw TransferError.otherRange(0) }
        if !isFinished {
          throw TransferError.encodedRange(response.contentCodings.joined(separator: ", "))
        }
      }
      if isFinished { return }
      guard let eTag = response.strongETag else { throw Self.noStrongETag }
      version = DownloadVersion(eTag: eTag, byteCount: range.total)
    }

    private mutating func takeNext(_ answer: LoadedResponse, of version: DownloadVersion) throws {
      let (first, status) = (position, answer.response.statusCode)
      let content = version.content(of: answer.response, from: first)
      if content != .replaced { try answer.expectSuccess("the bytes starting at \(first)") }
      guard let range = content.range, range.byteCount == Int64(answer.body.count) else {
        throw TransferError.rejectedRange(content, from: first, status: status)
      }
      position = range.upperBound
      isFinished = position == version.byteCount
    }

    private static var noStrongETag: TransferError {
      TransferError(
        .invalidResponse,
        "The object has no strong entity tag (ETag), so its parts could belong to different "
          + "versions.",
        fix: "Use download(_:to:) for this object, or a partByteCount of at least its size.")
    }
  }
}

extension SigningSession {
  /// Returns the bytes of an object in parts, which are requested as you iterate.
  ///
  ///     for try await part in try session.bytes(for: bucket.object("film.mov")) {
  ///       try await response.write(part)
  ///     }
  ///
  /// The size of a part is ``Options/partByteCount``. The last part may be smaller.
  public func bytes(
    for object: SigV4.Bucket.Object, headers: SigV4.Headers = [:]
  ) -> ObjectBytes {
    ObjectBytes(session: self, object: object, headers: headers)
  }
}
