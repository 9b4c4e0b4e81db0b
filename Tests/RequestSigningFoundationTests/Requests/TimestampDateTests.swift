// SPDX-License-Identifier: Apache-2.0
// Dates of Foundation as moments, and back.

internal import Foundation
internal import RequestSigning
internal import RequestSigningFoundation
internal import Testing

@Suite struct TimestampDateTests {
  // Seconds by `date -u -d 2013-05-24T00:00:00Z +%s`.
  @Test(
    "A date becomes the whole second at or before it",
    arguments: [
      (1_369_353_600.0, "20130524T000000Z"), (1_369_353_600.999, "20130524T000000Z"),
      (-0.5, "19691231T235959Z"),
    ])
  func seconds(interval: Double, text: String) throws {
    #expect(try SigV4.Timestamp(Date(timeIntervalSince1970: interval)).text == text)
  }

  @Test("A moment becomes its date")
  func date() throws {
    let date = Date(try SigV4.Timestamp("20130524T000000Z"))
    #expect(date.timeIntervalSince1970 == 1_369_353_600)
  }

  @Test(
    "A date that no signature can have is rejected",
    arguments: [Double.nan, .infinity, -.infinity, 1e300, 253_402_300_800])
  func refused(interval: Double) {
    #expect(throws: SigV4.SigningError.self) {
      try SigV4.Timestamp(Date(timeIntervalSince1970: interval))
    }
  }
}
