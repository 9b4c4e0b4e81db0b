// SPDX-License-Identifier: Apache-2.0
// A file that the body of a successful response is written to.

internal import Foundation
internal import RequestSigning

/// A file that receives the body of a successful response, in one attempt or more.
protocol DownloadFile: Sendable {
  /// The headers to add to the next attempt's request, so that it continues the last one.
  var headers: [SigV4.Header] { get }

  /// Opens the file for the next attempt.
  func open() throws(TransferError)

  /// Writes received bytes, unless the file is closed.
  func append(
    _ data: Data, from response: HTTPURLResponse
  ) throws(TransferError) -> TransferProgress

  /// Closes the file at the end of an attempt. Bytes that arrive later are dropped.
  func close()
}

extension TransferError {
  /// The error if a response to a request for a range contains something else.
  static func rejectedRange(
    _ content: RangeContent, from first: Int64, status: Int
  ) -> TransferError {
    switch content {
    case .replaced: .objectReplaced(status: status)
    case .encoded(let coding, _): .encodedRange(coding)
    case .range, .whole, .other: .otherRange(first)
    }
  }

  static func otherRange(_ first: Int64) -> TransferError {
    TransferError(
      .invalidResponse,
      "The response doesn't contain the requested range, which starts at byte \(first).",
      fix: "Check the endpoint, or use download(_:to:) for this object.")
  }

  static func encodedRange(_ coding: String) -> TransferError {
    TransferError(
      .invalidResponse,
      "The object has the Content-Encoding \(UTF8Text.quoted(coding)), and the HTTP client "
        + "can't decode its parts.",
      fix:
        "Use download(_:to:) or data(for:) for this object, or a partByteCount of at least its "
        + "size.")
  }
}
