// SPDX-License-Identifier: Apache-2.0
// URLSession as async calls with limits: one task in, one answer out, no redirect followed.

internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A URLSession, and what its tasks are waiting for.
final class Loader: Sendable {
  private let session: URLSession
  private let delegate = LoaderDelegate()

  init(_ configuration: URLSessionConfiguration) {
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  deinit { session.finishTasksAndInvalidate() }

  /// What the task sends or receives besides its head.
  enum Kind: Sendable {
    case data
    case upload(file: URL)
    case download(to: URL)
  }

  /// The limits of a transfer.
  struct Limits: Sendable {
    /// The greatest size of an answer in memory, in bytes.
    var byteCount = Int.max
    /// How long it may take as a whole, in seconds; nil for as long as the session lets it.
    var seconds: Double?
  }

  /// The answer to a request, whatever its status.
  ///
  /// Throws `CancellationError`, `URLError`, and `TransferError` with `invalidFile` or
  /// `invalidAnswer`.
  func answer(
    to request: URLRequest, _ kind: Kind = .data, limits: Limits = Limits(),
    progress: ProgressMeter? = nil
  ) async throws -> LoadedAnswer {
    try Task.checkCancellation()
    let task = makeTask(request, kind)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        delegate.begin(
          task,
          Transfer(continuation, kind: kind, greatestByteCount: limits.byteCount, meter: progress))
        // Whoever was cancelled before the task was known to the delegate finds out here.
        if Task.isCancelled {
          delegate.end(task, throwing: CancellationError())
          return
        }
        if let seconds = limits.seconds { delegate.limit(task, toSeconds: seconds) }
        task.resume()
      }
    } onCancel: { [delegate] in
      delegate.end(task, throwing: CancellationError())
      task.cancel()
    }
  }

  private func makeTask(_ request: URLRequest, _ kind: Kind) -> URLSessionTask {
    switch kind {
    case .data: session.dataTask(with: request)
    case .upload(let file): session.uploadTask(with: request, fromFile: file)
    case .download: session.downloadTask(with: request)
    }
  }
}

/// What a server answered.
struct LoadedAnswer: Sendable {
  let response: HTTPURLResponse
  /// The body; empty when it went into a file.
  let body: Data
}

/// What is known of a task that runs.
struct Transfer: Sendable {
  let continuation: CheckedContinuation<LoadedAnswer, any Error>
  let kind: Loader.Kind
  let greatestByteCount: Int
  let meter: ProgressMeter?
  var body = Data()
  /// What went wrong on our side, which explains why the task was cancelled.
  var failure: (any Error)?
  /// Ends the transfer when it takes too long.
  var alarm: Task<Void, any Error>?

  init(
    _ continuation: CheckedContinuation<LoadedAnswer, any Error>, kind: Loader.Kind,
    greatestByteCount: Int, meter: ProgressMeter?
  ) {
    self.continuation = continuation
    self.kind = kind
    self.greatestByteCount = greatestByteCount
    self.meter = meter
  }
}

extension Duration {
  /// So many seconds, from none to a day: other numbers have no duration, or never end.
  static func bounded(seconds: Double) -> Duration {
    seconds > 0 ? .seconds(min(seconds, 86_400)) : .zero
  }
}
