// SPDX-License-Identifier: Apache-2.0
// A body in signed chunks, compared with the bare compression of its bytes and with OpenSSL's hash.

internal import S3Signing
internal import BenchmarkSupport
internal import RequestSigning
internal import SecureHashing

/// The contest, with OpenSSL where it is found.
struct ChunkTrial {
  /// The libraries that were found, with their versions.
  let libraries: [String]
  /// Notes about missing libraries.
  let absences: [String]

  private let openSSL: OpenSSLLowLevelDigest?

  /// Looks for libcrypto, and refuses a contender that does not come to what AWS publishes.
  init() throws(BenchmarkError) {
    do {
      let library = OpenSSLLibrary.find()
      openSSL = try library.map { library throws(OpenSSLLibrary.MissingFunction) in
        try OpenSSLLowLevelDigest(library)
      }
      libraries = library.map { ["libcrypto: \($0.version)"] } ?? []
      absences = library == nil ? [OpenSSLLibrary.absence] : []
    } catch {
      (openSSL, libraries) = (nil, [])
      absences = ["\(Self.openSSLName) is left out: \(error.description)"]
    }
    try trial(.published).check()
  }

  /// One run signs all chunks of the body, and the empty one.
  func trial(_ body: ChunkedBody) -> Trial {
    let chunks = body.chunks
    let blocks = HashBlocks(padding: chunks)
    return Trial(
      operation: "chunk", bytes: body.bytes.byteCount, messages: 1, baseline: HashBlocks.name,
      contenders: [
        Self.pieces(SigningEntrant.ours, body, chunksInHand: 16),
        Self.pieces("swift-sigv4-one", body, chunksInHand: 1),
        Self.copied("swift-sigv4-copied", body, chunksInHand: 16),
        blocks.contender(HashBlocks.name, digestOfDigests: body.digestOfDigests),
      ] + (openSSL.map { [Self.hash(body, by: $0)] } ?? []),
      comparedWithFirst: [Self.openSSLName], expected: body.lastSignature, figures: .operations,
      remark: "\(blocks.blockCount) blocks: \(chunks.count - 1) chunks and the empty one; their "
        + "signatures not counted")
  }

  /// Chunks are written from where they lie.
  private static func pieces(
    _ name: String, _ body: ChunkedBody, chunksInHand: Int
  ) -> Contender {
    // Safety: the pieces are only counted.
    unsafe contender(name, body, chunksInHand: chunksInHand) { chunks, portion in
      var byteCount = 0
      try unsafe chunks.update(portion) { byteCount += $0.count }
      return byteCount
    }
  }

  /// The bytes to send are assembled in a buffer that's reused for each portion.
  private static func copied(
    _ name: String, _ body: ChunkedBody, chunksInHand: Int
  ) -> Contender {
    let portionByteCount = chunksInHand * body.upload.chunkByteCount
    // A line before a chunk and a line end after it have fewer than 128 bytes.
    let buffer = ByteBuffer(byteCount: portionByteCount + chunksInHand * 128)
    // Safety: the buffer is kept by this closure.
    return unsafe contender(name, body, chunksInHand: chunksInHand) { chunks, portion in
      try unsafe chunks.update(portion, into: buffer.bytes)
    }
  }

  /// `update` processes several chunks at a time, and returns the number of bytes to send.
  private static func contender(
    _ name: String, _ body: ChunkedBody, chunksInHand: Int,
    update: @escaping (inout SigV4.ChunkSigner, UnsafeRawBufferPointer) throws -> Int
  ) -> Contender {
    let end = ByteBuffer(byteCount: body.upload.trailerByteCount)
    let portionByteCount = chunksInHand * body.upload.chunkByteCount
    let sent = LastOutput<Int>()
    let sign = {
      var chunks = try SigV4.ChunkSigner(body.upload, following: body.signed, key: body.key)
      var byteCount = 0
      for start in stride(from: 0, to: body.bytes.byteCount, by: portionByteCount) {
        // Safety: the body is kept by this closure, and the portion ends where it ends.
        let portion = unsafe UnsafeRawBufferPointer(
          rebasing: body.bytes.bytes[start...].prefix(portionByteCount))
        byteCount += try unsafe update(&chunks, portion)
      }
      // Safety: the end has its place.
      return byteCount + (try unsafe chunks.finish(into: end.bytes))
    }
    return Contender(
      name: name,
      run: { repetitions in
        for _ in 0..<repetitions { sent.value = try? sign() }
      },
      output: { sent.value == body.upload.encodedByteCount ? signature(in: end) : [] })
  }

  /// The signature of the empty chunk, which two line ends follow.
  private static func signature(in end: ByteBuffer) -> [UInt8] {
    let digits = end.array.dropLast(4).suffix(64)
    return (try? Hexadecimal.decode(String(decoding: digits, as: UTF8.self))) ?? []
  }

  /// The body as one message: no chunks, no signatures.
  private static func hash(_ body: ChunkedBody, by openSSL: OpenSSLLowLevelDigest) -> Contender {
    let output = ByteBuffer(byteCount: 32)
    return Contender(
      name: openSSLName, expected: body.digest,
      run: { repetitions in
        // Safety: the buffers are kept by this closure, and there are 32 bytes of output.
        for _ in 0..<repetitions {
          unsafe openSSL.compute(UnsafeRawBufferPointer(body.bytes.bytes), into: output.start)
        }
      },
      output: { output.array })
  }

  private static let openSSLName = "openssl-low-level"
}
