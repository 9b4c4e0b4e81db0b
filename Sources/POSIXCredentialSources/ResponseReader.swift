// SPDX-License-Identifier: Apache-2.0
// An incremental parser for one HTTP/1.1 response (RFC 9112).

package import CredentialProviders
package import RequestSigning

/// Parses one response in portions of any size. Limits: 64 KiB for all lines together, and the
/// request's `maximumByteCount` for the body.
package struct ResponseReader {
  private let maximumByteCount: Int
  /// Whether the request was a HEAD, whose response has no body (RFC 9110, 9.3.2).
  private let isHead: Bool
  private var state = State.statusLine
  private var line: [UInt8] = []
  private var lineByteCount = 0
  private var isVersion10 = false
  private var status = 0
  private var headers = SigV4.Headers()
  private var body: [UInt8] = []

  private enum State: Equatable {
    case statusLine
    case fields
    case body(left: Int)
    case bodyUntilEnd
    case chunkSize
    case chunk(left: Int)
    case chunkEnd
    case trailers
    case complete
  }

  /// Creates a parser for the response to a request with this method and limit.
  package init(
    to method: String = "GET", upTo maximumByteCount: Int = CredentialSources.maximumByteCount
  ) {
    self.maximumByteCount = maximumByteCount
    isHead = method == "HEAD"
  }

  /// Parses the next bytes. Bytes after the response are ignored.
  ///
  /// - Throws: `invalidResponse`.
  package mutating func read(_ bytes: ArraySlice<UInt8>) throws(CredentialError) {
    var rest = bytes
    while !rest.isEmpty && state != .complete {
      switch state {
      case .body(let left):
        let count = takeBody(&rest, atMost: left)
        state = count == left ? .complete : .body(left: left - count)
      case .chunk(let left):
        let count = takeBody(&rest, atMost: left)
        state = count == left ? .chunkEnd : .chunk(left: left - count)
      case .bodyUntilEnd:
        try checkBody(adding: rest.count)
        _ = takeBody(&rest, atMost: rest.count)
      case .statusLine, .fields, .chunkSize, .chunkEnd, .trailers, .complete:
        if let line = try nextLine(&rest) { try read(line: line) }
      }
    }
  }

  /// The response, or nil if it isn't complete.
  var response: SigV4.HTTPResponse? {
    state == .complete
      ? SigV4.HTTPResponse(status: status, headers: headers, body: body) : nil
  }

  /// The response after the server closed the connection, or nil if a part is missing.
  package var responseAtEnd: SigV4.HTTPResponse? {
    var ended = self
    if state == .bodyUntilEnd { ended.state = .complete }
    return ended.response
  }
}

extension ResponseReader {
  /// 64 KiB, more than credential services send in lines.
  private static let maximumLineByteCount = 65_536

  private mutating func takeBody(_ rest: inout ArraySlice<UInt8>, atMost count: Int) -> Int {
    let portion = rest.prefix(count)
    body += portion
    rest = rest.dropFirst(portion.count)
    return portion.count
  }

  private func checkBody(adding count: Int) throws(CredentialError) {
    if count > maximumByteCount - body.count {
      throw Self.invalid("is larger than \(maximumByteCount) bytes, the request's maximum")
    }
  }

  /// Returns the next line without its CR LF or LF (RFC 9112, 2.2), or nil if it isn't complete.
  private mutating func nextLine(
    _ rest: inout ArraySlice<UInt8>
  ) throws(CredentialError) -> [UInt8]? {
    let portion = rest.prefix { $0 != 0x0A }
    lineByteCount += portion.count
    if lineByteCount > Self.maximumLineByteCount {
      throw Self.invalid(
        "has more than \(Self.maximumLineByteCount) bytes of headers and other lines")
    }
    line += portion
    rest = rest.dropFirst(portion.count)
    if rest.isEmpty { return nil }
    rest = rest.dropFirst()
    lineByteCount += 1
    var complete = line
    line = []
    if complete.last == 0x0D { complete.removeLast() }
    if complete.contains(where: { ASCIIByte.isControl($0) && $0 != ASCIIByte.tab }) {
      throw Self.invalid("contains a control character in its status line, headers or chunk sizes")
    }
    return complete
  }

