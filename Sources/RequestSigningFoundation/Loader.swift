// SPDX-License-Identifier: Apache-2.0
// URLSession as async calls with limits: one task in, one answer out, no redirect followed.

internal import Dispatch
internal import Foundation
internal import SigningSupport

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Sends requests with URLSession.
///
/// FoundationNetworking gets a URLSession for each transfer, so that no connection is used twice: libcurl
/// sends any request again, a POST too, when a connection that it kept turns out to be dead, and waits
/// for ever when nothing tells it so.
final class Loader: Sendable {
  #if canImport(FoundationNetworking)
    private let configuration: URLSessionConfiguration
    private var link: Link { Link(configuration) }
  #else
    private let link: Link
  #endif

  /// A loader with a configuration of its own, which it changes.
  init(_ configuration: URLSessionConfiguration) {
    // A cache would answer with objects that have been replaced. FoundationNetworking 6.3.1 also asks it
    // on a queue of its own, and ends the process when the task was cancelled before.
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    #if canImport(FoundationNetworking)
      self.configuration = configuration
    #else
      link = Link(configuration)
    #endif
  }

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
  /// `invalidResponse`.
  func answer(
    to request: URLRequest, _ kind: Kind = .data, limits: Limits = Limits(),
    progress: ProgressMeter? = nil
  ) async throws -> LoadedResponse {
    try Task.checkCancellation()
    if case .download(let file) = kind { try file.restart() }
    let link = link
    let delegate = link.delegate
    #if canImport(FoundationNetworking)
      let request = try request.sendable(kind)
      let failure = (request.httpBodyStream as? BodyStream)?.failure
      let task = link.makeTask(request)
    #else
      let failure: Guarded<(any Error)?>? = nil
      let file = try kind.bodyFile()
      defer { file?.remove() }
      let task = link.makeTask(request, file)
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
    } onCancel: {
      delegate.end(task, throwing: CancellationError())
      task.cancelElsewhere()
    }
  }

}

/// A URLSession, and what its tasks are waiting for.
private final class Link: Sendable {
  let delegate = LoaderDelegate()
  private let session: URLSession

  init(_ configuration: URLSessionConfiguration) {
    #if canImport(FoundationNetworking)
      let queue: OperationQueue? = DelegateQueue()
    #else
      let queue: OperationQueue? = nil
    #endif
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
  }

  deinit { session.finishTasksAndInvalidate() }

  #if canImport(FoundationNetworking)
    func makeTask(_ request: URLRequest) -> URLSessionTask { session.dataTask(with: request) }
  #else
    func makeTask(_ request: URLRequest, _ file: BodyFile?) -> URLSessionTask {
      if let file { return session.uploadTask(with: request, fromFile: file.location) }
      return session.dataTask(with: request)
    }
  #endif
}

#if canImport(FoundationNetworking)
  extension URLRequest {
    /// The request as it goes over a connection of its own.
    fileprivate func sendable(_ kind: Loader.Kind) throws -> URLRequest {
      if let host = url?.host, host.contains(":") {
        throw TransferError(
          .unsupportedURL,
          "FoundationNetworking can't open URLs whose host is an IPv6 address, such as [\(host)].",
          fix: "Use a host name, an IPv4 address, or a different HTTP client.")
      }
      var request = self
      request.setValue("close", forHTTPHeaderField: "Connection")
      if case .upload(let source) = kind {
        try request.stream(source)
      } else {
        request.streamBody()
      }
      return request
    }
  }
#endif

/// What a server answered.
struct LoadedResponse: Sendable {
  /// The method of the request.
  let method: String?
  let response: HTTPURLResponse
  /// The body; empty when it went into a file.
  let body: Data
  /// The request as it was signed, where a session signed it.
  var signed: SigV4.SignedRequest?

  var isSuccess: Bool { response.isSuccess }
}

extension URLSessionTask {
  private static let cancellations = DispatchQueue(label: "cancellations of SigningSession")

  /// Cancels the task on a thread for that: FoundationNetworking waits for the queue that receives, for up to a
  /// second when much comes, and that queue may wait for the delegate's.
  fileprivate func cancelElsewhere() {
    Self.cancellations.async { self.cancel() }
  }
}

