// SPDX-License-Identifier: Apache-2.0
// Invalid timestamps: days that don't exist, other forms, numbers out of range.

internal import SigningTestSupport
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Refusals: timestamps")
struct TimestampRefusalTests {
  @Test("An invalid time is rejected")
  func texts() throws {
    try VectorTable(named: "timestamp-refusals.txt").records.forEachCase { (fact: VectorRecord) in
      let texts = try fact.texts("text")
      let dates = try fact.texts("http date")
      try #require(!texts.isEmpty && !dates.isEmpty)
      for text in texts {
        expectRefusal(.invalidTimestamp, showing: text) { try SigV4.Timestamp(text) }
      }
      for date in dates {
        expectRefusal(.invalidTimestamp, showing: date) { try SigV4.Timestamp(httpDate: date) }
      }
    }
  }

  @Test("Unix seconds outside of the years 1 to 9999 are rejected")
  func unixSeconds() {
    [
      -62_135_596_801, 253_402_300_800, 1_440_938_160_000, Int64.min, Int64.max, Int64.min + 1,
      Int64.max - 1, -1 << 40, 1 << 40,
    ].forEachCase { (seconds: Int64) throws in
      expectRefusal(.timestampOutOfRange, showing: "\(seconds)") {
        try SigV4.Timestamp(unixSeconds: seconds)
      }
    }
  }

  @Test("A move beyond the range is rejected, also where the sum overflows")
  func advanced() {
    [
      ("99991231T235959Z", 1), ("00010101T000000Z", -1), ("20150830T123600Z", Int64.max),
      ("20150830T123600Z", Int64.min), ("00010101T000000Z", Int64.min),
      ("00010101T000000Z", Int64.max), ("99991231T235959Z", Int64.max),
      ("99991231T235959Z", Int64.min), ("19700101T000000Z", Int64.max),
      ("19700101T000000Z", Int64.min),
    ].forEachCase { (text: String, seconds: Int64) in
      let moment = try SigV4.Timestamp(text)
      expectRefusal(.timestampOutOfRange) { try moment.advanced(bySeconds: seconds) }
    }
  }
}