  private mutating func read(line: [UInt8]) throws(CredentialError) {
    switch state {
    case .statusLine:
      try readStatus(line)
      state = .fields
    case .fields:
      if line.isEmpty { try beginBody() } else { try readField(line) }
    case .chunkSize:
      try readChunkSize(line)
    case .chunkEnd:
      if !line.isEmpty { throw Self.invalid("has a chunk that's longer than its size") }
      state = .chunkSize
    case .trailers:
      if line.isEmpty { state = .complete }
    // A body isn't read in lines.
    case .body, .chunk, .bodyUntilEnd, .complete: break
    }
  }

  /// Parses a status line, such as `HTTP/1.1 200 OK` (RFC 9112, 4).
  private mutating func readStatus(_ line: [UInt8]) throws(CredentialError) {
    let digits = line.dropFirst(9).prefix(3)
    let isHTTP = line.starts(with: "HTTP/1.".utf8) && line.dropFirst(8).first == 0x20
    let version = line.dropFirst(7).first
    // Above 99, three characters have no sign.
    guard isHTTP, let version, ASCIIByte.isDigit(version),
      let status = Int(String(decoding: digits, as: UTF8.self)), status > 99,
      line.count == 12 || line.dropFirst(12).first == 0x20
    else { throw Self.invalid("doesn't start with an HTTP/1.1 status line") }
    self.status = status
    isVersion10 = version == UInt8(ascii: "0")
  }

  /// Parses a header (RFC 9112, 5). Folded values (5.2) aren't supported.
  private mutating func readField(_ line: [UInt8]) throws(CredentialError) {
    guard let colon = line.firstIndex(of: ASCIIByte.colon), colon > 0,
      line[..<colon].allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { throw Self.invalid("has an invalid header line") }
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == ASCIIByte.tab }
    let value = line[(colon + 1)...].drop(while: isSpace).reversed().drop(while: isSpace)
    headers.append(
      String(decoding: line[..<colon], as: UTF8.self),
      String(decoding: value.reversed(), as: UTF8.self))
  }

  /// Determines how the body ends (RFC 9112, 6.3).
  private mutating func beginBody() throws(CredentialError) {
    if status < 200 {
      if status == 101 { throw Self.invalid("switches to a protocol that wasn't requested") }
      // RFC 9110, 15.2: the final response follows.
      headers = SigV4.Headers()
      state = .statusLine
      return
    }
    if isHead {
      state = .complete
      return
    }
    let codings = headers.values(named: "transfer-encoding")
    let lengths = headers.values(named: "content-length")
    if let coding = codings.first {
      if codings.count > 1 || coding.lowercased() != "chunked" || !lengths.isEmpty || isVersion10 {
        throw Self.invalid(
          "has an unsupported Transfer-Encoding, or one with a Content-Length or in HTTP/1.0")
      }
      state = .chunkSize
    } else if let first = lengths.first {
      let isNumber = !first.isEmpty && first.utf8.allSatisfy(ASCIIByte.isDigit)
      if !isNumber || !lengths.allSatisfy({ $0 == first }) {
        throw Self.invalid("has an invalid Content-Length, or several different ones")
      }
      let length = Int(first) ?? .max
      try checkBody(adding: length)
      state = length == 0 ? .complete : .body(left: length)
    } else {
      state = .bodyUntilEnd
    }
    // RFC 9110, 15.3.5 and 15.4.5: these never have a body.
    if status == 204 || status == 304 { state = .complete }
  }

  /// Parses a chunk size in hexadecimal, and ignores extensions (RFC 9112, 7.1).
  private mutating func readChunkSize(_ line: [UInt8]) throws(CredentialError) {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == ASCIIByte.tab }
    let digits = line.prefix { $0 != UInt8(ascii: ";") && !isSpace($0) }
    let rest = line.dropFirst(digits.count).drop(while: isSpace)
    guard !digits.isEmpty, digits.allSatisfy({ ASCIIByte.hexadecimalValue($0) != nil }),
      rest.isEmpty || rest.first == UInt8(ascii: ";")
    else { throw Self.invalid("has a chunk whose size isn't a number") }
    let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) ?? .max
    try checkBody(adding: size)
    state = size == 0 ? .trailers : .chunk(left: size)
  }

  private static func invalid(_ problem: String) -> CredentialError {
    CredentialError(
      .invalidResponse, "The response \(problem).", fix: "Check the service at this address.")
  }
}
