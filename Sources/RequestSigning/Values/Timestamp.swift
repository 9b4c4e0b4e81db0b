// SPDX-License-Identifier: Apache-2.0
// A UTC timestamp in seconds, in the forms of ISO 8601, with its calendar arithmetic.

extension SigV4 {
  /// A timestamp in UTC, to the second, from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
  ///
  /// It uses the proleptic Gregorian calendar without leap seconds, like Unix time.
  public struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds since 1970-01-01T00:00:00Z.
    public let unixSeconds: Int64

    package let characters: Characters

    /// Creates a timestamp from a Unix time in seconds: -62,135,596,800 to 253,402,300,799.
    ///
    /// - Throws: `timestampOutOfRange` for any other number.
    public init(unixSeconds: Int64) throws(SigningError) {
      if unixSeconds < Self.earliest || unixSeconds > Self.latest {
        throw SigningError(
          .timestampOutOfRange,
          "The Unix time \(unixSeconds) is outside the years 1 to 9999.",
          fix: "Pass seconds, not milliseconds.")
      }
      self.init(checked: unixSeconds)
    }

    init(checked unixSeconds: Int64) {
      self.init(unixSeconds: unixSeconds, Characters(unixSeconds: unixSeconds))
    }

    /// Creates a timestamp from a string such as `20130524T000000Z`, the form of X-Amz-Date (ISO
    /// 8601 basic).
    ///
    /// - Throws: `invalidTimestamp` for any other form, or for a date or time that doesn't exist.
    public init(_ text: String) throws(SigningError) {
      try self.init(bytes: text.bytesInUTF8[...])
    }

    package init(bytes: ArraySlice<UInt8>) throws(SigningError) {
      guard let timestamp = Timestamp(bytes.span) else {
        throw SigningError(
          .invalidTimestamp,
          "\(quoted: bytes) isn't a valid timestamp.",
          fix: "Use UTC in the form YYYYMMDD'T'HHMMSS'Z', such as 20130524T000000Z.")
      }
      self = timestamp
    }

    /// Creates a timestamp from bytes, or returns nil for any other form, and for a date or time
    /// that doesn't exist.
    package init?(_ text: TextSpan) {
      guard let characters = Characters(text), let seconds = characters.unixSeconds else {
        return nil
      }
      self.init(unixSeconds: seconds, characters)
    }

    /// Creates a timestamp at the start of a day in the form of a credential scope, `20130524`, or
    /// returns nil for any other form.
    init?(day text: TextSpan) {
      if text.count != Self.dayByteCount { return nil }
      let day = text.fullWord(at: 0)
      let characters = Characters(day: day, time: Characters.midnight)
      guard let seconds = characters.unixSeconds else { return nil }
      self.init(unixSeconds: seconds, characters)
    }

    private init(unixSeconds: Int64, _ characters: Characters) {
      (self.unixSeconds, self.characters) = (unixSeconds, characters)
    }

    /// 1970-01-01T00:00:00Z.
    public static var unixEpoch: Timestamp { Timestamp(checked: 0) }

    /// Returns the timestamp after a duration, or before it if the duration is negative. Fractions
    /// of a second are dropped.
    ///
    /// - Throws: `timestampOutOfRange` if the result is outside the years 1 to 9999.
    public func advanced(by duration: Duration) throws(SigningError) -> Timestamp {
      try advanced(bySeconds: duration.limitedComponents.seconds)
    }

    /// Returns the duration to another timestamp, negative if the other one is earlier.
    public func duration(to other: Timestamp) -> Duration {
      .seconds(other.unixSeconds - unixSeconds)
    }

    package func advanced(bySeconds seconds: Int64) throws(SigningError) -> Timestamp {
      Timestamp(checked: try unixSeconds(after: seconds))
    }

    /// The form of X-Amz-Date, 16 characters: `20130524T000000Z`.
    public var text: String { textBytes.textInUTF8 }

    /// The day of a credential scope, 8 characters: `20130524`.
    public var day: String { Self.bytes(of: characters.day).textInUTF8 }

    /// The form of X-Amz-Date.
    public var description: String { text }

    /// Returns whether one timestamp is before another.
    public static func < (left: Self, right: Self) -> Bool { left.unixSeconds < right.unixSeconds }

