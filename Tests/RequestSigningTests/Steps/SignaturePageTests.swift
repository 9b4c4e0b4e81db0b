// SPDX-License-Identifier: Apache-2.0
// The page on the steps of a signature: its code compiles, and makes the texts that it shows.

internal import RequestSigning
internal import SecureHashing
internal import SigningTestSupport
internal import TestSupport
internal import Testing

/// The lines of the page are here, and a test compares the two.
@Suite("Explanation: the steps of a signature")
struct SignaturePageTests {
  /// Amazon S3 API Reference, "Authenticating Requests: Using the Authorization Header (AWS Signature
  /// Version 4)", "GET Object".
  @Test("The code on the page makes the texts on the page, and the published signature")
  func example() throws {
    let credentials = try SigV4.Credentials(
      accessKeyID: "AKIAIOSFODNN7EXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    let signer = try SigV4.Signer(credentials: credentials, region: "us-east-1", service: .s3)
    let url = "https://examplebucket.s3.amazonaws.com/test.txt"
    let request = try SigV4.Request("GET", url: url, headers: ["range": "bytes=0-9"])
    let signed = try signer.sign(request, at: SigV4.Timestamp("20130524T000000Z"))
    print(signed.canonicalRequest.text)  // step 1
    print(signed.canonicalRequest.digest)  // step 2
    print(signed.stringToSign.text)  // step 3
    print(signed.signature.hexString)  // step 5

    let page = try HowToPage("../explanation/signature.md")
    #expect(
      page.block("text").joined(separator: "\n")
        == signed.canonicalRequest.text + "\n" + signed.stringToSign.text)
    let published = "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
    #expect(signed.signature.hexString == published)
    #expect(page.lines.contains { $0.contains(published) })
    #expect(page.lines.contains("`\(signed.canonicalRequest.digest.hexString)`."))
    try page.expectCode(in: #filePath, count: 13)
  }
}
