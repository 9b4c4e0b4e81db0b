// SPDX-License-Identifier: Apache-2.0
// Random messages of another implementation: they're valid, and what was changed in one isn't.

@testable internal import MessageSignatures
internal import SecureHashing
internal import TestSupport
internal import Testing

/// Source: `message-signatures.txt` (http-message-signatures).
@Suite("Random messages")
struct RandomMessageTests {
  @Test("240 messages have the same base elsewhere, and verify")
  func messages() throws {
    let messages = try RandomMessages()
    #expect(messages.all.count == 240)
    for random in messages.all {
      #expect(
        try MessageSignature.base(of: random.message, label: random.label) == random.base,
        "\(random.name)")
      let verified = try random.verify(random.message, body: random.body)
      #expect(verified.label == random.label)
    }
  }

  /// Messages with the same base, body and signature are the same to a receiver.
  @Test("A message in which something was changed isn't valid")
  func changes() throws {
    let messages = try RandomMessages()
    var generator = Xorshift64(seed: 69)
    var (refused, same) = (0, 0)
    let count = sampleSize(2_000, of: 300_000)
    for number in 0..<count {
      let random = messages.all[number % messages.all.count]
      let other = messages.all[generator.size(upTo: 239)]
      var (message, body) = (random.message, random.body)
      guard random.change(&message, &body, like: other, &generator) else { continue }
      guard (try? random.verify(message, body: body)) != nil else {
        refused += 1
        continue
      }
      same += 1
      #expect(body == random.body)
      #expect(try MessageSignature.base(of: message, label: random.label) == random.base)
    }
    #expect(refused > count / 2 && same > 0)
  }
}

/// The messages of the table.
struct RandomMessages {
  let all: [RandomMessage]

  init() throws {
    let published = try VectorTable(named: "message-signatures-published.txt")
    let keys = VectorKeys(published)
    all = try VectorTable(named: "message-signatures.txt").records.map {
      try RandomMessage($0, keys)
    }
  }
}

struct RandomMessage {
  let name: String
  let label: String
  let message: HTTPMessage
  let base: [UInt8]
  let body: [UInt8]
  private let key: MessageSignature.VerificationKey
  private let created: MessageSignature.Time

  private struct MissingTime: Error {}

  init(_ record: VectorRecord, _ keys: VectorKeys) throws {
    name = record.name
    label = try record.text("label")
    base = try record.bytes("base")
    let input = try record.innerList("input")
    key = try #require(try keys.verificationKey(record.text("key"), record.text("algorithm")))
    guard case .integer(let seconds)? = input.parameters["created"] else {
      throw MissingTime()
    }
    created = MessageSignature.Time(unixSeconds: seconds)
    var message = try record.message()
    // A body that isn't covered isn't accepted, so such a message has none.
    let covered = try input.items.map { try MessageSignature.Component($0) }
    let isBodyCovered = covered.contains { $0.coversBody }
    body = isBodyCovered ? try record.hexadecimal("body") : []
    if !isBodyCovered {
      message.fields.removeAll { $0.name == "Content-Digest" }
    }
    self.message = message.adding(
      label: label, input: try record.text("input"), signature: try record.text("signature"))
  }

  func verify(_ message: HTTPMessage, body: [UInt8]) throws -> VerifiedMessage {
    let verifier = MessageVerifier(requiring: [], label: label) { [key] _ in key }
    return try verifier.verify(message, body: body, at: created)
  }

  /// Changes one thing. Returns false if nothing was changed.
  func change(
    _ message: inout HTTPMessage, _ body: inout [UInt8], like other: RandomMessage,
    _ generator: inout Xorshift64
  ) -> Bool {
    let index = generator.size(upTo: UInt64(message.fields.count - 1))
    let kind = generator.size(upTo: 9)
    let copy = other.message.fields[generator.size(upTo: UInt64(other.message.fields.count - 1))]
    switch kind {
    case 0: message.fields.remove(at: index)
    case 1: message.fields.insert(copy, at: index)
    case 2: message.fields[index].value = copy.value
    case 3: message.fields.swapAt(index, message.fields.count - 1 - index)
    case 4:
      let last = message.fields.count - 1 - generator.size(upTo: 1)
      return change(&message.fields[last].value, &generator)
    case 5:
      var text = body.map { Unicode.Scalar($0) }.reduce(into: "") { $0.unicodeScalars.append($1) }
      if !change(&text, &generator) { return false }
      body = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    case 6:  // the method, the target or the status of another message
      let fields = message.fields
      message = other.message
      message.fields = fields
    default: return change(&message.fields[index].value, &generator)
    }
    return true
  }

  /// Replaces, removes or inserts a character.
  private func change(_ text: inout String, _ generator: inout Xorshift64) -> Bool {
    var bytes = Array(text.utf8)
    let place = generator.size(upTo: UInt64(bytes.count))
    let characters = Array("\"\\:;=(),%?0aA/+ \t\n@-sf".utf8)
    let character = characters[generator.size(upTo: UInt64(characters.count - 1))]
    switch generator.size(upTo: 3) {
    case 0: bytes.insert(character, at: place)
    case 1 where place < bytes.count: bytes.remove(at: place)
    case 2 where place < bytes.count: bytes[place] = character
    case 3 where place < bytes.count: bytes[place] ^= 1 << UInt8(generator.size(upTo: 6))
    default: return false
    }
    let changed = String(decoding: bytes, as: UTF8.self)
    if changed.utf8.elementsEqual(text.utf8) { return false }
    text = changed
    return true
  }
}
