// SPDX-License-Identifier: Apache-2.0
// Signed event streams: published ones, generated ones, and messages that can't be signed.

internal import SigningTestSupport
internal import EventStreamSigning
internal import RequestSigning
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Event streams")
struct EventStreamTests {
  static func streams() throws -> [VectorRecord] {
    try VectorTable(named: "event-streams.txt").records
      .filter { try $0.optionalText("digest") != nil }
  }

  @Test("The published stream has the published signatures, in every step")
  func published() throws {
    let vector = try VectorTable(named: "event-streams-published.txt")
      .record(named: "stream of three events")
    let signer = try vector.signer()
    let signed = try signer.sign(vector.request(), at: vector.timestamp())
    try vector.expectSteps(of: signed)
    let events = try vector.texts("event").map { $0.split(separator: " ").map(String.init) }
    let texts = try vector.texts("event-string-to-sign")
    let signatures = try vector.texts("event-signature")
    #expect(events.count == 4 && texts.count == 4 && signatures.count == 4)
    var chain = SigV4.EventSigner(seed: signed.signature, by: signer)
    #expect(chain.lastStringToSign.isEmpty)
    for (index, event) in events.enumerated() {
      let date = try SigV4.Timestamp(event[0])
      let message =
        try event.count == 2
        ? chain.sign(payload: event[1].utf8, at: date) : chain.finish(at: date)
      expect(
        "string to sign", String(decoding: chain.lastStringToSign, as: UTF8.self),
        is: texts[index])
      expect("signature", chain.signature.hexString, is: signatures[index])
      #expect(message.payload == Array(event.dropFirst().joined().utf8))
      #expect(message.value(named: ":chunk-signature") == .bytes(chain.signature.bytes))
      #expect(
        message.value(named: ":date") == .timestamp(milliseconds: date.unixSeconds * 1_000))
      #expect(message.headers.count == 2)
    }
  }

  @Test("A message of the SDKs' tests has their string to sign, without a fraction of a second")
  func messageOfSDKs() throws {
    let vector = try VectorTable(named: "event-streams-published.txt")
      .record(named: "message of the SDKs' tests")
    let headers = try vector.headers("message-header").map {
      try SigV4.EventHeader($0.name, .string($0.value))
    }
    let message = try SigV4.EventMessage(
      headers: headers, payload: vector.bytes("message-payload"))
    var events = try SigV4.EventSigner(
      seed: SigV4.Signature(hexString: vector.text("seed")), by: vector.signer())
    let date = try SigV4.Timestamp(unixMilliseconds: Int64(vector.integer("milliseconds")))
    let signed = try events.sign(message, at: date)
    expect(
      "string to sign", String(decoding: events.lastStringToSign, as: UTF8.self),
      is: try vector.text("event-string-to-sign"))
    #expect(try SigV4.EventMessage(decoding: signed.payload) == message)
    #expect(signed.value(named: ":date") == .timestamp(milliseconds: 123_456_789_000))
  }

  @Test("A generated stream is signed as Python signs it")
  func generated() throws {
    try EventStreamTests.streams().forEachCase { vector in
      var events = try SigV4.EventSigner(
        seed: SigV4.Signature(hexString: vector.text("seed")), by: vector.signer())
      var date = try vector.timestamp()
      var sent: [UInt8] = []
      for event in try vector.texts("event") {
        sent += try events.sign(payload: Hexadecimal.decode(event), at: date).encoded
        date = try date.advanced(bySeconds: 1)
      }
      sent += try events.finish(at: date).encoded
      #expect(try SHA256.hash(data: sent).hexString == vector.text("digest"), "\(vector)")
    }
  }

  @Test("A message that can't be signed is rejected, and the chain continues unchanged")
  func refusals() throws {
    let signer = try Example.signer(.standard("transcribe"))
    let seed = try SigV4.Signature(hexString: Example.digestOfNothing)
    let date = try Example.moment()
    var undisturbed = SigV4.EventSigner(seed: seed, by: signer)
    var events = SigV4.EventSigner(seed: seed, by: signer)
    expectRefusal(.invalidEventMessage) { try events.sign(payload: [], at: date) }
    let largest = try SigV4.EventMessage(payload: repeatElement(0, count: 25_165_824))
    expectRefusal(.invalidEventMessage) { try events.sign(largest, at: date) }
    #expect(events.signature == seed && events.lastStringToSign.isEmpty)
    #expect(
      try events.sign(payload: [1], at: date) == undisturbed.sign(payload: [1], at: date))
    #expect(try events.finish(at: date) == undisturbed.finish(at: date))
    expectRefusal(.streamFinished) { try events.sign(payload: [1], at: date) }
    expectRefusal(.streamFinished) { try events.finish(at: date) }
  }

  @Test("A signing key alone signs the events of its day, and no others")
  func signingKey() throws {
    let service = try SigV4.Service.standard("transcribe")
    let signer = try Example.signer(service)
    let date = try Example.moment()
    let other = try SigV4.Signer(signingKey: signer.signingKey(at: date), service: service)
    let seed = try SigV4.Signature(hexString: Example.digestOfNothing)
    var events = SigV4.EventSigner(seed: seed, by: other)
    var same = SigV4.EventSigner(seed: seed, by: signer)
    #expect(try events.sign(payload: [1], at: date) == same.sign(payload: [1], at: date))
    let tomorrow = try date.advanced(bySeconds: 86_400)
    expectRefusal(.scopeMismatch) { try events.sign(payload: [2], at: tomorrow) }
    #expect(try events.finish(at: date) == same.finish(at: date))
  }

  @Test("The payload of an event stream is declared in the header")
  func payload() throws {
    let request = try SigV4.Request("POST", host: "example.com", payload: .events)
    let signed = try Example.signed(request, .standard("transcribe"))
    #expect(
      signed.addedHeaders.values(named: "x-amz-content-sha256") == [
        "STREAMING-AWS4-HMAC-SHA256-EVENTS"
      ])
  }

  @Test("Milliseconds become the second in which they lie")
  func milliseconds() throws {
    for (milliseconds, seconds) in [
      (0, 0), (999, 0), (1_000, 1), (-1, -1), (-1_000, -1), (-1_001, -2),
    ] {
      let date = try SigV4.Timestamp(unixMilliseconds: Int64(milliseconds))
      #expect(date.unixSeconds == seconds)
    }
    expectRefusal(.timestampOutOfRange) { try SigV4.Timestamp(unixMilliseconds: .min) }
    expectRefusal(.timestampOutOfRange) { try SigV4.Timestamp(unixMilliseconds: .max) }
  }
}
