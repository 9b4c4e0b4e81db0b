// SPDX-License-Identifier: Apache-2.0
// Invalid chunked uploads: wrong lengths, and headers that contradict them.

internal import SigningTestSupport
internal import S3Signing
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Refusals: chunked uploads")
struct ChunkedUploadRefusalTests {
  @Test("A request for an upload has the upload's headers and its own")
  func headers() throws {
    let upload = try SigV4.ChunkedUpload.unsigned(
      decodedByteCount: 10,
      trailers: [.checksumSHA256, try .init(named: "X-Amz-A", valueByteCount: 3)])
    let request = try SigV4.Request(
      "PUT", url: "https://example.com/a%20b?c=d",
      headers: [
        "Content-Encoding": "gzip, aws-chunked ,br", "x-a": "b", "content-encoding": "x",
        "Content-Length": "\(upload.encodedByteCount)",
      ])
    let announced = try request.uploading(upload)
    #expect(
      lines(of: announced.headers) == [
        "content-encoding:aws-chunked,gzip,br,x", "content-length:\(upload.encodedByteCount)",
        "x-a:b", "x-amz-decoded-content-length:10", "x-amz-trailer:x-amz-a,x-amz-checksum-sha256",
      ])
    let signed = try Example.signed(announced, .s3)
    #expect(
      signed.addedHeaders.values(named: "x-amz-content-sha256") == [
        "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
      ]
    )
    #expect(signed.target == "/a%20b?c=d")
    #expect(
      signed.signedHeaders
        == "content-encoding;host;x-a;x-amz-content-sha256;x-amz-date;x-amz-decoded-content-length;"
        + "x-amz-trailer")
  }

  @Test("A trailer that the request announces must be one of the upload's")
  func announced() throws {
    let request = try SigV4.Request(
      "PUT", url: "https://example.com/a", headers: ["x-amz-trailer": "x-amz-checksum-crc32c"])
    expectRefusal(.conflictingHeader, showing: "x-amz-checksum-crc32c") {
      try request.uploading(.unsigned(decodedByteCount: 10, trailers: []))
    }
    _ = try request.uploading(.unsigned(decodedByteCount: 10, trailers: [.checksumCRC32C]))
  }

  @Test("Unsigned chunks need no key, and signed ones do")
  func withoutKey() throws {
    let signer = try SigV4.Signer(
      identity: Example.credentials().identity, region: "us-east-1", service: .s3)
    for (upload, needsKey) in [
      (try SigV4.ChunkedUpload.unsigned(decodedByteCount: 5, trailers: [.checksumCRC32C]), false),
      (try .signed(decodedByteCount: 5), true),
    ] {
      let request = try SigV4.Request("PUT", url: "https://example.com/a").uploading(upload)
      let signed = try signer.prepare(request, at: Example.moment()).signed(
        with: SigV4.Signature(hexString: Example.digestOfNothing))
      if needsKey {
        expectRefusal(.secretRequired) {
          _ = try SigV4.ChunkSigner(upload, following: signed, by: signer)
        }
        continue
      }
      var chunks = try SigV4.ChunkSigner(upload, following: signed, by: signer)
      var output: [UInt8] = []
      try chunks.update("hello".utf8, into: &output)
      try chunks.finish(trailers: ["x-amz-checksum-crc32c": "mnG7TA=="], into: &output)
      // Amazon S3 API Reference, "Signature Calculations ... Unsigned payload option"; base64 of the
      // checksum of awscrt 0.38.1, checksums.crc32c(b"hello").
      #expect(
        output.elementsEqual("5\r\nhello\r\n0\r\nx-amz-checksum-crc32c:mnG7TA==\r\n\r\n".utf8))
    }
  }

  @Test("A body too long is rejected and nothing is lost")
  func tooLong() throws {
    for form in ChunkForm.allCases {
      let body = try ChunkedBody(.signed(decodedByteCount: 10_000, chunkByteCount: 8_192))
      let bytes = [UInt8](repeating: 7, count: 10_000)
      let whole = try body.encode(bytes, in: [], through: .array)
      var chunks = try body.chunks()
      var sent: [UInt8] = []
      try form.update(&chunks, bytes[..<8_000], into: &sent)
      let before = sent
      expectRefusal(.bodyLengthMismatch) {
        try form.update(&chunks, bytes[..<2_001], into: &sent)
      }
      #expect(sent == before && chunks.receivedByteCount == 8_000)
      try form.update(&chunks, bytes[8_000...], into: &sent)
      try form.finish(&chunks, [:], into: &sent)
      #expect(sent == whole)
    }
  }

  @Test("A body too short is rejected at its end and nothing is lost")
  func tooShort() throws {
    for form in ChunkForm.allCases {
      let body = try ChunkedBody(
        .unsigned(decodedByteCount: 10_000, trailers: [.checksumCRC32]),
        trailers: ["x-amz-checksum-crc32": "AAAAAA=="])
      let bytes = [UInt8](repeating: 7, count: 10_000)
      let whole = try body.encode(bytes, in: [], through: .array)
      var chunks = try body.chunks()
      var sent: [UInt8] = []
      try form.update(&chunks, bytes[..<9_999], into: &sent)
      expectRefusal(.bodyLengthMismatch) {
        try form.finish(&chunks, body.trailers, into: &sent)
      }
      try form.update(&chunks, bytes[9_999...], into: &sent)
      try form.finish(&chunks, body.trailers, into: &sent)
      #expect(sent == whole)
      expectRefusal(.streamFinished) { try form.update(&chunks, [], into: &sent) }
      expectRefusal(.streamFinished) { try form.finish(&chunks, body.trailers, into: &sent) }
    }
  }

  @Test("Trailers other than those announced are rejected and nothing is lost")
  func otherTrailers() throws {
    let upload = try SigV4.ChunkedUpload.signed(
      decodedByteCount: 0, trailers: [.checksumCRC32, .checksumCRC32C])
    let right: SigV4.Headers = [
      "X-Amz-Checksum-Crc32c": "AAAAAA==", "x-amz-checksum-crc32": "AAAAAA==",
    ]
    let body = try ChunkedBody(upload, trailers: right)
    var chunks = try body.chunks()
    var sent: [UInt8] = []
    let wrong: [SigV4.Headers] = [
      [:], ["x-amz-checksum-crc32": "AAAAAA=="], right + ["x-amz-checksum-crc32": "AAAAAA=="],
      right + ["x-amz-checksum-sha1": "AAAAAA=="],
      ["x-amz-checksum-crc32": "AAAAAA==", "x-amz-checksum-crc32c": "AAAAAA="],
      ["x-amz-checksum-crc32": "AAAAAA==", "x-amz-checksum-crc32c": "AAAAAA=\n"],
      ["x-amz-checksum-crc32": "AAAAAA==", "x-amz-checksum-crc32c": " AAAAAA="],
    ]
    for trailers in wrong {
      expectRefusal(.trailerMismatch) { try chunks.finish(trailers: trailers, into: &sent) }
    }
    #expect(sent.isEmpty)
    try chunks.finish(trailers: right, into: &sent)
    #expect(sent.count == upload.encodedByteCount)
  }

  @Test("A buffer that's too small is rejected and nothing is lost")
  func smallBuffer() throws {
    let body = try ChunkedBody(.signed(decodedByteCount: 9_000, chunkByteCount: 8_192))
    let bytes = [UInt8](repeating: 7, count: 9_000)
    var chunks = try body.chunks()
    let needed = chunks.encodedByteCount(ofNext: 9_000)
    var output = [UInt8](repeating: 0, count: needed)
    // Safety: buffers are used only inside the closures, within their bounds.
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe output.withUnsafeMutableBytes { output in
        let small = unsafe UnsafeMutableRawBufferPointer(rebasing: output[..<(needed - 1)])
        expectRefusal(.bufferTooSmall) { try unsafe chunks.update(bytes, into: small) }
        let isUntouched = unsafe output.allSatisfy { $0 == 0 }
        #expect(isUntouched && chunks.receivedByteCount == 0)
        let written = try? unsafe chunks.update(bytes, into: output)
        #expect(written == needed)
        let empty = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
        expectRefusal(.bufferTooSmall) { try unsafe chunks.finish(into: empty) }
        let last = try? unsafe chunks.finish(into: output)
        #expect(last == chunks.upload.trailerByteCount)
      }
    }
    #expect(chunks.encodedByteCount(ofNext: 1) == 0 && chunks.encodedByteCount(ofNext: -1) == 0)
  }

  @Test("Trailers may be 8,192 bytes long in total, and no longer")
  func longestTrailers() throws {
    // Each line is a name of two bytes, a colon, the value, and two bytes for the newline.
    let seven = try (0..<7).map { try SigV4.ChunkTrailer(named: "a\($0)", valueByteCount: 1_019) }
    let last = 8_192 - 7 * 1_024 - 5
    _ = try SigV4.ChunkedUpload.signed(
      decodedByteCount: 1, trailers: seven + [.init(named: "a7", valueByteCount: last)])
    expectRefusal(.invalidChunkedUpload) {
      try SigV4.ChunkedUpload.signed(
        decodedByteCount: 1, trailers: seven + [.init(named: "a7", valueByteCount: last + 1)])
    }
  }

  @Test("An upload that no service accepts is rejected")
  func invalidUploads() throws {
    expectRefusal(.invalidChunkedUpload) { try SigV4.ChunkedUpload.signed(decodedByteCount: -1) }
    expectRefusal(.invalidChunkedUpload) { try SigV4.ChunkedUpload.signed(decodedByteCount: .max) }
    expectRefusal(.invalidChunkedUpload) {
      try SigV4.ChunkedUpload.unsigned(decodedByteCount: 1, chunkByteCount: 8_191, trailers: [])
    }
    expectRefusal(.invalidChunkedUpload) {
      try SigV4.ChunkedUpload.signed(
        decodedByteCount: 1, trailers: [.checksumSHA1, .checksumCRC32, .checksumSHA1])
    }
    expectRefusal(.invalidChunkedUpload) {
      try SigV4.ChunkedUpload.signed(
        decodedByteCount: 1,
        trailers: (0..<9).map { try .init(named: "a\($0)", valueByteCount: 1_024) })
    }
    for count in [0, -1, 1_025, .max] {
      expectRefusal(.invalidChunkedUpload) {
        try SigV4.ChunkTrailer(named: "x-a", valueByteCount: count)
      }
    }
    expectRefusal(.invalidChunkedUpload) {
      try SigV4.ChunkTrailer(named: "X-Amz-Trailer-Signature", valueByteCount: 64)
    }
    expectRefusal(.invalidHeaderName) { try SigV4.ChunkTrailer(named: "x:a", valueByteCount: 1) }
    let largest = try SigV4.ChunkedUpload.signed(
      decodedByteCount: .max / 2, chunkByteCount: 8_192, trailers: [.checksumSHA256])
    #expect(largest.encodedByteCount > .max / 2)
    #expect(
      try SigV4.ChunkedUpload.signed(decodedByteCount: 5, chunkByteCount: .max).encodedByteCount
        == 177)
  }

  @Test("A request that contradicts the upload is rejected")
  func conflicts() throws {
    let upload = try SigV4.ChunkedUpload.signed(decodedByteCount: 5, trailers: [.checksumCRC32])
    for name in ["Content-Length", "x-amz-decoded-content-length", "X-Amz-Trailer"] {
      expectRefusal(.conflictingHeader, showing: "6") {
        try SigV4.Request("PUT", host: "example.com", headers: [name: "6"]).uploading(upload)
      }
    }
    for payload in [SigV4.Payload.unsigned, .text(""), .text("a")] {
      expectRefusal(.invalidPayload) {
        try SigV4.Request("PUT", host: "example.com", payload: payload).uploading(upload)
      }
    }
  }

  @Test("A signer, a request and an upload that don't belong together are rejected")
  func unrelated() throws {
    let upload = try SigV4.ChunkedUpload.signed(decodedByteCount: 5)
    let body = try ChunkedBody(upload)
    for other in [
      try SigV4.ChunkedUpload.signed(decodedByteCount: 50),
      try .signed(decodedByteCount: 5, trailers: [.checksumCRC32]),
      try .unsigned(decodedByteCount: 5, trailers: []),
    ] {
      expectRefusal(.requestMismatch) {
        _ = try SigV4.ChunkSigner(other, following: body.signed, by: body.signer)
      }
    }
    let large = try ChunkedBody(.signed(decodedByteCount: 100_000, trailers: [.checksumCRC32]))
    for other in [
      try SigV4.ChunkedUpload.signed(decodedByteCount: 100_000, trailers: [.checksumCRC32C]),
      try .signed(decodedByteCount: 100_000, chunkByteCount: 8_192, trailers: [.checksumCRC32]),
    ] {
      expectRefusal(.requestMismatch) {
        _ = try SigV4.ChunkSigner(other, following: large.signed, by: large.signer)
      }
    }
    let elsewhere = try SigV4.Signer(
      credentials: Example.credentials(), region: "eu-west-1", service: .s3)
    expectRefusal(.scopeMismatch) {
      _ = try SigV4.ChunkSigner(upload, following: body.signed, by: elsewhere)
    }
  }
}
