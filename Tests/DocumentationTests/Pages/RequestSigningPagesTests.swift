// SPDX-License-Identifier: Apache-2.0
// The pages of RequestSigning: their code compiles and works.

internal import RequestSigning
internal import SigningTestSupport
internal import TestSupport
internal import Testing

@Suite("Pages: RequestSigning")
struct RequestSigningPagesTests {
  @Test("A request is signed")
  func landing() throws {
    let credentials = try SigV4.Credentials(
      accessKeyID: "AKIAIOSFODNN7EXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    let signer = try SigV4.Signer(
      credentials: credentials, region: "us-east-1", service: .s3)
    let request = try SigV4.Request(
      "GET", url: "https://examplebucket.s3.amazonaws.com/test.txt")
    let signed = try signer.sign(
      request, at: SigV4.Timestamp("20130524T000000Z"))
    #expect(signed.url == "https://examplebucket.s3.amazonaws.com/test.txt")
    #expect(signed.addedHeaders.count == 3)
    try steps(of: request, by: signer, at: SigV4.Timestamp("20130524T000000Z"))
  }

  func steps(
    of request: SigV4.Request, by signer: SigV4.Signer,
    at now: SigV4.Timestamp
  ) throws {
    let signed = try signer.sign(request, at: now)
    print(signed.canonicalRequest.text)
    print(signed.stringToSign.text)
    print(signed.signature.hexString)
    for header in signed.headers {
      print(header.name, header.value)  // send these with the request
    }
  }

  func link(
    to request: SigV4.Request, by signer: SigV4.Signer,
    at now: SigV4.Timestamp
  ) throws -> String {
    let presigned = try signer.presignedURL(
      for: request, expiresIn: .seconds(900), at: now)
    for header in presigned.requiredHeaders {
      print(header.name, header.value)  // signed, so the holder must send it
    }
    return presigned.url
  }

  @Test("A URL is valid for its lifetime")
  func presigning() throws {
    let request = try SigV4.Request(
      "GET", url: "https://examplebucket.s3.amazonaws.com/test.txt")
    let url = try link(to: request, by: Example.signer(.s3), at: Example.moment())
    #expect(url.contains("X-Amz-Expires=900"))
  }
}
