// SPDX-License-Identifier: Apache-2.0
// The signatures, components and refusals of RFC 9421, and of the draft of Web Bot Auth.

@testable internal import MessageSignatures
internal import TestSupport
internal import Testing

/// Source: `message-signatures-published.txt`.
@Suite("Published message signatures")
struct PublishedSignatureTests {
  let table: VectorTable
  let keys: VectorKeys

  init() throws {
    table = try VectorTable(named: "message-signatures-published.txt")
    keys = VectorKeys(table)
  }

  private func records(_ kind: String) throws -> [VectorRecord] {
    try table.records.filter { try $0.optionalText("kind") == kind }
  }

  @Test("All 22 signature bases are the published ones")
  func bases() throws {
    let signatures = try records("signature")
    #expect(signatures.count == 22)
    for record in signatures {
      let (label, input) = (try record.text("label"), try record.text("input"))
      let message = try record.message().adding(label: label, input: input, signature: "")
      let base = try MessageSignature.base(of: message, label: label).asString
      #expect(try base == record.text("base"), "\(record)")
    }
  }

  @Test("The signatures of supported algorithms verify, and the three invalid ones don't")
  func signatures() throws {
    var counts: [String: Int] = [:]
    for record in try records("signature") {
      let (name, algorithm) = (try record.text("key"), try record.text("algorithm"))
      let input = try record.innerList("input")
      guard let key = try keys.verificationKey(name, algorithm) else { continue }
      // A body that isn't covered is rejected, so it isn't passed.
      let isCovered = input.items.contains { $0.value == .string(Array("content-digest".utf8)) }
      let body = try isCovered ? record.body : []
      var message = try record.message()
      if !isCovered { message.fields.removeAll { $0.name == "Content-Digest" } }
      message =
        try message
        .adding(
          label: record.text("label"), input: record.text("input"),
          signature: record.text("signature"))
      let tag = input.parameters["tag"].map {
        if case .string(let text) = $0 { text.asString } else { "" }
      }
      let verifier = MessageVerifier(
        requiring: [], label: try record.text("label"), tag: tag
      ) { _ in key }
      guard case .integer(let created)? = input.parameters["created"] else { continue }
      let now = MessageSignature.Time(unixSeconds: created)
      if input.items.isEmpty {  // B.2.1: valid, and of no use
        expectRefusal(.notCovered, showing: "nothing") {
          try verifier.verify(message, body: body, at: now)
        }
      } else if try record.text("valid") == "yes" {
        let verified = try verifier.verify(message, body: body, at: now)
        #expect(verified.covered.count == input.items.count)
      } else {
        expectRefusal(.wrongSignature) {
          try verifier.verify(message, body: body, at: now)
        }
      }
      counts[algorithm, default: 0] += 1
    }
    #expect(
      counts == [
        "hmac-sha256": 1, "ed25519": 7, "ecdsa-p256-sha256": 6, "rsa-v1_5-sha256": 1,
        "rsa-pss-sha512": 7,
      ])
  }

  @Test("Signing gives the published fields, where the algorithm has one signature only")
  func signing() throws {
    var count = 0
    for record in try records("signature") where try record.text("valid") == "yes" {
      let (name, algorithm) = (try record.text("key"), try record.text("algorithm"))
      guard let key = try keys.signingKey(name, algorithm) else { continue }
      var message = try record.message()
      try message.sign(record.innerList("input"), label: record.text("label"), with: key)
      let fields = message.fields.suffix(2)
      #expect(try fields.first?.value == record.text("label") + "=" + record.text("input"))
      if ["ecdsa-p256-sha256", "rsa-pss-sha512"].contains(algorithm) { continue }
      #expect(
        try fields.last?.value == record.text("label") + "=:" + record.text("signature") + ":")
      count += 1
    }
    #expect(count == 6)
  }

  @Test("Components have the published values")
  func components() throws {
    let components = try records("component")
    #expect(components.count == 39)
    for record in components {
      let input = try StructuredField.InnerList("(" + record.text("components") + ")")
      let base = try SignatureBase(input, of: record.message())
      #expect(try base.values.map(\.asString) == [record.text("value")], "\(record)")
      #expect(try base.covered.map(\.description) == [record.text("components")])
    }
  }

  @Test("What section 2 of RFC 9421 forbids is rejected")
  func refusals() throws {
    let refusals = try records("refusal")
    #expect(refusals.count == 25)
    for record in refusals {
      let input = try StructuredField.InnerList("(" + record.text("components") + ")")
      #expect(throws: MessageSignatureError.self, "\(record)") {
        try SignatureBase(input, of: record.message())
      }
    }
  }
}
