// SPDX-License-Identifier: Apache-2.0
// Downloads that continue in a later call or process.

public import Foundation
public import RequestSigning
public import S3Signing

extension SigningSession {
  /// Downloads an object into a file, and continues an earlier download that failed, was cancelled,
  /// or whose process was killed. To pause a download, cancel its task.
  ///
  ///     let checkpoint = folder.appendingPathComponent("film.json")
  ///     try await session.download(bucket.object("film.mov"), to: film, checkpoint: checkpoint)
  ///
  /// Ranges of ``Options/partByteCount`` bytes are downloaded, ``Options/parallelPartCount`` at a
  /// time, into a file next to the destination, with a number and `.partial` added to its name. It
  /// has the object's size from the beginning. The checkpoint contains the number and the ranges on
  /// the disk. At the end, the object's checksum is verified, if the store has one of the whole
  /// object (`FULL_OBJECT`). Then the partial file replaces the destination, and the checkpoint is
  /// removed.
  ///
  /// If the object was replaced since the download began, it starts over. All ranges belong to one
  /// version of the object. If its entity tag is weak or missing, the store doesn't support ranges,
  /// or the HTTP client decodes the object (Content-Encoding), it's downloaded in one request,
  /// which starts over if it's interrupted.
  ///
  /// - Parameters:
  ///   - object: the object to download.
  ///   - file: the destination. An existing file is replaced.
  ///   - checkpoint: the file for the state of this download. It contains no secrets. Use one for
  ///     each download.
  ///   - headers: the headers of each request, such as an encryption key. Ranges and conditions
  ///     aren't supported.
  ///   - progress: receives increasing byte counts, beginning with the downloaded ones. The last
  ///     one is the total.
  ///
  /// - Throws: The errors of ``download(_:to:progress:)``, and `TransferError` with
  ///   `invalidCheckpoint`, `checkpointInUse` or `conflictingHeader`, or `invalidFile` if the
  ///   checkpoint is the destination. With these, nothing is sent or changed. After a
  ///   `checksumMismatch`, the next call starts over. After any other error, it continues.
  ///
  /// Source: RFC 9110, 13.1.1 (`If-Match`) and 14 (ranges).
  @concurrent public func download(
    _ object: SigV4.Bucket.Object, to file: URL, checkpoint: URL, headers: SigV4.Headers = [:],
    @_inheritActorContext progress: ProgressHandler? = nil
  ) async throws {
    try file.checkFile()
    try headers.checkForRange()
    try await ProgressDelivery.run(progress) { report in
      let download = try ResumableDownload(
        self, object, headers, to: file, CheckpointFile(checkpoint, of: file),
        report.map(ProgressMeter.init))
      try await download.run()
    }
  }
}
