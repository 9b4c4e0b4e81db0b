// SPDX-License-Identifier: Apache-2.0
// Agreement with botocore over 1,500 generated requests and URLs.

internal import SigningTestSupport
internal import RequestSigning
internal import SecureHashing
internal import TestSupport
internal import Testing

/// Source: botocore, by `generated-requests.py`, which says which inputs are left out and why.
@Suite("Generated requests")
struct GeneratedRequestTests {
  /// What of a signed request and of a presigned URL is looked at here.
  struct Outcome {
    let target: String
    let host: String
    let canonicalRequest: SigV4.CanonicalRequest
    let signature: SigV4.Signature
  }

  @Test("Each of 1,500 generated requests and URLs has botocore's digest and signature")
  func agreement() throws {
    try expectNoneFails { vector in
      let outcome = try outcome(of: vector)
      let agrees =
        try outcome.canonicalRequest.digest.hexString == vector.text("digest")
        && outcome.signature.hexString == vector.text("signature")
      return agrees ? nil : outcome.canonicalRequest.text
    }
  }

  @Test("The signed request is sent: the canonical request contains its target and host")
  func whatIsSentIsSigned() throws {
    try expectNoneFails { vector in
      let outcome = try outcome(of: vector)
      let lines = outcome.canonicalRequest.text
        .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let parts = outcome.target
        .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      // Services other than S3 encode the path again before signing.
      let isPathSigned = try parts[0] == lines[1] || vector.text("service") != "s3"
      let sent = parts.dropFirst().joined().split(separator: "&").map(String.init)
        .map { $0.contains("=") ? $0 : $0 + "=" }
      let signed = lines[2].split(separator: "&").map(String.init)
      let isHostSigned = lines.contains("host:" + outcome.host)
      return isPathSigned && sent.sorted() == signed.sorted() && isHostSigned
        ? nil : outcome.target + "\n" + outcome.canonicalRequest.text
    }
  }

  /// Goes through all records, and shows the first one of those that fail.
  func expectNoneFails(_ failure: (VectorRecord) throws -> String?) throws {
    let vectors = try VectorTable(named: "generated-requests.txt").records
    #expect(vectors.count == 1_500)
    let failures = vectors.compactMap { vector in
      do {
        return try failure(vector).map { "record \(vector.name):\n\($0)" }
      } catch {
        return "record \(vector.name): \(error)"
      }
    }
    let count = failures.count
    #expect(count == 0, "the first is \(failures.first ?? "none")")
  }

  /// The target of a URL is taken without its signature, which is not signed.
  func outcome(of vector: VectorRecord) throws -> Outcome {
    let signer = try vector.signer()
    if try vector.optionalText("lifetime") == nil {
      let signed = try vector.signed(by: signer)
      return Outcome(
        target: signed.target, host: signed.host, canonicalRequest: signed.canonicalRequest,
        signature: signed.signature)
    }
    let presigned = try vector.presigned(by: signer)
    let signature = "&X-Amz-Signature=" + presigned.signature.hexString
    try #require(presigned.target.hasSuffix(signature))
    return Outcome(
      target: String(presigned.target.dropLast(signature.count)), host: presigned.host,
      canonicalRequest: presigned.canonicalRequest, signature: presigned.signature)
  }
}
