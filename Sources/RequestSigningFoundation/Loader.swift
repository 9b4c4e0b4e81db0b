// SPDX-License-Identifier: Apache-2.0
// URLSession as async calls with limits: one task in, one answer out, no redirect followed.

internal import Foundation
internal import SigningSupport

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
    case upload(UploadSource)
    case download(PartialFile)
  }

  /// The limits of a transfer.
  struct Limits: Sendable {
    /// The greatest size of an answer in memory, in bytes.
    var byteCount = Int.max
    /// How long it may take as a whole; nil for as long as the session lets it.
    var duration: Duration?
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
    let failure = Guarded<(any Error)?>(nil)
    #if canImport(FoundationNetworking)
      let task = try makeTask(request, kind, notingFailureIn: failure)
    #else
      let file = try kind.bodyFile()
      defer { file?.remove() }
      let task = makeTask(request, kind, file)
    #endif
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        delegate.begin(
          task,
          Transfer(
            continuation: continuation, kind: kind, greatestByteCount: limits.byteCount,
            meter: progress, bodyFailure: failure))
        // A cancellation before the delegate knew the task had nothing to end.
        if Task.isCancelled {
          delegate.end(task, throwing: CancellationError())
          return
        }
        if let duration = limits.duration { delegate.limit(task, to: duration) }
        task.resume()
      }
    } onCancel: { [delegate] in
      delegate.end(task, throwing: CancellationError())
      task.cancel()
    }
  }

  #if canImport(FoundationNetworking)
    private func makeTask(
      _ request: URLRequest, _ kind: Kind, notingFailureIn failure: Guarded<(any Error)?>
    ) throws -> URLSessionTask {
      switch kind {
      case .data: session.dataTask(with: request)
      case .upload(let source):
        session.dataTask(with: try request.streaming(source, notingFailureIn: failure))
      case .download: session.downloadTask(with: request)
      }
    }
  #else
    private func makeTask(
      _ request: URLRequest, _ kind: Kind, _ file: BodyFile?
    ) -> URLSessionTask {
      if let file { return session.uploadTask(with: request, fromFile: file.location) }
      if case .download = kind { return session.downloadTask(with: request) }
      return session.dataTask(with: request)
    }
  #endif
}

/// What a server answered.
struct LoadedAnswer: Sendable {
  /// The method of the request.
  let method: String?
  let response: HTTPURLResponse
  /// The body; empty when it went into a file.
  let body: Data

  var isSuccess: Bool { response.isSuccess }
}

extension HTTPURLResponse {
  var isSuccess: Bool { (200..<300).contains(statusCode) }
}

/// What is known of a task that runs.
struct Transfer: Sendable {
  let continuation: CheckedContinuation<LoadedAnswer, any Error>
  let kind: Loader.Kind
  let greatestByteCount: Int
  let meter: ProgressMeter?
  /// What went wrong with a body while it was read.
  let bodyFailure: Guarded<(any Error)?>
  var body = Data()
  /// What went wrong on our side, which explains why the task was cancelled.
  var failure: (any Error)?
  /// Ends the transfer when it takes too long.
  var alarm: Task<Void, any Error>?
}

/// Keeps the transfers that run, by the numbers of their tasks, and does what URLSession tells of them.
private final class LoaderDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
  private let transfers = Guarded<[Int: Transfer]>([:])

  func begin(_ task: URLSessionTask, _ transfer: Transfer) {
    transfers.withLock { $0[task.taskIdentifier] = transfer }
  }

  /// Ends a transfer that takes longer.
  func limit(_ task: URLSessionTask, to duration: Duration) {
    let alarm = Task {
      try await Task.sleep(for: duration.bounded)
      end(task, throwing: URLError(.timedOut))
      task.cancel()
    }
    let isWaiting = transfers.withLock { transfers in
      transfers[task.taskIdentifier]?.alarm = alarm
      return transfers[task.taskIdentifier] != nil
    }
    if !isWaiting { alarm.cancel() }
  }

  /// Ends a transfer unless it has ended.
  func end(_ task: URLSessionTask, throwing error: any Error) {
    take(task)?.continuation.resume(throwing: error)
  }

  private func take(_ task: URLSessionTask) -> Transfer? {
    let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    transfer?.alarm?.cancel()
    return transfer
  }

  private func transfer(of task: URLSessionTask) -> Transfer? {
    transfers.withLock { $0[task.taskIdentifier] }
  }

  // A redirect is an answer: its target would need a signature of its own.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) {
    guard let transfer = transfer(of: task) else { return }
    var total = totalBytesExpectedToSend > 0 ? totalBytesExpectedToSend : nil
    switch transfer.kind {
    case .data: break
    case .upload(let source): total = Int64(source.byteCount)
    case .download: return
    }
    transfer.meter?.advance(to: totalBytesSent, of: total)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLarge = transfers.withLock { transfers in
      guard var transfer = transfers.removeValue(forKey: dataTask.taskIdentifier) else {
        return false
      }
      let isTooLarge = data.count > transfer.greatestByteCount - transfer.body.count
      if isTooLarge {
        transfer.failure = Self.tooLarge(transfer.greatestByteCount)
      } else {
        transfer.body.append(data)
      }
      transfers[dataTask.taskIdentifier] = transfer
      return isTooLarge
    }
    if isTooLarge { dataTask.cancel() }
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    // A short answer may be the text of a refusal: its status is not always known here.
    if (0..<65_536).contains(totalBytesExpectedToWrite) { return }
    let total = totalBytesExpectedToWrite > 0 ? totalBytesExpectedToWrite : nil
    transfer(of: downloadTask)?.meter?.advance(to: totalBytesWritten, of: total)
  }

  // An object is moved, the text of a refusal is read. FoundationNetworking leaves the rest behind.
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didFinishDownloadingTo location: URL
  ) {
    guard let transfer = transfer(of: downloadTask), case .download(let file) = transfer.kind
    else { return }
    defer { try? FileManager.default.removeItem(at: location) }
    var body = Data()
    var failure: (any Error)?
    do {
      if (downloadTask.response as? HTTPURLResponse)?.isSuccess == true {
        try file.take(location)
      } else {
        body = try FileHandle(forReadingFrom: location).read(upToCount: 1_048_576) ?? Data()
      }
    } catch {
      failure = error is TransferError ? error : file.unwritable(error)
    }
    transfers.withLock { [body, failure] transfers in
      transfers[downloadTask.taskIdentifier]?.body = body
      transfers[downloadTask.taskIdentifier]?.failure = failure
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    guard let transfer = take(task) else { return }
    if let failure = transfer.failure ?? transfer.bodyFailure.withLock(\.self) ?? error {
      transfer.continuation.resume(throwing: failure)
    } else if let response = task.response as? HTTPURLResponse {
      transfer.continuation.resume(
        returning: LoadedAnswer(
          method: task.originalRequest?.httpMethod, response: response, body: transfer.body))
    } else {
      transfer.continuation.resume(
        throwing: TransferError(
          .invalidAnswer, "the answer is not a valid HTTP response; check the scheme of the URL"))
    }
  }

  private static func tooLarge(_ limit: Int) -> TransferError {
    TransferError(
      .invalidAnswer,
      "the answer has more than \(limit) bytes, the limit for answers in memory; check the URL")
  }
}
