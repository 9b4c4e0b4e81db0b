// SPDX-License-Identifier: Apache-2.0
// A received HTTP/1.1 request, whose body is read in constant memory.

internal import RequestVerification
internal import RequestSigning

/// A received request: an HTTP/1.1 message or a URL.
struct ReceivedMessage {
  let request: SigV4.ReceivedRequest
  let method: String
  let target: String

  /// The header fields as strings.
  let headers: SigV4.Headers

  /// The number of body bytes read.
  private(set) var bodyByteCount = 0

  /// The Content-Length. Nil if the body extends to the end of the input.
  private let announcedByteCount: Int?

  /// Returns the next bytes of the input, or an empty slice at its end.
  private let read: () throws -> ArraySlice<UInt8>
  private var rest: ArraySlice<UInt8>

  /// Creates a request without a body to a URL, as a client sends it.
  init(_ method: String, url: String, headers: SigV4.Headers) throws {
    let parts = try SigV4.Request(method, url: url, headers: headers)
    self.headers = SigV4.Headers([SigV4.Header("host", parts.host)]) + parts.headers
    self.method = method
    target = Self.target(ofURL: url)
    request = SigV4.ReceivedRequest(
      method, target: target, scheme: parts.scheme, headers: self.headers)
    announcedByteCount = nil
    read = { [] }
    rest = []
  }

  /// Reads the head of an HTTP/1.1 request, whose lines end with CRLF or LF.
  init(reading read: @escaping () throws -> ArraySlice<UInt8>) throws {
    let head = try Self.readHead(read)
    let (method, target) = try Self.requestLine(head.lines.first ?? [])
    var request = SigV4.ReceivedRequest(method, target: target)
    var headers: SigV4.Headers = [:]
    for line in head.lines.dropFirst() {
      guard let colon = line.firstIndex(of: 0x3A) else {
        throw Self.malformed(
          "a header line has no colon", fix: "Check the lines before the first empty line.")
      }
      request.append(line[..<colon], line[(colon + 1)...])
      headers.append(Self.text(line[..<colon]), Self.text(line[(colon + 1)...]))
    }
    self.request = request
    self.method = method
    self.target = String(decoding: target, as: UTF8.self)
    self.headers = headers
    announcedByteCount = try Self.announcedByteCount(headers)
    self.read = read
    rest = head.rest
  }

  /// Returns the next bytes of the body, or nil at its end.
  mutating func nextPortion() throws -> ArraySlice<UInt8>? {
    try fill()
    let missing = announcedByteCount.map { $0 - bodyByteCount }
    let portion = rest.prefix(missing ?? rest.count)
    if portion.isEmpty {
      try checkEnd(missing ?? 0)
      return nil
    }
    rest = rest.dropFirst(portion.count)
    bodyByteCount += portion.count
    return portion
  }

  private mutating func fill() throws {
    if rest.isEmpty { rest = try read() }
  }

  /// Throws unless the input ends with the body. One trailing newline is allowed, because editors
  /// add it.
  private mutating func checkEnd(_ missing: Int) throws {
    if missing > 0 {
      throw Rejection(
        "bodyLengthMismatch",
        "Content-Length is \(bodyByteCount + missing), but the body has \(bodyByteCount) bytes.",
        fix: "Check for an interrupted connection or an incomplete copy.")
    }
    var surplus: [UInt8] = []
    while surplus.count < 3 && !rest.isEmpty {
      surplus += rest.prefix(3)
      rest = rest.dropFirst(3)
      try fill()
    }
    if !surplus.isEmpty && surplus != [0x0A] && surplus != [0x0D, 0x0A] {
      throw Rejection(
        "bytesAfterEnd",
        "Unsigned bytes follow the body, which ends after \(bodyByteCount) bytes according to "
          + "Content-Length.",
        fix: "Check the input for a second request.")
    }
  }
}

extension ReceivedMessage {
  /// Reads the lines before the first empty line, and returns them with the bytes already read
  /// after it. Without an empty line, the head extends to the end of the input.
  private static func readHead(
    _ read: () throws -> ArraySlice<UInt8>
  ) throws -> (lines: [[UInt8]], rest: ArraySlice<UInt8>) {
    var lines: [[UInt8]] = []
    var line: [UInt8] = []
    var portion: ArraySlice<UInt8> = []
    var byteCount = 0
    while true {
      if portion.isEmpty { portion = try read() }
      if portion.isEmpty { return (line.isEmpty ? lines : lines + [line], []) }
      let piece = portion.prefix { $0 != 0x0A }
      line += piece
      byteCount += piece.count + 1
      if byteCount > 1 << 20 {
        throw CommandError(
          .failure, "The head of the request is larger than 1 MiB.",
          fix: "Check that the input is an HTTP request.")
      }
      portion = portion.dropFirst(piece.count)
      if portion.popFirst() == nil { continue }
      if line.last == 0x0D { line.removeLast() }
      // RFC 9112, 2.2: empty lines before a request are ignored.
      if line.isEmpty && !lines.isEmpty { return (lines, portion) }
      if !line.isEmpty { lines.append(line) }
      line.removeAll()
    }
  }

  /// Parses method, target and version (RFC 9112, 3). The target may contain spaces that should
  /// have been encoded.
  private static func requestLine(
    _ line: [UInt8]
  ) throws -> (method: String, target: ArraySlice<UInt8>) {
    guard let first = line.firstIndex(of: 0x20), let last = line.lastIndex(of: 0x20),
      first < last, line[(last + 1)...].starts(with: "HTTP/".utf8)
    else {
      throw malformed(
        "its first line isn't METHOD TARGET HTTP/1.1", fix: "Add the request line.")
    }
    return (String(decoding: line[..<first], as: UTF8.self), line[(first + 1)..<last])
  }

  /// Parses the Content-Length (RFC 9112, 6.3).
  private static func announcedByteCount(_ headers: SigV4.Headers) throws -> Int? {
    if !headers.values(named: "transfer-encoding").isEmpty {
      throw malformed(
        "its body has a Transfer-Encoding, which servers remove before verification",
        fix: "Pass the decoded body, and remove this header.")
    }
    let lengths = headers.values(named: "content-length")
    guard let length = lengths.first else { return nil }
    let isNumber = !length.isEmpty && length.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    guard isNumber, let count = Int(length), lengths.allSatisfy({ $0 == length }) else {
      throw malformed(
        "its Content-Length isn't a number of bytes", fix: "Correct or remove this header.")
    }
    return count
  }

  /// The path and query of a URL, byte for byte.
  private static func target(ofURL url: String) -> String {
    let text = url.utf8.prefix { $0 != UInt8(ascii: "#") }
    let slashes = text.firstIndex(of: UInt8(ascii: ":")).map { text[$0...].dropFirst(3) }
    let target = (slashes ?? text).drop {
      $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?")
    }
    let path = String(decoding: target, as: UTF8.self)
    return path.hasPrefix("/") ? path : "/" + path
  }

  /// Decodes UTF-8 and removes leading and trailing spaces and tabs.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
    while bytes.last == 0x20 || bytes.last == 0x09 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func malformed(_ reason: String, fix: String) -> Rejection {
    Rejection("invalidRequest", "Standard input isn't an HTTP/1.1 request: \(reason).", fix: fix)
  }
}
