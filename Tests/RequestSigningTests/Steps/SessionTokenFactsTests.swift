// SPDX-License-Identifier: Apache-2.0
// Session tokens: where each service expects them, and whether they're signed.

internal import SigningTestSupport
internal import RequestSigning
internal import Testing
internal import TestSupport

@Suite("Facts: session tokens")
struct SessionTokenFactsTests {
  @Test("In headers the token is signed")
  func signedHeader() throws {
    for service in [SigV4.Service.s3, try Example.standardService()] {
      let signed = try signed(service)
      let parts = try CanonicalParts(signed.canonicalRequest)
      #expect(parts.headers.contains("x-amz-security-token:" + Example.token))
      #expect(names(parts.signedHeaders).contains("x-amz-security-token"))
      #expect(signed.addedHeaders.values(named: "x-amz-security-token") == [Example.token])
    }
  }

  @Test("In a URL the token is a parameter, signed, its slashes, pluses and equals signs encoded")
  func signedParameter() throws {
    let parameter = "X-Amz-Security-Token=a%2Fb%2Bc%3D%3D"
    for service in [SigV4.Service.s3, try Example.standardService()] {
      let presigned = try Example.presigned(
        SigV4.Request("GET", host: "example.com"), service, sessionToken: "a/b+c==")
      #expect(try query(of: presigned.canonicalRequest).contains(parameter))
      #expect(wireQuery(presigned).filter { $0 == parameter }.count == 1)
      #expect(wireQuery(presigned).last?.hasPrefix("X-Amz-Signature=") == true)
      #expect(presigned.requiredHeaders.isEmpty)
      #expect(presigned.signedHeaders == "host")
    }
  }

  @Test("A token that's added after signing is sent and not signed")
  func unsignedHeader() throws {
    // The suite's post-sts-header-after (omit_session_token).
    let service = try Example.standardService().with(\.sessionTokenRule, .appendedAfterSigning)
    let signed = try signed(service)
    #expect(!signed.canonicalRequest.text.contains(Example.token))
    #expect(signed.signedHeaders == "host;x-amz-date")
    #expect(signed.addedHeaders.values(named: "x-amz-security-token") == [Example.token])
    let without = try Example.signed(SigV4.Request("GET", host: "example.com"), service)
    #expect(signed.signature == without.signature)
    #expect(without.addedHeaders.values(named: "x-amz-security-token") == [])
  }

  @Test("A token that's added after signing follows the signature in a URL")
  func unsignedParameter() throws {
    let service = try Example.standardService().with(\.sessionTokenRule, .appendedAfterSigning)
    let request = try SigV4.Request("GET", host: "example.com")
    let presigned = try Example.presigned(request, service, sessionToken: "a/b+c==")
    let without = try Example.presigned(request, service)
    #expect(presigned.signature == without.signature)
    #expect(presigned.canonicalRequest.bytes == without.canonicalRequest.bytes)
    #expect(presigned.url == without.url + "&X-Amz-Security-Token=a%2Fb%2Bc%3D%3D")
  }

  /// The name is that of the store's SDK, in `renamed-signatures.txt`.
  @Test("A token that's added after signing has the name of the service's signatures")
  func renamedUnsignedHeader() throws {
    let service = SigV4.Service.tos.with(\.sessionTokenRule, .appendedAfterSigning)
    let signed = try signed(service)
    #expect(signed.addedHeaders.values(named: "x-tos-security-token") == [Example.token])
    #expect(signed.addedHeaders.values(named: "x-amz-security-token") == [])
    let given = try Example.signed(
      SigV4.Request(
        "GET", host: "example.com", headers: ["x-tos-security-token": Example.token]),
      service, sessionToken: Example.token)
    for signed in [signed, given] {
      #expect(!names(signed.signedHeaders).contains("x-tos-security-token"))
      #expect(!signed.canonicalRequest.text.contains(Example.token))
    }
    #expect(given.unsignedHeaders.values(named: "x-tos-security-token") == [Example.token])
    let presigned = try Example.presigned(
      SigV4.Request("GET", host: "example.com"), service, sessionToken: "a/b+c==")
    #expect(presigned.url.hasSuffix("&X-Tos-Security-Token=a%2Fb%2Bc%3D%3D"))
  }

