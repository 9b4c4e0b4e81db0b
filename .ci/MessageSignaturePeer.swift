// SPDX-License-Identifier: Apache-2.0
// HTTP Message Signatures as a filter, for `.ci/check-message-signatures`: a line of JSON in, a line out.

import DigitalSignatures
import Foundation
import MessageSignatures
import SecureHashing

/// A message with its keys. `covering` is empty if it's to be verified.
struct Question: Decodable {
  var algorithm: String
  var key: String
  var keyID: String
  var time: Int64
  var method: String?
  var url: String?
  var status: Int?
  var fields: [[String]]
  var requestMethod: String?
  var requestURL: String?
  var requestFields: [[String]]?
  var body: String
  var covering: [String]
  var changes: Int
  var seed: UInt64
}

struct Peer {
  let question: Question
  let time: MessageSignature.Time
  let body: [UInt8]

  init(_ question: Question) throws {
    self.question = question
    time = MessageSignature.Time(unixSeconds: question.time)
    body = try Hexadecimal.decode(question.body)
  }

  func message() throws -> HTTPMessage {
    guard let status = question.status else {
      return try HTTPMessage(
        method: question.method ?? "", url: question.url ?? "", fields: fields(question.fields))
    }
    let request = try HTTPMessage(
      method: question.requestMethod ?? "", url: question.requestURL ?? "",
      fields: fields(question.requestFields ?? []))
    return try HTTPMessage(status: status, fields: fields(question.fields), to: request)
  }

  func fields(_ lines: [[String]]) -> [(name: String, value: String)] {
    lines.map { (name: $0[0], value: $0[1]) }
  }

  // MARK: Signing

  func signed() throws -> String {
    let signer = MessageSigner(
      key: try signingKey(), keyID: question.keyID,
      covering: try question.covering.map(component), tag: "ours", lifetime: .seconds(3600))
    let fields = try signer.sign(message(), body: body, at: time, nonce: "n\"\\").fields
    return String(
      decoding: try JSONEncoder().encode(fields.map { [$0.name, $0.value] }), as: UTF8.self)
  }

  /// Of an identifier such as `"priority";key="u";req`.
  func component(_ identifier: String) throws -> MessageSignature.Component {
    let parts = identifier.split(separator: ";").map(String.init)
    let name = String(parts[0].dropFirst().dropLast())
    func value(_ part: String) -> String { String(part.split(separator: "\"")[1]) }
    var component: MessageSignature.Component
    switch name {
    case "@method": component = .method
    case "@target-uri": component = .targetURI
    case "@authority": component = .authority
    case "@scheme": component = .scheme
    case "@request-target": component = .requestTarget
    case "@path": component = .path
    case "@query": component = .query
    case "@status": component = .status
    case "@query-param": component = .queryParameter(value(parts[1]))
    default: component = .field(name)
    }
    for part in parts.dropFirst() {
      if part == "sf" { component = .structuredField(name) }
      if part.hasPrefix("key=") { component = .field(name, key: value(part)) }
      if part == "req" { component = component.ofRequest }
    }
    return component
  }

  func signingKey() throws -> MessageSignature.SigningKey {
    switch question.algorithm {
    case "hmac-sha256": .hmac(SymmetricKey(data: try Hexadecimal.decode(question.key)))
    case "ed25519": .ed25519(try .init(pemRepresentation: question.key))
    case "ecdsa-p256-sha256": .p256(try .init(pemRepresentation: question.key))
    case "rsa-pss-sha512": .rsaPSS(try .init(pemRepresentation: question.key))
    default: .rsaPKCS1(try .init(pemRepresentation: question.key))
    }
  }

  // MARK: Verification

  func verificationKey() throws -> MessageSignature.VerificationKey {
    switch question.algorithm {
    case "hmac-sha256": .hmac(SymmetricKey(data: try Hexadecimal.decode(question.key)))
    case "ed25519":
      .ed25519(try Curve25519.Signing.PrivateKey(pemRepresentation: question.key).publicKey)
    case "ecdsa-p256-sha256":
      .p256(try P256.Signing.PrivateKey(pemRepresentation: question.key).publicKey)
    case "rsa-pss-sha512":
      .rsaPSS(try RSA.Signing.PrivateKey(pemRepresentation: question.key).publicKey)
    default: .rsaPKCS1(try RSA.Signing.PrivateKey(pemRepresentation: question.key).publicKey)
    }
  }

  /// How many changed messages were rejected, and how many were the same to a receiver.
  func verified() throws -> String {
    let key = try verificationKey()
    let verifier = MessageVerifier(requiring: [], tag: "theirs") { [id = question.keyID] in
      $0 == id ? key : nil
    }
    let original = try message()
    let verified = try verifier.verify(original, body: body, at: time)
    let base = try MessageSignature.base(of: original, label: verified.label)
    var generator = Xorshift(state: question.seed)
    var (rejected, same) = (0, 0)
    for _ in 0..<question.changes {
      var (changed, content) = (original, body)
      generator.change(&changed, &content)
      do {
        let again = try verifier.verify(changed, body: content, at: time)
        let isSame =
          try content == body && MessageSignature.base(of: changed, label: again.label) == base
        if !isSame { return "ACCEPTED \(changed.fields) \(content)" }
        same += 1
      } catch { rejected += 1 }
    }
    return "\(rejected) \(same)"
  }
}

/// Marsaglia's xorshift, shifts 13, 7 and 17.
struct Xorshift {
  var state: UInt64

  mutating func below(_ limit: Int) -> Int {
    state ^= state &<< 13
    state ^= state &>> 7
    state ^= state &<< 17
    return Int(state % UInt64(max(limit, 1)))
  }

  /// Changes, moves, removes or repeats one thing.
  mutating func change(_ message: inout HTTPMessage, _ body: inout [UInt8]) {
    let count = message.fields.count
    // The two fields of the signature are the last ones.
    let index = below(3) == 0 ? count - 1 - below(2) : below(count)
    switch below(12) {
    case 0: message.fields.remove(at: index)
    case 1: message.fields.insert(message.fields[below(count)], at: index)
    case 2: message.fields[index].value = message.fields[below(count)].value
    case 3: message.fields.swapAt(index, below(count))
    case 4: message.fields[index].name = message.fields[below(count)].name
    case 5: change(&body)
    default:
      var bytes = Array(message.fields[index].value.utf8)
      change(&bytes)
      message.fields[index].value = String(decoding: bytes, as: UTF8.self)
    }
  }

  mutating func change(_ bytes: inout [UInt8]) {
    let characters = Array("\"\\:;=(),%?0aA/+ \t\n@-sf".utf8)
    let place = below(bytes.count)
    switch below(4) {
    case 0: bytes.insert(characters[below(characters.count)], at: place)
    case 1 where !bytes.isEmpty: bytes.remove(at: place)
    case 2 where !bytes.isEmpty: bytes[place] = characters[below(characters.count)]
    default: if !bytes.isEmpty { bytes[place] ^= 1 << UInt8(below(7)) }
    }
  }
}

while let line = readLine() {
  do {
    let peer = try Peer(JSONDecoder().decode(Question.self, from: Data(line.utf8)))
    print(peer.question.covering.isEmpty ? try peer.verified() : try peer.signed())
  } catch {
    print("error \(error)")
  }
}