    static var earliest: Int64 { -62_135_596_800 }
    static var latest: Int64 { 253_402_300_799 }
  }
}

extension SigV4.Timestamp {
  /// The 16 bytes of ``text``.
  package var textBytes: [UInt8] {
    Self.bytes(of: characters.day) + Self.bytes(of: characters.time)
  }

  /// Returns the bytes of eight characters, the first one lowest.
  static func bytes(of characters: UInt64) -> [UInt8] {
    unsafe withUnsafeBytes(of: characters.littleEndian) { unsafe [UInt8]($0) }
  }

  /// Returns the Unix time after a number of seconds.
  func unixSeconds(after seconds: Int64) throws(SigV4.SigningError) -> Int64 {
    let (sum, overflow) = unixSeconds.addingReportingOverflow(seconds)
    if overflow || sum < Self.earliest || sum > Self.latest {
      throw SigV4.SigningError(
        .timestampOutOfRange,
        "\(seconds) seconds from \(text) is outside the years 1 to 9999.",
        fix: "Pass fewer seconds.")
    }
    return sum
  }

  /// The sizes of the string and of its day.
  static var byteCount: Int { 16 }
  static var dayByteCount: Int { 8 }

  /// Returns the Unix time of a date and time of day, or nil if it doesn't exist. A leap second,
  /// 60, is the first second of the next minute.
  static func unixSeconds(
    _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int
  ) -> Int64? {
    guard year >= 1, year <= 9999, month >= 1, month <= 12,
      day >= 1, day <= daysInMonth(month, of: year),
      hour >= 0, hour < 24, minute >= 0, minute < 60, second >= 0, second <= 60
    else { return nil }
    let secondOfDay = Int64(hour &* 3600 &+ minute &* 60 &+ second)
    let seconds = dayNumber(year, month, day) &* 86_400 &+ secondOfDay
    return seconds <= latest ? seconds : nil
  }

  static func daysInMonth(_ month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    switch month {
    case 2: return isLeap ? 29 : 28
    case 4, 6, 9, 11: return 30
    default: return 31
    }
  }

  // Years are counted from March, so that the leap day is the last day of its year. The months of
  // such a year start on the days (153 m + 2) / 5. There are 719,468 days from 0000-03-01 to
  // 1970-01-01.

  /// Returns the days since 1970-01-01.
  static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
    let monthFromMarch = Int64((month &+ 9) % 12)
    let marchYear = Int64(month < 3 ? year &- 1 : year)
    let leapDays = marchYear / 4 &- marchYear / 100 &+ marchYear / 400
    let dayOfYear = (153 &* monthFromMarch &+ 2) / 5 &+ Int64(day) &- 1
    return marchYear &* 365 &+ leapDays &+ dayOfYear &- 719_468
  }

  /// Returns the date of a day since 1970-01-01, not before the year 0.
  static func date(ofDay dayNumber: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let days = dayNumber &+ 719_468
    // 400 years have 146,097 days. Within them, leap days are subtracted before dividing.
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let leapDays = dayOfEra / 1_460 &- dayOfEra / 36_524 &+ dayOfEra / 146_096
    let yearOfEra = (dayOfEra &- leapDays) / 365
    let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
    let monthFromMarch = (5 &* dayOfYear &+ 2) / 153
    let day = dayOfYear &- (153 &* monthFromMarch &+ 2) / 5 &+ 1
    let month = monthFromMarch < 10 ? monthFromMarch &+ 3 : monthFromMarch &- 9
    let year = era &* 400 &+ yearOfEra &+ (month < 3 ? 1 : 0)
    return (year, month, day)
  }

  static func quotientRoundedDown(_ dividend: Int64, _ divisor: Int64) -> Int64 {
    let quotient = dividend / divisor
    return dividend % divisor < 0 ? quotient &- 1 : quotient
  }
}

