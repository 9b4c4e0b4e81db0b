// SPDX-License-Identifier: Apache-2.0
// One range of an object, written to its place in a file.

internal import Foundation
internal import RequestSigning

/// One range of an object, written to its place in a file of the object's size. If an attempt is
/// cut off, the next one requests only the rest of the range.
final class RangeFile: DownloadFile {
  private let location: URL
  private let range: Range<Int64>
  private let version: DownloadVersion
  private let state: Guarded<State>

  fileprivate struct State: Sendable {
    var handle: FileHandle?
    /// The end of the written bytes.
    var position: Int64
    /// The end of the bytes in this attempt's response, once it was accepted.
    var limit: Int64?
    /// What the last response contains, if it isn't the requested range.
    var rejected: RangeContent?
    /// The error if the bytes may not be on the disk.
    var failure: (any Error)?
  }

  /// - Parameter range: the bytes to request. Not empty.
  init(_ location: URL, _ range: Range<Int64>, of version: DownloadVersion) {
    self.location = location
    self.range = range
    self.version = version
    state = Guarded(State(position: range.lowerBound))
  }

  /// The bytes that are on the disk after an attempt.
  var finished: Range<Int64> {
    state.withLock { state in
      range.lowerBound..<(state.failure == nil ? state.position : range.lowerBound)
    }
  }

  var isComplete: Bool { finished == range }

  /// What the last response contains, if it isn't the requested range.
  var rejected: RangeContent? { state.withLock { $0.rejected } }

  var headers: [SigV4.Header] {
    version.headers(from: state.withLock { $0.position }, through: range.upperBound - 1)
  }

  func open() throws(TransferError) {
    do {
      try state.withLock { [location, range] state in
        // The connection was lost after the last byte.
        if state.position == range.upperBound { throw TransferError.otherRange(state.position) }
        let handle = try FileHandle(forWritingTo: location)
        try handle.seek(toOffset: UInt64(state.position))
        state.handle = handle
        state.limit = nil
      }
    } catch let error as TransferError { throw error } catch { throw .unwritable(location, error) }
  }

  func append(
    _ data: Data, from response: HTTPURLResponse
  ) throws(TransferError) -> TransferProgress {
    do {
      return try state.withLock { [range, version] state in
        if let handle = state.handle {
          try state.accept(response, version, range)
          if Int64(data.count) > (state.limit ?? 0) - state.position {
            throw TransferError.otherRange(state.position)
          }
          try handle.write(contentsOf: data)
          state.position += Int64(data.count)
        }
        return TransferProgress(
          byteCount: state.position - range.lowerBound, totalByteCount: range.byteCount)
      }
    } catch let error as TransferError { throw error } catch { throw .unwritable(location, error) }
  }

  /// Closes the file after its bytes are on the disk.
  func close() {
    state.withLock { state in
      do {
        try state.handle?.synchronize()
        try state.handle?.close()
      } catch {
        state.failure = error
      }
      state.handle = nil
    }
  }

  /// Throws if the bytes may not be on the disk.
  func checkDisk() throws(TransferError) {
    if let failure = state.withLock(\.failure) { throw .unwritable(location, failure) }
  }
}

extension RangeFile.State {
  /// Accepts the response of an attempt: the bytes from the position, and none after the range.
  mutating func accept(
    _ response: HTTPURLResponse, _ version: DownloadVersion, _ range: Range<Int64>
  ) throws {
    if limit != nil { return }
    let content = version.content(of: response, from: position)
    guard case .range(let bytes) = content, bytes.upperBound <= range.upperBound else {
      rejected = content
      throw TransferError.rejectedRange(content, from: position, status: response.statusCode)
    }
    limit = bytes.upperBound
  }
}
