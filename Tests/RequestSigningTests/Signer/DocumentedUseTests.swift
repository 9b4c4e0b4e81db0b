// SPDX-License-Identifier: Apache-2.0
// Four requests that people ask for, written as they would write them.

internal import SigningTestSupport
internal import S3Signing
internal import RequestSigning
internal import SecureHashing
internal import TestSupport
internal import Testing

/// Source of the expected values: botocore, by `documented-uses.py`.
@Suite("Documented uses")
struct DocumentedUseTests {
  @Test("Cloudflare R2: the region auto, a path with a slash at its end, an unsigned payload")
  func cloudflareR2() throws {
    let signer = try SigV4.Signer(credentials: credentials(), region: "auto", service: .s3)
    let request = try SigV4.Request(
      "GET", url: "https://ACCOUNT.r2.cloudflarestorage.com/photos/", payload: .unsigned)
    let signed = try signer.sign(request, at: SigV4.Timestamp("20240102T030405Z"))

    try expectSteps(of: signed, "R2")
    #expect(signed.url == "https://account.r2.cloudflarestorage.com/photos/")
    #expect(signed.addedHeaders.values(named: "x-amz-content-sha256") == ["UNSIGNED-PAYLOAD"])
  }

  @Test("S3: a PUT of an archive signs its type and the digest of its bytes")
  func putOfAnArchive() throws {
    let emptyArchive = [0x50, 0x4B, 0x05, 0x06] + [UInt8](repeating: 0, count: 18)
    let signer = try SigV4.Signer(credentials: credentials(), region: "us-east-1", service: .s3)
    let request = try SigV4.Request(
      "PUT", host: "bucket.s3.us-east-1.amazonaws.com", path: .key("archive.zip"),
      headers: ["Content-Type": "application/zip"], payload: .bytes(emptyArchive))
    let signed = try signer.sign(request, at: SigV4.Timestamp("20240102T030405Z"))

    try expectSteps(of: signed, "PUT of an archive")
    #expect(signed.signedHeaders == "content-type;host;x-amz-content-sha256;x-amz-date")
    #expect(signed.target == "/archive.zip")
  }

  @Test("S3: a GET with a content type has the published digest of its canonical request")
  func getOfAnImage() throws {
    let signer = try SigV4.Signer(credentials: credentials(), region: "us-east-1", service: .s3)
    let request = try SigV4.Request(
      "GET", url: "https://s3.us-east-1.amazonaws.com/downloadimagetestbucket/TestImage.png",
      headers: ["content-type": "image/png"])
    let signed = try signer.sign(request, at: SigV4.Timestamp("20181009T115731Z"))

    try expectSteps(of: signed, "GET of an image")
    #expect(
      signed.canonicalRequest.digest.hexString
        == "61c352d185e6349d274da84ec475138061572f59d6dbecfcfb7f12fd4c5ce36f")
  }

  @Test("API Gateway: a POST with a session token signs the token")
  func postToAPIGateway() throws {
    let signer = try SigV4.Signer(
      credentials: credentials(sessionToken: "FwoG/ZXIv+YXdz=="), region: "us-east-1",
      service: .standard("execute-api"))
    let request = try SigV4.Request(
      "POST", url: "https://abc123.execute-api.us-east-1.amazonaws.com/prod/pets?type=dog",
      headers: ["Content-Type": "application/json"], payload: .text(#"{"name": "Rex"}"#))
    let signed = try signer.sign(request, at: SigV4.Timestamp("20240102T030405Z"))

    try expectSteps(of: signed, "POST to execute-api")
    #expect(signed.addedHeaders.values(named: "x-amz-security-token") == ["FwoG/ZXIv+YXdz=="])
    #expect(signed.addedHeaders.values(named: "x-amz-content-sha256") == [])
  }

  func credentials(sessionToken: String? = nil) throws -> SigV4.Credentials {
    try SigV4.Credentials(
      accessKeyID: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
      sessionToken: sessionToken)
  }

  func expectSteps(of signed: SigV4.SignedRequest, _ name: String) throws {
    let vector = try VectorTable(named: "documented-uses.txt").record(named: name)
    try vector.expectSteps(of: signed)
    #expect(signed.canonicalRequest.digest.hexString == (try vector.text("digest")))
  }
}
