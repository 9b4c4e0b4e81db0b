// SPDX-License-Identifier: Apache-2.0
// Parses the three forms of an HTTP date.

extension SigV4.Timestamp {
  /// Creates a timestamp from an HTTP date (RFC 9110, 5.6.7), as in the Date header.
  ///
  /// The three forms are `Fri, 24 May 2013 00:00:00 GMT`, the obsolete
  /// `Friday, 24-May-13 00:00:00 GMT` (years 70 to 99 are 1970 to 1999, 00 to 69 are 2000 to 2069)
  /// and `Fri May 24 00:00:00 2013`. A leap second is the first second of the next minute.
  ///
  /// - Throws: `invalidTimestamp` for any other form, for a date or time that doesn't exist, or if
  ///   the weekday doesn't match.
  public init(httpDate text: String) throws(SigV4.SigningError) {
    let fields = DecimalFields(text.bytesInUTF8[...])
    guard
      let seconds = Self.fixedDate(fields) ?? Self.dateWithShortYear(fields)
        ?? Self.dateOfCTime(fields)
    else {
      throw SigV4.SigningError(
        .invalidTimestamp,
        "\(quoted: text) isn't a valid HTTP date, or its weekday doesn't match.",
        fix: "Use the form Fri, 24 May 2013 00:00:00 GMT.")
    }
    self.init(checked: seconds)
  }

  /// `Fri, 24 May 2013 00:00:00 GMT`
  private static func fixedDate(_ start: DecimalFields) -> Int64? {
    var fields = start
    guard let weekday = fields.next(nameIn: shortWeekdays, length: 3), fields.skip(", "),
      let day = fields.next(2), fields.skip(" "),
      let month = fields.next(nameIn: months, length: 3), fields.skip(" "),
      let year = fields.next(4), fields.skip(" "),
      let time = fields.nextTime(), fields.skip(" GMT"), fields.isAtEnd
    else { return nil }
    return checked(weekday, year, month &+ 1, day, time)
  }

  /// `Friday, 24-May-13 00:00:00 GMT`
  private static func dateWithShortYear(_ start: DecimalFields) -> Int64? {
    var fields = start
    let name = fields.rest.prefix { $0 != ASCIIByte.comma }
    guard let weekday = longWeekdays.firstIndex(where: { $0.utf8.elementsEqual(name) }),
      fields.skip(name.count), fields.skip(", "),
      let day = fields.next(2), fields.skip("-"),
      let month = fields.next(nameIn: months, length: 3), fields.skip("-"),
      let shortYear = fields.next(2), fields.skip(" "),
      let time = fields.nextTime(), fields.skip(" GMT"), fields.isAtEnd
    else { return nil }
    let year = shortYear < 70 ? 2000 &+ shortYear : 1900 &+ shortYear
    return checked(weekday, year, month &+ 1, day, time)
  }

  /// `Fri May 24 00:00:00 2013`, the form of asctime() in C. The day may have a space instead of a
  /// zero.
  private static func dateOfCTime(_ start: DecimalFields) -> Int64? {
    var fields = start
    guard let weekday = fields.next(nameIn: shortWeekdays, length: 3), fields.skip(" "),
      let month = fields.next(nameIn: months, length: 3), fields.skip(" "),
      let day = fields.rest.first == ASCIIByte.space
        ? (fields.skip(1) ? fields.next(1) : nil) : fields.next(2),
      fields.skip(" "), let time = fields.nextTime(), fields.skip(" "),
      let year = fields.next(4), fields.isAtEnd
    else { return nil }
    return checked(weekday, year, month &+ 1, day, time)
  }

  private static func checked(
    _ weekday: Int, _ year: Int, _ month: Int, _ day: Int, _ time: DecimalFields.Time
  ) -> Int64? {
    guard
      let seconds = unixSeconds(year, month, day, time.hour, time.minute, time.second)
    else { return nil }
    // 1970-01-01 was a Thursday. The sum is positive for every year from 1.
    let weekdayOfDate = (dayNumber(year, month, day) &+ 719_468 &+ 3) % 7
    return weekdayOfDate == Int64(weekday) ? seconds : nil
  }

  private static var shortWeekdays: [String] {
    ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  }

  private static var longWeekdays: [String] {
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  }

  private static var months: [String] {
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  }
}

extension SigV4.Timestamp {
  /// Parses numbers of fixed width.
  struct DecimalFields {
    private let text: ArraySlice<UInt8>
    private var position: Int

    init(_ text: ArraySlice<UInt8>) {
      self.text = text
      position = text.startIndex
    }

    /// The unread bytes.
    var rest: ArraySlice<UInt8> { text[position...] }

    var isAtEnd: Bool { position == text.endIndex }

    /// Parses a number with exactly `digits` digits, or returns nil.
    mutating func next(_ digits: Int) -> Int? {
      let end = position &+ digits
      if end > text.endIndex { return nil }
      var value = 0
      while position < end {
        if !ASCIIByte.isDigit(text[position]) { return nil }
        value = value &* 10 &+ Int(text[position] &- 0x30)
        position &+= 1
      }
      return value
    }

    /// Skips characters, or returns false if there are too few.
    mutating func skip(_ count: Int) -> Bool {
      let isThere = count <= text.endIndex &- position
      if isThere { position &+= count }
      return isThere
    }

    /// Skips exactly this string, or returns false if something else follows.
    mutating func skip(_ text: StaticString) -> Bool {
      let start = position
      return skip(text.utf8CodeUnitCount) && self.text[start..<position].spells(text)
    }

    /// A time of day, not yet checked.
    struct Time {
      let hour: Int
      let minute: Int
      let second: Int
    }

    /// Parses the next `HH:MM:SS`.
    mutating func nextTime() -> Time? {
      guard let hour = next(2), skip(":"), let minute = next(2), skip(":"), let second = next(2)
      else { return nil }
      return Time(hour: hour, minute: minute, second: second)
    }

    /// Parses the next name with `length` characters, and returns its position in the list.
    mutating func next(nameIn names: [String], length: Int) -> Int? {
      let name = rest.prefix(length)
      return skip(length) ? names.firstIndex { $0.utf8.elementsEqual(name) } : nil
    }
  }
}
