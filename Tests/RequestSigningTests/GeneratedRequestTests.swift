// SPDX-License-Identifier: Apache-2.0
// Agreement with botocore over 1,500 generated requests and URLs.

internal import RequestSigning
internal import SecureHashing
internal import TestSupport
internal import Testing

/// Source: botocore, by `generated-requests.py`, which says which inputs are left out and why.
@Suite("Generated requests")
struct GeneratedRequestTests {
  @Test("Each of 1,500 generated requests and URLs has botocore's digest and signature")
  func agreement() throws {
    let vectors = try VectorTable(named: "generated-requests.txt").records
    try #require(vectors.count == 1_500)
    var urlCount = 0
    for vector in vectors {
      if try vector.optionalText("lifetime") == nil {
        let signed = try vector.signed(by: vector.signer())
        try expectAgreement(vector, signed.canonicalRequest, signed.signature)
      } else {
        let presigned = try vector.presigned(by: vector.signer())
        try expectAgreement(vector, presigned.canonicalRequest, presigned.signature)
        urlCount += 1
      }
    }
    #expect(urlCount == 750)
  }

  @Test("What is sent is what was signed: target and host stand in the canonical request")
  func whatIsSentIsSigned() throws {
    for vector in try VectorTable(named: "generated-requests.txt").records {
      let signer = try vector.signer()
      if try vector.optionalText("lifetime") == nil {
        let signed = try vector.signed(by: signer)
        try expectSent(signed.target, signed.host, in: signed.canonicalRequest, vector)
      } else {
        let presigned = try vector.presigned(by: signer)
        let signature = "&X-Amz-Signature=" + presigned.signature.hexadecimal
        try #require(presigned.target.hasSuffix(signature))
        let target = String(presigned.target.dropLast(signature.count))
        try expectSent(target, presigned.host, in: presigned.canonicalRequest, vector)
      }
    }
  }

  func expectAgreement(
    _ vector: VectorRecord, _ canonicalRequest: SigV4.CanonicalRequest,
    _ signature: SigV4.Signature
  ) throws {
    let digest = try vector.text("digest")
    #expect(
      canonicalRequest.digest.hexadecimal == digest,
      "record \(vector.name)\n\(canonicalRequest.text)")
    #expect(
      signature.bytes == (try vector.hexadecimal("signature")), "record \(vector.name)")
  }

  /// The path is compared where it is signed as it is sent; elsewhere it is encoded again.
  func expectSent(
    _ target: String, _ host: String, in canonicalRequest: SigV4.CanonicalRequest,
    _ vector: VectorRecord
  ) throws {
    let lines = canonicalRequest.text.split(separator: "\n", omittingEmptySubsequences: false)
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    if try vector.text("service") == "s3" {
      #expect(parts[0] == lines[1], "record \(vector.name)")
    }
    let pairs = parts.dropFirst().joined().split(separator: "&")
    let sorted = pairs.map { $0.contains("=") ? String($0) : $0 + "=" }.sorted()
    #expect(sorted == lines[2].split(separator: "&").map(String.init).sorted())
    #expect(lines.contains("host:" + host), "record \(vector.name)")
  }
}
