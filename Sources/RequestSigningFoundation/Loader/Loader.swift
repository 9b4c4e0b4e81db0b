// SPDX-License-Identifier: Apache-2.0
// Async requests with limits through URLSession, without redirects.

internal import Dispatch
internal import Foundation
internal import RequestSigning

/// Sends requests with URLSession.
final class Loader: Sendable {
  let slots: ConnectionSlots
  private let links: Links

  /// The maximum number of bytes retained of an error response. The rest of a failed download's is
  /// dropped.
  static let refusalByteCount = 1_048_576

  /// Creates a loader with a configuration, which it changes.
  init(_ configuration: URLSessionConfiguration) {
    // A cache could return replaced objects. FoundationNetworking 6.3.1 also queries it on a
    // separate queue, and crashes if the task was cancelled before that.
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    slots = ConnectionSlots(limit: configuration.httpMaximumConnectionsPerHost)
    links = Links(configuration)
  }

  /// The limits of a transfer.
  struct Limits: Sendable {
    /// The maximum size of a successful response in memory, in bytes.
    var byteCount = Int.max
    /// The maximum duration of the whole transfer, or nil for the session's limit.
    var duration: Duration?
  }

  /// Sends a request. Returns the response, whatever its status.
  ///
  /// - Parameters:
  ///   - request: the request, with its body if that's in memory.
  ///   - body: the body.
  ///   - download: the file for the body of a successful response, or nil to return it.
  ///
  /// - Throws: `CancellationError`, `URLError`, and `TransferError` with `invalidFile` or
  ///   `invalidResponse`.
  func answer(
    to request: URLRequest, _ body: Body, into download: (any DownloadFile)? = nil,
    in slot: ConnectionSlots.Slot?, limits: Limits = Limits(), progress: ProgressMeter? = nil
  ) async throws -> LoadedResponse {
    try Task.checkCancellation()
    try download?.open()
    let link = links.link(for: request)
    let sent = try link.task(for: request, body)
    defer { sent.file?.remove() }
    let (delegate, task) = (link.delegate, sent.task)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        delegate.begin(
          task,
          Transfer(
            continuation: continuation, download: download, sentByteCount: body.byteCount,
            slot: slot, greatestByteCount: limits.byteCount, meter: progress,
            bodyFailure: sent.bodyFailure))
        // A cancellation before the delegate knew the task had no effect.
        if Task.isCancelled {
          delegate.stop(task, throwing: CancellationError())
          return
        }
        if let duration = limits.duration?.bounded ?? links.longest {
          delegate.limit(task, to: duration)
        }
        task.resume()
      }
    } onCancel: {
      delegate.stop(task, throwing: CancellationError())
    }
  }
}

/// A URLSession and its delegate.
final class Link: Sendable {
  fileprivate let delegate = LoaderDelegate()
  let session: URLSession

  init(_ configuration: URLSessionConfiguration, _ queue: OperationQueue?) {
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
  }

  deinit { session.finishTasksAndInvalidate() }
}

/// A task that sends a request.
struct LinkTask {
  let task: URLSessionTask
  /// The error if the body can't be read.
  var bodyFailure: Guarded<(any Error)?>?
  /// The file that's sent. Remove it afterwards.
  var file: BodyFile?
}

/// A server's response.
struct LoadedResponse: Sendable {
  /// The method of the request.
  let method: String?
  var response: HTTPURLResponse
  /// The body. It's empty if it was written to a file.
  let body: Data
  /// The signed request, if a session signed it.
  var signed: SigV4.SignedRequest?
  var expected = ExpectedBody.anything
  /// Whether the result of an earlier attempt is unknown.
  var isRepeated = false

  var isSuccess: Bool { response.isSuccess }
}

extension URLSessionTask {
  private static let cancellations = DispatchQueue(label: "cancellations of SigningSession")

  /// Cancels the task on a separate queue. FoundationNetworking waits for its receiving queue, for
  /// up to a second under load, and that queue may wait for the delegate's.
  ///
  /// - Parameter slot: the slot to retain until then.
  fileprivate func cancelElsewhere(_ slot: ConnectionSlots.Slot?) {
    Self.cancellations.async { withExtendedLifetime(slot) { self.cancel() } }
  }
}

extension HTTPURLResponse {
  var isSuccess: Bool { (200..<300).contains(statusCode) }

  /// The maximum size of the body in memory. An error response may be larger than the caller's
  /// maximum, because it contains the reason.
  func bodyLimit(_ maximum: Int) -> Int {
    isSuccess ? maximum : max(maximum, Loader.refusalByteCount)
  }
}

/// The state of a running task.
struct Transfer: Sendable {
  let continuation: CheckedContinuation<LoadedResponse, any Error>
  /// The file for the body of a successful response.
  let download: (any DownloadFile)?
  /// The size of the body to send, or nil if it's unknown.
  let sentByteCount: Int?
  /// Released at the end.
  let slot: ConnectionSlots.Slot?
  let greatestByteCount: Int
  let meter: ProgressMeter?
  /// The error if the body couldn't be read.
  let bodyFailure: Guarded<(any Error)?>?
  var body = Data()
  /// Ends the transfer if it takes too long.
  var alarm: Task<Void, any Error>?
  /// Whether the server required a password.
  var isUnauthorized = false
}

