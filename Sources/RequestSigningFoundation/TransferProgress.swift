// SPDX-License-Identifier: Apache-2.0
// How far a transfer is: it grows, and ends at its total.

internal import SigningSupport

/// How far an upload or a download is.
public struct TransferProgress: Hashable, Sendable {
  /// The bytes that are through: it never becomes smaller, also when a request is sent twice.
  public let byteCount: Int64

  /// The bytes altogether; nil when the server does not tell.
  public let totalByteCount: Int64?
}

/// Reports progress that grows.
final class ProgressMeter: Sendable {
  private let report: @Sendable (TransferProgress) -> Void
  private let last = Guarded<TransferProgress?>(nil)

  init(_ report: @escaping @Sendable (TransferProgress) -> Void) {
    self.report = report
  }

  /// Reports so many bytes, unless as many were reported.
  func advance(to byteCount: Int64, of total: Int64?) {
    let progress = TransferProgress(byteCount: byteCount, totalByteCount: total)
    let isNew = last.withLock { last in
      if let last, last.byteCount >= byteCount { return false }
      last = progress
      return true
    }
    if isNew { report(progress) }
  }

  /// Reports the total, which is known now.
  func finish(at total: Int64) {
    let isNew = last.withLock { last in
      let progress = TransferProgress(byteCount: total, totalByteCount: total)
      if last == progress { return false }
      last = progress
      return true
    }
    if isNew { report(TransferProgress(byteCount: total, totalByteCount: total)) }
  }
}
