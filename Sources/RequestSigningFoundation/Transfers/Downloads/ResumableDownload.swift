// SPDX-License-Identifier: Apache-2.0
// The steps of a download with a checkpoint: begin or continue, get missing ranges in parallel,
// verify, and replace the target.

internal import Foundation
internal import RequestSigning
internal import S3Signing

/// A download that continues after a failure, a cancellation, or the end of the process.
struct ResumableDownload: Sendable {
  private let session: SigningSession
  private let object: SigV4.Bucket.Object
  private let headers: SigV4.Headers
  private let target: URL
  private let checkpoint: CheckpointFile<DownloadCheckpoint>
  private let meter: ProgressMeter?
  /// The state of an earlier call, or nil.
  private let stored: DownloadCheckpoint?
  private let partialNumber: UInt32

  /// Reads the checkpoint.
  ///
  /// - Parameter headers: the caller's headers.
  ///
  /// - Throws: `invalidCheckpoint`, also if it's that of a different object, or `invalidFile`.
  init(
    _ session: SigningSession, _ object: SigV4.Bucket.Object, _ headers: SigV4.Headers,
    to target: URL, _ checkpoint: CheckpointFile<DownloadCheckpoint>, _ meter: ProgressMeter?
  ) throws(TransferError) {
    self.session = session
    self.object = object
    self.headers = headers
    self.target = target
    self.checkpoint = checkpoint
    self.meter = meter
    let stored = try checkpoint.read()
    try stored?.check(object)
    self.stored = stored
    partialNumber = stored?.partialNumber ?? UInt32.random(in: 0...(.max))
  }

  /// The file that becomes the target. It has the size of the object from the beginning. Downloads
  /// to one target with different checkpoints don't share it.
  private var partial: URL {
    target.deletingLastPathComponent()
      .appendingPathComponent("\(target.lastPathComponent).\(partialNumber).partial")
  }

  /// The error if the object can't be downloaded in ranges.
  private struct RangesNotSupported: Error {}

  func run() async throws {
    defer { checkpoint.unlock() }
    var stored = stored
    if let state = stored, !isThere(state) {
      if try isFinished(state) { return try remove(state) }
      stored = nil
    }
    for _ in 0...SigningSession.maximumRestarts {
      do {
        let state = if let stored { stored } else { try await begin() }
        try await getRanges(state)
        try finish(state)
        return try remove(state)
      } catch let error as TransferError where error.code == .objectReplaced {
        try discard()
        stored = nil
      } catch is RangesNotSupported {
        break
      }
    }
    try await downloadWhole()
  }
}

// The steps.
extension ResumableDownload {
  /// Requests the metadata, and creates the files.
  ///
  /// - Throws: `RangesNotSupported` if the entity tag of the object is weak or missing, or the HTTP
  ///   client decodes it.
  private func begin() async throws -> DownloadCheckpoint {
    let checksums = session.options.checksums
    let mode = try checksums.headers(forDownload: object.getRequest(), of: session.service)
    let plain = SigV4.Header("Accept-Encoding", "identity")
    let answer = try await session.answer(
      to: Exchange(
        request: object.headRequest(headers: headers + SigV4.Headers(mode + [plain])),
        direction: .plain(nil)))
    try answer.expectSuccess("the object's metadata, so no file was written")
    guard let version = DownloadVersion(answer.response) else { throw RangesNotSupported() }
    let state = DownloadCheckpoint(
      object, version, answer.response, checksums.ofObject(answer.response),
      partialNumber: partialNumber)
    // The checkpoint is written first. It has no finished ranges, so the bytes of an earlier file
    // don't count, and if the process ends, the next call knows the name of the new one.
    try checkpoint.write(state)
    do {
      try? FileManager.default.removeItem(at: partial)
      let handle = try FileHandle.create(partial)
      try handle.truncate(atOffset: UInt64(version.byteCount))
      try handle.synchronize()
      try handle.close()
    } catch {
      try? discard()
      throw TransferError.unwritable(partial, error)
    }
    return state
  }

