// SPDX-License-Identifier: Apache-2.0
// Received chunked bodies: ChunkSigner's output is decoded, and anything else is rejected.

internal import Checksums
internal import SigningTestSupport
internal import RequestVerification
internal import S3Signing
internal import RequestSigning
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Verification: chunks")
struct ChunkVerifierTests {
  let server: ExampleServer

  init() throws {
    server = try ExampleServer(unsignedPayloads: .allowed)
  }

  @Test("Bodies that are framed in every way come back, in portions of any size")
  func thereAndBack() {
    (0..<60).forEachCase { (seed: UInt64) in
      var generator = Xorshift64(seed: 0x6368_756E_6B73 + seed)
      let sizes = [0, 1, 100, 8_191, 8_192, 8_193, 16_384, 20_000, 40_000]
      let body = generator.bytes(sizes[Int(seed) % sizes.count])
      let sent = try SentChunks(body, SentChunks.Kind.allCases[Int(seed) % 3])
      var chunks = try server.bodyVerifier(of: sent.request)
      #expect(chunks.decodedByteCount == body.count)
      var decoded: [UInt8] = []
      var rest = sent.request.body[...]
      while !rest.isEmpty {
        let portion = 1 + generator.size(upTo: seed % 4 == 0 ? 20 : 30_000)
        try chunks.update(rest.prefix(portion), into: &decoded)
        rest = rest.dropFirst(portion)
      }
      let trailers = try chunks.finish()
      #expect(decoded == body)
      #expect(trailers.map { $0.name } == sent.trailers.map { $0.name })
      #expect(try server.verify(sent.request) == body)
    }
  }

  @Test("Every byte of a chunked body that's changed is rejected")
  func everyByte() {
    SentChunks.Kind.allCases.forEachCase { (kind: SentChunks.Kind) in
      let sent = try SentChunks(Array("hello, world, in two words".utf8), kind)
      let bytes = sent.request.body
      // Only its length protects an unsigned body without its checksum.
      for index in bytes.indices {
        for change: UInt8 in [0x01, 0x20, 0x80] {
          var body = bytes
          body[index] ^= change
          let isRefused = !(try isAccepted(body, sent))
          // RFC 9112, 7.1: the hexadecimal digits of a size have no case. RFC 9110, 5.1: nor have names.
          let isLetter =
            change == 0x20 && (bytes[index] | 0x20) >= 0x61 && (bytes[index] | 0x20) <= 0x7A
          let line = bytes[..<index].reversed().prefix { $0 != 0x0A }
          let isName = isLetter && !line.contains(UInt8(ascii: ":"))
          let isSize = isLetter && !line.contains(UInt8(ascii: ";")) && line.count < 2
          if !isName && !isSize {
            #expect(isRefused, "\(index) \(change): \(String(decoding: body, as: UTF8.self))")
          }
        }
      }
      for count in bytes.indices {
        let isWhole = try isAccepted(Array(bytes.prefix(count)), sent)
        #expect(!isWhole, "cut to \(count) bytes")
      }
    }
  }

  @Test("Bytes after the last chunk are rejected")
  func bytesAfterTheEnd() throws {
    for kind in SentChunks.Kind.allCases {
      let sent = try SentChunks(Array("hello".utf8), kind)
      expectRefused(.bytesAfterEnd) { try verify(sent.request.body + [0x61], sent) }
      expectRefused(.bytesAfterEnd) { try verify(sent.request.body + sent.request.body, sent) }
    }
  }

  @Test("A body without its last chunk, or cut anywhere, is rejected at its end")
  func missingFinalChunk() throws {
    let sent = try SentChunks(Array("hello".utf8), .signed)
    let text = String(decoding: sent.request.body, as: UTF8.self)
    let last = try #require(text.firstRange(of: "\r\n0;"))
    expectRefused(.bodyLengthMismatch) {
      try verify(Array(text[..<last.lowerBound].utf8) + [0x0D, 0x0A], sent)
    }
    expectRefused(.bodyLengthMismatch) { try verify([], sent) }
  }

