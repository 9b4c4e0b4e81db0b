// SPDX-License-Identifier: Apache-2.0
// The cost of a request: limits on its head, its chunks and its trailers, before anything is
// verified.

internal import RequestSigning
internal import RequestVerification
internal import S3Signing
internal import SigningTestSupport
internal import Testing

/// `.ci/check-verification-work` counts the instructions that requests at these limits take.
@Suite("Verification: sizes")
struct RequestSizeTests {
  let server: ExampleServer

  init() throws {
    server = try ExampleServer(unsignedPayloads: .allowed)
  }

  /// The bytes that count toward the limit (RFC 9113, 6.5.2: 32 bytes in addition to each field).
  func size(of request: WireRequest) -> Int {
    let headers = request.headers.reduce(0) { $0 + $1.name.count + $1.value.count + 32 }
    let query = request.target.drop { $0 != UInt8(ascii: "?") }
    let parameters = query.count { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "?") }
    return request.method.count + request.target.count + headers + 32 * parameters
  }

  @Test("A head of 32,768 bytes is accepted, and one byte more is rejected, wherever it is")
  func head() throws {
    #expect(SigV4.ReceivedRequest.maximumByteCount == 32_768)
    let signed = try SentToS3.signed()
    let rest = 32_768 - size(of: signed)
    for (isTooLarge, more) in [(false, rest), (true, rest + 1)] {
      let value = String(repeating: "a", count: more - 32 - "x".utf8.count)
      let name = String(repeating: "x", count: more - 32)
      for filled in [signed.replacing("x", with: [value]), signed.replacing(name, with: [""])] {
        #expect(size(of: filled) == (isTooLarge ? 32_769 : 32_768))
        if isTooLarge {
          expectRefused(.requestTooLarge) { try server.check(filled) }
        } else {
          try server.verify(filled)
        }
      }
      let pieces: [(String, SigV4.VerificationError.Code)] = [
        ("a", .signatureMismatch), ("%", .signatureMismatch), ("#", .invalidRequest),
      ]
      for (piece, code) in pieces {
        var longer = signed
        longer.target += Array(String(repeating: piece, count: more).utf8)
        expectRefused(isTooLarge ? .requestTooLarge : code) { try server.verify(longer) }
      }
    }
  }

  @Test("A long method, and many signed headers without values, are read whole")
  func longMethodAndNames() throws {
    let names = SigV4.Headers((0..<300).map { ("h\($0)", "") })
    for (method, headers) in [(String(repeating: "M", count: 20_000), [:]), ("GET", names)] {
      let request = try SentToS3.request(method, headers: headers)
      let signed = try Example.signer(.s3).sign(request, at: server.now)
      try server.verify(WireRequest(signed, headers))
      let presigned = try Example.signer(.s3).presignedURL(
        for: request, expiresIn: .seconds(60), at: server.now)
      try server.verify(WireRequest(presigned))
    }
  }

  @Test("A great many small headers, parameters and authorities are too large as well")
  func fields() throws {
    let signed = try SentToS3.signed()
    let count = (32_768 - size(of: signed)) / 34
    for more in [0, 1] {
      var headers = signed
      headers.headers += (0..<count + more).map { _ in (Array("a".utf8), Array("b".utf8)) }
      var parameters = signed
      parameters.target += Array(String(repeating: "&a", count: count + more).utf8)
      if more == 0 {
        try server.verify(headers)
        expectRefused(.signatureMismatch) { try server.verify(parameters) }
      } else {
        expectRefused(.requestTooLarge) { try server.check(headers) }
        expectRefused(.requestTooLarge) { try server.check(parameters) }
      }
    }
    var authorities = signed
    authorities.headers += (0..<2_000).map { _ in (Array(":authority".utf8), [0x61]) }
    expectRefused(.requestTooLarge) { try server.check(authorities) }
    var method = signed
    method.method = [UInt8](repeating: 0x61, count: 32_768)
    expectRefused(.requestTooLarge) { try server.check(method) }
  }

  @Test(
    "A request that's too large is rejected before it's parsed, with S3's response")
  func answer() throws {
    var request = SigV4.ReceivedRequest("GET", target: [UInt8](repeating: 0, count: 1 << 23))
    for _ in 0..<1_000 { request.append("a\n".utf8, [UInt8](repeating: 0, count: 1 << 13)) }
    let verifier = server.verifier
    let error = #expect(throws: SigV4.VerificationError.self) {
      try verifier.check(request, at: server.now)
    }
    #expect(error?.code == .requestTooLarge)
    // Amazon S3 API Reference, "Error responses": RequestHeaderSectionTooLarge, 400.
    let answer = try #require(error).xmlResponse(requestID: "1")
    #expect(answer.status == 400 && answer.errorType == "RequestHeaderSectionTooLarge")
    #expect("\(request)".utf8.count < 200)
    var form = SigV4.ReceivedForm(request, bucket: "photos")
    form.append("key".utf8, "a".utf8)
    expectRefused(.requestTooLarge) { _ = try verifier.check(form, at: server.now) }
  }

  @Test("Only the last path segment of a long file name counts")
  func fileName() throws {
    let forms = try FormServer()
    var form = try forms.form()
    for slash in ["/", "\\"] {
      form.fileName = String(repeating: slash, count: 1 << 20) + "a.jpg"
      #expect(try forms.verify(form).key == "uploads/a.jpg")
      form.fileName += slash
      #expect(try forms.verify(form).key == "uploads/")
    }
    form.fileName = String(repeating: "a", count: 1 << 20)
    expectRefused(.malformedForm) { try forms.check(form) }
  }

  /// S3 API Reference, "POST Policy": all conditions apply, and each type in a list must begin with
  /// the prefix.
  @Test("Hundreds of conditions on a content type hold together")
  func contentTypes() throws {
    let forms = try FormServer()
    func form(_ prefixes: [String], _ types: String) throws -> WireForm {
      let conditions = prefixes.map { #"["starts-with", "$Content-Type", "\#($0)"]"# }
      return try forms.form(
        document: forms.document(#"{"key": "a"}, "# + conditions.joined(separator: ", ")),
        [("key", "a"), ("Content-Type", types)])
    }
    let many = [String](repeating: "image/", count: 150) + ["", "image/p", "i"]
    try forms.check(form(many, "image/png, image/pjpeg"))
    for (prefixes, types) in [
      (many, "image/png,image/jpeg"), (many + ["image/q"], "image/png"), (["a", "b"], "a"),
      (["image/png", "image/", "text/"], "image/png"),
    ] {
      let form = try form(prefixes, types)
      expectRefused(.policyConditionFailed) { try forms.check(form) }
    }
    let document = forms.document(
      #"{"key": "a"}, {"Content-Type": "image/png,b"}, ["starts-with", "$Content-Type", "image/"]"#)
    let contradicted = try forms.form(
      document: document, [("key", "a"), ("Content-Type", "image/png,b")])
    expectRefused(.policyConditionFailed) { try forms.check(contradicted) }
  }

  /// InvalidChunkSizeError of Amazon S3: aws/aws-sdk-cpp #2727 (status 403, Chunk 2 for the first
  /// chunk), versity/versitygw #1683 and #1665, aws/aws-sdk-js-v3 #6799.
  @Test(
    "Every chunk except the last is 8,192 bytes long, as S3 requires", arguments: [true, false])
  func smallChunks(isSigned: Bool) throws {
    let kind = isSigned ? SentChunks.Kind.signed : .unsignedWithTrailers
    for (first, isAccepted) in [(8_192, true), (8_191, false), (1, false)] {
      let body = [UInt8](repeating: 0x61, count: first + 1)
      let sent = try SentChunks(body, kind)
      var chunks = try server.bodyVerifier(of: sent.request)
      var decoded: [UInt8] = []
      if isSigned {
        // The signer creates chunks of 8,192 bytes. A line with a different size is rejected
        // immediately.
        if isAccepted {
          #expect(try server.verify(sent.request) == body)
        } else {
          let zeros = String(repeating: "0", count: 64)
          let line = String(first, radix: 16) + ";chunk-signature=" + zeros + "\r\n"
          expectRefused(.malformedChunk) { try chunks.update(line.utf8, into: &decoded) }
        }
      } else {
        let line = Array((String(first, radix: 16) + "\r\n").utf8)
        let bytes = line + body.prefix(first) + Array("\r\n1\r\na\r\n0\r\n".utf8)
        if isAccepted {
          try chunks.update(bytes, into: &decoded)
          #expect(decoded == body)
        } else {
          let error = #expect(throws: SigV4.VerificationError.self) {
            try chunks.update(bytes, into: &decoded)
          }
          #expect(error?.code == .malformedChunk && decoded.isEmpty)
          let xml = try #require(error).xmlResponse(requestID: "1")
          #expect(xml.status == 403 && xml.errorType == "InvalidChunkSizeError")
          let fields = try XMLFields(xml.body)
          #expect(fields["Chunk"] == "2" && fields["BadChunkSize"] == "\(first)")
        }
      }
    }
  }

  @Test("More than sixteen trailers are rejected before they're read")
  func trailers() throws {
    for count in [16, 17] {
      let names = (0..<count).map { "x-\($0)" }.joined(separator: ",")
      let sent = try SentToS3.signed(
        headers: ["x-amz-decoded-content-length": "5", "x-amz-trailer": names],
        payload: .literal("STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"))
      if count == 16 {
        _ = try server.bodyVerifier(of: sent)
      } else {
        expectRefused(.trailerMismatch) { try server.check(sent) }
      }
    }
  }
}