  /// Requests the missing ranges, several at a time. If one fails, the others keep their bytes.
  private func getRanges(_ state: DownloadCheckpoint) async throws {
    let saved = SavedCheckpoint(state, in: checkpoint)
    let progress = RangeProgress(state, meter)
    var missing = state.finished.missing(
      of: state.byteCount, partByteCount: session.options.partByteCount)
    try await withThrowingTaskGroup(of: Void.self) { group in
      var number = 0
      while let range = missing.next() {
        if number >= max(session.options.parallelPartCount, 1) { try await group.next() }
        group.addTask {
          let meter = ProgressMeter { progress.advance(range, to: $0.byteCount) }
          try await get(RangeFile(partial, range, of: state.version), saved, meter)
          progress.finish(range)
        }
        number += 1
      }
      try await group.waitForAll()
    }
  }

  /// Requests a range until it's complete. Records what's on the disk, also after an error.
  private func get(
    _ file: RangeFile, _ saved: SavedCheckpoint<DownloadCheckpoint>, _ meter: ProgressMeter
  ) async throws {
    do {
      while !file.isComplete {
        let start = file.finished
        let request = try object.getRequest(headers: headers)
        let answer = try await session.answer(
          to: Exchange(request: request, direction: .download(file), meter: meter))
        let status = answer.response.statusCode
        if RangeContent.statusesOfReplaced.contains(status) {
          throw TransferError.objectReplaced(status: status)
        }
        try answer.expectSuccess("the bytes starting at \(start.upperBound)")
        try file.checkDisk()
        if file.finished == start { throw TransferError.otherRange(start.upperBound) }
      }
    } catch {
      try? await saved.update { $0.finished.insert(file.finished) }
      if file.isComplete { return }
      switch file.rejected {
      case .whole, .encoded: throw RangesNotSupported()
      case .range, .replaced, .other, nil: throw error
      }
    }
    try await saved.update { $0.finished.insert(file.finished) }
  }

  /// Verifies the file, and replaces the target with it.
  private func finish(_ state: DownloadCheckpoint) throws {
    guard isThere(state) else {
      throw TransferError(
        .invalidFile, "\(partial.path) was changed or removed during the download.",
        fix: "Leave it until the download finishes.")
    }
    if let expected = state.expectedChecksum {
      do {
        try SigningSession.Options.Checksums.check(
          Body(partial).checksum(expected.algorithm), against: expected)
      } catch let error as TransferError where error.code == .checksumMismatch {
        // The ranges can't tell which bytes are wrong.
        try discard()
        throw error
      }
    }
    if unsafe rename(partial.path, target.path) != 0 {
      throw TransferError.unwritable(target, FileHandle.currentError)
    }
  }

  /// Downloads the object in one request.
  private func downloadWhole() async throws {
    try discard()
    _ = try await session.download(object.getRequest(headers: headers), to: target, meter)
  }
}

// The files.
extension ResumableDownload {
  /// Whether the partial file is the one that the checkpoint was written for.
  private func isThere(_ state: DownloadCheckpoint) -> Bool {
    (try? FileReader.byteCount(of: partial)).map { Int64($0) } == state.byteCount
  }

  /// Whether the target is the object: the process ended after it was replaced.
  private func isFinished(_ state: DownloadCheckpoint) throws -> Bool {
    guard state.isComplete, let size = try? FileReader.byteCount(of: target),
      Int64(size) == state.byteCount
    else { return false }
    if let expected = state.expectedChecksum {
      return try Body(target).checksum(expected.algorithm) == expected
    }
    return try Body(target).isMD5(state.eTag)
  }

  /// Removes the checkpoint of a finished download.
  private func remove(_ state: DownloadCheckpoint) throws {
    try checkpoint.remove()
    meter?.finish(at: state.byteCount)
  }

  /// Removes what was downloaded, the checkpoint last: it has the name of the file.
  private func discard() throws {
    try? FileManager.default.removeItem(at: partial)
    try checkpoint.remove()
  }
}
