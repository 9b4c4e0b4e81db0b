// SPDX-License-Identifier: Apache-2.0
// Foundation's dates, as moments of the core and back.

public import Foundation
public import RequestSigning

extension SigV4.Timestamp {
  /// The last whole second at or before a date.
  ///
  /// Throws `timestampOutOfRange` outside of the years 1 to 9999.
  public init(_ date: Date) throws(SigV4.SigningError) {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    try self.init(unixSeconds: Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max))
  }
}

extension Date {
  /// The date of a moment.
  public init(_ timestamp: SigV4.Timestamp) {
    self.init(timeIntervalSince1970: Double(timestamp.unixSeconds))
  }
}
