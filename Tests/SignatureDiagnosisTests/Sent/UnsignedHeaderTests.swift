// SPDX-License-Identifier: Apache-2.0
// Headers that were sent and aren't signed, which some stores reject without a reason.

internal import SigningTestSupport
internal import RequestSigning
internal import SignatureDiagnosis
internal import Testing

/// Sources: CVE-2026-54330; ceph/ceph 71192 and 71292; async-aws/aws 2140; bun 43029. Ceph returns
/// AccessDenied without a message, as in the record ceph-expired of stated-refusals.txt.
@Suite("Diagnosis: headers that aren't signed")
struct UnsignedHeaderTests {
  static let denied = "<Error><Code>AccessDenied</Code></Error>"

  func diagnosis(
    _ answer: String, to headers: SigV4.Headers, madeWith credentials: SigV4.Credentials? = nil
  ) throws -> SigV4.Diagnosis.Cause {
    let url = try Example.presigned(
      SigV4.Request("PUT", url: "https://example.com/a", headers: ["x-amz-meta-a": "1"]), .s3)
    let sent = try SigV4.SentRequest(
      "PUT", url: url.url, headers: headers, madeWith: credentials)
    return SigV4.ServiceError(answer.utf8).diagnosis(for: sent).cause
  }

  @Test("A denial without a reason names the headers that the URL doesn't sign")
  func named() throws {
    let credentials = try Example.credentials()
    for answer in [
      Self.denied, "<Error><Code>AccessDenied</Code><Message></Message></Error>",
      "<Error><Code>AccessDenied</Code><Message>Access Denied.</Message></Error>",
      "{\"__type\":\"AccessDeniedException\"}", "HTTP/1.1 403 Forbidden\r\n\r\n",
    ] {
      for (headers, names) in [
        (["x-amz-meta-a": "1", "Content-Type": "text/plain"], "content-type"),
        (["x-amz-meta-a": "1", "X-Amz-Acl": "public-read"], "x-amz-acl"),
        (["X-AMZ-TAGGING": "a=b", "content-type": "a/b"], "x-amz-tagging, content-type"),
        (["x-amz-content-sha256": "UNSIGNED-PAYLOAD"], "x-amz-content-sha256"),
      ] as [(SigV4.Headers, String)] {
        for credentials in [nil, credentials] {
          let cause = try diagnosis(answer, to: headers, madeWith: credentials)
          #expect(cause.code == .unsignedHeaders && cause.subject == names, "\(cause)")
          #expect(cause.problem.contains(names), "\(cause)")
          // Nothing proves that it's the cause.
          #expect(cause.problem.contains("doesn't say why"), "\(cause)")
          #expect(cause.fix.contains("permissions"), "\(cause)")
        }
      }
    }
  }

  @Test("Signed and other headers aren't named, nor any if the response has words of its own")
  func notNamed() throws {
    let rows: [(String, SigV4.Headers)] = [
      (Self.denied, ["x-amz-meta-a": "1"]),
      (Self.denied, ["x-amz-meta-a": "1", "accept": "a/b", "content-length": "1"]),
      (Self.denied, ["content-language": "de", "x-amzn-trace-id": "Root=1"]),
      ("<Error><Code>SignatureDoesNotMatch</Code></Error>", ["content-type": "a/b"]),
      ("<Error><Code>AccessDenied</Code><Message>No.</Message></Error>", ["content-type": "a/b"]),
      ("HTTP/1.1 404 Not Found\r\n\r\n", ["content-type": "a/b"]),
    ]
    for (answer, headers) in rows {
      let cause = try diagnosis(answer, to: headers)
      #expect(cause.code == .unknownCause && cause.subject == nil, "\(cause)")
    }
    let expired = try diagnosis(
      "HTTP/1.1 403 Forbidden\r\nDate: Sun, 30 Aug 2020 12:36:00 GMT\r\n\r\n" + Self.denied,
      to: ["content-type": "a/b"])
    #expect(expired.code == .expired, "\(expired)")
  }

  @Test("A header-signed request is checked, except for a token that its service leaves unsigned")
  func signedInHeaders() throws {
    for (service, name) in [
      (SigV4.Service.s3, "content-type"), (.iotDeviceGateway, "content-type"),
    ] {
      let signer = try Example.signer(service, sessionToken: Example.token)
      let request = try SigV4.Request("POST", url: "https://example.com/a")
      let signed = try signer.sign(request, at: Example.moment())
      let sent = try SigV4.SentRequest(
        "POST", url: signed.url, headers: signed.headers + ["Content-Type": "text/plain"])
      let cause = SigV4.ServiceError(Self.denied.utf8).diagnosis(for: sent).cause
      #expect(cause.code == .unsignedHeaders && cause.subject == name, "\(cause)")
      let whole = try SigV4.SentRequest("POST", url: signed.url, headers: signed.headers)
      let denied = SigV4.ServiceError(Self.denied.utf8).diagnosis(for: whole).cause
      #expect(denied.code == .unknownCause, "\(denied)")
    }
  }
}