  @Test("S3 Express has its own header and parameter")
  func s3Express() throws {
    let signed = try signed(.s3Express)
    #expect(
      signed.signedHeaders == "host;x-amz-content-sha256;x-amz-date;x-amz-s3session-token")
    #expect(signed.addedHeaders.values(named: "x-amz-s3session-token") == [Example.token])
    #expect(signed.addedHeaders.values(named: "x-amz-security-token") == [])
    #expect(signed.credentialScope.text == "20150830/us-east-1/s3express/aws4_request")

    let presigned = try Example.presigned(
      SigV4.Request("GET", host: "example.com"), .s3Express, sessionToken: "a/b+c==")
    #expect(
      try query(of: presigned.canonicalRequest).contains(
        "X-Amz-S3session-Token=a%2Fb%2Bc%3D%3D"))
    #expect(!presigned.url.contains("X-Amz-Security-Token"))
  }

  @Test("The vector of S3 Express that botocore computed")
  func s3ExpressVector() throws {
    // botocore's S3ExpressAuth, 2024-01-02T03:04:05Z
    let signer = try Example.signer(.s3Express, sessionToken: "sess-token")
    let request = try SigV4.Request(
      "GET", host: "b--use1-az4--x-s3.s3express-use1-az4.us-east-1.amazonaws.com",
      path: .key("k"))
    let signed = try signer.sign(request, at: SigV4.Timestamp("20240102T030405Z"))
    #expect(
      signed.signature.hexString
        == "d53d6238eae7f893a78ce76f2d4e399b03e8efa96fe0120b9adaba379d8c0b17")
  }

  @Test("S3 Express's CreateSession uses the ordinary token by an explicit rule, not by the host")
  func createSession() throws {
    let service = SigV4.Service.s3Express.with(\.sessionTokenRule, .signed)
    let request = try SigV4.Request(
      "GET", host: "b--use1-az4--x-s3.s3express-use1-az4.us-east-1.amazonaws.com",
      query: ["session": nil])
    let signed = try Example.signed(request, service, sessionToken: Example.token)
    #expect(
      signed.signedHeaders == "host;x-amz-content-sha256;x-amz-date;x-amz-security-token")
    // And a host of S3 Express changes nothing for another service.
    let ordinary = try Example.signed(request, .s3, sessionToken: Example.token)
    #expect(ordinary.signedHeaders == signed.signedHeaders)
  }

  @Test("Without a token there is neither header nor parameter")
  func noToken() throws {
    let request = try SigV4.Request("GET", host: "example.com")
    for service in [SigV4.Service.s3, .s3Express, try Example.standardService()] {
      let signed = try Example.signed(request, service)
      #expect(!signed.addedHeaders.contains { $0.name.lowercased().hasSuffix("token") })
      #expect(try !Example.presigned(request, service).url.lowercased().contains("token"))
    }
  }

  func signed(_ service: SigV4.Service) throws -> SigV4.SignedRequest {
    try Example.signed(
      SigV4.Request("GET", host: "example.com"), service, sessionToken: Example.token)
  }

  func query(of canonicalRequest: SigV4.CanonicalRequest) throws -> [String] {
    pairs(try CanonicalParts(canonicalRequest).query)
  }

  func wireQuery(_ presigned: SigV4.PresignedURL) -> [String] {
    pairs(splitTarget(presigned.target).query ?? "")
  }

  func names(_ signedHeaders: String) -> [String] {
    signedHeaders.split(separator: ";").map(String.init)
  }
}
