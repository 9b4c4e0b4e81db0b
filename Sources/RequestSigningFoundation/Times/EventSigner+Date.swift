// SPDX-License-Identifier: Apache-2.0
// Events of a stream, signed as of a `Date`, or now.

public import EventStreamSigning
public import Foundation
public import RequestSigning

/// As of a date, or now. Parameters and errors are the same as with a timestamp.
extension SigV4.EventSigner {
  /// Wraps a message in one with a date and a signature. Send the result encoded.
  public mutating func sign(
    _ message: SigV4.EventMessage, at date: Date = Date()
  ) throws(SigV4.SigningError) -> SigV4.EventMessage {
    try sign(message, at: SigV4.Timestamp(date))
  }

  /// Wraps bytes in a message with a date and a signature. Send the result encoded.
  public mutating func sign(
    payload: some Collection<UInt8>, at date: Date = Date()
  ) throws(SigV4.SigningError) -> SigV4.EventMessage {
    try sign(payload: payload, at: SigV4.Timestamp(date))
  }

  /// Creates the message without a payload that ends the stream. Send it encoded.
  public mutating func finish(
    at date: Date = Date()
  ) throws(SigV4.SigningError) -> SigV4.EventMessage {
    try finish(at: SigV4.Timestamp(date))
  }
}
