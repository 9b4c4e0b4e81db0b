// SPDX-License-Identifier: Apache-2.0
// What URLSession tells of its tasks, handed to whoever waits for them.

internal import SigningSupport
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Keeps the transfers that run, by the numbers of their tasks.
final class LoaderDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
  private let transfers = Guarded<[Int: Transfer]>([:])

  func begin(_ task: URLSessionTask, _ transfer: Transfer) {
    transfers.withLock { $0[task.taskIdentifier] = transfer }
  }

  /// Ends a transfer after so many seconds.
  func limit(_ task: URLSessionTask, toSeconds seconds: Double) {
    let alarm = Task {
      try await Task.sleep(for: .bounded(seconds: seconds))
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
    if case .download = transfer.kind { return }
    let total = totalBytesExpectedToSend > 0 ? totalBytesExpectedToSend : nil
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
    // Not of a short answer, which may be the text of a refusal: its status is not always known here.
    if (0..<65_536).contains(totalBytesExpectedToWrite) { return }
    let total = totalBytesExpectedToWrite > 0 ? totalBytesExpectedToWrite : nil
    transfer(of: downloadTask)?.meter?.advance(to: totalBytesWritten, of: total)
  }

  // An object is moved, the text of a refusal is read; what is left, FoundationNetworking leaves behind.
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
      if Self.isSuccess(downloadTask.response) {
        try FileMove.move(location, to: file)
      } else {
        body = try FileHandle(forReadingFrom: location).read(upToCount: 1_048_576) ?? Data()
      }
    } catch {
      failure = FileMove.unwritable(file, error)
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
    if let failure = transfer.failure ?? error {
      transfer.continuation.resume(throwing: failure)
    } else if let response = task.response as? HTTPURLResponse {
      transfer.continuation.resume(
        returning: LoadedAnswer(response: response, body: transfer.body))
    } else {
      transfer.continuation.resume(
        throwing: TransferError(
          .invalidAnswer, "what came back is no answer of HTTP; check the scheme of the URL"))
    }
  }

  private static func isSuccess(_ response: URLResponse?) -> Bool {
    guard let response = response as? HTTPURLResponse else { return false }
    return (200..<300).contains(response.statusCode)
  }

  private static func tooLarge(_ limit: Int) -> TransferError {
    TransferError(
      .invalidAnswer,
      "the answer has more than \(limit) bytes, which is more than is taken into memory; check the "
        + "URL")
  }
}

/// Puts a file that was received where it was asked for.
enum FileMove {
  /// Replaces what is there in one step, by way of its folder when it comes from another volume.
  static func move(_ source: URL, to target: URL) throws {
    if rename(source, target) { return }
    let files = FileManager.default
    let part = target.deletingLastPathComponent()
      .appendingPathComponent("." + UUID().uuidString)
    try files.moveItem(at: source, to: part)
    if !rename(part, target) {
      try? files.removeItem(at: part)
      throw CocoaError(.fileWriteUnknown)
    }
  }

  static func rename(_ source: URL, _ target: URL) -> Bool {
    // Safety: both paths live as long as the call.
    unsafe Foundation.rename(source.path, target.path) == 0
  }

  static func unwritable(_ file: URL, _ error: any Error) -> TransferError {
    TransferError(
      .invalidFile,
      "\(file.path) cannot be written (\(error.localizedDescription)), so what was received is lost; "
        + "name a file in a folder that is there and may be written to")
  }
}
