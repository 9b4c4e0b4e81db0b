// SPDX-License-Identifier: Apache-2.0
// Uploads of files that can be paused and continued.

public import Foundation
public import RequestSigning
public import S3Signing

extension SigningSession {
  /// Uploads a file, and continues where an earlier call stopped.
  ///
  ///     try await session.upload(film, to: bucket.object("film.mov"), checkpoint: checkpoint)
  ///
  /// If the call fails, if its task is cancelled, or if the process is killed, the uploaded parts
  /// stay in the store, and a small file at `checkpoint` says which ones. Call it again with the
  /// same arguments, even in a different process, to send the others. To pause, cancel the task. To
  /// give up, call ``abort(_:)-(UploadCheckpoint)`` and remove the file. After the upload, it's
  /// removed.
  ///
  /// The file to upload may be at a different path when the upload continues. Its bytes decide: a
  /// part whose bytes changed is sent again, and if the size changed, the upload is aborted and
  /// begins again. The file is also read at the end, so that an edit during the upload is found.
  /// The size of the parts, the algorithm of the checksums, and `headers` are those with which it
  /// began, but pass a key for server-side encryption (SSE-C) each time. A file that fits into one
  /// part is sent in one request, without a checkpoint.
  ///
  /// - Parameters:
  ///   - file: the file to upload.
  ///   - object: the destination.
  ///   - checkpoint: the file that stores the state of the upload, in a directory that stays, such
  ///     as Application Support. In a directory that an app shares with its extensions, iOS ends an
  ///     app that's suspended during the upload, because the file is locked.
  ///   - contentType: the media type. It replaces a content type in `headers`. If both are missing,
  ///     the file extension determines it.
  ///   - metadata: user-defined metadata by name.
  ///   - headers: encryption, storage class and others.
  ///   - progress: receives increasing byte counts, from those that are already uploaded.
  ///
  /// - Throws: The errors of an upload without a checkpoint, and `TransferError` with
  ///   `invalidCheckpoint` if the checkpoint can't be read, or is that of a different object,
  ///   `checkpointInUse` if another call uses it, or `invalidFile` if it can't be written, or is
  ///   the file to upload.
  ///
  /// Source: Amazon S3, API Reference, "UploadPart", "ListParts" and "CompleteMultipartUpload".
  @concurrent @discardableResult public func upload(
    _ file: URL, to object: SigV4.Bucket.Object, checkpoint: URL, contentType: String? = nil,
    metadata: [String: String] = [:], headers: SigV4.Headers = [:],
    @_inheritActorContext progress: ProgressHandler? = nil
  ) async throws -> UploadedObject {
    let headers = try headers.describing(
      contentType, ofFile: file.lastPathComponent, metadata)
    return try await ProgressDelivery.run(progress) { report in
      let body = try Body(file).measured()
      let upload = ResumableUpload(
        session: self, object: object, headers: headers, body: body,
        file: try CheckpointFile(checkpoint, of: file),
        progress: PartProgress(total: body.byteCount.map(Int64.init), report))
      return try await upload.run()
    }
  }

  /// Aborts an upload that was started for others to send its parts, or whose checkpoint isn't
  /// needed anymore. The session must be for its bucket.
  ///
  ///     try await session.abort(UploadCheckpoint(contentsOf: checkpoint))
  ///
  /// Stop everything that sends its parts before. Like ``abort(uploadID:of:headers:)``.
  ///
  /// - Throws: The errors of ``send(_:payload:maximumByteCount:)``, and `TransferError` with
  ///   `bucketMissing`, `invalidCheckpoint` if the upload is in a different bucket,
  ///   `unexpectedStatus`, or `abortFailed` if parts still arrive.
  ///
  /// Source: Amazon S3, API Reference, "AbortMultipartUpload".
  @concurrent public func abort(_ upload: UploadCheckpoint) async throws {
    let object = try requiredBucket().object(upload.key)
    try upload.check(object)
    try await abort(
      uploadID: upload.uploadID, of: object,
      headers: upload.laterHeaders.filtered(MultipartUpload.isOfEachRequest))
  }
}
