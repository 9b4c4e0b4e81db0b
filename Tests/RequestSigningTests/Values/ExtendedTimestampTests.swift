// SPDX-License-Identifier: Apache-2.0
// Moments in the extended form of ISO 8601, in which services write when credentials end.

internal import SigningTestSupport
internal import RequestSigning
internal import Testing

@Suite("Extended form of timestamps")
struct ExtendedTimestampTests {
  // RFC 3339, 5.8; Unix times by date(1): date -u -d 1985-04-12T23:20:50Z +%s
  @Test("Moments in UTC are read, fractions dropped, and written without")
  func read() {
    ([
      ("1985-04-12T23:20:50Z", "1985-04-12T23:20:50Z", 482_196_050),
      ("1985-04-12T23:20:50.52Z", "1985-04-12T23:20:50Z", 482_196_050),
      ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z", 0),
      ("2024-02-29T12:34:56.999999999Z", "2024-02-29T12:34:56Z", 1_709_210_096),
    ] as [(String, String, Int64)]).forEachCase { (text: String, written: String, seconds: Int64) in
      let moment = try #require(SigV4.Timestamp(extended: text))
      #expect(moment.unixSeconds == seconds)
      #expect(moment.extendedText == written)
    }
  }

  @Test("Every other form is rejected")
  func refused() {
    [
      "", "2024-02-29", "20240229T123456Z", "2024-02-29 12:34:56Z", "2024-02-29T12:34:56",
      "2024-02-29T12:34:56+00:00", "2024-02-30T12:34:56Z", "2024-02-29T24:00:00Z",
      "2024-02-29T12:34:56.Z", "2024-02-29T12:34:56.5xZ", "2024-02-29T12:34:56Z ", "\u{0}",
    ].forEachCase { (text: String) in
      #expect(SigV4.Timestamp(extended: text) == nil)
    }
  }
}
