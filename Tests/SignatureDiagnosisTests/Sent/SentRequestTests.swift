// SPDX-License-Identifier: Apache-2.0
// Presigned URLs without their request, compared with a server's response.

internal import SigningTestSupport
internal import Foundation
internal import RequestSigning
internal import SignatureDiagnosis
internal import TestSupport
internal import Testing

@Suite("Diagnosis: a presigned URL as sent")
struct SentRequestTests {
  /// Origin: the URLs and canonical requests that botocore made.
  @Test("botocore's URLs contain what botocore signed")
  func botocore() throws {
    var count = 0
    for record in try VectorTable(named: "presigned-urls.txt").records {
      guard let canonicalRequest = try record.optionalText("canonical-request"),
        let url = try record.optionalText("presigned-url")
      else { continue }
      let name = try record.text("name")
      let headers = try record.texts("required-header").map { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        return (String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
      }
      let answer = [
        "CanonicalRequest": canonicalRequest, "StringToSign": try record.text("string-to-sign"),
        "SignatureProvided": try record.text("signature"),
      ]
      let body = try JSONSerialization.data(withJSONObject: answer)
      let sent = try SigV4.SentRequest(
        record.text("method"), url: url, headers: .init(headers))
      let found = SigV4.ServiceError(body).diagnosis(for: sent)
      #expect(found.cause.code == .signature, "\(name): \(found)")
      let credentials = try SigV4.Credentials(
        accessKeyID: Example.accessKeyID, secretAccessKey: Example.secret)
      let known = try SigV4.SentRequest(
        record.text("method"), url: url, headers: .init(headers), madeWith: credentials)
      let exact = SigV4.ServiceError(body).diagnosis(for: known)
      #expect(exact.cause.code == .secretAccessKey, "\(name): \(exact)")
      count += 1
    }
    #expect(count > 8)
  }

  @Test("The credentials that created a URL distinguish a changed URL from a wrong secret")
  func changed() throws {
    let url = try Example.presigned(
      SigV4.Request("GET", url: "https://example.com/a?x=1"), .s3, sessionToken: Example.token)
    let changed = url.url.replacingOccurrences(of: "x=1", with: "x=2")
    let server = ServerAnswer(url).lines[2].replacingOccurrences(of: "x=1", with: "x=2")
    var answer = ServerAnswer(url)
    answer.lines[2] = server
    for (credentials, code) in [
      (nil, .signature), (try Example.credentials(sessionToken: Example.token), .signature),
    ] as [(SigV4.Credentials?, SigV4.Diagnosis.Code)] {
      let sent = try SigV4.SentRequest(url: changed, madeWith: credentials)
      let found = SigV4.ServiceError(answer.xml.utf8).diagnosis(for: sent)
      #expect(found.cause.code == code && !"\(found)".contains(Example.token), "\(found)")
      // With credentials, the advice isn't to pass them.
      let asksForThem = found.cause.fix.contains("Pass the credentials that signed it")
      #expect(asksForThem == (credentials == nil), "\(found)")
      // Ceph and MinIO show nothing.
      let bare = SigV4.ServiceError(
        "<Error><Code>SignatureDoesNotMatch</Code></Error>".utf8
      ).diagnosis(for: sent)
      #expect(bare.cause.code == (credentials == nil ? .unknownCause : .signature), "\(bare)")
    }
    let whole = try SigV4.SentRequest(url: url.url)
    let onTheWay = SigV4.ServiceError(answer.xml.utf8).diagnosis(for: whole)
    #expect(onTheWay.cause.code == .queryParameterChanged && onTheWay.cause.subject == "x")
  }

  @Test("A request with its Authorization header is explained without its signer")
  func signedInHeaders() throws {
    let credentials = try Example.credentials(sessionToken: Example.token)
    for service in [SigV4.Service.s3, "execute-api", "iotdevicegateway"] {
      let request = try SigV4.Request(
        "POST", url: "https://example.com/a?x=1", headers: ["content-type": "text/plain"],
        payload: .text("hello"))
      let signed = try Example.signer(service, sessionToken: Example.token)
        .sign(request, at: Example.moment())
      let sent = try SigV4.SentRequest(
        "POST", url: signed.url, headers: signed.headers, payload: .text("hello"))
      #expect(sent.timestamp == signed.timestamp && sent.missingHeaders.isEmpty)
      #expect(sent.credentialScope == signed.credentialScope && sent.expiration == nil)
      var answer = ServerAnswer(signed)
      let same = SigV4.ServiceError(answer.xml.utf8).diagnosis(for: sent)
      #expect(same.cause.code == .signature, "\(same)")
      #expect(same.cause.problem.contains("The signature in the Authorization header"))
      let known = try SigV4.SentRequest(
        "POST", url: signed.url, headers: signed.headers, payload: .text("hello"),
        madeWith: credentials)
      let secret = SigV4.ServiceError(answer.xml.utf8).diagnosis(for: known)
      #expect(secret.cause.code == .secretAccessKey, "\(secret)")
      answer.lines[2] = "x=2"
      let query = SigV4.ServiceError(answer.xml.utf8).diagnosis(for: sent)
      #expect(query.cause.code == .queryParameterChanged && query.cause.subject == "x")
      #expect(!"\(query)".contains(Example.token))
      expectRefusal(.invalidSignature) {
        try SigV4.SentRequest("POST", url: signed.url, headers: ["Authorization": "Bearer abc"])
      }
    }
  }

  @Test("A signed header that isn't passed is missing only if the server shows that it is")
  func missingHeaders() throws {
    let url = try Example.presigned(
      SigV4.Request("PUT", url: "https://example.com/a", headers: ["x-amz-meta-a": "1"]), .s3)
    let sent = try SigV4.SentRequest("PUT", url: url.url)
    #expect(sent.missingHeaders == ["x-amz-meta-a"])
    let arrived = SigV4.ServiceError(ServerAnswer(url).xml.utf8).diagnosis(for: sent)
    #expect(arrived.cause.code == .unknownCause && arrived.cause.subject == "x-amz-meta-a")
    var answer = ServerAnswer(url)
    answer.lines = answer.lines.map { $0 == "x-amz-meta-a:1" ? "x-amz-meta-a:" : $0 }
    for body in [answer.xml, answer.message] {
      let lost = SigV4.ServiceError(body.utf8).diagnosis(for: sent)
      #expect(lost.cause.code == .headerMissing && lost.cause.subject == "x-amz-meta-a", "\(lost)")
    }
    let expired = SigV4.ServiceError("Request has expired".utf8).diagnosis(for: sent)
    #expect(
      expired.cause.code == .expired && expired.cause.problem.contains("20150830T133600Z"))
  }

