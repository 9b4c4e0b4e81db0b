// SPDX-License-Identifier: Apache-2.0
// Normalizes the authority of a URL, or a Host header, to the form in which it's sent.

extension TextOutput {
  /// Writes the `Host` header value for `[user@]host[:port]` (RFC 3986, 3.2): in lowercase,
  /// without user information, and without the scheme's default port.
  package mutating func writeHost(
    _ authority: TextSpan, _ scheme: SigV4.Scheme, _ end: inout Int
  ) throws(SigV4.SigningError) {
    let start = end
    append(authority, &end)
    if isPlainHost(start..<end) { return }
    end = start
    // The part before the last '@' is never sent.
    var nameStart = 0
    var position = authority.position(of: ASCIIByte.at)
    while position < authority.count {
      nameStart = position &+ 1
      position = authority.position(of: ASCIIByte.at, from: nameStart)
    }
    let nameEnd = try writeName(of: authority, from: nameStart, &end)
    try writePort(of: authority, from: nameEnd, scheme, &end)
  }

  /// Writes the name, or an IPv6 address with its brackets. Returns the end of the host in
  /// `authority`.
  private mutating func writeName(
    of authority: TextSpan, from start: Int, _ end: inout Int
  ) throws(SigV4.SigningError) -> Int {
    if start < authority.count, authority.byte(at: start) == 0x5B {
      let bracket = authority.position(of: 0x5D, from: start)
      if bracket == authority.count {
        throw authority.invalidHost("its IPv6 address has no closing bracket")
      }
      if !IPAddressGrammar.isVersion6(authority.extracting(start &+ 1..<bracket).array[...]) {
        throw authority.invalidHost("the brackets must contain an IPv6 address without a zone")
      }
      for position in start...bracket {
        append(ASCIIByte.lowercased(authority.byte(at: position)), &end)
      }
      return bracket &+ 1
    }
    let nameEnd = authority.position(of: ASCIIByte.colon, from: start)
    if nameEnd == start { throw authority.invalidHost("it's empty") }
    var previous = ASCIIByte.dot
    for position in start..<nameEnd {
      let byte = authority.byte(at: position)
      if byte > 0x7F {
        throw authority.invalidHost("non-ASCII characters must be encoded in Punycode (xn--...)")
      }
      if !ASCIIByte.isUnreserved(byte) {
        throw authority.invalidHost("only letters, digits, '-', '.', '_' and '~' are allowed")
      }
      // A trailing dot is the root of the domain names.
      if byte == ASCIIByte.dot && previous == ASCIIByte.dot {
        throw authority.invalidHost("a label before a dot is empty")
      }
      append(ASCIIByte.lowercased(byte), &end)
      previous = byte
    }
    return nameEnd
  }

  /// Writes the port after a colon, unless it's the default port.
  private mutating func writePort(
    of authority: TextSpan, from colon: Int, _ scheme: SigV4.Scheme, _ end: inout Int
  ) throws(SigV4.SigningError) {
    if colon == authority.count { return }
    if authority.byte(at: colon) != ASCIIByte.colon {
      throw authority.invalidHost("only a port can follow the address in brackets")
    }
    if colon &+ 1 == authority.count { return }
    var port = 0
    for position in colon &+ 1..<authority.count {
      let byte = authority.byte(at: position)
      if !ASCIIByte.isDigit(byte) || port > 65_535 { throw authority.invalidPort(after: colon) }
      port = port &* 10 &+ Int(byte &- 0x30)
    }
    if port < 1 || port > 65_535 { throw authority.invalidPort(after: colon) }
    if port != scheme.defaultPort {
      append(ASCIIByte.colon, &end)
      append(decimal: port, &end)
    }
  }
}

extension TextSpan {
  /// The authority without user information, which may contain a password.
  var withoutUser: [UInt8] {
    let bytes = array
    guard let at = bytes.lastIndex(of: ASCIIByte.at) else { return bytes }
    return Array(bytes[(at + 1)...])
  }

