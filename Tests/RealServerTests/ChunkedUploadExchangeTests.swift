// SPDX-License-Identifier: Apache-2.0
// A server accepts chunked uploads of all kinds, and rejects them with one changed character.

internal import S3Signing
internal import RequestSigning
internal import SecureHashing
import Testing

@Suite("Real server: chunked uploads", .enabled(if: RealServer.isNamed, RealServer.reason))
struct ChunkedUploadExchangeTests {
  /// Empty, less than a chunk, exactly one and two, and chunks with a rest.
  static let sizes = [0, 1, 8_191, 8_192, 16_384, 16_385, 100_000]

  @Test("Signed chunks are accepted", arguments: sizes)
  func signedChunks(byteCount: Int) throws {
    let store = try Store("chunks-signed")
    let body = pattern(ofSize: byteCount)
    let upload = try SigV4.ChunkedUpload.signed(decodedByteCount: byteCount, chunkByteCount: 8_192)
    let answer = try store.send(store.chunked(upload, body, at: "\(byteCount) bytes"))
    #expect(answer.status == 200, "\(answer.text)")
    #expect(try store.contents(of: "\(byteCount) bytes") == body)
  }

  @Test(
    "Trailers with every checksum are accepted, signed and unsigned", arguments: Checksum.all, sizes
  )
  func trailers(checksum: Checksum, byteCount: Int) throws {
    let store = try Store("chunks-trailers")
    let body = pattern(ofSize: byteCount)
    for upload in try uploads(byteCount, checksum) {
      let key = "\(upload) \(checksum.trailer)"
      let answer = try store.send(store.chunked(upload, body, at: key, checksum))
      #expect(answer.status == 200, "\(key): \(answer.text)")
      #expect(try store.contents(of: key) == body)
    }
  }

  @Test("The body's own encoding stays when its chunks are removed")
  func encoding() throws {
    let store = try Store("chunks-encoding")
    let body = pattern(ofSize: 100)
    let upload = try SigV4.ChunkedUpload.signed(decodedByteCount: 100)
    let request = try store.chunked(upload, body, at: "k", headers: ["content-encoding": "gzip"])
    #expect(try store.send(request).status == 200)
    #expect(
      try store.send(store.bucket.object("k").headRequest()).header("content-encoding") == "gzip")
  }

  @Test("One character changed in a chunk, or in the signature of a chunk, is rejected")
  func flippedChunks() throws {
    let store = try Store("chunks-flipped")
    let body = pattern(ofSize: 20_000)
    try store.put([1], at: "k")
    for checksum in [nil, Checksum.crc32c] {
      let upload = try SigV4.ChunkedUpload.signed(
        decodedByteCount: 20_000, chunkByteCount: 8_192,
        trailers: checksum.map { [$0.trailer] } ?? [])
      let request = try store.chunked(upload, body, at: "k", checksum)
      try store.expectRefusal(of: request.flipped(after: ", Signature="))
      try store.expectRefusal(of: request.flipped(after: "/chunks-flipped/"))
      try store.expectRefusal(
        of: request.flipped(after: "x-amz-content-sha256: STREAMIN"), 400, "InvalidArgument")
      // Three chunks of 8,192, 8,192 and 3,616 bytes, and the empty one.
      for chunk in 1...4 {
        for offset in [0, 31, 63] {
          try store.expectRefusal(
            of: request.flipped(after: "chunk-signature=", occurrence: chunk, offset: offset), 403,
            "SignatureDoesNotMatch", "the signature of chunk \(chunk)")
        }
      }
      for (chunk, byteCount) in [8_192, 8_192, 3_616].enumerated() {
        for offset in [0, byteCount - 1] {
          try store.expectRefusal(
            of: request.flipped(
              after: "chunk-signature=", occurrence: chunk + 1, offset: 64 + 2 + offset), 403,
            "SignatureDoesNotMatch", "byte \(offset) of chunk \(chunk + 1)")
        }
      }
    }
    #expect(try store.contents(of: "k") == [1])
  }

  @Test("One character changed in the trailers, or in their signature, is rejected")
  func flippedTrailers() throws {
    let store = try Store("chunks-trailers-flipped")
    let body = pattern(ofSize: 20_000)
    for checksum in Checksum.all {
      for upload in try uploads(20_000, checksum) {
        let request = try store.chunked(upload, body, at: "k", checksum)
        let isSigned = upload.declaration != "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
        let value = "\r\n\(checksum.trailer.name):"
        try store.expectRefusal(
          of: request.flipped(after: value, offset: 1), isSigned ? 403 : 400,
          isSigned ? "SignatureDoesNotMatch" : "BadDigest", "the value of \(checksum)")
        try store.expectRefusal(
          of: request.flipped(after: value, offset: -2), 400, "MalformedTrailerError",
          "the name of \(checksum)")
        try store.expectRefusal(
          of: request.flipped(after: "x-amz-trailer: x-amz-checksu"), 400, "InvalidRequest")
        if isSigned {
          for offset in [0, 31, 63] {
            try store.expectRefusal(
              of: request.flipped(after: "x-amz-trailer-signature:", offset: offset))
          }
        }
      }
    }
    #expect(try store.contents(of: "k") == nil)
  }

  @Test("Without signatures of chunks, the checksum finds one character changed in the body")
  func flippedUnsigned() throws {
    let store = try Store("chunks-unsigned-flipped")
    let body = pattern(ofSize: 20_000)
    for checksum in Checksum.all {
      let upload = try SigV4.ChunkedUpload.unsigned(
        decodedByteCount: 20_000, chunkByteCount: 8_192, trailers: [checksum.trailer])
      let request = try store.chunked(upload, body, at: "k", checksum)
      try store.expectRefusal(of: request.flipped(after: ", Signature="))
      for offset in [0, 8_191] {
        try store.expectRefusal(
          of: request.flipped(after: "\r\n\r\n2000\r\n", offset: offset), 400, "BadDigest")
      }
    }
    #expect(try store.contents(of: "k") == nil)
  }

  func uploads(_ byteCount: Int, _ checksum: Checksum) throws -> [SigV4.ChunkedUpload] {
    [
      try .signed(
        decodedByteCount: byteCount, chunkByteCount: 8_192, trailers: [checksum.trailer]),
      try .unsigned(
        decodedByteCount: byteCount, chunkByteCount: 8_192, trailers: [checksum.trailer]),
    ]
  }
}

extension Store {
  /// A chunked upload of an object, as sent.
  func chunked(
    _ upload: SigV4.ChunkedUpload, _ body: [UInt8], at key: String, _ checksum: Checksum? = nil,
    headers: SigV4.Headers = [:]
  ) throws -> WireRequest {
    try chunked(upload, body, bucket.object(key).request("PUT", headers: headers), checksum)
  }

  func chunked(
    _ upload: SigV4.ChunkedUpload, _ body: [UInt8], _ request: SigV4.Request, _ checksum: Checksum?
  ) throws -> WireRequest {
    let request = try request.uploading(upload)
    let signed = try server.signer.sign(request, at: RealServer.now())
    var chunks = try SigV4.ChunkSigner(upload, following: signed, by: server.signer)
    var encoded: [UInt8] = []
    // Portions that are not a multiple of the chunks.
    for start in stride(from: 0, to: body.count, by: 5_000) {
      try chunks.update(body[start...].prefix(5_000), into: &encoded)
    }
    let trailers = checksum.map { [($0.trailer.name, $0.value(of: body))] } ?? []
    try chunks.finish(trailers: SigV4.Headers(trailers), into: &encoded)
    return WireRequest(request, signed, body: encoded)
  }
}
