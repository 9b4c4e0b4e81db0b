// SPDX-License-Identifier: Apache-2.0
// The bytes of an object as they are used: part after part, each by a request of its own.

public import Foundation
public import RequestSigning
public import S3Signing

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The bytes of an object in parts, of which one at a time is in memory.
///
/// A part is asked for when the one before was used, so that a slow reader costs neither memory nor a
/// connection that waits, and is asked for again by itself when the server is busy. All parts are of one
/// object: when it is replaced meanwhile, the next one is refused. The checksum of the object is not
/// verified.
///
/// Source: RFC 9110, 14 (ranges) and 13.1.1 (`If-Match`).
public struct ObjectBytes: AsyncSequence, Sendable {
  /// A part.
  public typealias Element = Data

  fileprivate let session: SigningSession
  fileprivate let object: SigV4.Bucket.Object
  fileprivate let headers: SigV4.Headers

  /// Starts at the first byte.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: self) }

  /// Asks for one part after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let bytes: ObjectBytes
    private var position = 0
    private var total: Int?
    private var eTag: String?

    fileprivate init(bytes: ObjectBytes) { self.bytes = bytes }

    /// The next part; nil at the end.
    ///
    /// Throws what ``SigningSession/send(_:payload:maximumByteCount:)`` throws, and `TransferError` with
    /// `unexpectedStatus`, 412 when the object was replaced, or `invalidResponse`.
    public mutating func next() async throws -> Data? {
      if position == total { return nil }
      let byteCount = Swift.max(bytes.session.options.partByteCount, 1)
      var headers = Array(bytes.headers)
      headers.append(SigV4.Header("Range", "bytes=\(position)-\(position + byteCount - 1)"))
      if let eTag { headers.append(SigV4.Header("If-Match", eTag)) }
      let request = try bytes.object.getRequest(headers: SigV4.Headers(headers))
      let answer = try await bytes.session.answer(
        to: Exchange(request: request, direction: .plain(nil)))
      // An empty object has no first byte, so no range fits.
      if position == 0 && answer.response.statusCode == 416 { return nil }
      try answer.expectSuccess("the bytes starting at \(position)")
      try take(answer)
      return answer.body
    }

    private mutating func take(_ answer: LoadedResponse) throws {
      let first = position
      position += answer.body.count
      eTag = answer.response.value(forHTTPHeaderField: "ETag")
      // A server that takes no ranges sends everything.
      if answer.response.statusCode == 200 && first == 0 {
        total = position
        return
      }
      let range = answer.response.value(forHTTPHeaderField: "Content-Range") ?? ""
      let parts = range.split { " -/".contains($0) }
      guard answer.response.statusCode == 206, position > first, parts.count == 4,
        Int(parts[1]) == first, Int(parts[2]) == position - 1, let all = Int(parts[3])
      else {
        throw TransferError(
          .invalidResponse,
          "The response doesn't contain the requested range, which starts at byte \(first).",
          fix: "Check the endpoint, or use download(_:to:) for this object.")
      }
      total = all
    }
  }
}

extension SigningSession {
  /// The bytes of an object, as they are used.
  ///
  ///     for try await part in session.bytes(for: bucket.object("film.mov")) {
  ///       try await response.write(part)
  ///     }
  ///
  /// Parts have ``Options/partByteCount`` bytes; the last one may have fewer.
  public func bytes(
    for object: SigV4.Bucket.Object, headers: SigV4.Headers = [:]
  ) -> ObjectBytes {
    ObjectBytes(session: self, object: object, headers: headers)
  }
}
