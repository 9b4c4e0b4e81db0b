// SPDX-License-Identifier: Apache-2.0
// Signs event streams: wraps each message in one with a date and a signature.

public import RequestSigning
internal import SecureHashing

extension SigV4 {
  /// A signer for an event stream, in which each signature covers the previous one.
  ///
  ///     let request = try SigV4.Request("POST", url: url, payload: .events)
  ///     let signed = try signer.sign(request, at: now)
  ///     var events = SigV4.EventSigner(seed: signed.signature, by: signer)
  ///     send(try events.sign(message, at: now).encoded)
  ///     send(try events.finish(at: now).encoded)
  ///
  /// A call that throws doesn't change the signer. The type can't be copied, since a chain of
  /// signatures belongs to one stream.
  ///
  /// Source: Amazon Transcribe Developer Guide, "Setting up a streaming transcription", "Event
  /// stream encoding" and the signing of its messages.
  public struct EventSigner: ~Copyable, Sendable {
    /// The last event's signature, or the request's before the first event.
    public private(set) var signature: Signature

    /// The last message's string to sign, or empty before the first. It contains no secret.
    public private(set) var lastStringToSign: [UInt8] = []

    private let signer: Signer

    /// Secret: the key for the last message's date.
    private var key: SigningKey?

    private var isFinished = false

    /// Creates a signer that continues from the signature of the request that opened the stream.
    public init(seed signature: Signature, by signer: Signer) {
      self.signature = signature
      self.signer = signer
    }

    /// Wraps a message in one with a date and a signature. Send the result encoded.
    ///
    /// The scope uses the date of each message, so a stream may continue past midnight. The
    /// credentials' expiration isn't checked, because a service may let an open stream outlive it.
    ///
    /// - Throws: `invalidEventMessage` if the message is too long to wrap, `scopeMismatch` if the
    ///   signer has only a signing key for a different date or signs with Signature Version 4a,
    ///   `secretRequired` if it has no secret, and `streamFinished` after the end of the stream.
    public mutating func sign(
      _ message: EventMessage, at timestamp: Timestamp
    ) throws(SigningError) -> EventMessage {
      try sign(payload: message.encoded, at: timestamp)
    }

    /// Wraps bytes in a message with a date and a signature. Send the result encoded.
    ///
    /// - Throws: The errors of ``sign(_:at:)``, and `invalidEventMessage` if there are no bytes,
    ///   which would end the stream.
    public mutating func sign(
      payload: some Collection<UInt8>, at timestamp: Timestamp
    ) throws(SigningError) -> EventMessage {
      if payload.isEmpty {
        throw SigningError(
          .invalidEventMessage,
          "A signed event without a payload ends the stream.",
          fix: "Call finish to end the stream, and don't send empty events.")
      }
      return try wrap(Array(payload), at: timestamp)
    }

    /// Creates the message without a payload that ends the stream. Send it encoded.
    ///
    /// - Throws: `scopeMismatch`, `secretRequired` or `streamFinished`, as ``sign(payload:at:)``
    ///   does.
    public mutating func finish(at timestamp: Timestamp) throws(SigningError) -> EventMessage {
      let message = try wrap([], at: timestamp)
      isFinished = true
      return message
    }

    private mutating func wrap(
      _ payload: [UInt8], at timestamp: Timestamp
    ) throws(SigningError) -> EventMessage {
      if isFinished {
        throw SigningError(
          .streamFinished,
          "The event stream has already ended.", fix: "Sign a new request for further events.")
      }
      let key = try signingKey(at: timestamp)
      // A Timestamp has no fractional seconds, so the header and the string to sign always match.
      let date = EventHeader(
        checkedName: ":date", .timestamp(milliseconds: timestamp.unixSeconds * 1_000))
      let text = """
        AWS4-HMAC-SHA256-PAYLOAD
        \(timestamp.text)
        \(key.scope.text)
        \(signature.hexString)
        \(SHA256.hash(data: date.encoded).hexString)
        \(SHA256.hash(data: payload).hexString)
        """
      let stringToSign = Array(text.utf8)
      let next = key.signature(of: stringToSign)
      let message = try EventMessage(
        headers: [date, EventHeader(checkedName: ":chunk-signature", .bytes(next.bytes))],
        payload: payload)
      self.key = key
      signature = next
      lastStringToSign = stringToSign
      return message
    }

    /// The key for a timestamp's date, derived once per day.
    private func signingKey(at timestamp: Timestamp) throws(SigningError) -> SigningKey {
      if let key, key.scope.day == timestamp.day { return key }
      return try signer.signingKey(at: timestamp)
    }
  }
}

/// The payload of a request that opens an event stream.
extension SigV4.Payload {
  /// An event stream of signed messages: `STREAMING-AWS4-HMAC-SHA256-EVENTS`.
  public static var events: SigV4.Payload {
    SigV4.Payload(kind: .literal("STREAMING-AWS4-HMAC-SHA256-EVENTS"))
  }
}

/// The time of an event.
extension SigV4.Timestamp {
  /// Creates a timestamp from a Unix time in milliseconds, as in event messages. Rounds down to
  /// seconds.
  ///
  /// - Throws: `timestampOutOfRange` outside the years 1 to 9999.
  public init(unixMilliseconds: Int64) throws(SigV4.SigningError) {
    let (seconds, fraction) = unixMilliseconds.quotientAndRemainder(dividingBy: 1_000)
    try self.init(unixSeconds: fraction < 0 ? seconds - 1 : seconds)
  }
}