  @Test("An incomplete presigned URL is rejected, and nothing of it's printed")
  func refusals() throws {
    let url = try Example.presigned(
      SigV4.Request("GET", url: "https://example.com/a"), .s3, sessionToken: Example.token)
    let text = "\(try SigV4.SentRequest(url: url.url))"
    #expect(text == "SentRequest(20150830T123600Z, 20150830/us-east-1/s3/aws4_request)")
    for (url, code) in [
      ("https://example.com/", SigV4.SigningError.Code.invalidURL),
      (url.url.components(separatedBy: "&")[0], .invalidURL),
      (url.url.replacingOccurrences(of: "%2Fs3", with: ""), .invalidURL),
      (url.url.replacingOccurrences(of: "aws4_request", with: "x"), .invalidScope),
      (url.url.replacingOccurrences(of: "T123600Z", with: "T"), .invalidTimestamp),
      ("example.com", .invalidURL),
    ] {
      expectRefusal(code) { try SigV4.SentRequest(url: url) }
    }
  }

  @Test("A signature in the names of another store is rejected as that, and not as incomplete")
  func renamed() throws {
    let date = try Example.moment()
    for (service, prefix, algorithm) in [
      (SigV4.Service.googleCloudStorage, "X-Goog-", "GOOG4-HMAC-SHA256"),
      (.tos, "X-Tos-", "TOS4-HMAC-SHA256"),
    ] {
      let signer = try SigV4.Signer(
        credentials: Example.credentials(), region: "auto", service: service)
      let request = try SigV4.Request("GET", url: "https://example.com/a")
      let url = try signer.presignedURL(for: request, expiresIn: .seconds(60), at: date).url
      for url in [url, url.components(separatedBy: "&")[0]] {
        expectRefusal(.invalidURL, showing: prefix) { try SigV4.SentRequest(url: url) }
      }
      let signed = try signer.sign(request, at: date)
      expectRefusal(.invalidSignature, showing: algorithm) {
        try SigV4.SentRequest("GET", url: signed.url, headers: signed.headers)
      }
    }
    // A parameter of that name in a URL that AWS's names sign belongs to the request.
    let url = try Example.presigned(
      SigV4.Request("GET", url: "https://example.com/a?X-Goog-Date=1"), .s3)
    #expect(try SigV4.SentRequest(url: url.url).timestamp == date)
  }
}
