// SPDX-License-Identifier: Apache-2.0
// Strings from files, variables and servers: checks, encodings, messages and times.

internal import DocumentSupport
internal import RequestSigning

extension String {
  /// Whether the string isn't empty and contains only visible ASCII.
  var isVisibleASCII: Bool { !isEmpty && utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }

  /// Whether this is a valid refresh token (RFC 6749, A.17): visible ASCII and spaces.
  var isRefreshToken: Bool { !isEmpty && utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }

  /// Returns whether the string contains only ASCII letters, digits and the given characters.
  func consistsOfLettersAndDigits(or others: String) -> Bool {
    allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || others.contains($0) }
  }

  /// The string without leading and trailing newlines and spaces.
  var trimmed: String {
    let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " || ("\t"..."\r").contains($0) }
    let tail = unicodeScalars.drop(while: isSpace)
    let end = tail.lastIndex { !isSpace($0) }
    return end.map { String(tail[...$0]) } ?? ""
  }
}

// MARK: - Messages

extension String {
  /// The string in quotes, safe for a message. Role ARNs, paths and server messages may be long.
  package var shown: String { UTF8Text.quoted(utf8, upTo: 240) }

  /// Returns the string without the given secrets, both plain and form-encoded. Hides parts of at
  /// least 12 bytes too.
  func hiding(_ secrets: [String]) -> String {
    let text = Array(utf8)
    var parts: Set<ArraySlice<UInt8>> = []
    var counts: Set<Int> = []
    let forms = secrets.filter { !$0.isEmpty }.flatMap { [$0, FormEncoding.formValue($0)] }
    for form in forms.map({ Array($0.utf8) }) {
      let count = min(12, form.count)
      counts.insert(count)
      for start in 0...form.count - count { parts.insert(form[start..<start + count]) }
    }
    var (hidden, position): ([UInt8], Int) = ([], 0)
    while position < text.count {
      // The end of all parts that begin here, or within one of these.
      var (end, next) = (position, position)
      while next <= end && next < text.count {
        for count in counts where next + count <= text.count {
          if parts.contains(text[next..<next + count]) { end = max(end, next + count) }
        }
        next += 1
      }
      if end == position {
        hidden.append(text[position])
        position += 1
      } else {
        hidden += "(not shown)".utf8
        position = end
      }
    }
    return String(decoding: hidden, as: UTF8.self)
  }
}

extension StringProtocol {
  /// Returns the start of a string in this one, or nil if it doesn't occur.
  ///
  /// Swift's regular expressions can do this too, but add 1 MB to a static program.
  func firstOccurrence(of text: some StringProtocol) -> Index? {
    indices.first { self[$0...].starts(with: text) }
  }
}

// MARK: - Encodings

/// Encodes names and values for form bodies and queries.
enum FormEncoding {
  /// Returns a form body (application/x-www-form-urlencoded), with '+' for a space.
  static func form(_ fields: [(String, String)]) -> [UInt8] {
    fields.map { formValue($0) + "=" + formValue($1) }.joined(separator: "&").bytesInUTF8
  }

  /// Returns a query (RFC 3986, 3.4), with '%20' for a space.
  static func query(_ fields: [(String, String)]) -> String {
    fields.map { escaped($0.utf8) + "=" + escaped($1.utf8) }.joined(separator: "&")
  }

  /// Encodes a name or value for a form body.
  static func formValue(_ text: String) -> String {
    text.utf8.split(separator: 0x20, omittingEmptySubsequences: false).map(escaped)
      .joined(separator: "+")
  }

  private static func escaped(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: URIEncoding.encode(Array(bytes)), as: UTF8.self)
  }
}

// MARK: - Times

extension SigV4.Timestamp {
  /// Creates a timestamp from a string such as `2024-01-29T18:53:01Z` or
  /// `2024-01-29T18:53:01.5+01:00` (RFC 3339, 5.6; the colon of the offset may be missing). Drops
  /// fractions. Returns nil for any other form, and if the offset is missing, since the hour would
  /// be ambiguous.
  init?(expiration text: String) {
    var bytes = text.bytesInUTF8
    // RFC 3339, 5.6: "t" is allowed, and a space for readability.
    guard (20...64).contains(bytes.count), let offset = Self.offset(at: bytes[19...]),
      "Tt ".utf8.contains(bytes[10])
    else { return nil }
    bytes[10] = UInt8(ascii: "T")
    let local = String(decoding: bytes.dropLast(offset.byteCount), as: UTF8.self) + "Z"
    guard let moment = try? SigV4.Timestamp(extended: local)?.advanced(bySeconds: -offset.seconds)
    else { return nil }
    self = moment
  }

  /// Returns the size and the seconds of the UTC offset at the end of a string, from -23:59 to
  /// +23:59.
  private static func offset(at tail: ArraySlice<UInt8>) -> (byteCount: Int, seconds: Int64)? {
    let text = String(decoding: tail, as: UTF8.self)
    if text.hasSuffix("Z") || text.hasSuffix("z") { return (1, 0) }
    guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return nil }
    var digits = Array(text[sign...].utf8.dropFirst())
    if digits.count == 5 && digits[2] == UInt8(ascii: ":") { digits.remove(at: 2) }
    let isNumber = digits.count == 4 && digits.allSatisfy { (0x30...0x39).contains($0) }
    guard isNumber, let number = Int64(String(decoding: digits, as: UTF8.self)) else { return nil }
    let (hours, minutes) = number.quotientAndRemainder(dividingBy: 100)
    if hours > 23 || minutes > 59 { return nil }
    let seconds = (hours * 60 + minutes) * 60
    return (text[sign...].utf8.count, text[sign] == "+" ? seconds : -seconds)
  }
}

extension JSONReader.Value {
  /// The number in any notation, or nil for any other kind of value.
  var double: Double? {
    if case .number(let digits) = self { Double(digits) } else { nil }
  }

  /// Returns the time of a number of units since 1970, without fractions, or nil if it's out of
  /// range.
  func moment(unitsPerSecond: Double) -> SigV4.Timestamp? {
    guard let seconds = double.map({ $0 / unitsPerSecond }), abs(seconds) < 1e12 else { return nil }
    return try? SigV4.Timestamp(unixSeconds: Int64(seconds.rounded(.down)))
  }

  /// The time of a string such as `2024-01-29T18:53:01Z`.
  var moment: SigV4.Timestamp? { text.flatMap(SigV4.Timestamp.init(expiration:)) }
}
