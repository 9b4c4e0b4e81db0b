// SPDX-License-Identifier: Apache-2.0
// Requests without x-amz-date, dated by their Date header in every form that HTTP allows.

internal import RequestSigning
internal import RequestVerification
internal import SecureHashing
internal import SigningTestSupport
internal import Testing

@Suite("Verification: Date headers")
struct DateHeaderTests {
  /// A request of AWS Identity and Access Management, signed here by the steps of the specification.
  private func sent(_ date: String, at time: String) -> WireRequest {
    let folded = date.replacing("  ", with: " ")
    let day = String(time.prefix(8))
    let canonical = "GET\n/\n\ndate:\(folded)\nhost:h\n\ndate;host\n" + Example.digestOfNothing
    let digest = SHA256.hash(data: canonical.utf8).hexString
    let text = "AWS4-HMAC-SHA256\n\(time)\n\(day)/us-east-1/iam/aws4_request\n" + digest
    var key = Array("AWS4\(Example.secret)".utf8)
    for part in [day, "us-east-1", "iam", "aws4_request", text] {
      let symmetric = SymmetricKey(data: key)
      key = Array(HMAC<SHA256>.authenticationCode(for: part.utf8, using: symmetric))
    }
    let authorization =
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/\(day)/us-east-1/iam/aws4_request,"
      + "SignedHeaders=date;host,Signature=\(Hexadecimal.encode(key))"
    return WireRequest(
      "GET", "/", [("Host", "h"), ("Date", date), ("Authorization", authorization)])
  }

  @Test("A request that only has a Date header is parsed in all HTTP formats, and must sign it")
  func forms() throws {
    for (date, time) in [
      ("Sun, 30 Aug 2015 12:36:00 GMT", "20150830T123600Z"),
      ("Sun, 30 Aug 2015 12:36:00 -0000", "20150830T123600Z"),
      ("20150830T123600Z", "20150830T123600Z"),
      ("Sunday, 30-Aug-15 12:36:00 GMT", "20150830T123600Z"),
      ("Sun Aug 30 12:36:00 2015", "20150830T123600Z"),
      // RFC 9110, 5.6.7: asctime() writes two spaces before a day below 10, and signing folds them.
      ("Sun Sep  6 12:36:00 2015", "20150906T123600Z"),
      ("Tue Sep  1 12:36:00 2015", "20150901T123600Z"),
    ] {
      var server = try ExampleServer(.standard("iam"))
      server.now = try SigV4.Timestamp(time)
      let sent = sent(date, at: time)
      try server.verify(sent)
      let later = date.replacing("36:00", with: "36:01").replacing("3600Z", with: "3601Z")
      expectRefused(.signatureMismatch) {
        try server.verify(sent.replacing("Date", with: [later]))
      }
      let unsigned = try sent.replacing(
        "Authorization",
        with: [sent.header("Authorization").replacing("date;host", with: "host")])
      expectRefused(.unsignedHeader) { try server.verify(unsigned) }
      expectRefused(.malformedAuthorization) { try server.verify(sent.replacing("Date", with: [])) }
    }
  }

  @Test("A date in no allowed form is rejected, even with folded spaces")
  func otherForms() throws {
    let server = try ExampleServer(.standard("iam"))
    for date in [
      "Sun Sep 006 12:36:00 2015", "Sun Sep 12:36:00 2015", "Mon Sep  6 12:36:00 2015",
      "Sun Sep  0 12:36:00 2015", "SunSep  6 12:36:00 2015", "Sun,30 Aug 2015 12:36:00 GMT",
      "Sun, 6 Sep 2015 12:36:00 GMT", "Sun Sep  6 12:36:00 2015 GMT",
    ] {
      expectRefused(.malformedAuthorization) {
        try server.check(sent(date, at: "20150830T123600Z"))
      }
    }
  }
}