  @Test(
    "A chunk without a signature is rejected in a signed body, and one with it in an unsigned one")
  func chunkWithoutSignature() throws {
    let signed = try SentChunks(Array("hello".utf8), .signed)
    expectRefused(.chunkSignatureMismatch) {
      try verify(Array("5\r\nhello\r\n0\r\n\r\n".utf8), signed)
    }
    expectRefused(.chunkSignatureMismatch) {
      let zeros = String(repeating: "0", count: 64)
      try verify(Array("5;chunk-signature=\(zeros)\r\nhello\r\n".utf8), signed)
    }
    let unsigned = try SentChunks(Array("hello".utf8), .unsignedWithTrailers)
    expectRefused(.malformedChunk) {
      try verify(Array("5;a=b\r\nhello\r\n0\r\n\r\n".utf8), unsigned)
    }
  }

  @Test("Bytes of a chunk with a wrong signature aren't returned")
  func wrongChunkIsKept() throws {
    var generator = Xorshift64(seed: 5)
    let body = generator.bytes(20_000)
    let sent = try SentChunks(body, .signed)
    var changed = sent.request.body
    changed[10_000] ^= 1  // in the second chunk of 8,192 bytes
    var chunks = try server.bodyVerifier(of: sent.request)
    var decoded: [UInt8] = []
    let first = #expect(throws: SigV4.VerificationError.self) {
      try chunks.update(changed, into: &decoded)
    }
    #expect(decoded == Array(body.prefix(8_192)))
    let again = #expect(throws: SigV4.VerificationError.self) {
      try chunks.update([], into: &decoded)
    }
    #expect(first?.code == .chunkSignatureMismatch && again?.code == .chunkSignatureMismatch)
    let end = chunks.finishError()
    #expect(end?.code == .chunkSignatureMismatch)
  }

  @Test(
    "Trailers that are unannounced, missing, repeated or after their signature are rejected")
  func trailers() throws {
    let unsigned = try SentChunks(Array("hello".utf8), .unsignedWithTrailers)
    let checksum = "x-amz-checksum-crc32c:" + CRC32C.base64(of: CRC32C.checksum(of: "hello".utf8))
    let start = "5\r\nhello\r\n0\r\n"
    try verify(Array("\(start)\(checksum)\r\n\r\n".utf8), unsigned)
    try verify(Array("\(start)X-Amz-Checksum-CRC32C: \(checksum.suffix(8))\r\n\r\n".utf8), unsigned)
    for lines in [
      "", "x-other:a\r\n", "\(checksum)\r\nx-other:a\r\n", "\(checksum)\r\n\(checksum)\r\n",
      "\(checksum)\r\nx-amz-trailer-signature:a\r\n", "no colon\r\n", ":a\r\n",
    ] {
      expectRefused(.trailerMismatch) { try verify(Array("\(start)\(lines)\r\n".utf8), unsigned) }
    }
    expectRefused(.trailerMismatch) {
      let endless = String(repeating: "x-a:b\r\n", count: 10_000)
      try verify(Array("\(start)\(endless)\r\n".utf8), unsigned)
    }
    let signed = try SentChunks(Array("hello".utf8), .signed)
    let closing = String(decoding: signed.request.body.dropLast(2), as: UTF8.self)
    for line in ["x-other:a", "x-amz-trailer-signature:" + Example.digestOfNothing] {
      expectRefused(.trailerMismatch) {
        try verify(Array("\(closing)\(line)\r\n\r\n".utf8), signed)
      }
    }
    let withTrailers = try SentChunks(Array("hello".utf8), .signedWithTrailers)
    let text = String(decoding: withTrailers.request.body, as: UTF8.self)
    let signature = try #require(text.firstRange(of: "x-amz-trailer-signature:"))
    expectRefused(.chunkSignatureMismatch) {
      try verify(Array((text[..<signature.lowerBound] + "\r\n").utf8), withTrailers)
    }
    let error = #expect(throws: SigV4.VerificationError.self) {
      try verify(Array((text[..<signature.upperBound] + "abc\r\n\r\n").utf8), withTrailers)
    }
    #expect(error?.code == .chunkSignatureMismatch)
    #expect(error?.message.contains("3 characters") == true)
    expectRefused(.trailerMismatch) {
      try verify(
        withTrailers.request.body.dropLast(2) + Array("x-other:a\r\n\r\n".utf8), withTrailers)
    }
  }

  @Test("The checksum in a trailer is computed and compared")
  func checksums() {
    [
      SigV4.ChunkTrailer.checksumCRC32, .checksumCRC32C, .checksumCRC64NVME, .checksumSHA1,
      .checksumSHA256, .checksumSHA512, .checksumMD5, .checksumXXHash64, .checksumXXHash3,
      .checksumXXHash128,
    ].forEachCase { (trailer: SigV4.ChunkTrailer) in
      // Python: zlib.crc32, hashlib, xxhash 4.1.0; CRC-32C and CRC-64/NVME by division of polynomials.
      let values = [
        "x-amz-checksum-crc32": "NhCmhg==", "x-amz-checksum-crc32c": "mnG7TA==",
        "x-amz-checksum-crc64nvme": "M3eFcAZSQlc=",
        "x-amz-checksum-sha1": "qvTGHdzF6KLavt4PO0gs2a6pQ00=",
        "x-amz-checksum-sha256": "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=",
        "x-amz-checksum-sha512":
          "m3HSJL1i83hdltRq0+o9czGb+8KJDKra4t/3JRlnPKcj"
          + "I8PZm6XBHXx6zG4UuMXaDEZjR1wuXDre9G9zvN7AQw==",
        "x-amz-checksum-md5": "XUFAKrxLKna5cZ2REBfFkg==",
        "x-amz-checksum-xxhash64": "JseCfYifbaM=",
        "x-amz-checksum-xxhash3": "lVXoVVxi3P0=",
        "x-amz-checksum-xxhash128": "tenBrQcbPn/Hec+qXlI4GA==",
      ]
      let value = try #require(values[trailer.name])
      let sent = try SentChunks(
        Array("hello".utf8), .unsignedWithTrailers, trailer: trailer, value: value)
      try verify(sent.request.body, sent)
      let text = String(decoding: sent.request.body, as: UTF8.self)
      expectRefused(.checksumMismatch) {
        try verify(Array(text.replacing("hello", with: "hellO").utf8), sent)
      }
    }
  }

  /// Amazon S3 accepts them; RFC 9112, 7.1: 1*HEXDIG.
  @Test("Leading zeros of a chunk size have no effect", arguments: SentChunks.Kind.allCases)
  func leadingZeros(_ kind: SentChunks.Kind) throws {
    let sent = try SentChunks(Array("hello".utf8), kind)
    let body = String(decoding: sent.request.body, as: UTF8.self)
    for zeros in ["0", "000", "0000000", "00000000000000"] {
      let padded = zeros + body.replacing("\r\n0", with: "\r\n\(zeros)0")
      #expect(try verify(Array(padded.utf8), sent) == Array("hello".utf8))
      expectRefused(.bodyLengthMismatch) {
        try verify(Array((zeros + body.replacing("5", with: "6", maxReplacements: 1)).utf8), sent)
      }
    }
  }

  @Test("Chunk sizes that are malformed, too large or unlike the announced length are rejected")
  func sizes() throws {
    [
      "", "g", "5 ", " 5", "-5", "+5", "0x5", "1000000000000000", "ffffffffffffffff",
      "0000000000000005",
      "ffffffffffffffffffffffffffffffff",
    ].forEachCase { (size: String) in
      let sent = try SentChunks(Array("hello".utf8), .unsignedWithTrailers)
      expectRefused(.malformedChunk) { try verify(Array("\(size)\r\nhello\r\n".utf8), sent) }
      let signed = try SentChunks(Array("hello".utf8), .signed)
      expectRefused(.malformedChunk) { try verify(signedHead(size), signed) }
    }
    // 16,777,217 and more.
    for size in ["1000001", "fffffff", "ffffffff", "fffffffffffffff"] {
      let sent = try SentChunks(Array("hello".utf8), .unsignedWithTrailers)
      expectRefused(.bodyLengthMismatch) { try verify(Array("\(size)\r\n".utf8), sent) }
      let signed = try SentChunks(Array("hello".utf8), .signed)
      expectRefused(.malformedChunk) { try verify(signedHead(size), signed) }
    }
  }

  /// The header line of a chunk with any signature.
  func signedHead(_ size: String) -> [UInt8] {
    Array("\(size);chunk-signature=\(Example.digestOfNothing)\r\n".utf8)
  }

  /// The AWS SDKs for Rust and Go send the whole body as one unsigned chunk, and Amazon S3 accepts
  /// it (minio/minio #21303, awslabs/aws-sdk-rust #1294).
  @Test("An unsigned chunk of any size is output without buffering")
  func largeUnsignedChunks() throws {
    let portion = [UInt8](repeating: 0x61, count: 10_000)
    for (size, byteCount) in [("6400000", "104857600"), ("140000000", "5368709120")] {
      let request = try SentToS3.signed(
        "PUT", headers: ["x-amz-decoded-content-length": byteCount],
        payload: .literal("STREAMING-UNSIGNED-PAYLOAD-TRAILER"))
      var chunks = try server.bodyVerifier(of: request)
      var decoded: [UInt8] = []
      try chunks.update(Array("\(size)\r\n".utf8) + portion, into: &decoded)
      #expect(decoded == portion)
      let end = chunks.finishError()
      #expect(end?.code == .bodyLengthMismatch)
    }
  }

  @Test("More or fewer bytes than were announced, and a signed chunk over the limit, are rejected")
  func lengths() throws {
    let sent = try SentChunks(Array("hello".utf8), .unsignedWithTrailers)
    expectRefused(.bodyLengthMismatch) { try verify(Array("6\r\nhello!\r\n".utf8), sent) }
    expectRefused(.malformedChunk) { try verify(Array("4\r\nhell\r\n0\r\n\r\n".utf8), sent) }
    let long = try SentChunks([UInt8](repeating: 0x61, count: 8_193), .unsignedWithTrailers)
    let first = Array("2000\r\n".utf8) + [UInt8](repeating: 0x61, count: 8_192)
    expectRefused(.bodyLengthMismatch) { try verify(first + Array("\r\n0\r\n\r\n".utf8), long) }
    let signed = try SentChunks(Array("hello".utf8), .signed)
    var small = server
    small.verifier.maximumChunkByteCount = 4
    expectRefused(.malformedChunk) { try small.verify(signed.request) }
    try small.verify(sent.request)
    small.verifier.maximumChunkByteCount = 5
    try small.verify(signed.request)
    for framing in ["5\nhello\r\n", "5\r\nhello", "5\r\nhelloxx", "5\r\nhello\n", "5\r5\r\n"] {
      expectRefused(framing.hasSuffix("hello") ? .bodyLengthMismatch : .malformedChunk) {
        try verify(Array(framing.utf8), sent)
      }
    }
  }

  @Test("Chunks without signatures are rejected without TLS, or if the policy doesn't allow them")
  func unsignedChunks() throws {
    let sent = try SentChunks(Array("hello".utf8), .unsignedWithTrailers)
    var other = server
    other.scheme = .https
    try other.verify(sent.request)
    other.scheme = .http
    expectRefused(.unsignedPayload) { try other.verify(sent.request) }
    expectRefused(.unsignedPayload) { try ExampleServer().verify(sent.request) }
  }

  @Test("Announcements that contradict themselves are rejected")
  func announcements() throws {
    let headers: [(SigV4.Headers, String)] = [
      (["x-amz-decoded-content-length": "5"], "PAYLOAD-TRAILER"),
      (["x-amz-decoded-content-length": "5", "x-amz-trailer": "a,,b"], "PAYLOAD-TRAILER"),
      (["x-amz-decoded-content-length": "5", "x-amz-trailer": "a,A"], "PAYLOAD-TRAILER"),
      (
        ["x-amz-decoded-content-length": "5", "x-amz-trailer": "x-amz-trailer-signature"],
        "PAYLOAD-TRAILER"
      ),
    ]
    for (headers, word) in headers {
      let sent = try SentToS3.signed(
        headers: headers, payload: .literal("STREAMING-AWS4-HMAC-SHA256-" + word))
      expectRefused(.trailerMismatch) { try server.verify(sent) }
    }
    // The library doesn't sign this one.
    let given = [("x-amz-decoded-content-length", "5"), ("x-amz-trailer", "a")]
    var plain = PlainRequest(headers: given)
    plain.payload = .literal("STREAMING-AWS4-HMAC-SHA256-PAYLOAD")
    let added = PlainSigner(plain, by: PlainCaller()).signed().headers
    let unannounced = WireRequest(plain.method, "/", [("Host", plain.host)] + given + added)
    expectRefused(.trailerMismatch) { try server.verify(unannounced) }
    for length in ["", "-1", "5.0", "99999999999999999999999", "0x5"] {
      let sent = try SentToS3.signed(
        headers: ["x-amz-decoded-content-length": length],
        payload: .literal("STREAMING-AWS4-HMAC-SHA256-PAYLOAD"))
      expectRefused(.invalidPayloadDeclaration) { try server.verify(sent) }
    }
  }

  @discardableResult
  func verify(_ body: [UInt8], _ sent: SentChunks) throws -> [UInt8] {
    var request = sent.request
    request.body = body
    return try server.verify(request)
  }

  func isAccepted(_ body: [UInt8], _ sent: SentChunks) throws -> Bool {
    do {
      try verify(body, sent)
      return true
    } catch is SigV4.VerificationError {
      return false
    }
  }
}

