// SPDX-License-Identifier: Apache-2.0
// The bytes of an object in parts, each requested when it's needed.

public import Foundation
public import RequestSigning
public import S3Signing

/// The bytes of an object in parts. One part at a time is in memory.
///
/// Each part is requested after the previous one was used, so a slow reader needs neither memory
/// nor an open connection. If the server is busy, only that part is retried. If the object is
/// replaced during the iteration, ``AsyncIterator/next()`` throws. It also throws for an object
/// that the HTTP client decodes (Content-Encoding), as URLSession does, unless the object fits into
/// one part. The object's checksum isn't verified.
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
    private var position = 0
    private var total: Int?
    private var eTag: String?

    fileprivate init(bytes: ObjectBytes) { self.bytes = bytes }

    /// Returns the next part, or nil at the end.
    ///
    /// - Throws: The errors of ``SigningSession/send(_:payload:maximumByteCount:)``, and
    ///   `TransferError` with `invalidResponse`, or `unexpectedStatus` (status 412 if the object
    ///   was replaced).
    public mutating func next() async throws -> Data? {
      if position == total { return nil }
      let byteCount = Swift.min(
        Swift.max(bytes.session.options.partByteCount, 1), Int.max - position)
      var headers = Array(bytes.headers)
      headers.append(SigV4.Header("Range", "bytes=\(position)-\(position + byteCount - 1)"))
      if let eTag { headers.append(SigV4.Header("If-Match", eTag)) }
      let request = try bytes.object.getRequest(headers: SigV4.Headers(headers))
      let answer = try await bytes.session.answer(
        to: Exchange(request: request, direction: .plain(nil)))
      // An empty object has no first byte, so no range is satisfiable.
      if position == 0 && answer.response.statusCode == 416 { return nil }
      try answer.expectSuccess("the bytes starting at \(position)")
      try take(answer)
      return answer.body
    }

    private mutating func take(_ answer: LoadedResponse) throws {
      let first = position
      position += answer.body.count
      eTag = answer.response.value(forHTTPHeaderField: "ETag")
      // A server that doesn't support ranges sends the whole object.
      if answer.response.statusCode == 200 && first == 0 {
        total = position
        return
      }
      let range = answer.response.value(forHTTPHeaderField: "Content-Range") ?? ""
      let parts = range.split { " -/".contains($0) }
      guard answer.response.statusCode == 206, parts.count == 4, Int(parts[1]) == first,
        let last = Int(parts[2]), let all = Int(parts[3])
      else { throw Self.otherRange(first) }
      if last == position - 1 && position > first {
        total = all
        return
      }
      guard let encoding = answer.response.value(forHTTPHeaderField: "Content-Encoding") else {
        throw Self.otherRange(first)
      }
      // The client decodes the content, which changes its size.
      guard first == 0 && last == all - 1 else { throw Self.encoded(encoding) }
      total = position
    }

    private static func otherRange(_ first: Int) -> TransferError {
      TransferError(
        .invalidResponse,
        "The response doesn't contain the requested range, which starts at byte \(first).",
        fix: "Check the endpoint, or use download(_:to:) for this object.")
    }

    private static func encoded(_ encoding: String) -> TransferError {
      TransferError(
        .invalidResponse,
        "The object has the Content-Encoding \(UTF8Text.quoted(encoding)), and the HTTP client "
          + "can't decode its parts.",
        fix:
          "Use download(_:to:) or data(for:) for this object, or a partByteCount of at least its "
          + "size.")
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
