// SPDX-License-Identifier: Apache-2.0
// Foundation's dates and durations, where the core takes timestamps and seconds.

public import Foundation
public import RequestSigning

extension SigV4 {
  /// A time at which something is signed: a `Date` or a ``Timestamp``.
  ///
  ///     let request = try signer.sign(URLRequest(url: url), at: .now)
  ///     let sameRequest = try signer.sign(URLRequest(url: url), at: timestamp)
  public protocol TimestampConvertible: Sendable {
    /// The last whole second at or before this time.
    ///
    /// Throws `timestampOutOfRange` outside of the years 1 to 9999.
    func sigV4Timestamp() throws(SigningError) -> Timestamp
  }
}

/// A time at which something is signed, from a date and to it.
extension SigV4.Timestamp: SigV4.TimestampConvertible {
  /// The timestamp itself.
  public func sigV4Timestamp() -> SigV4.Timestamp { self }

  /// The last whole second at or before a date.
  ///
  /// Throws `timestampOutOfRange` outside of the years 1 to 9999.
  public init(_ date: Date) throws(SigV4.SigningError) {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    try self.init(unixSeconds: Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max))
  }
}

/// A time at which something is signed.
extension Date: SigV4.TimestampConvertible {
  /// The last whole second at or before this date.
  public func sigV4Timestamp() throws(SigV4.SigningError) -> SigV4.Timestamp {
    try SigV4.Timestamp(self)
  }

  /// The date of a timestamp.
  public init(_ timestamp: SigV4.Timestamp) {
    self.init(timeIntervalSince1970: Double(timestamp.unixSeconds))
  }
}

extension SigV4.SigningKey {
  /// Derives the signing key for the UTC day of a date, a region and a service.
  ///
  /// Throws `invalidRegion`, `invalidService`, or `timestampOutOfRange` if the year isn't 1 to 9999.
  public init(
    credentials: SigV4.Credentials, date: Date, region: String, service: SigV4.Service
  ) throws(SigV4.SigningError) {
    try self.init(
      credentials: credentials, date: SigV4.Timestamp(date), region: region, service: service)
  }
}

extension SigV4.TimestampConvertible where Self == Date {
  /// The time of this machine's clock.
  public static var now: Date { Date() }
}

extension Duration {
  /// The duration, from zero to a day: clocks cannot count every other one.
  var bounded: Duration { min(max(self, .zero), .seconds(86_400)) }
}
