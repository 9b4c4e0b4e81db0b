// SPDX-License-Identifier: Apache-2.0
// Very large hostile requests: each has a result, and none traps.

internal import SigningTestSupport
internal import RequestVerification
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Verification: hostile input")
struct HostileRequestTests {
  let server: ExampleServer
  let authorization: String

  init() throws {
    server = try ExampleServer()
    authorization = try SentToS3.signed().header("Authorization")
  }

  @Test("Large headers of any bytes are rejected", arguments: [15_000, 1 << 20])
  func largeHeaders(byteCount: Int) {
    [0x2C, 0x3B, 0x61].forEachCase { (byte: UInt8) in
      let large = String(
        decoding: [UInt8](repeating: byte & 0x7F, count: byteCount), as: UTF8.self)
      for name in [
        "Authorization", "x-amz-date", "x-amz-meta-a", "Host", "x-amz-content-sha256",
      ] {
        #expect(throws: SigV4.VerificationError.self) {
          try server.verify(SentToS3.signed().replacing(name, with: [large]))
        }
      }
      for part in ["Credential=", "SignedHeaders=", "Signature="] {
        #expect(throws: SigV4.VerificationError.self) {
          try server.verify(
            SentToS3.signed().replacing(
              "Authorization", with: [authorization.replacing(part, with: part + large)]))
        }
      }
      var broken = try SentToS3.signed()
      broken.headers.append((Array("x".utf8), [UInt8](repeating: byte | 0x80, count: byteCount)))
      // A long name is valid if its bytes are.
      if byte == 0x61 { broken.headers.append((Array(large.utf8), [])) }
      if byteCount < SigV4.ReceivedRequest.maximumByteCount {
        try server.verify(broken)
      } else {
        expectRefused(.requestTooLarge) { try server.verify(broken) }
      }
    }
  }

  @Test("A great many headers of one name, of other names, and of names that must be signed")
  func manyHeaders() throws {
    let count = 400
    var many = try SentToS3.signed()
    many.headers += (0..<count).map { index in
      (Array("x-\(index % 3 == 0 ? 1 : index)".utf8), Array("a".utf8))
    }
    try server.verify(many)
    many.headers += (0..<count).map { _ in (Array("x-amz-a".utf8), Array("a".utf8)) }
    expectRefused(.unsignedHeader) { try server.verify(many) }
    let doubled = try SentToS3.signed().replacing(
      "Authorization", with: [String](repeating: authorization, count: count / 10))
    expectRefused(.repeatedField) { try server.verify(doubled) }
  }

  @Test("A great many parameters, of one name, of other names, and of names of a signature")
  func manyParameters() throws {
    let count = 350
    for piece in ["&a=b", "&x", "&%41", "&=", "&&", "&x-amz-a", "&X-Amz-Meta"] {
      let many = try SentToS3.presigned().replacingInTarget(
        "list-type=2", with: "list-type=2" + String(repeating: piece, count: count))
      do {
        try server.verify(many)
        #expect(piece == "&&")
      } catch let error as SigV4.VerificationError {
        #expect(error.code == .signatureMismatch)
      }
    }
    let doubled = try SentToS3.presigned().replacingInTarget(
      "list-type=2", with: String(repeating: "X-Amz-Signature=a&", count: count))
    expectRefused(.repeatedField) { try server.verify(doubled) }
  }

  @Test("Deep percent signs, broken UTF-8 and slashes without end in a target")
  func deepTargets() throws {
    for count in [900, 10_000, 100_000] {
      for piece in ["%25", "%", "%2", "/", "/..", "/.", "?", "&", "=", "+"] {
        var request = try SentToS3.signed()
        request.target = Array(("/" + String(repeating: piece, count: count)).utf8)
        #expect(throws: SigV4.VerificationError.self) { try server.verify(request) }
        let standard = try ExampleServer(.standard("s3-like"))
        #expect(throws: SigV4.VerificationError.self) { try standard.verify(request) }
      }
      var request = try SentToS3.signed()
      request.target = Array("/".utf8) + [UInt8](repeating: 0xFF, count: 3 * count)
      let error = #expect(throws: SigV4.VerificationError.self) { try server.verify(request) }
      // A value that's too long to read isn't repeated to the client.
      if count >= 10_000 {
        #expect(error?.xmlResponse(requestID: "1").body.utf8.count ?? 0 < 1_000)
      }
    }
  }

  @Test("Requests with garbage in any part get a response")
  func garbage() throws {
    var generator = Xorshift64(seed: 0x6761_7262_6167_6531)
    let header = try SentToS3.signed(token: Example.token)
    let url = try SentToS3.presigned(token: Example.token)
    let pieces = [
      ",", ";", "/", "=", "&", "%", "+", " ", "\t", "\r\n", "\u{0}", "Credential=", "Signature=",
      "SignedHeaders=", "X-Amz-Expires=", "X-Amz-Date=", "99999999", "é", "AWS4-HMAC-SHA256",
    ]
    for round in 0..<sampleSize(2_000, of: 20_000) {
      var request = round % 2 == 0 ? header : url
      for _ in 0...generator.size(upTo: 2) {
        let index = generator.size(upTo: UInt64(request.headers.count))
        let piece = Array(pieces[generator.size(upTo: UInt64(pieces.count - 1))].utf8)
        if index == request.headers.count {
          request.target.mutate(piece, &generator)
        } else {
          request.headers[index].value.mutate(piece, &generator)
        }
      }
      do {
        _ = try server.check(request)
      } catch {
        #expect(
          problems(of: error.problem, error.fix, showing: nil, hiding: [Example.token]).isEmpty,
          "\(error)")
        #expect(!error.xmlResponse(requestID: "1").body.isEmpty)
      }
    }
  }
}

extension [UInt8] {
  /// Removes a few bytes somewhere, and puts others there.
  fileprivate mutating func mutate(_ piece: [UInt8], _ generator: inout Xorshift64) {
    let start = generator.size(upTo: UInt64(count))
    let end = Swift.min(count, start + generator.size(upTo: 8))
    replaceSubrange(start..<end, with: piece)
  }
}
