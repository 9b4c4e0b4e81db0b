// SPDX-License-Identifier: Apache-2.0
// Moments: text, Unix seconds and day, against Python's calendar.

internal import SigningTestSupport
internal import RequestSigning
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Facts: timestamps")
struct TimestampFactsTests {
  @Test("A timestamp's string, Unix time and day match Python's datetime")
  func moments() throws {
    let facts = try moments(of: "timestamps.txt")
    for fact in facts {
      let text = try fact.text("text")
      let seconds = Int64(try fact.integer("unix seconds"))
      let fromText = try SigV4.Timestamp(text)
      let fromSeconds = try SigV4.Timestamp(unixSeconds: seconds)
      #expect(fromText.unixSeconds == seconds, "\(fact.name)")
      #expect(fromSeconds.text == text, "\(fact.name)")
      #expect(fromSeconds.description == text, "\(fact.name)")
      #expect(fromText == fromSeconds, "\(fact.name)")
      #expect(try fromSeconds.day == fact.text("day"), "\(fact.name)")
    }
  }

  @Test("An HTTP date in each of its three forms matches Python's")
  func httpDates() throws {
    var forms = [0, 0, 0]
    for fact in try moments(of: "timestamps.txt") {
      let expected = Int64(try fact.integer("unix seconds"))
      for (form, date) in try fact.texts("http date").enumerated() {
        #expect(try SigV4.Timestamp(httpDate: date).unixSeconds == expected, "\(date)")
        forms[form] += 1
      }
    }
    try #require(forms.allSatisfy { $0 > 50 })
  }

  @Test("The three examples of RFC 9110 are one moment")
  func examplesOfRFC9110() throws {
    // RFC 9110, 5.6.7
    for date in [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
      "Sun Nov  6 08:49:37 1994",
    ] {
      #expect(try SigV4.Timestamp(httpDate: date).text == "19941106T084937Z")
    }
  }

  @Test("Two digits of a year from 70 on are the 20th century, below it the 21st")
  func yearsOfTwoDigits() throws {
    // The days of the week are those of 1970, 1999, 2000 and 2069 (Python's calendar.weekday).
    let expected = [
      ("Thursday, 01-Jan-70 00:00:00 GMT", "19700101T000000Z"),
      ("Friday, 31-Dec-99 23:59:59 GMT", "19991231T235959Z"),
      ("Saturday, 01-Jan-00 00:00:00 GMT", "20000101T000000Z"),
      ("Tuesday, 31-Dec-69 23:59:59 GMT", "20691231T235959Z"),
    ]
    for (date, text) in expected {
      #expect(try SigV4.Timestamp(httpDate: date).text == text)
    }
  }

  @Test("A leap second of an HTTP date is the first second of the next minute")
  func leapSecond() throws {
    // RFC 9110 allows second 60, which has no separate Unix time.
    for date in [
      "Sat, 31 Dec 2016 23:59:60 GMT", "Saturday, 31-Dec-16 23:59:60 GMT",
      "Sat Dec 31 23:59:60 2016",
    ] {
      #expect(try SigV4.Timestamp(httpDate: date).text == "20170101T000000Z")
    }
  }

  @Test("Every 400th day of the years 1 to 9999 matches Python's, by one digest")
  func every400thDay() throws {
    let fact = try VectorTable(named: "timestamps.txt").record(
      named: "every 400th day, with HTTP dates")
    var digest = SHA256()
    var count = 0
    var seconds: Int64 = -62_135_596_800
    while seconds <= 253_402_300_799 {
      let moment = try SigV4.Timestamp(unixSeconds: seconds)
      try #require(try SigV4.Timestamp(moment.text) == moment)
      let date = httpDate(moment)
      try #require(try SigV4.Timestamp(httpDate: date) == moment, "\(date)")
      digest.update(data: "\(moment.text) \(moment.unixSeconds) \(date)\n".utf8)
      count += 1
      seconds += 400 * 86_400 + 12_345
    }
    #expect(try count == fact.integer("count"))
    #expect(try Array(digest.finalize()) == fact.hexadecimal("digest"))
  }

  @Test("The first and last second of every month match Python's, by one digest")
  func monthEnds() throws {
    let fact = try VectorTable(named: "timestamps.txt")
      .record(named: "first and last second of every month")
    var digest = SHA256()
    var count = 0
    var first = try SigV4.Timestamp("00010101T000000Z")
    for month in 1...9999 * 12 {
      // The last second of a month is the one before the first of the next.
      let next = month < 9999 * 12 ? try firstSecond(ofMonth: month) : nil
      let last = try next?.advanced(bySeconds: -1) ?? SigV4.Timestamp("99991231T235959Z")
      for moment in [first, last] {
        digest.update(data: "\(moment.text) \(moment.unixSeconds)\n".utf8)
      }
      count += 2
      first = next ?? last
    }
    #expect(try count == fact.integer("count"))
    #expect(try Array(digest.finalize()) == fact.hexadecimal("digest"))
  }

  @Test("Moments are ordered as their seconds are, and equal ones are one")
  func order() throws {
    let texts = ["00010101T000000Z", "19691231T235959Z", "19700101T000000Z", "99991231T235959Z"]
    let moments = try texts.map { try SigV4.Timestamp($0) }
    #expect(moments.shuffled().sorted().map(\.text) == texts)
    #expect(Set(moments + moments).count == 4)
  }

  @Test("A moment can be moved by seconds, forwards and backwards, up to the ends of the range")
  func advanced() throws {
    let moment = try SigV4.Timestamp("21000228T235959Z")
    #expect(try moment.advanced(bySeconds: 1).text == "21000301T000000Z")
    #expect(try moment.advanced(bySeconds: 0) == moment)
    #expect(try moment.advanced(bySeconds: 1).advanced(bySeconds: -1) == moment)
    let first = try SigV4.Timestamp("00010101T000000Z")
    let last = try SigV4.Timestamp("99991231T235959Z")
    #expect(try first.advanced(bySeconds: 315_537_897_599) == last)
    #expect(try last.advanced(bySeconds: -315_537_897_599) == first)
  }

  func moments(of table: String) throws -> [VectorRecord] {
    let facts = try VectorTable(named: table).records
      .filter { try $0.optionalText("digest") == nil }
    try #require(facts.count > 300)
    return facts
  }

  /// The date as the text and the day of the week say it.
  func httpDate(_ moment: SigV4.Timestamp) -> String {
    let digits = Array(moment.text)
    func field(_ start: Int, _ count: Int) -> String { String(digits[start..<start + count]) }
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    // 0001-01-01 was a Monday, as in Python's calendar.
    let weekday = weekdays[Int((moment.unixSeconds + 62_135_596_800) / 86_400 % 7)]
    let month = months[(Int(field(4, 2)) ?? 1) - 1]
    let time = "\(field(9, 2)):\(field(11, 2)):\(field(13, 2))"
    return "\(weekday), \(field(6, 2)) \(month) \(field(0, 4)) \(time) GMT"
  }

  /// Months are counted from January of the year 1, which is 0.
  func firstSecond(ofMonth month: Int) throws -> SigV4.Timestamp {
    let date = padded(month / 12 + 1, 4) + padded(month % 12 + 1, 2) + "01"
    return try SigV4.Timestamp(date + "T000000Z")
  }

  func padded(_ number: Int, _ digits: Int) -> String {
    String(repeating: "0", count: digits - String(number).count) + String(number)
  }
}
