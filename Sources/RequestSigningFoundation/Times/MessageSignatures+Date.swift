// SPDX-License-Identifier: Apache-2.0
// Times of signatures from a `Date`, and webhooks as of a `Date`, or now.

public import Foundation
public import MessageSignatures

extension MessageSignature.Time {
  /// Creates a time from the last whole second at or before a date, or the nearest one that a
  /// signature can contain.
  public init(_ date: Date) {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    self.init(unixSeconds: Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max))
  }
}

/// As of a date, or now. Parameters and errors are the same as with a time.
extension Webhook {
  /// Verifies a received webhook.
  public func verify(
    headers: some Sequence<(name: String, value: String)>, body: some Collection<UInt8>,
    at now: Date = Date(), tolerance: Duration = .seconds(300)
  ) throws(MessageSignatureError) {
    try verify(
      headers: headers, body: body, at: MessageSignature.Time(now), tolerance: tolerance)
  }

  /// Verifies a received webhook whose headers are a dictionary.
  public func verify(
    headers: [String: String], body: some Collection<UInt8>, at now: Date = Date(),
    tolerance: Duration = .seconds(300)
  ) throws(MessageSignatureError) {
    try verify(
      headers: headers, body: body, at: MessageSignature.Time(now), tolerance: tolerance)
  }

  /// Returns the headers to send with a body.
  public func headers(
    id: String? = nil, body: some Collection<UInt8>, at now: Date = Date()
  ) throws(MessageSignatureError) -> [(name: String, value: String)] {
    try headers(id: id, body: body, at: MessageSignature.Time(now))
  }
}
