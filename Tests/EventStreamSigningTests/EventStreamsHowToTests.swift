// SPDX-License-Identifier: Apache-2.0
// The how-to page on event streams: its code compiles and works.

internal import EventStreamSigning
internal import SigningTestSupport
internal import TestSupport
internal import Testing

/// The lines of the page are here, and a test compares the two.
@Suite("How-to: event streams")
struct EventStreamsHowToTests {
  @Test("A stream that's sent")
  func sent() throws {
    func converse(
      with signer: SigV4.Signer, url: String, audio: [[UInt8]],
      now: () throws -> SigV4.Timestamp, open: (SigV4.Request, SigV4.SignedRequest) -> Void,
      send: ([UInt8]) -> Void
    ) throws {
      let request = try SigV4.Request(
        "POST", url: url, headers: ["content-type": "application/vnd.amazon.eventstream"],
        payload: .events)
      let signed = try signer.sign(request, at: now())
      open(request, signed)

      var events = SigV4.EventSigner(seed: signed.signature, by: signer)
      for part in audio {
        let message = try SigV4.EventMessage(
          headers: [
            SigV4.EventHeader(":message-type", .string("event")),
            SigV4.EventHeader(":event-type", .string("AudioEvent")),
            SigV4.EventHeader(":content-type", .string("application/octet-stream")),
          ], payload: part)
        send(try events.sign(message, at: now()).encoded)
      }
      send(try events.finish(at: now()).encoded)
    }

    var decoder = SigV4.EventDecoder()
    try converse(
      with: Example.signer(.transcribeStreaming),
      url: "https://transcribestreaming.us-east-1.amazonaws.com/stream-transcription",
      audio: [[1, 2], [3]], now: Example.moment, open: { #expect($0.host == $1.host) },
      send: { decoder.append($0) })
    var payloads: [[UInt8]] = []
    while let message = try decoder.next() {
      let isLast = message.payload.isEmpty
      payloads.append(isLast ? [] : try SigV4.EventMessage(decoding: message.payload).payload)
    }
    #expect(payloads == [[1, 2], [3], []])
  }

  @Test("A stream that's read")
  func read() throws {
    struct StreamError: Error {
      let name: String
      let details: String
    }

    func read(_ portion: [UInt8], _ decoder: inout SigV4.EventDecoder) throws {
      decoder.append(portion)
      while let message = try decoder.next() {
        func text(_ name: String) -> String? {
          guard case .string(let text)? = message.value(named: name) else { return nil }
          return text
        }
        if let name = text(":exception-type") ?? text(":error-code") {
          let payload = String(decoding: message.payload, as: UTF8.self)
          throw StreamError(name: name, details: text(":error-message") ?? payload)
        }
        if let type = text(":event-type") { print(type, message.payload) }
      }
    }

    let message = try SigV4.EventMessage(
      headers: [SigV4.EventHeader(":event-type", .string("AudioEvent"))], payload: [1])
    var decoder = SigV4.EventDecoder()
    for byte in message.encoded { try read([byte], &decoder) }
    #expect(decoder.pendingByteCount == 0)

    // Smithy 2.0, "Amazon Event Stream Specification": exceptions and errors.
    for (headers, payload, details) in [
      ([(":exception-type", "ThrottlingException")], "{}", "{}"),
      ([(":error-code", "ThrottlingException"), (":error-message", "Slower")], "", "Slower"),
    ] {
      let failure = try SigV4.EventMessage(
        headers: headers.map { try SigV4.EventHeader($0.0, .string($0.1)) }, payload: payload.utf8)
      let error = #expect(throws: StreamError.self) { try read(failure.encoded, &decoder) }
      #expect(error?.name == "ThrottlingException" && error?.details == details)
    }
  }

  @Test("Every line of code on the page is in this file")
  func page() throws {
    try HowToPage("sign-event-streams.md").expectCode(in: #filePath, count: 42)
  }
}
