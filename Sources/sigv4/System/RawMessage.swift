// SPDX-License-Identifier: Apache-2.0
// A raw HTTP/1.1 message, whose body is read in constant memory.

internal import RequestSigning

/// A request or a response as text: its first line, its header fields and its body.
struct RawMessage {
  /// What's expected, in the words of an error.
  enum Kind: String {
    case request = "Standard input isn't an HTTP/1.1 request"
    case response = "The response isn't an HTTP/1.1 response"

    func malformed(_ reason: String, fix: String) -> Rejection {
      Rejection("invalidRequest", "\(rawValue): \(reason).", fix: fix)
    }
  }

  let firstLine: [UInt8]

  /// The names and values as bytes.
  let fields: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)]

  /// The header fields as strings.
  let headers: SigV4.Headers

  /// The number of body bytes read.
  private(set) var bodyByteCount = 0

  /// The length of the body. Nil if it extends to the end of the input.
  private var announcedByteCount: Int?

  /// Returns the next bytes of the input, or an empty slice at its end.
  private let read: () throws -> ArraySlice<UInt8>
  private var rest: ArraySlice<UInt8>

  /// Reads the head of a message, whose lines end with CRLF or LF.
  init(_ kind: Kind, reading read: @escaping () throws -> ArraySlice<UInt8>) throws {
    let head = try Self.readHead(read)
    fields = try head.lines.dropFirst().map { line in
      guard let colon = line.firstIndex(of: 0x3A) else {
        throw kind.malformed(
          "a header line has no colon", fix: "Check the lines before the first empty line.")
      }
      return (line[..<colon], line[(colon + 1)...])
    }
    firstLine = head.lines.first ?? []
    headers = SigV4.Headers(
      fields.map { SigV4.Header(Self.text($0.name), Self.text($0.value)) })
    announcedByteCount = try Self.announcedByteCount(headers, kind)
    self.read = read
    rest = head.rest
  }

  /// Expects the message to end with its head, whatever its Content-Length is.
  mutating func expectNoBody() { announcedByteCount = 0 }

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

extension RawMessage {
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
          .failure, "The head of the message is larger than 1 MiB.",
          fix: "Check that the input is an HTTP message.")
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

  /// Parses the Content-Length (RFC 9112, 6.3).
  private static func announcedByteCount(_ headers: SigV4.Headers, _ kind: Kind) throws -> Int? {
    if !headers.values(named: "transfer-encoding").isEmpty {
      throw kind.malformed(
        "its body has a Transfer-Encoding, which servers remove before verification",
        fix: "Pass the decoded body, and remove this header.")
    }
    let lengths = headers.values(named: "content-length")
    guard let length = lengths.first else { return nil }
    let isNumber = !length.isEmpty && length.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    guard isNumber, let count = Int(length), lengths.allSatisfy({ $0 == length }) else {
      throw kind.malformed(
        "its Content-Length isn't a number of bytes", fix: "Correct or remove this header.")
    }
    return count
  }

  /// Decodes UTF-8 and removes leading and trailing spaces and tabs.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
    while bytes.last == 0x20 || bytes.last == 0x09 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
