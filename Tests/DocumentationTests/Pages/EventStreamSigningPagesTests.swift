// SPDX-License-Identifier: Apache-2.0
// The page of EventStreamSigning: its code compiles and works.

internal import EventStreamSigning
internal import SigningTestSupport
internal import Testing

@Suite("Pages: EventStreamSigning")
struct EventStreamSigningPagesTests {
  func send(
    _ part: [UInt8], by events: inout SigV4.EventSigner,
    at now: SigV4.Timestamp
  ) throws -> [UInt8] {
    let message = try SigV4.EventMessage(
      headers: [
        SigV4.EventHeader(":message-type", .string("event")),
        SigV4.EventHeader(":event-type", .string("AudioEvent")),
      ], payload: part)
    return try events.sign(message, at: now).encoded
  }

  @Test("A signed event can be read, and holds the message")
  func landing() throws {
    let (signer, now) = try (Example.signer(.named("transcribe")), Example.moment())
    let request = try SigV4.Request("POST", url: "https://example.com/", payload: .events)
    let signed = try signer.sign(request, at: now)
    var events = SigV4.EventSigner(seed: signed.signature, by: signer)
    var decoder = SigV4.EventDecoder()
    decoder.append(try send([1, 2, 3], by: &events, at: now))
    let outer = try #require(try decoder.next())
    #expect(try SigV4.EventMessage(decoding: outer.payload).payload == [1, 2, 3])
  }
}
