// SPDX-License-Identifier: Apache-2.0
// Calls with a timestamp also accept a date. The default is the current time.

internal import CloudFrontSigning
internal import ConnectionTokens
internal import DigitalSignatures
internal import Foundation
internal import MessageSignatures
internal import RequestSigningFoundation
internal import RequestVerification
internal import Testing

@Suite("The time of a signature")
struct TimeTests {
  let date = Date(timeIntervalSince1970: 1_440_938_160.75)
  let credentials: SigV4.Credentials
  let bucket: SigV4.Bucket
  let signer: SigV4.Signer
  let timestamp: SigV4.Timestamp

  init() throws {
    credentials = try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret")
    bucket = try .aws("photos", region: "eu-west-1")
    signer = try SigV4.Signer(
      accessKeyID: "KEY", secretAccessKey: "secret", region: "eu-west-1", service: .s3)
    // date -u -d @1440938160 +%Y%m%dT%H%M%SZ
    timestamp = try SigV4.Timestamp("20150830T123600Z")
  }

  @Test("A date means its second, in every call of a signer")
  func dates() throws {
    let object = try bucket.object("a")
    let request = try object.getRequest()
    #expect(
      try signer.sign(request, at: date).authorization
        == signer.sign(request, at: timestamp).authorization)
    #expect(
      try signer.sign(method: "GET", url: "https://a.example/", at: date).authorization
        == signer.sign(method: "GET", url: "https://a.example/", at: timestamp).authorization)
    let link: URL = try signer.presignedURL(for: object, at: date)
    #expect(try link == signer.presignedURL(for: object, at: timestamp))
    let value: SigV4.PresignedURL = try signer.presignedURL(for: object, at: date)
    #expect(value.url == link.absoluteString)
    let links: [URL] = try signer.presignedURLs(for: ["a"], in: bucket, at: date)
    #expect(links == [link])
    let texts: [String] = try signer.presignedURLs(for: ["a"], in: bucket, at: timestamp)
    #expect(texts == [value.url])
    #expect(
      try signer.prepare(request, at: date).stringToSign
        == signer.prepare(request, at: timestamp).stringToSign)
    #expect(
      try signer.prepare(request, expiresIn: .seconds(9), at: date).stringToSign
        == signer.prepare(request, expiresIn: .seconds(9), at: timestamp).stringToSign)
    let policy = try SigV4.PostPolicy(bucket: bucket, conditions: [.key("a")])
    #expect(try signer.sign(policy, at: date).policy == signer.sign(policy, at: timestamp).policy)
    #expect(
      try signer.prepare(policy, at: date).stringToSign
        == signer.prepare(policy, at: timestamp).stringToSign)
    #expect(try signer.scope(at: date) == signer.scope(at: timestamp))
    #expect(try signer.signingKey(at: date).scope == signer.signingKey(at: timestamp).scope)
  }

  @Test("Without a time, and with .now, the time is now")
  func now() throws {
    let before = try SigV4.Timestamp(Date())
    let request = try bucket.object("a").getRequest()
    for signed in try [signer.sign(request), signer.sign(request, at: .now)] {
      #expect(signed.timestamp >= before && signed.timestamp.unixSeconds < before.unixSeconds + 60)
    }
    let link: SigV4.PresignedURL = try signer.presignedURL(for: bucket.object("a"))
    #expect(link.timestamp >= before)
    #expect(
      try signer.presignedPost(for: bucket.object("a")).expiration.map { $0 > before } == true)
    let token = try SigV4.ConnectionToken.bedrock(region: "us-east-1", credentials: credentials)
    #expect(token.presignedURL.timestamp >= before)
    #expect(
      try SigV4.ConnectionToken.bedrock(
        region: "us-east-1", credentials: credentials, at: date
      ).text
        == SigV4.ConnectionToken.bedrock(
          region: "us-east-1", credentials: credentials, at: timestamp
        ).text)
    let key = try SigV4.SigningKey(credentials: credentials, region: "eu-west-1", service: .s3)
    #expect(key.scope.day >= before.day)
  }

  @Test("CloudFront accepts a URL and a date, and the default time of verification is now")
  func cloudFrontAndVerifier() async throws {
    let privateKey = P256.Signing.PrivateKey()
    let signer = try CloudFrontSigner(keyPairID: "K1", privateKey: privateKey)
    let url = try #require(URL(string: "https://d111111abcdef8.cloudfront.net/a"))
    #expect(
      try signer.signedURL(url, expiresIn: .seconds(60), at: date).policy
        == signer.signedURL(url.absoluteString, expiresIn: .seconds(60), at: timestamp).policy)
    #expect(
      try signer.signedURL(url, expiresAt: date).policy
        == signer.signedURL(url.absoluteString, expiresAt: timestamp).policy)
    let cloudFront = CloudFrontVerifier(publicKeys: [
      "K1": try CloudFrontVerifier.PublicKey(
        pemRepresentation: privateKey.publicKey.pemRepresentation)
    ])
    let link = try signer.signedURL(url, expiresIn: .seconds(60), at: date).url
    #expect(try cloudFront.verify(url: link, from: "192.0.2.7", at: date).url == url.absoluteString)
    #expect(throws: CloudFrontVerificationError.self) {
      try cloudFront.verify(url: link, from: "192.0.2.7")
    }
    let signed = try self.signer.sign(method: "GET", url: "https://a.example/b?c=d")
    var headers = ["Host": "a.example"]
    for header in signed.headers { headers[header.name] = header.value }
    let verifier = SigV4.Verifier(region: "eu-west-1", service: .s3)
    let (known, other) = try (
      credentials, SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "other")
    )
    _ = try await verifier.verify(method: "GET", path: "/b?c=d", headers: headers, body: Data()) {
      $0 == "KEY" ? known : nil
    }
    await #expect(throws: SigV4.VerificationError.self) {
      _ = try await verifier.verify(
        method: "GET", path: "/b?c=d", headers: headers, body: Data()
      ) { _ in other }
    }
    await #expect(throws: SigV4.VerificationError.self) {
      _ = try await verifier.verify(
        method: "GET", path: "/b?c=d", headers: headers, body: Data(), at: date
      ) { _ in known }
    }
  }

  @Test("A webhook's date means its second, and the default is now")
  func webhooks() throws {
    let webhook = try Webhook.stripe(secret: "whsec_1")
    let time = MessageSignature.Time(unixSeconds: 1_440_938_160)
    let headers = try webhook.headers(body: [1], at: date)
    #expect(try headers.map(\.value) == webhook.headers(body: [1], at: time).map(\.value))
    try webhook.verify(headers: headers, body: [1], at: date)
    try webhook.verify(headers: ["Stripe-Signature": headers[0].value], body: [1], at: date)
    #expect(throws: MessageSignatureError.self) { try webhook.verify(headers: headers, body: [1]) }
    try webhook.verify(headers: webhook.headers(body: [1]), body: [1])
    for seconds in [Double.nan, .infinity, 1e300, -1e300] {
      let time = MessageSignature.Time(Date(timeIntervalSince1970: seconds))
      #expect(abs(time.unixSeconds) == 999_999_999_999_999)
    }
  }
}
