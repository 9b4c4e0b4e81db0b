// SPDX-License-Identifier: Apache-2.0
// The how-to page on signing: its code compiles, and does what the page says.

internal import SigningTestSupport
internal import S3Signing
internal import RequestSigning
internal import SecureHashing
internal import TestSupport
internal import Testing

/// The lines of the page are here, and a test compares the two.
@Suite("How-to: sign a request")
struct SignARequestHowToTests {
  @Test("Every call on the page does what the page says")
  func examples() throws {
    let credentials = try SigV4.Credentials(
      accessKeyID: "AKIAIOSFODNN7EXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    let signer = try SigV4.Signer(credentials: credentials, region: "us-east-1", service: .s3)
    let now = try SigV4.Timestamp("20130524T000000Z")  // or unixSeconds:

    let request = try SigV4.Request("GET", url: "https://examplebucket.s3.amazonaws.com/test.txt")
    let signed = try signer.sign(request, at: now)

    print(signed.url)  // send the request to exactly this URL,
    for header in signed.headers {  // with exactly these headers
      print(header.name, header.value)  // x-amz-content-sha256, x-amz-date, Authorization
    }
    #expect(
      signed.headers.map(\.name) == ["x-amz-content-sha256", "x-amz-date", "Authorization"])

    let object = try SigV4.Request(
      "PUT", host: "examplebucket.s3.amazonaws.com", path: .key("photos/été +1.jpg"),
      headers: ["content-type": "image/jpeg"], payload: .text("the bytes of the picture"))

    let presigned = try signer.presignedURL(for: object, expiresIn: .seconds(900), at: now)
    print(presigned.url)  // treat it as a secret
    for header in presigned.requiredHeaders {
      print(header.name)  // content-type, and x-amz-content-sha256, since it has a payload
    }
    #expect(presigned.requiredHeaders.map(\.name) == ["content-type", "x-amz-content-sha256"])

    let photos = try SigV4.Bucket.r2("photos", account: "0123456789abcdef0123456789abcdef")
    let r2 = try photos.signer(credentials: credentials)
    let download = try r2.sign(photos.object("été +1.jpg").getRequest(), at: now)
    let link = try r2.presignedURL(for: photos.object("été +1.jpg"), at: now).url
    #expect(link.hasPrefix(download.url + "?X-Amz-") && link.contains("&X-Amz-Expires=3600&"))

    var buffer = SigV4.SigningBuffer()
    try signer.sign(request, at: now, into: &buffer)
    print(buffer.authorization)  // forEachHeader has the bytes of all headers

    let urls = try r2.presignedURLs(for: ["été +1.jpg", "2.jpg"], in: photos, at: now)
    print(urls.count)
    #expect(urls[0] == link && urls.count == 2)
    #expect(buffer.authorization == signed.authorization)

    let signingKey = try signer.signingKey(at: now)
    let secretBytes = unsafe signingKey.key.withUnsafeBytes { unsafe Array($0) }
    let scope = signingKey.scope.text
    #expect(secretBytes.count == 32 && scope == "20130524/us-east-1/s3/aws4_request")

    let shipped = try SigV4.SigningKey(
      key: SymmetricKey(data: secretBytes), accessKeyID: "AKIAIOSFODNN7EXAMPLE",
      scope: SigV4.CredentialScope(scope))
    let elsewhere = try SigV4.Signer(signingKey: shipped, service: .s3)
    let signedElsewhere = try elsewhere.sign(request, at: now)
    #expect(signedElsewhere.authorization == signed.authorization)

    let answerOfTheHSM = signed.signature.hexString
    let preparing = try SigV4.Signer(
      identity: SigV4.Identity(accessKeyID: "AKIAIOSFODNN7EXAMPLE"), region: "us-east-1",
      service: .s3)
    let prepared = try preparing.prepare(request, at: now)
    print(prepared.stringToSign.text)  // for HMAC-SHA-256 under the key of prepared.credentialScope
    let signature = try SigV4.Signature(hexString: answerOfTheHSM)
    print(prepared.signed(with: signature).authorization)
    #expect(prepared.signed(with: signature).authorization == signed.authorization)
  }

  @Test("Forwarded requests")
  func forwarded() throws {
    var forwarding = SigV4.Service.executeAPI
    forwarding.unsignedHeaders = .default.union(.forwarded)
    let signer = try SigV4.Signer(
      credentials: Example.credentials(), region: "us-east-1", service: forwarding)
    let added = [
      "x-request-id", "X-Real-IP", "b3", "x-b3-traceid", "x-datadog-trace-id", "CF-Ray",
      "cf-connecting-ip", "traceparent",
    ]
    let signed = try signer.sign(
      SigV4.Request(
        "GET", host: "a.example.com",
        headers: SigV4.Headers((added + ["b34", "x-request-ids", "x-own"]).map { ($0, "1") })),
      at: Example.moment())
    #expect(signed.signedHeaders == "b34;host;x-amz-date;x-own;x-request-ids")
    #expect(signed.unsignedHeaders.map(\.name) == added)
  }

  @Test("Every line of code on the page is in this file")
  func lines() throws {
    try HowToPage("sign-a-request.md").expectCode(in: #filePath, count: 39)
  }
}
