// SPDX-License-Identifier: Apache-2.0
// Foundation's `Date` as a timestamp.

public import Foundation
public import RequestSigning

extension SigV4 {
  /// The time of a signature: a `Date` or a ``Timestamp``.
  ///
  ///     let request = try signer.sign(URLRequest(url: url), at: .now)
  ///     let sameRequest = try signer.sign(URLRequest(url: url), at: timestamp)
  public protocol TimestampConvertible: Sendable {
    /// Returns the last whole second at or before this time.
    ///
    /// - Throws: `timestampOutOfRange` if the year isn't 1 to 9999.
    func sigV4Timestamp() throws(SigningError) -> Timestamp
  }
}

/// Conversion from a `Date`.
extension SigV4.Timestamp: SigV4.TimestampConvertible {
  /// Returns the timestamp itself.
  public func sigV4Timestamp() -> SigV4.Timestamp { self }

  /// Creates a timestamp from the last whole second at or before a date.
  ///
  /// - Throws: `timestampOutOfRange` if the year isn't 1 to 9999.
  public init(_ date: Date) throws(SigV4.SigningError) {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    try self.init(unixSeconds: Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max))
  }
}

/// Conversion to and from a timestamp.
extension Date: SigV4.TimestampConvertible {
  /// Returns the last whole second at or before this date.
  public func sigV4Timestamp() throws(SigV4.SigningError) -> SigV4.Timestamp {
    try SigV4.Timestamp(self)
  }

  /// Creates a date from a timestamp.
  public init(_ timestamp: SigV4.Timestamp) {
    self.init(timeIntervalSince1970: Double(timestamp.unixSeconds))
  }
}

extension SigV4.SigningKey {
  /// Derives the signing key for a date's UTC day, a region and a service.
  ///
  /// - Throws: `invalidRegion`, `invalidService`, or `timestampOutOfRange` if the year isn't 1 to
  ///   9999.
  public init(
    credentials: SigV4.Credentials, date: Date, region: String, service: SigV4.Service
  ) throws(SigV4.SigningError) {
    try self.init(
      credentials: credentials, date: SigV4.Timestamp(date), region: region, service: service)
  }
}

extension SigV4.TimestampConvertible where Self == Date {
  /// The current time.
  public static var now: Date { Date() }
}
