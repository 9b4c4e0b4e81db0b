// SPDX-License-Identifier: Apache-2.0
// An event stream as it is sent: each message is wrapped in one with a date and a signature.

public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Signs the messages of an event stream, each together with the signature before it.
  ///
  ///     let request = try SigV4.Request("POST", url: url, payload: .events)
  ///     let signed = try signer.sign(request, at: now)
  ///     var events = SigV4.EventSigner(seed: signed.signature, by: signer)
  ///     send(try events.sign(message, at: now).encoded)
  ///     send(try events.finish(at: now).encoded)
  ///
  /// A call that throws has signed nothing. It cannot be copied: two streams under one chain of
  /// signatures would be a mistake.
  ///
  /// Source: Amazon Transcribe Developer Guide, "Setting up a streaming transcription", "Event stream
  /// encoding" and the signing of its messages.
  public struct EventSigner: ~Copyable, Sendable {
    /// The last signature, or that of the request.
    public private(set) var signature: Signature

    /// The string to sign of the last message; empty before the first. It holds no secret.
    public private(set) var lastStringToSign: [UInt8] = []

    private let signer: Signer

    /// Secret. The key of the last message's day.
    private var key: SigningKey?

    private var isFinished = false

    /// Continues after the signature of the request that opened the stream.
    public init(seed signature: Signature, by signer: Signer) {
      self.signature = signature
      self.signer = signer
    }

    /// A message that holds this one, its date and its signature: send it encoded.
    ///
    /// The scope is that of the message's own day, so a stream may last over midnight.
    ///
    /// Throws `invalidEventMessage` when the message is too long to be wrapped, `scopeMismatch` when the
    /// signer has only a signing key and it is for another day, and `streamFinished`.
    public mutating func sign(
      _ message: EventMessage, at timestamp: Timestamp
    ) throws(SigningError) -> EventMessage {
      try sign(payload: message.encoded, at: timestamp)
    }

    /// A message that holds these bytes, their date and their signature: send it encoded.
    ///
    /// Throws what ``sign(_:at:)`` throws, and `invalidEventMessage` for no bytes, which would
    /// end the stream.
    public mutating func sign(
      payload: some Collection<UInt8>, at timestamp: Timestamp
    ) throws(SigningError) -> EventMessage {
      if payload.isEmpty {
        throw SigningError(
          .invalidEventMessage,
          """
          a signed event without payload ends the stream, and all that follows would be refused; \
          use finish for the end, and leave empty events out
          """)
      }
      return try wrap(Array(payload), at: timestamp)
    }

    /// The message without payload that ends the stream: send it encoded.
    ///
    /// Throws `scopeMismatch` as ``sign(payload:at:)`` does, and `streamFinished`.
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
          """
          the event stream has ended with its last signature, and nothing can follow it; sign a \
          request of its own for what comes now
          """)
      }
      let key = try signingKey(at: timestamp)
      // A Timestamp has no fraction of a second, so header and string to sign cannot disagree.
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

    /// The key of a moment's day, which is derived once a day.
    private func signingKey(at timestamp: Timestamp) throws(SigningError) -> SigningKey {
      if let key, key.scope.day == timestamp.day { return key }
      return try signer.signingKey(at: timestamp)
    }
  }
}

/// The payload of a request that events follow.
extension SigV4.Payload {
  /// The body is an event stream whose messages are signed: `STREAMING-AWS4-HMAC-SHA256-EVENTS`.
  public static var events: SigV4.Payload {
    SigV4.Payload(kind: .literal("STREAMING-AWS4-HMAC-SHA256-EVENTS"))
  }
}

/// The time of an event.
extension SigV4.Timestamp {
  /// The moment of a Unix time in milliseconds, as in event messages, without its fraction of a second.
  ///
  /// Throws `timestampOutOfRange` outside of the years 1 to 9999.
  public init(unixMilliseconds: Int64) throws(SigV4.SigningError) {
    let (seconds, fraction) = unixMilliseconds.quotientAndRemainder(dividingBy: 1_000)
    try self.init(unixSeconds: fraction < 0 ? seconds - 1 : seconds)
  }
}
