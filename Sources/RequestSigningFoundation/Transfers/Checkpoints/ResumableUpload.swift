// SPDX-License-Identifier: Apache-2.0
// The upload of a file that continues where an earlier call stopped.

internal import Foundation
internal import RequestSigning
internal import S3Signing

/// The upload of a file with a checkpoint. Whatever stops it, the uploaded parts stay.
struct ResumableUpload: Sendable {
  let session: SigningSession
  let object: SigV4.Bucket.Object
  let headers: SigV4.Headers
  /// The measured file.
  let body: Body
  let file: CheckpointFile<UploadCheckpoint>
  let progress: PartProgress

  private var byteCount: Int64 { Int64(body.byteCount ?? 0) }

  /// Continues the upload in the checkpoint, or begins.
  @concurrent func run() async throws -> UploadedObject {
    defer { file.unlock() }
    if let checkpoint = try file.read(), let uploaded = try await resume(checkpoint) {
      return uploaded
    }
    return try await begin()
  }

  /// Returns nil if the upload must begin again.
  private func resume(_ checkpoint: UploadCheckpoint) async throws -> UploadedObject? {
    let parts = try MultipartUpload(session, object, checkpoint, headers)
    let upload = BodyUpload(
      continuing: parts, partByteCount: checkpoint.partByteCount, byteCount: byteCount, progress)
    let rest = RemainingUpload(upload, body, SavedCheckpoint(checkpoint, in: file))
    if checkpoint.phase == .aborting || checkpoint.byteCount != byteCount {
      try await rest.abort()
      return nil
    }
    do {
      return try await rest.run(try await rest.listedParts())
    } catch let error as TransferError where error.isUploadGone {
      return nil
    }
  }

  private func begin() async throws -> UploadedObject {
    let upload = try BodyUpload(session, object, headers, byteCount, progress)
    if byteCount <= Int64(upload.partByteCount) {
      let uploaded = try await upload.run(BodyParts(body))
      try file.remove()
      return uploaded
    }
    _ = try upload.parts.sizes.byteCount(forCheckpoint: byteCount)
    let checkpoint = try await upload.parts.beginning { id in
      let checkpoint = UploadCheckpoint(
        upload.parts, id, byteCount: byteCount, partByteCount: upload.partByteCount)
      try file.write(checkpoint)
      return checkpoint
    }
    return try await RemainingUpload(upload, body, SavedCheckpoint(checkpoint, in: file)).run([:])
  }
}
