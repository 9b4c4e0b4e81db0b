// SPDX-License-Identifier: Apache-2.0
// A download in progress, which replaces a file when it's complete.

internal import Foundation
internal import S3Signing

/// A download in progress: a hidden file next to its target, which it replaces when it's complete.
///
/// A download task of FoundationNetworking 6.3.1 doesn't remove its temporary file if it fails or
/// is cancelled, so a data task writes its bytes here.
final class PartialFile: Sendable {
  private let target: URL
  private let location: URL
  private let state = Guarded(State())

  private struct State: Sendable {
    var handle: FileHandle?
    var byteCount = 0
    /// The error if closing the file failed.
    var failure: (any Error)?
  }

  /// Creates a download without writing anything.
  init(for target: URL) {
    self.target = target
    location = target.deletingLastPathComponent()
      .appendingPathComponent("." + UUID().uuidString)
  }

  /// Creates an empty file for the next attempt.
  func restart() throws(TransferError) {
    remove()
    try target.checkFile()
    do {
      try state.withLock { $0 = State(handle: try FileHandle.create(location)) }
    } catch { throw unwritable(error) }
  }

  /// Appends received bytes. Returns the new size in bytes.
  func append(_ data: Data) throws(TransferError) -> Int {
    do {
      return try state.withLock { state in
        try state.handle?.write(contentsOf: data)
        state.byteCount += data.count
        return state.byteCount
      }
    } catch { throw unwritable(error) }
  }

  /// The size in bytes.
  var byteCount: Int { state.withLock { $0.byteCount } }

  func checksum(_ algorithm: SigV4.Checksum.Algorithm) throws -> SigV4.Checksum {
    try Body(location).checksum(algorithm)
  }

  /// Replaces the target atomically.
  func finish() throws(TransferError) {
    close()
    if let failure = state.withLock(\.failure) { throw unwritable(failure) }
    if unsafe rename(location.path, target.path) != 0 {
      throw unwritable(FileHandle.currentError)
    }
  }

  /// Closes the file at the end of an attempt.
  func close() {
    state.withLock { state in
      do { try state.handle?.close() } catch { state.failure = error }
      state.handle = nil
    }
  }

  /// Removes the incomplete file. Call it when the download ends. Bytes that arrive later are
  /// dropped.
  func remove() {
    close()
    try? FileManager.default.removeItem(at: location)
  }

  private func unwritable(_ error: any Error) -> TransferError { .unwritable(target, error) }
}