/// Stores the running transfers by task identifier, and handles URLSession's events for them.
private final class LoaderDelegate: NSObject, URLSessionDataDelegate {
  private let transfers = Guarded<[Int: Transfer]>([:])

  func begin(_ task: URLSessionTask, _ transfer: Transfer) {
    transfers.withLock { $0[task.taskIdentifier] = transfer }
  }

  /// Ends a transfer after a duration.
  func limit(_ task: URLSessionTask, to duration: Duration) {
    let alarm = Task {
      try await Task.sleep(for: duration)
      stop(task, throwing: URLError(.timedOut))
    }
    let isWaiting = transfers.withLock { transfers in
      transfers[task.taskIdentifier]?.alarm = alarm
      return transfers[task.taskIdentifier] != nil
    }
    if !isWaiting { alarm.cancel() }
  }

  /// Ends a transfer, unless it has already ended, and cancels its task.
  func stop(_ task: URLSessionTask, throwing error: any Error) {
    let transfer = take(task)
    task.cancelElsewhere(transfer?.slot)
    transfer?.continuation.resume(throwing: error)
  }

  private func take(_ task: URLSessionTask) -> Transfer? {
    let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    transfer?.alarm?.cancel()
    return transfer
  }

  private func transfer(of task: URLSessionTask) -> Transfer? {
    transfers.withLock { $0[task.taskIdentifier] }
  }

  // A redirect is a response, because its target needs a new signature.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  typealias ChallengeHandler =
    @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

  // A request is authorized by its signature, so a 401 is a response. FoundationNetworking cancels
  // a task whose challenge is rejected, and waits forever after any other choice.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping ChallengeHandler
  ) {
    if !challenge.protectionSpace.isForPasswords {
      return completionHandler(.performDefaultHandling, nil)
    }
    transfers.withLock { $0[task.taskIdentifier]?.isUnauthorized = true }
    completionHandler(.rejectProtectionSpace, nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) {
    guard let transfer = transfer(of: task), transfer.download == nil else { return }
    transfer.meter?.advance(to: totalBytesSent, of: transfer.sentByteCount.map { Int64($0) })
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let failure =
      if let (file, meter) = download(of: dataTask),
        let response = dataTask.response as? HTTPURLResponse, response.isSuccess
      {
        Self.write(data, to: file, response, meter)
      } else {
        keep(data, of: dataTask)
      }
    if let failure {
      stop(dataTask, throwing: failure)
    } else if hasEnough(dataTask) {
      dataTask.cancelElsewhere(transfer(of: dataTask)?.slot)
      complete(dataTask, nil)
    }
  }

  /// Whether the kept start of a failed download's response is complete. Its rest isn't read,
  /// because it may have no end.
  private func hasEnough(_ task: URLSessionTask) -> Bool {
    transfers.withLock { transfers in
      guard let transfer = transfers[task.taskIdentifier], transfer.download != nil
      else { return false }
      return transfer.body.count == Loader.refusalByteCount
    }
  }

  /// The file of a download. (A copy of the whole transfer would copy its body with each portion.)
  private func download(of task: URLSessionTask) -> (any DownloadFile, ProgressMeter?)? {
    transfers.withLock { transfers in
      guard let transfer = transfers[task.taskIdentifier], let file = transfer.download
      else { return nil }
      return (file, transfer.meter)
    }
  }

  private static func write(
    _ data: Data, to file: any DownloadFile, _ response: HTTPURLResponse, _ meter: ProgressMeter?
  ) -> TransferError? {
    do {
      let progress = try file.append(data, from: response)
      meter?.advance(to: progress.byteCount, of: progress.totalByteCount)
      return nil
    } catch { return error }
  }

  /// Appends data in memory: a response, or a failed download's error response.
  private func keep(_ data: Data, of task: URLSessionTask) -> TransferError? {
    transfers.withLock { transfers in
      guard var transfer = transfers.removeValue(forKey: task.taskIdentifier) else { return nil }
      defer { transfers[task.taskIdentifier] = transfer }
      let maximum = transfer.greatestByteCount
      let limit = (task.response as? HTTPURLResponse)?.bodyLimit(maximum) ?? maximum
      if transfer.download != nil {
        transfer.body.append(data.prefix(Loader.refusalByteCount - transfer.body.count))
      } else if data.count <= limit - transfer.body.count {
        transfer.body.append(data)
      } else {
        return .tooLarge(limit)
      }
      return nil
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    complete(task, error)
  }

  /// Returns the response of a transfer or throws its error, unless it has already ended.
  private func complete(_ task: URLSessionTask, _ error: (any Error)?) {
    guard let transfer = take(task) else { return }
    if let failure = transfer.bodyFailure?.withLock(\.self)
      ?? (transfer.isUnauthorized ? nil : error.map(task.cause))
    {
      transfer.continuation.resume(throwing: failure)
    } else if let response = task.response as? HTTPURLResponse {
      transfer.continuation.resume(
        returning: LoadedResponse(
          method: task.originalRequest?.httpMethod, response: response, body: transfer.body))
    } else {
      transfer.continuation.resume(
        throwing: TransferError(
          .invalidResponse, "The server sent an invalid HTTP response.",
          fix: "Check the URL's scheme."))
    }
  }
}
