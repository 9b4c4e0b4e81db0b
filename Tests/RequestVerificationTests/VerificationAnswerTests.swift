// SPDX-License-Identifier: Apache-2.0
// The response to a rejected client: S3's error in XML, other services' in JSON, and nothing else.

internal import SigningTestSupport
internal import RequestVerification
internal import Foundation
internal import RequestSigning
internal import SecureHashing
internal import Testing

/// Shapes: responses of running services in public reports, named at each test.
@Suite("Verification: responses")
struct VerificationAnswerTests {
  let server: ExampleServer

  init() throws {
    server = try ExampleServer()
  }

  /// Shape: aws/aws-sdk-go #2978.
  @Test(
    "The response to a wrong signature contains the server's strings, never its signature")
  func mismatch() throws {
    let headers: SigV4.Headers = ["x-amz-meta-a": #"<&>"'b"#]
    let sent = try SentToS3.signed(headers: headers)
    let changed = sent.replacing("x-amz-meta-a", with: [#"<&>"'c"#])
    let error = try #require(throws: SigV4.VerificationError.self) { try server.verify(changed) }
    #expect(error.code == .signatureMismatch)

    let signer = try Example.signer(.s3)
    let expected = try signer.sign(
      SentToS3.request(headers: ["x-amz-meta-a": #"<&>"'c"#]), at: Example.moment())
    let provided = String(try sent.header("Authorization").suffix(64))
    let xml = error.xmlResponse(requestID: "id <1>")
    #expect(xml.status == 403 && xml.errorType == "SignatureDoesNotMatch")
    #expect(xml.contentType == "application/xml")
    let fields = try XMLFields(xml.body)
    #expect(fields["Code"] == "SignatureDoesNotMatch")
    #expect(fields["AWSAccessKeyId"] == Example.accessKeyID)
    #expect(fields["SignatureProvided"] == provided)
    #expect(fields["CanonicalRequest"] == expected.canonicalRequest.text)
    #expect(error.canonicalRequest?.text == expected.canonicalRequest.text)
    #expect(fields["StringToSign"] == expected.stringToSign.text)
    #expect(fields["RequestId"] == "id <1>")
    #expect(fields["StringToSignBytes"]?.hasPrefix("41 57 53 34 2d") == true)
    let pairs = try #require(fields["CanonicalRequestBytes"]).split(separator: " ")
    #expect(pairs.map { UInt8($0, radix: 16) } == expected.canonicalRequest.bytes)

    let json = error.jsonResponse()
    #expect(json.status == 403 && json.errorType == "InvalidSignatureException")
    let message = try jsonMessage(json.body)
    #expect(message.contains("\n\nThe Canonical String for this request should have been\n'GET\n"))
    #expect(message.contains("'" + expected.canonicalRequest.text + "'"))
    #expect(message.contains("'" + expected.stringToSign.text + "'"))

    for text in [xml.body, json.body, error.message, "\(error)"] {
      #expect(!text.contains(expected.signature.hexString))
      #expect(!text.contains(Example.secret))
    }
    #expect(!error.message.contains(provided))
  }

  /// Shapes: aws/aws-sdk-php #612; aws-amplify/aws-sdk-ios #1077.
  @Test("The response to a wrong clock has the server's clock")
  func clock() throws {
    var server = try ExampleServer(.standard("service"))
    let signed = try Example.signer(.standard("service")).sign(
      SentToS3.request(), at: Example.moment())
    let sent = WireRequest(signed, [:])
    server.now = try SigV4.Timestamp("20150830T124600Z")
    let late = try #require(throws: SigV4.VerificationError.self) { try server.verify(sent) }
    #expect(
      try jsonMessage(late.jsonResponse().body)
        == "Signature expired: 20150830T123600Z is now earlier than 20150830T124100Z "
        + "(20150830T124600Z - 5 min.)")
    let fields = try XMLFields(late.xmlResponse(requestID: "1").body)
    #expect(fields["Code"] == "RequestTimeTooSkewed")
    #expect(fields["RequestTime"] == "20150830T123600Z")
    #expect(fields["ServerTime"] == "2015-08-30T12:46:00Z")
    #expect(fields["MaxAllowedSkewMilliseconds"] == "300000")
    server.now = try SigV4.Timestamp("20150830T122600Z")
    let early = try #require(throws: SigV4.VerificationError.self) { try server.verify(sent) }
    #expect(
      try jsonMessage(early.jsonResponse().body)
        == "Signature not yet current: 20150830T123600Z is still later than 20150830T123100Z "
        + "(20150830T122600Z + 5 min.)")
  }

  /// Shapes: stated-refusals.txt, the records on regions and services, with their origins.
  @Test("The response names the expected region or service, if there's one")
  func scopes() throws {
    let region = "the region 'us-east-1' is wrong; expecting 'eu-central-1'"
    let service = #"incorrect service "s3". This endpoint belongs to "iam"."#
    let words = [
      ("AuthorizationHeaderMalformed", "The authorization header is malformed; "),
      ("AuthorizationQueryParametersError", "Error parsing the X-Amz-Credential parameter; "),
    ]
    for (request, (code, start)) in try zip([SentToS3.signed(), SentToS3.presigned()], words) {
      func told(
        _ regions: [String], _ services: [SigV4.Service]
      ) throws -> (xml: XMLFields, json: String) {
        var server = server
        server.verifier.regions = regions
        server.verifier.services = services
        let error = try #require(throws: SigV4.VerificationError.self) {
          try server.verify(request)
        }
        let xml = error.xmlResponse(requestID: "1")
        #expect(xml.status == 400 && error.jsonResponse().errorType == "InvalidSignatureException")
        #expect(try XMLFields(xml.body)["Code"] == xml.errorType)
        return (try XMLFields(xml.body), try jsonMessage(error.jsonResponse().body))
      }
      let otherRegion = try told(["eu-central-1"], [.s3])
      #expect(otherRegion.xml["Code"] == code && otherRegion.xml["Message"] == start + region)
      #expect(otherRegion.xml["Region"] == "eu-central-1")
      #expect(
        otherRegion.json == "Credential should be scoped to a valid region, not 'us-east-1'.")
      let otherService = try told(["us-east-1"], [.standard("iam")])
      #expect(otherService.xml["Code"] == code && otherService.xml["Message"] == start + service)
      #expect(otherService.xml["Region"] == nil)
      #expect(otherService.json == "Credential should be scoped to correct service: 'iam'.")
      let several = try told(["eu-central-1", "eu-west-1"], [.s3])
      #expect(several.xml["Code"] == code)
      #expect(several.xml["Region"] == nil && several.xml["Message"]?.hasPrefix(start) == false)
    }
  }

  /// Codes of Amazon S3: versity/versitygw, s3err/presigned-urls.go, DateMismatch, and
  /// stated-refusals.txt, s3-region-of-a-url.
  @Test("A URL's error is about its parameters, and a header's about the header")
  func errorsOfURLs() throws {
    let header = try SentToS3.signed()
    let url = try SentToS3.presigned()
    let authorization = try header.header("Authorization")
    let names = "SignedHeaders="
    for (request, code) in [
      (
        header.replacing(
          "Authorization", with: [authorization.replacing("/20150830/", with: "/20150831/")]),
        "AuthorizationHeaderMalformed"
      ),
      (
        header.replacing(
          "Authorization", with: [authorization.replacing(names, with: names + "Z;")]),
        "AuthorizationHeaderMalformed"
      ),
      (
        try url.replacingInTarget("%2F20150830%2F", with: "%2F20150831%2F"),
        "AuthorizationQueryParametersError"
      ),
      (
        try url.replacingInTarget(names, with: names + "Z%3B"),
        "AuthorizationQueryParametersError"
      ),
    ] {
      let error = try #require(throws: SigV4.VerificationError.self) { try server.check(request) }
      let xml = error.xmlResponse(requestID: "1")
      #expect(xml.status == 400 && xml.errorType == code, "\(error)")
    }
  }

  /// Codes of Amazon S3: stated-refusals.txt, s3-two-mechanisms and words-of-another-payload.
  @Test("Two signatures and an invalid hash are invalid arguments")
  func invalidArguments() throws {
    let url = try SentToS3.presigned()
    let both = try url.replacing(
      "Authorization", with: [SentToS3.signed().header("Authorization")])
    let hash = try SentToS3.signed().replacing("x-amz-content-sha256", with: ["GIBBERISH"])
    for request in [both, hash] {
      let error = try #require(throws: SigV4.VerificationError.self) { try server.check(request) }
      let xml = error.xmlResponse(requestID: "1")
      #expect(xml.status == 400 && xml.errorType == "InvalidArgument", "\(error)")
    }
  }

  /// Amazon S3: versity/versitygw #1666 and #1685.
  @Test("A malformed chunk is an incomplete body")
  func malformedChunks() throws {
    var server = server
    server.verifier.unsignedPayloads = .allowed
    for kind in SentChunks.Kind.allCases {
      var request = try SentChunks(Array("hello".utf8), kind).request
      request.body[0] = UInt8(ascii: "x")
      let error = try #require(throws: SigV4.VerificationError.self) {
        try server.verify(request)
      }
      let xml = error.xmlResponse(requestID: "1")
      #expect(error.code == .malformedChunk)
      #expect(xml.status == 400 && xml.errorType == "IncompleteBody")
    }
  }

  /// Shape: minio/minio-go #2030.
  @Test("The response names an unsigned header, and the time when a URL expired")
  func details() throws {
    let unsigned = try #require(throws: SigV4.VerificationError.self) {
      try server.verify(SentToS3.signed().replacing("x-amz-b", with: ["a"]))
    }
    let fields = try XMLFields(unsigned.xmlResponse(requestID: "1").body)
    #expect(
      fields["Message"] == "There were headers present in the request which were not signed")
    #expect(fields["Code"] == "AccessDenied" && fields["HeadersNotSigned"] == "x-amz-b")
    var late = server
    late.now = try SigV4.Timestamp("20150830T133601Z")
    let expired = try #require(throws: SigV4.VerificationError.self) {
      try late.verify(SentToS3.presigned())
    }
    let times = try XMLFields(expired.xmlResponse(requestID: "1").body)
    #expect(times["Message"] == "Request has expired")
    #expect(times["Expires"] == "2015-08-30T13:36:00Z")
    #expect(times["ServerTime"] == "2015-08-30T13:36:01Z")
  }

  @Test("Whatever bytes are received, both responses can be parsed, and contain the bytes")
  func escapes() throws {
    var sent = try SentToS3.signed(headers: ["x-amz-meta-a": "b"])
    let index = try #require(
      sent.headers.firstIndex { $0.name.elementsEqual("x-amz-meta-a".utf8) })
    let allowed: [UInt8] = (0x21...0xFF).filter { $0 != 0x7F }
    sent.headers[index].value = allowed + Array("\u{FFFE}\u{FFFF}\u{10FFFF}]]>".utf8)
    let error = try #require(throws: SigV4.VerificationError.self) { try server.verify(sent) }
    let fields = try XMLFields(error.xmlResponse(requestID: "\u{1}\r\u{7F}").body)
    let pairs = try #require(fields["CanonicalRequestBytes"]).split(separator: " ")
    let bytes = pairs.compactMap { UInt8($0, radix: 16) }
    #expect(bytes.indices.contains { bytes[$0...].starts(with: sent.headers[index].value) })
    #expect(try jsonMessage(error.jsonResponse().body).contains(#"x-amz-meta-a:!"#))
  }

  @Test("Requests and their results are printed without secrets")
  func descriptions() throws {
    let sent = try SentToS3.signed(token: Example.token)
    let unverified = try server.check(sent)
    #expect(unverified.sessionToken == Example.token)
    #expect(
      unverified.scope.text == "20150830/us-east-1/s3/aws4_request"
        && unverified.signatureLocation == .header)
    #expect(unverified.timestamp.text == "20150830T123600Z" && unverified.expiration == nil)
    let url = try server.check(SentToS3.presigned(token: Example.token))
    #expect(url.signatureLocation == .query && url.expiration?.text == "20150830T133600Z")
    let verified = try unverified.verify(with: Example.credentials(sessionToken: Example.token))
    var texts = ["\(unverified)", "\(sent.received())", "\(url)"]
    texts += [verified.stringToSign.text, verified.canonicalRequest.description]
    dump(unverified, to: &texts[0])
    dump(sent.received(), to: &texts[1])
    for text in texts {
      #expect(!text.contains(Example.token) && !text.contains(Example.secret))
    }
  }

  func jsonMessage(_ body: String) throws -> String {
    let object = try JSONSerialization.jsonObject(with: Data(body.utf8))
    return try #require((object as? [String: String])?["message"])
  }
}

