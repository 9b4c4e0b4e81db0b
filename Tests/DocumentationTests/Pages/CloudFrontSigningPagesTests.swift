// SPDX-License-Identifier: Apache-2.0
// The page of CloudFrontSigning: its code compiles, and does what the page says.

internal import CloudFrontSigning
internal import TestSupport
internal import Testing

@Suite("Pages: CloudFrontSigning")
struct CloudFrontSigningPagesTests {
  func link(
    to file: String, signedBy pem: String, at now: SigV4.Timestamp
  ) throws -> String {
    let id = "K2JCJMDEHXQW5F"
    let signer = try CloudFrontSigner(keyPairID: id, privateKeyPEM: pem)
    let url = "https://d111111abcdef8.cloudfront.net/" + file
    return try signer.signedURL(url, expiresIn: .seconds(600), at: now).url
  }

  /// Source of the signature: botocore and cryptography, by `cloudfront-signatures.py`.
  @Test("A link is botocore's")
  func landing() throws {
    let table = try VectorTable(named: "cloudfront-signatures.txt")
    let pem = try table.record(named: "key rsa").text("private-key")
    let vector = try table.record(named: "canned, a file, rsa, SHA256")
    let now = try SigV4.Timestamp(unixSeconds: Int64(vector.integer("expires")) - 600)
    #expect(try link(to: "images/image.jpg", signedBy: pem, at: now) == vector.text("signed-url"))
  }
}
