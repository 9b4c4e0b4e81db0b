// SPDX-License-Identifier: Apache-2.0
// HTTP/1.1 responses, whole and in portions, and invalid ones.

internal import CredentialProviders
internal import RequestSigning
import Testing

@testable internal import POSIXCredentialSources

@Suite("Answers of HTTP/1.1")
struct ResponseReaderTests {
  /// Statuses and bodies are what http.client of Python 3 reads from the same bytes.
  static let answers: [(text: String, status: Int, body: String)] = [
    ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, "hello"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200, ""),
    ("HTTP/1.1 404 \r\ncontent-length:  5 \r\n\r\nhello", 404, "hello"),
    ("HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello", 200, "hello"),
    ("HTTP/1.0 200 OK\r\n\r\nuntil the end", 200, "until the end"),
    ("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", 200, ""),
    ("HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", 200, "hello"),
    ("HTTP/1.1 204 No Content\r\n\r\n", 204, ""),
    ("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", 304, ""),
    ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 200, "ok"),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;a=b\r\n again\r\n0\r\n\r\n",
      200, "hello again"
    ),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n00A\r\n0123456789\r\n0\r\nA: b\r\n\r\n",
      200, "0123456789"
    ),
    ("HTTP/1.1 500 Error\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 500, ""),
    ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello", 200, "hello"),
  ]

  @Test("A response is read at once, byte by byte, and split at every byte")
  func portions() throws {
    for (text, status, body) in Self.answers {
      let bytes = Array(text.utf8)
      for split in 0...bytes.count {
        var reader = ResponseReader()
        try reader.read(bytes[..<split])
        try reader.read(bytes[split...])
        expect(reader, status, body)
      }
      var reader = ResponseReader()
      for index in bytes.indices { try reader.read(bytes[index...index]) }
      expect(reader, status, body)
    }
  }

  private func expect(_ reader: ResponseReader, _ status: Int, _ body: String) {
    #expect(reader.responseAtEnd?.status == status)
    #expect(reader.responseAtEnd?.body == Array(body.utf8))
  }

  @Test("Headers of 64 KiB are read, and a byte more is rejected")
  func longestHeaders() throws {
    let start = "HTTP/1.1 200 OK\r\nA: "
    let end = "\r\nContent-Length: 0\r\n\r\n"
    for byteCount in [65_536, 65_537] {
      let value = String(repeating: "a", count: byteCount - start.utf8.count - end.utf8.count)
      // The last line feed ends the last line, and isn't one of its bytes.
      let bytes = Array((start + value + "a" + end).utf8)
      var reader = ResponseReader()
      if byteCount == 65_536 {
        try reader.read(bytes[...])
        expect(reader, 200, "")
      } else {
        let error = #expect(throws: CredentialError.self) { try reader.read(bytes[...]) }
        #expect(error?.problem.contains("65536 bytes") == true)
      }
    }
  }

  @Test("A partial response is rejected, unless only the end of the connection completes it")
  func parts() throws {
    for (text, _, _) in Self.answers where text.contains("-Length") || text.contains("chunked") {
      let bytes = Array(text.utf8)
      let isEmpty304 = text.contains(" 304 ")
      for count in 0..<bytes.count where !isEmpty304 {
        var reader = ResponseReader()
        try reader.read(bytes[..<count])
        #expect(reader.responseAtEnd == nil, "\(count) bytes of \(text.debugDescription)")
      }
    }
  }

  @Test("Headers have their names, their values without spaces around them, and their order")
  func headers() throws {
    var reader = ResponseReader()
    let text = "HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a:\t2 3 \r\nX-B:\r\nContent-Length: 0\r\n\r\n"
    try reader.read(Array(text.utf8)[...])
    let headers = try #require(reader.response).headers
    #expect(headers.map(\.name) == ["X-A", "x-a", "X-B", "Content-Length"])
    #expect(headers.map(\.value) == ["1", "2 3", "", "0"])
  }

  @Test("The response to a HEAD ends with its headers (RFC 9110, 9.3.2)")
  func head() throws {
    let text = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n".utf8)
    var (reader, other) = (ResponseReader(to: "HEAD", upTo: 4), ResponseReader())
    try reader.read(text[...])
    try other.read(text[...])
    #expect(reader.response?.headers["content-length"] == "5" && reader.response?.body == [])
    #expect(other.responseAtEnd == nil)
  }

  @Test("Bytes after the response are ignored")
  func more() throws {
    var reader = ResponseReader()
    let text = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 500 \u{0}"
    try reader.read(Array(text.utf8)[...])
    #expect(reader.response?.body == Array("ok".utf8))
  }

  /// RFC 9112: 4 (the status line), 5 (fields), 6.1 and 6.3 (lengths), 7.1 (chunks).
  @Test(
    "What breaks the rules is rejected, also byte by byte",
    arguments: [
      "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1  200 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n",
      "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n", "SSH-2.0-OpenSSH_9.6\r\n", "\r\n",
      "http/1.1 200 OK\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\n\r\n",
      "HTTP/1.1 200 OK\r\nA : b\r\n\r\n", "HTTP/1.1 200 OK\r\nnothing\r\n\r\n",
      "HTTP/1.1 200 OK\r\n: b\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n folded\r\n\r\n",
      "HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n", "HTTP/1.1 200 OK\r\nA: \u{0}\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\nhello",
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\nContent-Length: 1048577\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
      "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n+5\r\nhello\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\nhello\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5 5\r\nhello\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhello\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n100001\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n80000000000000000\r\n",
    ])
  func refusals(text: String) {
    let bytes = Array(text.utf8)
    for portion in [bytes.count, 1] {
      var reader = ResponseReader()
      let error = #expect(throws: CredentialError.self) {
        for start in stride(from: 0, to: bytes.count, by: max(portion, 1)) {
          try reader.read(bytes[start..<start + portion])
        }
      }
      #expect(error?.code == .invalidResponse)
    }
  }

  @Test("64 KiB of lines are the limit in headers, interim responses and between chunks")
  func manyLines() throws {
    let start = "HTTP/1.1 200 OK\r\n"
    let floods = [
      [start + "A: " + String(repeating: "b", count: 70_000)],
      [start] + [String](repeating: "A: b\r\n", count: 12_000),
      [String](repeating: "HTTP/1.1 103 Early\r\n\r\n", count: 4_000),
      [start + "Transfer-Encoding: chunked\r\n\r\n"]
        + [String](repeating: "1\r\na\r\n", count: 20_000),
      [start + "Transfer-Encoding: chunked\r\n\r\n0\r\n"]
        + [String](repeating: "A: b\r\n", count: 12_000),
    ]
    for flood in floods {
      var reader = ResponseReader()
      let error = #expect(throws: CredentialError.self) {
        for portion in flood { try reader.read(Array(portion.utf8)[...]) }
      }
      #expect(error?.code == .invalidResponse)
    }
    var reader = ResponseReader()
    try reader.read(Array((start + "Content-Length: 0\r\nA: ").utf8)[...])
    // Byte by byte, as a slow server sends them.
    for _ in 0..<65_000 { try reader.read([0x62]) }
    try reader.read(Array("\r\n\r\n".utf8)[...])
    #expect(reader.response != nil)
  }

  @Test("A body of 1 MiB is accepted, and one byte more isn't", arguments: [0, 1])
  func limit(more: Int) throws {
    let zeros = [UInt8](repeating: 0x30, count: 524_288)
    let heads = [
      "", "Content-Length: \(1_048_576 + more)\r\n", "Transfer-Encoding: chunked\r\n",
    ]
    for (index, head) in heads.enumerated() {
      let between = index == 2 ? Array("80000\r\n".utf8) : []
      let after = index == 2 ? Array("\r\n".utf8) : []
      let rest =
        index == 2 ? Array((more == 1 ? "1\r\n0\r\n" : "").utf8) + Array("0\r\n\r\n".utf8) : []
      var reader = ResponseReader()
      func readAll() throws(CredentialError) {
        try reader.read(Array("HTTP/1.1 200 OK\r\n\(head)\r\n".utf8)[...])
        for _ in 0..<2 { try reader.read((between + zeros + after)[...]) }
        if index < 2 && more == 1 { try reader.read([0x30]) }
        try reader.read(rest[...])
      }
      if more == 0 {
        try readAll()
        #expect(reader.responseAtEnd?.body.count == 1_048_576)
      } else {
        let error = #expect(throws: CredentialError.self) { try readAll() }
        #expect(error?.code == .invalidResponse)
      }
    }
  }
}
