// SPDX-License-Identifier: Apache-2.0
// Chunked uploads against published vectors and a generator in Python, in every form of input and output.

internal import SigningTestSupport
internal import S3Signing
internal import RequestSigning
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Chunked uploads")
struct ChunkedUploadTests {
  static func published() throws -> [VectorRecord] {
    try VectorTable(named: "chunked-uploads-published.txt").records
  }

  static func generated() throws -> [VectorRecord] {
    try VectorTable(named: "chunked-uploads.txt").records
  }

  @Test("The examples of the S3 API Reference have the published signatures, in every step")
  func documentation() throws {
    try Self.published().forEachCase { vector in
      let upload = try vector.upload(
        decodedByteCount: vector.integer("body-length"),
        chunkByteCount: vector.integer("chunk-length"))
      let body = try ChunkedBody(upload, vector, trailers: vector.headers("trailer"))
      try vector.expectSteps(of: body.signed)
      let signatures = try vector.texts("chunk")
      var expected = ["10000", "400", "0"].enumerated().map { index, size in
        let length = [65_536, 1_024, 0][index]
        return "\(size);chunk-signature=\(signatures[index])\r\n"
          + String(repeating: "a", count: length)
          + (length > 0 ? "\r\n" : "")
      }.joined()
      if let trailer = try vector.optionalText("trailer") {
        expected += trailer + "\r\nx-amz-trailer-signature:"
        expected += try vector.text("trailer-signature") + "\r\n"
      }
      expected += "\r\n"
      let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 66_560)
      for form in ChunkForm.allCases {
        for portions in [[], [1, 65_535], [65_535, 2], [65_536], [100, 66_000]] {
          let sent = try body.encode(bytes, in: portions, through: form)
          #expect(sent == Array(expected.utf8), "\(vector), \(form), portions \(portions)")
        }
      }
      #expect(try expected.utf8.count == vector.integer("encoded-length"), "\(vector)")
      #expect(upload.encodedByteCount == expected.utf8.count, "\(vector)")
    }
  }

  @Test("Every string to sign is the published one")
  func stringsToSign() throws {
    try ChunkedUploadTests.published().forEachCase { vector in
      let upload = try vector.upload(decodedByteCount: 66_560, chunkByteCount: 65_536)
      let body = try ChunkedBody(upload, vector, trailers: vector.headers("trailer"))
      var chunks = try body.chunks()
      var texts: [String] = []
      var sent: [UInt8] = []
      let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 65_536)
      #expect(chunks.lastStringToSign.isEmpty, "\(vector)")
      for count in [65_536, 1_024] {
        try chunks.update(bytes.prefix(count), into: &sent)
        texts.append(String(decoding: chunks.lastStringToSign, as: UTF8.self))
      }
      try chunks.finish(trailers: body.trailers, into: &sent)
      texts.append(String(decoding: chunks.lastStringToSign, as: UTF8.self))
      if let trailer = try vector.optionalText("trailer-string-to-sign") {
        expect("\(vector): trailers", texts[2], is: trailer)
      } else {
        #expect(try texts == vector.texts("chunk-string-to-sign"), "\(vector)")
      }
    }
  }

  @Test("A generated body is sent as Python sends it, in every form and in any portions")
  func generatedBody() throws {
    // One form after the other, where not every body is to go through all of them.
    let forms = ChunkForm.allCases + ChunkForm.allCases
    let count = sampleSize(1, of: ChunkForm.allCases.count)
    try ChunkedUploadTests.generated().enumerated().forEachCase { index, vector in
      let lengths = try vector.integer("first-length")...vector.integer("last-length")
      let values = try zip(vector.texts("trailer"), vector.texts("trailer-value"))
      var portions = Xorshift64(seed: 0x2545_F491_4F6C_DD1D)
      for form in forms.dropFirst(index % ChunkForm.allCases.count).prefix(count) {
        var generator = Xorshift64(seed: try #require(UInt64(vector.text("seed"), radix: 16)))
        var total = SHA256()
        var sentByteCount = 0
        for length in lengths {
          let upload = try vector.upload(
            decodedByteCount: length, chunkByteCount: vector.integer("chunk-length"))
          let body = try ChunkedBody(upload, trailers: SigV4.Headers(values))
          let sent = try body.encode(
            generator.bytes(length), in: Self.portions(of: length, &portions), through: form)
          #expect(sent.count == upload.encodedByteCount, "\(vector)")
          sentByteCount += sent.count
          total.update(data: sent)
        }
        #expect(try sentByteCount == vector.integer("encoded-length"), "\(vector), \(form)")
        #expect(try total.finalize().hexString == vector.text("digest"), "\(vector), \(form)")
      }
    }
  }

  @Test("An encoded length is the known one")
  func encodedLength() throws {
    try facts("encoded-lengths").forEachCase { row in
      let upload = try row.upload(
        decodedByteCount: row.integer("body-length"), chunkByteCount: 65_536)
      #expect(try upload.encodedByteCount == row.integer("encoded-length"), "\(row)")
    }
  }

  @Test("Bodies of random sizes in random portions have the announced length")
  func randomLengths() throws {
    var generator = Xorshift64(seed: 0x1234_5678_9ABC_DEF1)
    let body = generator.bytes(40_000)
    let signer = try Example.signer(.s3)
    for _ in 0..<sampleSize(500, of: 10_000) {
      let length = generator.size(upTo: 40_000)
      let chunkByteCount = 8_192 + generator.size(upTo: 10_000)
      let upload = try Self.anyUpload(length, chunkByteCount, &generator)
      let request = try SigV4.Request("PUT", host: "example.com").uploading(upload)
      let signed = try signer.sign(request, at: Example.moment())
      var chunks = try SigV4.ChunkSigner(upload, following: signed, by: signer)
      var sentByteCount = 0
      var start = 0
      // Safety: portions are parts of the body, and pieces are only counted.
      try unsafe body.withUnsafeBytes { body in
        while start < length {
          let portion = min(length - start, generator.size(upTo: 20_000))
          let promised = chunks.encodedByteCount(ofNext: portion)
          let before = sentByteCount
          try unsafe chunks.update(
            UnsafeRawBufferPointer(rebasing: body[start..<start + portion])
          ) { sentByteCount += $0.count }
          if sentByteCount - before != promised { Issue.record("\(upload) at \(start)") }
          start += portion
        }
      }
      let beforeEnd = sentByteCount
      try unsafe chunks.finish(
        trailers: upload.trailers.isEmpty ? [:] : ["X-Amz-Checksum-CRC32": "AAAAAA=="]
      ) { sentByteCount += $0.count }
      if sentByteCount - beforeEnd != upload.trailerByteCount { Issue.record("\(upload)") }
      if sentByteCount != upload.encodedByteCount { Issue.record("\(upload)") }
    }
  }

  static func anyUpload(
    _ length: Int, _ chunkByteCount: Int, _ generator: inout Xorshift64
  ) throws -> SigV4.ChunkedUpload {
    let trailers: [SigV4.ChunkTrailer] = generator.size(upTo: 1) == 0 ? [] : [.checksumCRC32]
    if generator.size(upTo: 1) == 0 {
      return try .signed(
        decodedByteCount: length, chunkByteCount: chunkByteCount, trailers: trailers)
    }
    return try .unsigned(
      decodedByteCount: length, chunkByteCount: chunkByteCount, trailers: trailers)
  }

  /// A few portions of any size, empty ones among them.
  static func portions(of length: Int, _ generator: inout Xorshift64) -> [Int] {
    (0..<generator.size(upTo: 5)).map { _ in generator.size(upTo: UInt64(length)) }
  }
}