/// The elements of an error in XML, unescaped by a reader that knows nothing of the library.
struct XMLFields {
  private var fields: [String: String] = [:]

  init(_ body: String) throws {
    let start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error>"
    try #require(body.hasPrefix(start) && body.hasSuffix("</Error>"))
    var rest = Substring(body.unicodeScalars.dropFirst(start.unicodeScalars.count))
    while rest.hasPrefix("<"), !rest.hasPrefix("</") {
      let name = rest.dropFirst().prefix { $0 != ">" }
      let text = rest.dropFirst(name.count + 2).prefix { $0 != "<" }
      rest = rest.dropFirst(name.count + 2 + text.count)
      try #require(rest.hasPrefix("</\(name)>"))
      rest = rest.dropFirst(name.count + 3)
      // XML 1.0, 2.2: Char.
      let isXML = text.unicodeScalars.allSatisfy {
        $0.value >= 0x20 && $0.value < 0xFFFE || $0.value > 0xFFFF || $0 == "\n" || $0 == "\t"
      }
      try #require(isXML && !text.contains(">"))
      var unescaped = String(text)
      for (escaped, character) in [
        ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#13;", "\r"),
        ("&amp;", "&"),
      ] {
        unescaped = unescaped.replacingOccurrences(of: escaped, with: character)
      }
      fields[String(name)] = unescaped
    }
    try #require(rest == "</Error>")
  }

  subscript(name: String) -> String? { fields[name] }
}