extension SigV4.BodyVerifier {
  /// The error at the end.
  consuming func finishError() -> SigV4.VerificationError? {
    do throws(SigV4.VerificationError) {
      _ = try finish()
      return nil
    } catch {
      return error
    }
  }
}

/// An upload as the chunk signer sends it.
struct SentChunks {
  enum Kind: CaseIterable {
    case signed
    case signedWithTrailers
    case unsignedWithTrailers
  }

  var request: WireRequest
  let trailers: SigV4.Headers

  init(
    _ body: [UInt8], _ kind: Kind, trailer: SigV4.ChunkTrailer = .checksumCRC32C,
    value: String? = nil
  ) throws {
    let checksum = value ?? CRC32C.base64(of: CRC32C.checksum(of: body))
    let upload: SigV4.ChunkedUpload
    switch kind {
    case .signed:
      upload = try .signed(decodedByteCount: body.count, chunkByteCount: 8_192)
      trailers = [:]
    case .signedWithTrailers:
      upload = try .signed(
        decodedByteCount: body.count, chunkByteCount: 8_192, trailers: [trailer])
      trailers = SigV4.Headers([(trailer.name, checksum)])
    case .unsignedWithTrailers:
      upload = try .unsigned(
        decodedByteCount: body.count, chunkByteCount: 8_192, trailers: [trailer])
      trailers = SigV4.Headers([(trailer.name, checksum)])
    }
    let signer = try Example.signer(.s3)
    let request = try SentToS3.request("PUT").uploading(upload)
    let signed = try signer.sign(request, at: Example.moment())
    self.request = WireRequest(signed, request.headers)
    var chunks = try SigV4.ChunkSigner(upload, following: signed, by: signer)
    try chunks.update(body, into: &self.request.body)
    try chunks.finish(trailers: trailers, into: &self.request.body)
  }
}
