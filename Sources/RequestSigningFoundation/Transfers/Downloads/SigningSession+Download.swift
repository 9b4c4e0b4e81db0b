// SPDX-License-Identifier: Apache-2.0
// Downloads into a file.

public import Foundation
internal import RequestSigning

extension SigningSession {
  /// Downloads an object, or the response to a request, into a file. If the status is 200 to 299,
  /// an existing file is replaced.
  ///
  ///     try await session.download(bucket.object("film.mov"), to: file)
  ///
  /// If the connection is lost, a retry of a GET request continues the download, provided the
  /// response has a strong entity tag. If the object was replaced, it starts over.
  ///
  /// - Parameters:
  ///   - request: the object or request.
  ///   - file: the destination.
  ///   - progress: receives increasing byte counts. The last one is the total.
  ///
  /// - Throws: The errors of ``send(_:payload:maximumByteCount:)``, and `TransferError` with
  ///   `unexpectedStatus` if the status isn't 200 to 299, `invalidFile`, `checksumMismatch`, or
  ///   `objectReplaced` if the object is replaced again and again.
  @concurrent @discardableResult public func download(
    _ request: some SignableRequest, to file: URL,
    @_inheritActorContext progress: ProgressHandler? = nil
  ) async throws -> HTTPURLResponse {
    try await ProgressDelivery.run(progress) { report in
      try await download(request, to: file, report.map(ProgressMeter.init))
    }
  }

  /// The number of times that a download starts over if its object is replaced.
  static let maximumRestarts = 3

  func download(
    _ request: some SignableRequest, to file: URL, _ meter: ProgressMeter?
  ) async throws -> HTTPURLResponse {
    let partial = PartialFile(for: file, mayContinue: request.mayContinue)
    defer { partial.remove() }
    var answer = try await answer(to: request, into: partial, meter)
    try answer.expectSuccess("the requested object, so no file was written")
    // The last response may be one for the missing bytes.
    if let response = partial.response { answer.response = response }
    if let expected = options.checksums.expected(in: answer) {
      try Options.Checksums.check(partial.checksum(expected.algorithm), against: expected)
    }
    try partial.finish()
    meter?.finish(at: partial.byteCount)
    return answer.response
  }

  /// Sends a request, and starts over if a retry can't continue what's in the file.
  private func answer(
    to request: some SignableRequest, into partial: PartialFile, _ meter: ProgressMeter?
  ) async throws -> LoadedResponse {
    let exchange = Exchange(request: request, direction: .download(partial), meter: meter)
    for _ in 0...Self.maximumRestarts {
      do {
        let answer = try await answer(to: exchange)
        if !partial.startsOver(after: answer) { return answer }
      } catch {
        if !partial.startsOver(after: nil) { throw error }
      }
    }
    throw TransferError.objectReplaced(status: nil)
  }
}

extension SignableRequest {
  /// Whether a range of the response may be requested: it's a GET without ranges and conditions of
  /// the caller.
  fileprivate var mayContinue: Bool {
    let request = try? signable(payload: .empty, headerEncoding: .utf8)
    guard let request, request.method == "GET" else { return false }
    return !request.headers.contains(where: \.isRangeOrCondition)
  }
}
