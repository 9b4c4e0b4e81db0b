// SPDX-License-Identifier: Apache-2.0
// The clock offset: from a Date header or an error message, applied to a timestamp.

internal import SigningTestSupport
internal import SignatureDiagnosis
internal import RequestSigning
internal import Testing

@Suite("Clock offset")
struct ClockOffsetTests {
  /// RFC 9110, 5.6.7: the three forms of one moment, Unix time 784111777.
  @Test("A Date header in each format shows the server's clock offset")
  func dateHeader() {
    [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ].forEachCase { (text: String) in
      let ours = try SigV4.Timestamp(unixSeconds: 784_111_477)
      let offset = ours.duration(to: try SigV4.Timestamp(httpDate: text))
      #expect(offset == .seconds(300))
      #expect(try ours.advanced(by: offset).unixSeconds == 784_111_777)
    }
  }

  @Test("An invalid date is rejected, and so is an offset beyond the calendar")
  func refusals() throws {
    let now = try Example.moment()
    expectRefusal(.invalidTimestamp) { try SigV4.Timestamp(httpDate: "now") }
    for seconds in [Int64.max, .min, 253_402_300_799] {
      expectRefusal(.timestampOutOfRange) { try now.advanced(by: .seconds(seconds)) }
    }
    let ends = try (
      SigV4.Timestamp(unixSeconds: -62_135_596_800), SigV4.Timestamp(unixSeconds: 253_402_300_799)
    )
    let whole = ends.0.duration(to: ends.1)
    #expect(whole == .seconds(315_537_897_599))
    #expect(try ends.0.advanced(by: whole) == ends.1)
    #expect(ends.1.duration(to: ends.0) == .seconds(-315_537_897_599))
  }

  @Test("A server's clock is compared with the time in the response, or else with ours")
  func body() throws {
    let ours = try Example.moment()
    let body = "<Error><ServerTime>2015-08-30T12:36:30Z</ServerTime></Error>"
    #expect(SigV4.ServiceError(body.utf8).clockOffset(signedAt: ours)?.components.seconds == 30)
    let timed =
      "Signature expired: 20150830T123500Z is (20150830T124000Z - 5 min.) 20150830T124500Z"
    #expect(SigV4.ServiceError(timed.utf8).clockOffset(signedAt: ours)?.components.seconds == 600)
    for text in ["", "Signature expired: 20150830T123600Z", "{\"ServerTime\":5}", "<a/>"] {
      #expect(SigV4.ServiceError(text.utf8).clockOffset(signedAt: ours) == nil, "\(text)")
    }
  }
}
