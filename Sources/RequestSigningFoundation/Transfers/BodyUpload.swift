// SPDX-License-Identifier: Apache-2.0
// The upload of bytes, a file or a sequence, in one request or in parts.

internal import Foundation
internal import RequestSigning
internal import S3Signing

/// The upload of a body, in parts if it's large.
struct BodyUpload: Sendable {
  let parts: MultipartUpload
  let partByteCount: Int
  /// The size of the object, or nil if it's unknown.
  let byteCount: Int64?
  let progress: PartProgress

  /// An upload to begin.
  init(
    _ session: SigningSession, _ object: SigV4.Bucket.Object, _ headers: SigV4.Headers,
    _ byteCount: Int64?, _ progress: PartProgress
  ) throws {
    let sizes = try PartSizes(session.options, at: object.bucket.endpoint)
    partByteCount = try sizes.byteCount(for: byteCount)
    self.byteCount = byteCount
    self.progress = progress
    parts = try MultipartUpload(session, object, headers, sizes)
  }

  /// An upload that began earlier.
  init(
    continuing parts: MultipartUpload, partByteCount: Int, byteCount: Int64,
    _ progress: PartProgress
  ) {
    self.parts = parts
    self.partByteCount = partByteCount
    self.byteCount = byteCount
    self.progress = progress
  }

  /// Uploads everything in a source.
  @concurrent func run<Source: PartSource>(
    _ source: sending Source
  ) async throws -> UploadedObject
  where Source.Part == Body {
    var source = source
    let first = try await source.next(partByteCount) ?? Body(Data())
    if first.byteCount != partByteCount || first.byteCount.map(Int64.init) == byteCount {
      return try await put(first)
    }
    let uploaded = try await parts.run(
      first, then: source, partByteCount: partByteCount, send: { try await send($0, $1, $2) })
    progress.finish()
    return uploaded
  }

  /// Uploads the whole object in one request.
  func put(_ body: Body) async throws -> UploadedObject {
    let request = try parts.object.putRequest(.empty, headers: parts.headers)
    let answer = try await answer(to: request, body, part: 1)
    try answer.expectSuccess("the ETag of the object")
    progress.finish(at: body.byteCount)
    return UploadedObject(eTag: try parts.eTag(of: answer), answer, partCount: 1)
  }

  /// Uploads a part.
  func send(
    _ body: Body, _ number: Int, _ id: String
  ) async throws -> MultipartUpload.Part {
    let checksum = try parts.checksum.map(body.checksum)
    let request = try parts.request(number, id, headers: checksum?.headers ?? [:])
    let answer = try await answer(to: request, body, part: number)
    try answer.expectSuccess("the ETag of part \(number)")
    return MultipartUpload.Part(
      number: number, byteCount: Int64(body.byteCount ?? 0), eTag: try parts.eTag(of: answer),
      checksum: checksum)
  }

  private func answer(
    to request: SigV4.Request, _ body: Body, part number: Int
  ) async throws -> LoadedResponse {
    let meter = ProgressMeter { [progress] in progress.advance(part: number, to: $0.byteCount) }
    return try await parts.session.answer(
      to: Exchange(
        request: request, direction: .upload(body, .hashed), meter: meter, expected: .nothing))
  }
}
