// SPDX-License-Identifier: Apache-2.0
// The plain form of paths, queries and dates.

package import RequestSigning

// The path: on the wire, and canonical.
extension PlainSigner {
  package var wirePath: String {
    switch request.path {
    case .encoded(let text):
      service.encodesPathTwice
        ? nonempty(text) : nonempty(Self.encodedPath(Self.decoded(text.utf8)))
    case .raw(let bytes): nonempty(Self.encodedPath(bytes))
    case .key(let bytes): "/" + Self.encodedPath(bytes)
    case .received(let bytes): nonempty(String(decoding: bytes, as: UTF8.self))
    }
  }

  package var canonicalPath: String {
    let received: [UInt8]? = if case .received(let bytes) = request.path { bytes } else { nil }
    let wire = received ?? Array(wirePath.utf8)
    let path = service.normalizesPath ? Self.normalized(wire) : wire
    if service.encodesPathTwice { return nonempty(Self.encodedPath(path)) }
    // We send only strings that are encoded as the service does. Others may not.
    return nonempty(
      received == nil ? String(decoding: path, as: UTF8.self) : Self.encodedPath(Self.decoded(path))
    )
  }

  /// RFC 9112, 3.2.1: a path that is empty is sent as "/".
  package func nonempty(_ path: String) -> String { path.isEmpty ? "/" : path }

  /// RFC 3986, 5.2.4, but also without empty segments. A trailing slash remains.
  package static func normalized(_ path: [UInt8]) -> [UInt8] {
    var segments: [ArraySlice<UInt8>] = []
    for segment in path.split(separator: UInt8(ascii: "/")) {
      if segment.elementsEqual("..".utf8) {
        _ = segments.popLast()
      } else if !segment.elementsEqual(".".utf8) {
        segments.append(segment)
      }
    }
    let slash = [UInt8(ascii: "/")]
    let end = path.last == slash[0] && !segments.isEmpty ? slash : []
    return slash + segments.joined(separator: slash) + end
  }
}

// The query: each name and value encoded once, in the order of the caller.
extension PlainSigner {
  package var parameters: [(name: String, value: String?)] {
    switch request.query {
    case .plain(let parameters):
      parameters.map { (Self.encoded($0.name), $0.value.map(Self.encoded)) }
    case .encoded(let text, let plus): Self.parameters(Array(text.utf8), plus)
    case .received(let bytes, let plus): Self.parameters(bytes, plus)
    }
  }

  package static func parameters(
    _ query: [UInt8], _ plus: SigV4.Query.PlusSign
  ) -> [(name: String, value: String?)] {
    query.split(separator: UInt8(ascii: "&")).map { pair in
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
      ).map { encoded(decoded($0, plus: plus)) }
      return (parts[0], parts.count == 2 ? parts[1] : nil)
    }
  }

  package func url(_ query: [(name: String, value: String?)]) -> String {
    let pairs = query.map { parameter in
      parameter.value.map { parameter.name + "=" + $0 } ?? parameter.name
    }
    return request.scheme.name + "://" + host + wirePath
      + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
  }
}

// Percent encoding.
extension PlainSigner {
  package static func encoded(_ text: String) -> String { encoded(Array(text.utf8)) }

  package static func encoded(_ bytes: [UInt8]) -> String {
    bytes.map { escapes[Int($0)] }.joined()
  }

  /// The same, but slashes stay.
  package static func encodedPath(_ bytes: [UInt8]) -> String {
    bytes.map { $0 == UInt8(ascii: "/") ? "/" : escapes[Int($0)] }.joined()
  }

  /// Each byte in its written form: itself if it's unreserved (RFC 3986, 2.3), else an escape.
  package static let escapes: [String] = (0...255).map { (byte: UInt8) in
    let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    if unreserved.utf8.contains(byte) { return String(decoding: [byte], as: UTF8.self) }
    let digits = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "%0" + digits : "%" + digits
  }

  /// A '%' without two digits after it means itself.
  package static func decoded(
    _ text: some Collection<UInt8>, plus: SigV4.Query.PlusSign = .literal
  ) -> [UInt8] {
    let text = Array(text)
    var bytes: [UInt8] = []
    var position = 0
    while position < text.count {
      if text[position] == UInt8(ascii: "%"), let byte = escaped(text.dropFirst(position + 1)) {
        bytes.append(byte)
        position += 3
        continue
      }
      let isSpace = text[position] == UInt8(ascii: "+") && plus == .space
      bytes.append(isSpace ? UInt8(ascii: " ") : text[position])
      position += 1
    }
    return bytes
  }

  package static func escaped(_ text: ArraySlice<UInt8>) -> UInt8? {
    let digits = text.prefix(2)
    // The initialiser of integers would take a sign as well.
    guard digits.count == 2, digits.allSatisfy("0123456789abcdefABCDEF".utf8.contains) else {
      return nil
    }
    return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}

// Dates.
extension PlainSigner {
  /// YYYYMMDD'T'HHMMSS'Z': the days counted off, year by year and month by month.
  package static func date(at time: Int64) -> String {
    var day = time / 86_400
    // In 400 years of the Gregorian calendar are 146,097 days.
    var year = 1970 + day / 146_097 * 400
    day %= 146_097
    while day >= days(inYear: year) {
      day -= days(inYear: year)
      year += 1
    }
    var months: [Int64] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    if days(inYear: year) == 366 { months[1] = 29 }
    var month = 0
    while day >= months[month] {
      day -= months[month]
      month += 1
    }
    let second = time % 86_400
    return digits(year, 4) + digits(Int64(month) + 1, 2) + digits(day + 1, 2)
      + "T" + digits(second / 3600, 2) + digits(second / 60 % 60, 2)
      + digits(second % 60, 2) + "Z"
  }

  package static func days(inYear year: Int64) -> Int64 {
    year % 400 == 0 || year % 4 == 0 && year % 100 != 0 ? 366 : 365
  }

  package static func digits(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: width - digits.count) + digits
  }
}
