// SPDX-License-Identifier: Apache-2.0
// A download in one request, which replaces a file when it's complete.

internal import Foundation
internal import RequestSigning
internal import S3Signing

/// A download in one request: a hidden file next to its target, which it replaces when it's
/// complete. If an attempt is cut off, the next one requests only the missing bytes.
///
/// A download task of FoundationNetworking 6.3.1 doesn't remove its temporary file if it fails or
/// is cancelled, so a data task writes its bytes here.
final class PartialFile: DownloadFile {
  private let target: URL
  private let location: URL
  private let state: Guarded<State>

  fileprivate struct State: Sendable {
    var handle: FileHandle?
    var byteCount: Int64 = 0
    /// The error if closing the file failed.
    var failure: (any Error)?
    /// The response whose body the file begins with.
    var response: HTTPURLResponse?
    /// The version of the object, if an attempt may continue the last one.
    var version: DownloadVersion?
    /// Whether the response of this attempt was accepted.
    var isAccepted = false
    /// Whether a response to a request for the missing bytes can't be added.
    var isOutdated = false
    var mayContinue: Bool
  }

  /// Creates a download without writing anything.
  ///
  /// - Parameter mayContinue: whether a range of the response may be requested.
  init(for target: URL, mayContinue: Bool) {
    self.target = target
    location = target.deletingLastPathComponent()
      .appendingPathComponent("." + UUID().uuidString)
    state = Guarded(State(mayContinue: mayContinue))
  }

  /// The range of the missing bytes, or nothing for the whole object.
  var headers: [SigV4.Header] {
    state.withLock { $0.isContinuing ? $0.version?.headers(from: $0.byteCount) ?? [] : [] }
  }

  /// Opens the file at its end if the next attempt continues the last one, else creates it.
  func open() throws(TransferError) {
    if state.withLock({ $0.isContinuing }) {
      do {
        try state.withLock { state in
          state.handle = try FileHandle(forWritingTo: location)
          try state.handle?.seek(toOffset: UInt64(state.byteCount))
          state.isAccepted = false
        }
      } catch { throw unwritable(error) }
    } else {
      remove()
      try target.checkFile()
      do {
        try state.withLock { state in
          state = State(handle: try FileHandle.create(location), mayContinue: state.mayContinue)
        }
      } catch { throw unwritable(error) }
    }
  }

  func append(
    _ data: Data, from response: HTTPURLResponse
  ) throws(TransferError) -> TransferProgress {
    do {
      return try state.withLock { state in
        if let handle = state.handle {
          try state.accept(response)
          try handle.write(contentsOf: data)
          state.byteCount += Int64(data.count)
        }
        return TransferProgress(
          byteCount: state.byteCount, totalByteCount: state.response?.bodyByteCount)
      }
    } catch let error as TransferError { throw error } catch { throw unwritable(error) }
  }

  /// The size in bytes.
  var byteCount: Int64 { state.withLock { $0.byteCount } }

  /// The response whose body the file begins with, or nil if the body is empty.
  var response: HTTPURLResponse? { state.withLock { $0.response } }

  /// Whether what's there can't be continued, because the object was replaced or the server doesn't
  /// support ranges. The next attempt starts over.
  ///
  /// - Parameter answer: the response, or nil if the attempt failed.
  func startsOver(after answer: LoadedResponse?) -> Bool {
    state.withLock { state in
      guard state.isContinuing else { return false }
      if let answer, RangeContent.statusesOfReplaced.contains(answer.response.statusCode) {
        state = State(mayContinue: true)
        return true
      }
      let isIncomplete = state.version?.byteCount != state.byteCount || !state.isAccepted
      guard state.isOutdated || answer?.isSuccess == true && isIncomplete else { return false }
      state = State(mayContinue: false)
      return true
    }
  }

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

  func close() {
    state.withLock { state in
      do { try state.handle?.close() } catch { state.failure = error }
      state.handle = nil
    }
  }

  /// Removes the incomplete file. Call it when the download ends.
  func remove() {
    close()
    try? FileManager.default.removeItem(at: location)
  }

  private func unwritable(_ error: any Error) -> TransferError { .unwritable(target, error) }
}

extension PartialFile.State {
  /// Whether the next attempt, or this one, continues an earlier one.
  var isContinuing: Bool { version != nil && byteCount > 0 }

  /// Accepts a response whose body begins the file, or continues it.
  mutating func accept(_ response: HTTPURLResponse) throws {
    if isAccepted { return }
    if let version, byteCount > 0, response.statusCode != 200 {
      guard case .range = version.content(of: response, from: byteCount) else {
        isOutdated = true
        throw TransferError.otherRange(byteCount)
      }
    } else {
      try begin(response)
    }
    isAccepted = true
  }

  /// Accepts a response with the whole body.
  private mutating func begin(_ response: HTTPURLResponse) throws {
    try handle?.truncate(atOffset: 0)
    byteCount = 0
    self.response = response
    version = mayContinue && response.statusCode == 200 ? DownloadVersion(response) : nil
  }
}