  fileprivate func invalidHost(_ reason: StaticString) -> SigV4.SigningError {
    SigV4.SigningError(
      .invalidHost,
      "The host \(quoted: withoutUser) isn't valid: \(reason).",
      fix: """
        Use the host exactly as it's sent, such as example.com, example.com:8080 or [::1]:9000.
        """)
  }

  /// Returns the error for a port. A text that isn't a number may be a password.
  fileprivate func invalidPort(after colon: Int) -> SigV4.SigningError {
    let port = extracting(colon &+ 1..<count).array
    let shown: UTF8Text = port.allSatisfy(ASCIIByte.isDigit) ? "\(quoted: port)" : "(not shown)"
    return SigV4.SigningError(
      .invalidHost,
      "The port \(shown) isn't a number from 1 to 65535.",
      fix: """
        Correct it, or remove it to use the scheme's default port. Write the host without https:// \
        and without a path.
        """)
  }
}

/// The ranges of the parts of an absolute URL (RFC 3986, 3).
package struct MessageURL {
  package let scheme: SigV4.Scheme
  package let authority: Range<Int>
  package let path: Range<Int>
  package let query: Range<Int>

  /// The maximum number of query parameters.
  package let parameterCount: Int

  /// Parses an absolute URL, without its fragment. Returns nil if it isn't one, or its scheme is
  /// unknown.
  package init?(_ url: TextSpan) {
    guard let (scheme, start) = SigV4.Scheme.beginning(url) else { return nil }
    self.scheme = scheme
    var position = start
    authority = start..<url.next(&position, ASCIIByte.slash, ASCIIByte.questionMark, ASCIIByte.hash)
    path = authority.upperBound..<url.next(&position, ASCIIByte.questionMark, ASCIIByte.hash)
    if path.upperBound == url.count || url[path.upperBound] == ASCIIByte.hash {
      query = path.upperBound..<path.upperBound
      parameterCount = 0
      return
    }
    position &+= 1
    let queryStart = position
    var count = 1
    while url.next(&position, ASCIIByte.ampersand, ASCIIByte.hash) < url.count,
      url[position] == ASCIIByte.ampersand
    {
      position &+= 1
      count &+= 1
    }
    query = queryStart..<position
    parameterCount = count
  }
}

extension TextSpan {
  /// Advances a position to the first occurrence of any of the bytes, or to the end, and returns
  /// it.
  fileprivate func next(
    _ position: inout Int, _ first: UInt8, _ second: UInt8, _ third: UInt8? = nil
  ) -> Int {
    while position &+ 16 <= count, case let bytes = sixteen(at: position),
      !(bytes.isEqual(first) | bytes.isEqual(second) | bytes.isEqual(third ?? second)).hasAny
    {
      position &+= 16
    }
    while position < count {
      let word = word(at: position)
      var marks = EightBytes.each(first, in: word) | EightBytes.each(second, in: word)
      if let third { marks |= EightBytes.each(third, in: word) }
      if marks != 0 {
        position &+= marks.trailingZeroBitCount &>> 3
        return position
      }
      position &+= 8
    }
    position = count
    return position
  }
}

extension SigV4.Scheme {
  /// Returns the scheme of a URL, ignoring case, and the end of its "://".
  fileprivate static func beginning(_ url: TextSpan) -> (SigV4.Scheme, Int)? {
    if url.word(at: 0) == EightBytes.spelling("https://") { return (.https, 8) }
    let end = url.position(of: ASCIIByte.colon)
    guard end &+ 3 <= url.count, url[end &+ 1] == ASCIIByte.slash, url[end &+ 2] == ASCIIByte.slash
    else { return nil }
    for scheme in [Self.https, .http, .wss, .ws]
    where url.extracting(0..<end).spellsIgnoringCase(scheme.text) {
      return (scheme, end &+ 3)
    }
    return nil
  }
}