extension SigV4.Timestamp {
  /// Creates a timestamp from a string such as `2024-01-29T18:53:01Z`, or returns nil for any other
  /// form. A fraction of a second is dropped.
  ///
  /// Source: ISO 8601, extended format, in UTC; RFC 3339, 5.6.
  public init?(extended text: String) {
    let bytes = text.bytesInUTF8
    let fraction = bytes.dropFirst(19).dropLast()
    let isExtended =
      bytes.count >= 20 && bytes[4] == 0x2D && bytes[7] == 0x2D && bytes[13] == ASCIIByte.colon
      && bytes[16] == ASCIIByte.colon && bytes.last == 0x5A
      && (fraction.isEmpty
        || fraction.first == ASCIIByte.dot && fraction.count > 1
          && fraction.dropFirst().allSatisfy(ASCIIByte.isDigit))
    if !isExtended { return nil }
    var compact: [UInt8] = []
    for part in [0..<4, 5..<7, 8..<13, 14..<16, 17..<19] { compact.append(contentsOf: bytes[part]) }
    compact.append(0x5A)
    guard let timestamp = try? SigV4.Timestamp(bytes: compact[...]) else {
      return nil
    }
    self = timestamp
  }

  /// The extended form of ISO 8601, 20 characters: `2013-05-24T00:00:00Z`.
  public var extendedText: String {
    var extended: [UInt8] = []
    for (index, byte) in textBytes.enumerated() {
      if index == 4 || index == 6 { extended.append(0x2D) }
      if index == 11 || index == 13 { extended.append(ASCIIByte.colon) }
      extended.append(byte)
    }
    return extended.textInUTF8
  }
}

extension SigV4.Timestamp {
  /// The string in two halves, `20130524` and `T000000Z`, the first character of each lowest.
  package struct Characters: Hashable, Sendable {
    package let day: UInt64
    package let time: UInt64
  }
}

extension SigV4.Timestamp.Characters {
  /// Creates a time from 16 characters, or returns nil for any other number.
  init?(_ text: TextSpan) {
    if text.count != SigV4.Timestamp.byteCount { return nil }
    self.init(day: text.fullWord(at: 0), time: text.fullWord(at: 8))
  }

  init(unixSeconds: Int64) {
    let dayNumber = SigV4.Timestamp.quotientRoundedDown(unixSeconds, 86_400)
    let second = unixSeconds &- dayNumber &* 86_400
    let date = SigV4.Timestamp.date(ofDay: dayNumber)
    let day =
      Self.digits(date.year / 100) | Self.digits(date.year % 100) &<< 16
      | Self.digits(date.month) &<< 32 | Self.digits(date.day) &<< 48
    let time: UInt64 =
      0x54 | Self.digits(second / 3600) &<< 8 | Self.digits(second / 60 % 60) &<< 24
      | Self.digits(second % 60) &<< 40 | 0x5A &<< 56
    self.init(day: day, time: time)
  }

  /// `T000000Z`
  static var midnight: UInt64 { 0x5A30_3030_3030_3054 }

  /// The Unix time, or nil if the characters have another form or the date or time doesn't exist.
  var unixSeconds: Int64? {
    // The six digits between 'T' and 'Z', and two more in their place.
    let digits = time &>> 8 & 0xFFFF_FFFF_FFFF | 0x3030 &<< 48
    guard time & 0xFF == 0x54, time &>> 56 == 0x5A, let date = Self.numbers(day),
      let clock = Self.numbers(digits), clock.2 < 60
    else { return nil }
    return SigV4.Timestamp.unixSeconds(
      100 &* date.0 &+ date.1, date.2, date.3, clock.0, clock.1, clock.2)
  }

  /// Returns eight decimal digits as four numbers below 100, or nil for other characters.
  private static func numbers(_ characters: UInt64) -> (Int, Int, Int, Int)? {
    let digits = characters ^ 0x3030_3030_3030_3030
    // A byte above 9 gets its high bit, or already has it.
    if (digits &+ 0x7676_7676_7676_7676 | digits) & 0x8080_8080_8080_8080 != 0 { return nil }
    let pairs = digits &* 10 &+ digits &>> 8
    func number(_ index: UInt64) -> Int { Int(pairs &>> (16 &* index) & 0xFF) }
    return (number(0), number(1), number(2), number(3))
  }

  /// Returns the two decimal digits of a number below 100, the first one lowest.
  static func digits(_ number: Int64) -> UInt64 {
    UInt64(truncatingIfNeeded: number / 10 | (number % 10) &<< 8) | 0x3030
  }
}
