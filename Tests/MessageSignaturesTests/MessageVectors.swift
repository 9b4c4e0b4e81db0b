// SPDX-License-Identifier: Apache-2.0
// The messages, keys and signatures of the vector tables.

internal import DigitalSignatures
internal import Foundation
@testable internal import MessageSignatures
internal import SecureHashing
internal import TestSupport
internal import Testing

extension VectorRecord {
  /// The message of a record, whose fields are lines `NAME:VALUE`.
  func message(_ prefix: String = "") throws -> HTTPMessage {
    let fields = try texts(prefix + "field").map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: String(parts[0]), value: parts.count == 2 ? String(parts[1]) : "")
    }
    if let status = try optionalText(prefix + "status") {
      let hasRequest = try optionalText("request-method") != nil
      return try HTTPMessage(
        status: Int(status) ?? 0, fields: fields, to: hasRequest ? message("request-") : nil)
    }
    let (method, url) = (try text(prefix + "method"), try text(prefix + "url"))
    guard let target = try optionalText(prefix + "target") else {
      return try HTTPMessage(method: method, url: url, fields: fields)
    }
    let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
    return try HTTPMessage(
      method: method, scheme: String(parts[0].dropLast()), authority: String(parts[1]),
      target: target, fields: fields)
  }

  var body: [UInt8] { get throws { try optionalBytes("body") ?? [] } }

  /// The inner list of a field that's named here, such as `("@method");created=1`.
  func innerList(_ name: String) throws -> StructuredField.InnerList {
    try StructuredField.InnerList(text(name))
  }
}

extension StructuredField.InnerList {
  init(_ text: String) throws {
    let members = try StructuredField.dictionary(Array(("x=" + text).utf8))
    guard case .innerList(let list)? = members["x"] else { throw NotAnInnerList() }
    self = list
  }

  private struct NotAnInnerList: Error {}
}

extension HTTPMessage {
  /// The message with a signature.
  func adding(label: String, input: String, signature: String) -> HTTPMessage {
    var message = self
    message.fields += [
      ("Signature-Input", label + "=" + input), ("Signature", label + "=:" + signature + ":"),
    ]
    return message
  }
}

/// The keys of a table, by name.
struct VectorKeys {
  private let records: [String: VectorRecord]

  init(_ table: VectorTable) {
    let keys = table.records.filter { $0.name.hasPrefix("key ") }
    records = Dictionary(uniqueKeysWithValues: keys.map { (String($0.name.dropFirst(4)), $0) })
  }

  /// Nil for an algorithm that this library doesn't have.
  func verificationKey(
    _ name: String, _ algorithm: String
  ) throws -> MessageSignature.VerificationKey? {
    guard let record = records[name] else { return nil }
    switch algorithm {
    case "hmac-sha256": return .hmac(try secret(record))
    case "ed25519": return .ed25519(try .init(pemRepresentation: record.text("public")))
    case "ecdsa-p256-sha256": return .p256(try .init(pemRepresentation: record.text("public")))
    case "rsa-v1_5-sha256": return .rsaPKCS1(try .init(pemRepresentation: record.text("public")))
    case "rsa-pss-sha512": return .rsaPSS(try .init(pemRepresentation: record.text("public")))
    default: return nil
    }
  }

  /// Nil also for a key that this library only verifies with.
  func signingKey(_ name: String, _ algorithm: String) throws -> MessageSignature.SigningKey? {
    guard let record = records[name] else { return nil }
    switch algorithm {
    case "hmac-sha256": return .hmac(try secret(record))
    case "ed25519": return .ed25519(try .init(pemRepresentation: record.text("private")))
    case "ecdsa-p256-sha256": return .p256(try .init(pemRepresentation: record.text("private")))
    case "rsa-v1_5-sha256":
      // The primes of RFC 9421's RSA key have different sizes.
      let key = try? RSA.Signing.PrivateKey(pemRepresentation: record.text("private"))
      return key.map { .rsaPKCS1($0) }
    case "rsa-pss-sha512": return .rsaPSS(try .init(pemRepresentation: record.text("private")))
    default: return nil
    }
  }

  private func secret(_ record: VectorRecord) throws -> SymmetricKey {
    SymmetricKey(data: try #require(Data(base64Encoded: record.text("secret"))))
  }
}
