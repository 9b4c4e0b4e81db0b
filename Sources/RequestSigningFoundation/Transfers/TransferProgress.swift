// SPDX-License-Identifier: Apache-2.0
// The progress of transfers.

/// The progress of an upload or a download.
public struct TransferProgress: Hashable, Sendable {
  /// The number of transferred bytes. It never decreases, even if the request is retried.
  public let byteCount: Int64

  /// The total number of bytes, or nil if the server doesn't send it, or sends it for a body that
  /// the HTTP client decodes (Content-Encoding).
  public let totalByteCount: Int64?

  /// The completed fraction, from 0 to 1. It's 0 if the server doesn't send the total size.
  public var fractionCompleted: Double {
    guard let totalByteCount else { return 0 }
    return totalByteCount == 0 ? 1 : Double(byteCount) / Double(totalByteCount)
  }
}

/// Receives the progress of a transfer, one report at a time. A slow handler gets only the newest
/// report. It runs in the isolation where you write it, for example on the main actor.
public typealias ProgressHandler = @Sendable @isolated(any) (TransferProgress) -> Void

/// Delivers progress to the caller's handler.
enum ProgressDelivery {
  /// Runs a transfer, and returns after the handler has received the last report.
  static func run<Result>(
    _ handler: ProgressHandler?,
    _ transfer: (_ report: (@Sendable (TransferProgress) -> Void)?) async throws -> Result
  ) async throws -> Result {
    guard let handler else { return try await transfer(nil) }
    let (reports, continuation) = AsyncStream.makeStream(
      of: TransferProgress.self, bufferingPolicy: .bufferingNewest(1))
    let delivery = Task { for await report in reports { await handler(report) } }
    do {
      let result = try await transfer { continuation.yield($0) }
      continuation.finish()
      await delivery.value
      return result
    } catch {
      continuation.finish()
      await delivery.value
      throw error
    }
  }
}

/// Reports increasing progress.
final class ProgressMeter: Sendable {
  private let report: @Sendable (TransferProgress) -> Void
  private let last = Guarded<TransferProgress?>(nil)

  init(_ report: @escaping @Sendable (TransferProgress) -> Void) {
    self.report = report
  }

  /// Reports a byte count if it's larger than the last one.
  func advance(to byteCount: Int64, of total: Int64?) {
    note(TransferProgress(byteCount: byteCount, totalByteCount: total)) { last in
      last.byteCount < byteCount
    }
  }

  /// Reports the total as complete.
  func finish(at total: Int64) {
    let progress = TransferProgress(byteCount: total, totalByteCount: total)
    note(progress) { $0 != progress }
  }

  /// Sends reports one at a time, because parts of an upload advance on different threads.
  private func note(_ progress: TransferProgress, if isNew: @Sendable (TransferProgress) -> Bool) {
    last.withLock { last in
      if let last, !isNew(last) { return }
      last = progress
      report(progress)
    }
  }
}
