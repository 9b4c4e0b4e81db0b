// SPDX-License-Identifier: Apache-2.0
// Error responses to requests that were sent without a session, and their diagnosis.

internal import Foundation
internal import RequestSigning
internal import RequestSigningFoundation
internal import S3Signing
internal import Testing

@Suite("Service errors of URLRequests")
struct ServiceErrorTests {
  static let url = "https://examplebucket.s3.amazonaws.com/test.txt"

  private func response(_ status: Int, _ headers: [String: String] = [:]) throws -> URLResponse {
    try #require(
      HTTPURLResponse(
        url: URLRequestSigningTests.url(Self.url), statusCode: status, httpVersion: "HTTP/1.1",
        headerFields: headers))
  }

  /// S3's response if it signed this canonical request.
  private func refusal(_ canonicalRequest: String, _ signed: SigV4.SignedRequest) throws -> Data {
    Data(
      """
      <Error><Code>SignatureDoesNotMatch</Code><Message>No match.</Message>\
      <StringToSign>\(signed.stringToSign.text)</StringToSign>\
      <CanonicalRequest>\(canonicalRequest)</CanonicalRequest></Error>
      """.utf8)
  }

  /// The canonical request is the published one of "GET Object": Amazon S3 API Reference, "Examples:
  /// Signature Calculations".
  @Test("A signed URLRequest is compared with the response, though its signer is gone")
  func signedRequest() throws {
    let signer = try URLRequestSigningTests.signer()
    var request = URLRequest(url: try URLRequestSigningTests.url(Self.url))
    request.setValue("bytes=0-9", forHTTPHeaderField: "Range")
    let sent = try signer.sign(request, at: URLRequestSigningTests.date)
    let core = try signer.sign(
      SigV4.Request("GET", url: Self.url, headers: ["Range": "bytes=0-9"]),
      at: URLRequestSigningTests.date)
    let digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    let published = """
      GET
      /test.txt

      host:examplebucket.s3.amazonaws.com
      range:bytes=0-9
      x-amz-content-sha256:\(digest)
      x-amz-date:20130524T000000Z

      host;range;x-amz-content-sha256;x-amz-date
      \(digest)
      """
    let error = try SigV4.ServiceError(data: refusal(published, core), response: response(403))
    #expect(error.code == "SignatureDoesNotMatch" && error.message == "No match.")
    #expect(
      error.status == 403 && "\(error)" == #"ServiceError("SignatureDoesNotMatch", status 403)"#)
    #expect(try error.diagnosis(for: sent).cause.code == .signature)
    let other = try SigV4.Credentials(
      accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "another")
    #expect(try error.diagnosis(for: sent, credentials: other).cause.code == .signature)
    let own = try SigV4.Credentials(
      accessKeyID: "AKIAIOSFODNN7EXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    #expect(try error.diagnosis(for: sent, credentials: own).cause.code == .secretAccessKey)

    let changed = published.replacingOccurrences(of: "bytes=0-9", with: "bytes=0-8")
    let changedError = try SigV4.ServiceError(
      data: refusal(changed, core), response: response(403))
    let diagnosis = try changedError.diagnosis(for: sent)
    #expect(diagnosis.cause.code == .headerChanged && diagnosis.cause.subject == "range")
    #expect(diagnosis.difference?.signed == "range:bytes=0-9")
  }

  @Test("A presigned URLRequest is compared, too")
  func presignedRequest() throws {
    let signer = try URLRequestSigningTests.signer()
    let sent = try signer.sign(
      URLRequest(url: URLRequestSigningTests.url(Self.url)), expiresIn: .seconds(60),
      at: URLRequestSigningTests.date)
    let body = Data(
      """
      <Error><Code>AccessDenied</Code><Message>Request has expired</Message>\
      <Expires>2013-05-24T00:01:00Z</Expires>\
      <ServerTime>2013-05-24T00:10:00Z</ServerTime></Error>
      """.utf8)
    let error = SigV4.ServiceError(data: body, response: try response(403))
    #expect(try error.diagnosis(for: sent).cause.code == .expired)
  }

  /// Source: ceph/ceph 71192; async-aws/aws 2140.
  @Test("A header that a presigned URL doesn't sign is named after a bare denial")
  func unsignedHeader() throws {
    let signer = try URLRequestSigningTests.signer()
    var upload = URLRequest(url: try URLRequestSigningTests.url(Self.url))
    upload.httpMethod = "PUT"
    var sent = try signer.sign(
      upload, expiresIn: .seconds(60), at: URLRequestSigningTests.date)
    let error = try SigV4.ServiceError(
      data: Data("<Error><Code>AccessDenied</Code></Error>".utf8), response: response(403))
    #expect(try error.diagnosis(for: sent).cause.code == .unknownCause)
    sent.setValue("public-read", forHTTPHeaderField: "X-Amz-Acl")
    let cause = try error.diagnosis(for: sent).cause
    #expect(cause.code == .unsignedHeaders && cause.subject == "x-amz-acl", "\(cause)")
  }

  @Test("The code and the clock come from the headers if the body has none")
  func headers() throws {
    let error = try SigV4.ServiceError(
      data: Data("{\"message\":\"Signature expired\"}".utf8),
      response: response(
        400,
        [
          "x-amzn-ErrorType": "com.example#RequestExpired:http://x",
          "Date": "Fri, 24 May 2013 00:20:00 GMT",
        ]))
    #expect(error.code == "RequestExpired" && error.message == "Signature expired")
    let early = try SigV4.ServiceError(
      data: Data(),
      response: response(
        403,
        [
          "x-amzn-errortype": "RequestTimeTooSkewed", "Date": "Fri, 24 May 2013 00:20:00 GMT",
        ]))
    let time = try SigV4.Timestamp(URLRequestSigningTests.date)
    #expect(early.clockOffset(signedAt: time) == .seconds(1_200))
    let plain = try SigV4.ServiceError(
      data: Data("no".utf8),
      response: URLResponse(
        url: URLRequestSigningTests.url(Self.url), mimeType: nil, expectedContentLength: 2,
        textEncodingName: nil))
    #expect(plain.status == nil && plain.code == nil && plain.message == "no")
  }

  // Amazon S3 API Reference, HeadBucket: the region is in a header, because the body is empty.
  // FoundationNetworking drops the body of a 301 without a Location.
  @Test("A session explains a wrong region, also from a header alone", arguments: [301, 307, 400])
  func region(status: Int) async throws {
    let header = ["x-amz-bucket-region": "us-west-2"]
    let server = try LoopbackServer(
      .init(status: status, headers: header), .init(status: status, headers: header),
      .init(status: status), .init(status: 403, headers: header))
    let object = try server.bucket().object("a")
    let session = object.bucket.session(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"))
    let head = await #expect(throws: TransferError.self) { try await session.head(object) }
    #expect(head?.status == status && head?.diagnosis?.cause.code == .region)
    #expect(head?.message.contains("us-west-2") == true)
    let get = await #expect(throws: TransferError.self) { try await session.data(for: object) }
    #expect(get?.diagnosis?.cause.code == .region)
    // Without the header, and for a lack of permissions, nothing is wrong with the signature.
    for _ in 0..<2 {
      let other = await #expect(throws: TransferError.self) { try await session.head(object) }
      #expect(other?.code == .unexpectedStatus && other?.diagnosis == nil)
    }
  }

  // Amazon S3 API Reference, "Error responses".
  @Test("A redirect's endpoint is explained, and other redirects aren't")
  func redirect() async throws {
    let answers = Guarded([
      "<Error><Code>PermanentRedirect</Code><Endpoint>films.s3.us-west-2.amazonaws.com</Endpoint>"
        + "</Error>", "<html>Moved</html>",
    ])
    let bucket = try SigV4.Bucket.aws("films", region: "us-east-1")
    let session = bucket.session(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      http: { _ in
        SigV4.HTTPResponse(status: 301, body: Array(answers.withLock { $0.removeFirst() }.utf8))
      })
    let wrong = await #expect(throws: TransferError.self) {
      try await session.data(for: bucket.object("a"))
    }
    #expect(wrong?.diagnosis?.cause.code == .endpoint)
    #expect(wrong?.message.contains("films.s3.us-west-2.amazonaws.com") == true)
    let moved = await #expect(throws: TransferError.self) {
      try await session.data(for: bucket.object("a"))
    }
    #expect(moved?.status == 301 && moved?.diagnosis == nil)
  }

  @Test("A request that isn't signed, or has no URL, has no diagnosis")
  func refusals() throws {
    let error = SigV4.ServiceError(data: Data(), response: try response(403))
    #expect(throws: SigV4.SigningError.self) {
      try error.diagnosis(for: URLRequest(url: URLRequestSigningTests.url(Self.url)))
    }
    var request = URLRequest(url: try URLRequestSigningTests.url(Self.url))
    request.url = nil
    let missing = #expect(throws: TransferError.self) { try error.diagnosis(for: request) }
    #expect(missing?.code == .missingURL)
  }
}
