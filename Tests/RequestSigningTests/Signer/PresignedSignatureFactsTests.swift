// SPDX-License-Identifier: Apache-2.0
// Presigned URLs against signatures that were published or computed elsewhere.

internal import SigningTestSupport
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Facts: signatures of presigned URLs")
struct PresignedSignatureFactsTests {
  @Test("A presigned URL has the signature of the table")
  func signature() throws {
    try facts("presigned").forEachCase { (fact: VectorRecord) in
      let credentials = try SigV4.Credentials(
        accessKeyID: fact.text("access key"), secretAccessKey: fact.text("secret"),
        sessionToken: fact.optionalText("token"))
      let signer = try SigV4.Signer(
        credentials: credentials, region: "us-east-1", service: service(named: fact.text("service"))
      )
      let presigned = try presign(request(of: fact), fact, signer)

      #expect(try presigned.signedHeaders == fact.text("signed headers"))
      #expect(
        try presigned.signature.hexString == fact.text("signature"),
        "\(presigned.canonicalRequest.text)\n\(presigned.stringToSign.text)")
      if let url = try fact.optionalText("url with signature") {
        #expect(presigned.url == url)
      }
      // What the holder sends is what the table says, and the signature is in the URL.
      #expect(try presigned.url.contains("&X-Amz-Signature=" + fact.text("signature")))
      #expect(try presigned.requiredHeaders.count == fact.texts("header").count)
    }
  }

  func presign(
    _ request: SigV4.Request, _ fact: VectorRecord, _ signer: SigV4.Signer
  ) throws -> SigV4.PresignedURL {
    let moment = try SigV4.Timestamp(fact.text("time"))
    if try fact.text("lifetime") == "none" {
      return try signer.presignedURL(for: request, expiresIn: nil, at: moment)
    }
    return try signer.presignedURL(
      for: request, expiresIn: .seconds(fact.integer("lifetime")), at: moment)
  }

  func request(of fact: VectorRecord) throws -> SigV4.Request {
    let headers = SigV4.Headers(
      try fact.texts("header").map { line in
        let parts = line.split(separator: "|", maxSplits: 1).map(String.init)
        return (parts[0], parts[1])
      })
    return try SigV4.Request(fact.text("method"), url: fact.text("url"), headers: headers)
  }

  func service(named name: String) throws -> SigV4.Service {
    switch name {
    case "s3": .s3
    case "iotdevicegateway": .iotDeviceGateway
    default: try .standard(name)
    }
  }
}
