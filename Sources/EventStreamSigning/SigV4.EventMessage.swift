// SPDX-License-Identifier: Apache-2.0
// An event message: headers and payload between lengths and checksums.

public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// A message of an event stream (`application/vnd.amazon.eventstream`).
  ///
  /// Source: Smithy 2.0, "Amazon Event Stream Specification".
  public struct EventMessage: Equatable, Sendable {
    /// The headers in order. A name may be repeated.
    public let headers: [EventHeader]

    /// The payload.
    public let payload: [UInt8]

    /// A message.
    ///
    /// Throws `invalidEventMessage` when the headers have more than 131,072 bytes or the payload more
    /// than 16,777,216.
    public init(
      headers: [EventHeader] = [], payload: some Collection<UInt8> = []
    ) throws(SigningError) {
      let headersByteCount = headers.reduce(0) { $0 &+ $1.encoded.count }
      if headersByteCount > Self.maximumHeadersByteCount {
        throw SigningError(
          .invalidEventMessage,
          """
          the headers of the event have \(headersByteCount) bytes, and a receiver takes at most \
          \(Self.maximumHeadersByteCount); put what is long into the payload
          """)
      }
      if payload.count > Self.maximumPayloadByteCount {
        throw SigningError(
          .invalidEventMessage,
          """
          the payload of the event has \(payload.count) bytes, and a receiver takes at most \
          \(Self.maximumPayloadByteCount); give it in several events
          """)
      }
      self.init(checkedHeaders: headers, payload: Array(payload))
    }

    init(checkedHeaders headers: [EventHeader], payload: [UInt8]) {
      self.headers = headers
      self.payload = payload
    }

    /// The value of the first header of a name, which is compared byte by byte; nil when there is none.
    public func value(named name: String) -> EventHeader.Value? {
      headers.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// The message as it is sent: prelude, headers, payload, checksum.
    public var encoded: [UInt8] {
      var fields: [UInt8] = []
      for header in headers { header.append(to: &fields) }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(16 &+ fields.count &+ payload.count)
      EventHeader.append(
        UInt32(truncatingIfNeeded: 16 &+ fields.count &+ payload.count), to: &bytes)
      EventHeader.append(UInt32(truncatingIfNeeded: fields.count), to: &bytes)
      EventHeader.append(CRC32.checksum(of: bytes), to: &bytes)
      bytes.append(contentsOf: fields)
      bytes.append(contentsOf: payload)
      EventHeader.append(CRC32.checksum(of: bytes), to: &bytes)
      return bytes
    }

    static var maximumHeadersByteCount: Int { 131_072 }
    static var maximumPayloadByteCount: Int { 16_777_216 }
  }
}

extension SigV4.EventMessage: CustomStringConvertible {
  /// The number of headers and the size of the payload. Not the contents, which may be private.
  public var description: String {
    "event message with \(headers.count) headers and \(payload.count) bytes"
  }
}

extension SigV4.SigningError.Code {
  /// The event message has a part that does not fit into its field.
  public static var invalidEventMessage: Self { Self(name: "invalidEventMessage") }
}