extension URLProtectionSpace {
  /// Whether the server, and not a proxy or TLS, asks for authentication.
  fileprivate var isForPasswords: Bool {
    #if canImport(FoundationNetworking)
      true
    #else
      ![NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate]
        .contains(authenticationMethod) && !isProxy()
    #endif
  }
}

extension HTTPURLResponse {
  var isSuccess: Bool { (200..<300).contains(statusCode) }
}

/// What is known of a task that runs.
struct Transfer: Sendable {
  let continuation: CheckedContinuation<LoadedResponse, any Error>
  let kind: Loader.Kind
  let greatestByteCount: Int
  let meter: ProgressMeter?
  /// What went wrong with a body while it was read.
  let bodyFailure: Guarded<(any Error)?>?
  var body = Data()
  /// Ends the transfer when it takes too long.
  var alarm: Task<Void, any Error>?
  /// The server asked for a password.
  var isUnauthorized = false
}

/// Keeps the transfers that run, by the numbers of their tasks, and does what URLSession tells of them.
private final class LoaderDelegate: NSObject, URLSessionDataDelegate {
  private let transfers = Guarded<[Int: Transfer]>([:])

  /// So much of the text that says why a download was refused is kept, in bytes.
  private static let refusalByteCount = 1_048_576

  func begin(_ task: URLSessionTask, _ transfer: Transfer) {
    transfers.withLock { $0[task.taskIdentifier] = transfer }
  }

  /// Ends a transfer that takes longer.
  func limit(_ task: URLSessionTask, to duration: Duration) {
    let alarm = Task {
      try await Task.sleep(for: duration.bounded)
      end(task, throwing: URLError(.timedOut))
      task.cancelElsewhere()
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

  typealias ChallengeHandler =
    @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

  // A request is authorized by its signature, so a 401 is an answer. FoundationNetworking cancels a task whose
  // challenge is rejected, and waits for ever after any other choice.
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
    let failure =
      if let (file, meter) = download(of: dataTask),
        let response = dataTask.response as? HTTPURLResponse, response.isSuccess
      {
        Self.write(data, to: file, response, meter)
      } else {
        keep(data, of: dataTask)
      }
    if let failure {
      end(dataTask, throwing: failure)
      dataTask.cancelElsewhere()
    }
  }

  /// Of a download the file. (A copy of the whole transfer would have its body copied with each portion.)
  private func download(of task: URLSessionTask) -> (PartialFile, ProgressMeter?)? {
    transfers.withLock { transfers in
      guard let transfer = transfers[task.taskIdentifier], case .download(let file) = transfer.kind
      else { return nil }
      return (file, transfer.meter)
    }
  }

  private static func write(
    _ data: Data, to file: PartialFile, _ response: HTTPURLResponse, _ meter: ProgressMeter?
  ) -> TransferError? {
    do {
      let byteCount = try file.append(data)
      let total = response.expectedContentLength
      meter?.advance(to: Int64(byteCount), of: total > 0 ? total : nil)
      return nil
    } catch { return error }
  }

  /// Keeps data in memory: an answer, or of a refused download the text that says why.
  private func keep(_ data: Data, of task: URLSessionTask) -> TransferError? {
    transfers.withLock { transfers in
      guard var transfer = transfers.removeValue(forKey: task.taskIdentifier) else { return nil }
      defer { transfers[task.taskIdentifier] = transfer }
      if case .download = transfer.kind {
        transfer.body.append(data.prefix(Self.refusalByteCount - transfer.body.count))
      } else if data.count <= transfer.greatestByteCount - transfer.body.count {
        transfer.body.append(data)
      } else {
        return Self.tooLarge(transfer.greatestByteCount)
      }
      return nil
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    guard let transfer = take(task) else { return }
    if let failure = transfer.bodyFailure?.withLock(\.self)
      ?? (transfer.isUnauthorized ? nil : error)
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

  private static func tooLarge(_ limit: Int) -> TransferError {
    TransferError(
      .invalidResponse,
      "The response is larger than \(limit) bytes, the limit for responses in memory.",
      fix: "Check the URL.")
  }
}
