// SPDX-License-Identifier: Apache-2.0
// What is received on its way into a file, which is replaced when all of it is there.

internal import Foundation
internal import S3Signing
internal import SigningSupport

/// What is downloaded, beside the file that it becomes when it is whole.
///
/// A download task of FoundationNetworking 6.3.1 leaves its temporary file behind when it fails or is
/// cancelled, so the bytes of a data task are written here.
final class PartialFile: Sendable {
  private let target: URL
  private let location: URL
  private let state = Guarded(State())

  private struct State: Sendable {
    var handle: FileHandle?
    var byteCount = 0
  }

  /// Writes nothing yet.
  init(for target: URL) {
    self.target = target
    location = target.deletingLastPathComponent()
      .appendingPathComponent("." + UUID().uuidString)
  }

  deinit { remove() }

  /// Empties the file, for the first attempt and for another.
  func restart() throws(TransferError) {
    remove()
    try target.checkFile()
    do {
      try state.withLock { state in
        guard FileManager.default.createFile(atPath: location.path, contents: nil) else {
          throw CocoaError(.fileWriteUnknown)
        }
        state = State(handle: try FileHandle(forWritingTo: location))
      }
    } catch { throw unwritable(error) }
  }

  /// Appends what was received; the size of all of it in bytes.
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
    try SigV4.Checksum(algorithm, of: location)
  }

  /// Replaces the file, in one step.
  func finish() throws(TransferError) {
    do {
      try state.withLock { state in
        try state.handle?.close()
        state.handle = nil
      }
    } catch { throw unwritable(error) }
    // Safety: both paths live as long as the call.
    if unsafe rename(location.path, target.path) != 0 {
      throw unwritable(CocoaError(.fileWriteUnknown))
    }
  }

  /// Removes what did not become the file.
  private func remove() {
    state.withLock { state in
      try? state.handle?.close()
      state.handle = nil
    }
    try? FileManager.default.removeItem(at: location)
  }

  private func unwritable(_ error: any Error) -> TransferError { .unwritable(target, error) }
}
