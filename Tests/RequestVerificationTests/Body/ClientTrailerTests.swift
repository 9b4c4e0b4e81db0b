// SPDX-License-Identifier: Apache-2.0
// Trailers as minio-go frames them.

internal import RequestVerification
internal import SigningTestSupport
internal import TestSupport
internal import Testing

@Suite("Verification: trailers of minio-go")
struct ClientTrailerTests {
  let server: ExampleServer

  init() throws {
    server = try ExampleServer(unsignedPayloads: .allowed)
  }

  /// minio-go, by `client-trailers.py`.
  @Test("Trailers that end with LF, CR and LF are accepted, and no other framing is")
  func clientTrailers() {
    ["signed", "unsigned"].forEachCase { (name: String) in
      let records = try VectorTable(named: "client-trailers.txt").records
      let record = try #require(records.first { $0.name == name })
      var request = WireRequest("PUT", "/", try record.headers().map { ($0.name, $0.value) })
      request.body = try record.bytes("body")
      #expect(try server.verify(request) == Array("hello".utf8))
      let sent = String(decoding: request.body, as: UTF8.self)
      let rest = name == "signed" ? "x-amz-trailer" : "\r\n"
      try #require(sent.contains("\n\r\n" + rest))
      for end in [
        "\n", "\n\n", "\r\n\r\n", "\r\r\n", "\n\r", "\n\r\n\r\n", "\n \r\n", "\n\r\na:b\r\n",
      ] {
        request.body = Array(sent.replacing("==\n\r\n", with: "==" + end).utf8)
        #expect(throws: SigV4.VerificationError.self, "\(end.debugDescription)") {
          try server.verify(request)
        }
      }
      request.body = Array(sent.replacing("hello\r\n", with: "hello\n\r\n").utf8)
      expectRefused(.malformedChunk) { try server.verify(request) }
      request.body = Array(sent.replacing("NhCmhg", with: "NhCmhh").utf8)
      expectRefused(name == "signed" ? .chunkSignatureMismatch : .checksumMismatch) {
        try server.verify(request)
      }
    }
  }
}
