// SPDX-License-Identifier: Apache-2.0
// From a record of cloudfront-signatures.txt to keys, policies and signatures.

internal import CloudFrontSigning
internal import TestSupport
internal import Testing

/// The records. Source: botocore's CloudFrontSigner and the package cryptography, by
/// `cloudfront-signatures.py`.
struct CloudFrontVectors {
  let keys: [String: VectorRecord]
  let cases: [VectorRecord]
  /// P-256 with SHA-1, which CloudFront accepts, but the library doesn't create.
  let verified: [VectorRecord]

  init() throws {
    let records = try VectorTable(named: "cloudfront-signatures.txt").records
    keys = ["rsa", "p256", "composite"].reduce(into: [:]) { keys, name in
      keys[name] = records.first { $0.name == "key " + name }
    }
    verified = records.filter { $0.name.hasPrefix("verified, ") }
    cases = records.filter { !$0.name.hasPrefix("key ") && !$0.name.hasPrefix("verified, ") }
  }

  func privateKeyPEM(_ name: String = "rsa") throws -> String {
    try #require(keys[name]).text("private-key")
  }

  func signer(_ name: String = "rsa") throws -> CloudFrontSigner {
    try CloudFrontSigner(keyPairID: "K2JCJMDEHXQW5F", privateKeyPEM: privateKeyPEM(name))
  }

  func signer(for vector: VectorRecord) throws -> CloudFrontSigner {
    try CloudFrontSigner(
      keyPairID: vector.text("key-pair-id"), privateKeyPEM: privateKeyPEM(vector.text("key")),
      hashAlgorithm: vector.text("hash") == "SHA1" ? .sha1 : .sha256)
  }

  func verifier() throws -> CloudFrontVerifier {
    let rsa = try CloudFrontVerifier.PublicKey(pemRepresentation: publicKeyPEM("rsa"))
    let p256 = try CloudFrontVerifier.PublicKey(pemRepresentation: publicKeyPEM("p256"))
    return CloudFrontVerifier(publicKeys: [
      "K2JCJMDEHXQW5F": rsa, "APKAEIBAERJR2EXAMPLE": rsa, "KP256": p256,
    ])
  }

  func publicKeyPEM(_ name: String) throws -> String {
    try #require(keys[name]).text("public-key")
  }
}

extension VectorRecord {
  func time(_ field: String) throws -> SigV4.Timestamp {
    try SigV4.Timestamp(unixSeconds: Int64(integer(field)))
  }

  /// The custom policy, or nil for a canned one.
  func policy() throws -> CloudFrontPolicy? {
    guard let resource = try optionalText("resource") else { return nil }
    return try CloudFrontPolicy(
      resource: resource, expiresAt: time("expires"),
      startsAt: optionalText("starts") == nil ? nil : time("starts"),
      ipAddress: optionalText("ip-address"))
  }
}
