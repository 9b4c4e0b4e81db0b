// SPDX-License-Identifier: Apache-2.0
// The version of an object that its ranges belong to, and the rule for accepting a range.

internal import Foundation
internal import RequestSigning

/// The version of an object that a download began with. Ranges of other versions are never added.
///
/// Ranges are requested with `If-Match`, never with `If-Range`, which many stores ignore: they send
/// the range of a different version.
///
/// Source: RFC 9110, 8.8.3 (entity tags), 13.1.1 (`If-Match`) and 14.4 (`Content-Range`).
struct DownloadVersion: Hashable, Sendable {
  /// The entity tag as the server sent it. It isn't weak.
  let eTag: String
  let byteCount: Int64

  init(eTag: String, byteCount: Int64) {
    self.eTag = eTag
    self.byteCount = byteCount
  }

  /// Returns nil if the object can't be continued: its size is unknown, its entity tag is weak or
  /// missing, or the HTTP client decodes it.
  init?(_ response: HTTPURLResponse) {
    guard let eTag = response.strongETag, let byteCount = response.bodyByteCount else { return nil }
    self.init(eTag: eTag, byteCount: byteCount)
  }

  /// The headers of a request for a range of this version.
  ///
  /// - Parameter last: the last byte, or nil for all bytes from the first.
  func headers(from first: Int64, through last: Int64? = nil) -> [SigV4.Header] {
    Self.headers(from: first, through: last) + [SigV4.Header("If-Match", eTag)]
  }

  /// The headers of a request for a range of any version. A compressed range couldn't be decoded.
  static func headers(from first: Int64, through last: Int64?) -> [SigV4.Header] {
    let end = last.map { "\($0)" } ?? ""
    return [
      SigV4.Header("Range", "bytes=\(first)-\(end)"), SigV4.Header("Accept-Encoding", "identity"),
    ]
  }

  /// Returns what a response to a request for a range of this version contains.
  func content(of response: HTTPURLResponse, from first: Int64) -> RangeContent {
    if RangeContent.statusesOfReplaced.contains(response.statusCode) { return .replaced }
    if response.statusCode == 200, let other = response.strongETag {
      return other == eTag ? .whole : .replaced
    }
    guard response.statusCode == 206, let range = ContentRange(response) else { return .other }
    // A server that ignores If-Match may send a different version.
    if response.strongETag != eTag || range.total != byteCount { return .replaced }
    guard range.bytes.lowerBound == first else { return .other }
    if response.isDecoded {
      return .encoded(response.contentCodings.joined(separator: ", "), range.bytes)
    }
    return .range(range.bytes)
  }
}

/// What a response to a request for a range contains.
enum RangeContent: Hashable, Sendable {
  /// The range, or the first part of it.
  case range(Range<Int64>)
  /// All of this version. The server doesn't support ranges.
  case whole
  /// A range of an object with this Content-Encoding. A client that decodes it changes its size.
  case encoded(String, Range<Int64>)
  /// The object was replaced.
  case replaced
  /// A range that wasn't requested, or something else, such as a page.
  case other

  var range: Range<Int64>? {
    switch self {
    case .range(let range), .encoded(_, let range): range
    case .whole, .replaced, .other: nil
    }
  }

  /// Some stores respond with 416 if the object that replaced this one is smaller.
  static let statusesOfReplaced = [412, 416]
}

/// A Content-Range with its bytes and the size of the object (RFC 9110, 14.4).
struct ContentRange: Hashable, Sendable {
  /// The bytes in the response. Never empty.
  let bytes: Range<Int64>
  let total: Int64

  /// Returns nil for any other value, such as one with an unknown size.
  init?(_ response: HTTPURLResponse) {
    guard let text = response.value(forHTTPHeaderField: "Content-Range"),
      text.lowercased().hasPrefix("bytes ")
    else { return nil }
    let numbers = text.dropFirst(6).split(omittingEmptySubsequences: false) { "-/".contains($0) }
      .map { $0.first == "+" ? nil : Int64($0) }
    guard numbers.count == 3, let first = numbers[0], let last = numbers[1], let total = numbers[2],
      first <= last, last < total
    else { return nil }
    bytes = first..<last + 1
    self.total = total
  }
}

extension SigV4.Header {
  /// Whether it requests a range, or is a condition (RFC 9110, 13.1 and 14.2).
  var isRangeOrCondition: Bool {
    let name = name.lowercased()
    return name == "range" || name.hasPrefix("if-")
  }
}

extension SigV4.Headers {
  /// Throws if a header determines the range, the version or the encoding of the response.
  func checkForRange() throws(TransferError) {
    let conflict = first { $0.isRangeOrCondition || $0.name.lowercased() == "accept-encoding" }
    guard let conflict else { return }
    throw TransferError(
      .conflictingHeader,
      "The header \(UTF8Text.quoted(conflict.name)) conflicts with those of this download.",
      fix: "Remove it, or use download(_:to:) with a request.")
  }
}

extension HTTPURLResponse {
  /// The entity tag, unless it's weak. A weak one may be the same for different bytes.
  var strongETag: String? {
    guard let eTag = value(forHTTPHeaderField: "ETag"), !eTag.isEmpty, !eTag.hasPrefix("W/")
    else { return nil }
    return eTag
  }

  /// The size of the body in bytes. Nil if it's unknown, or the HTTP client may decode the body.
  var bodyByteCount: Int64? {
    guard !isDecoded, let text = value(forHTTPHeaderField: "Content-Length"),
      let byteCount = Int64(text), byteCount >= 0
    else { return nil }
    return byteCount
  }
}

extension TransferError {
  /// The error if an object was replaced while it was read.
  static func objectReplaced(status: Int?) -> TransferError {
    TransferError(
      .objectReplaced, "The object was replaced during the download.",
      fix: "Download it again from the beginning.", status: status)
  }
}
