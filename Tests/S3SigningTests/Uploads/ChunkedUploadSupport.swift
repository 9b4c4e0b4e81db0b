// SPDX-License-Identifier: Apache-2.0
// What the tests of chunked uploads share: the forms of the signer's input and output, and bodies in portions.

internal import SigningTestSupport
internal import S3Signing
internal import RequestSigning
internal import TestSupport
internal import Testing

/// The ways into a chunk signer, and out of it.
enum ChunkForm: CaseIterable {
  case array
  case collectionWithoutBuffer
  case span
  case buffer
  case pieces
}

/// An upload, the request that announces it, and who signs both.
struct ChunkedBody {
  let upload: SigV4.ChunkedUpload
  let signed: SigV4.SignedRequest
  let signer: SigV4.Signer
  var trailers: SigV4.Headers = [:]

  init(_ upload: SigV4.ChunkedUpload, trailers: SigV4.Headers = [:]) throws {
    self.upload = upload
    self.trailers = trailers
    signer = try Example.signer(.s3)
    let request = try SigV4.Request("PUT", host: "example.s3.amazonaws.com").uploading(upload)
    signed = try signer.sign(request, at: Example.moment())
  }

  init(_ upload: SigV4.ChunkedUpload, _ vector: VectorRecord, trailers: SigV4.Headers) throws {
    self.upload = upload
    self.trailers = trailers
    signer = try vector.signer()
    signed = try signer.sign(vector.request().uploading(upload), at: vector.timestamp())
  }

  func chunks() throws -> SigV4.ChunkSigner {
    try SigV4.ChunkSigner(upload, following: signed, by: signer)
  }

  /// Everything that is sent for a body that arrives in these portions; the last one is the rest.
  func encode(
    _ body: [UInt8], in portions: some Sequence<Int>, through form: ChunkForm
  ) throws -> [UInt8] {
    var chunks = try chunks()
    var sent: [UInt8] = []
    var rest = body[...]
    for portion in portions where !rest.isEmpty {
      try form.update(&chunks, rest.prefix(portion), into: &sent)
      rest = rest.dropFirst(portion)
    }
    try form.update(&chunks, rest, into: &sent)
    #expect(chunks.receivedByteCount == body.count)
    try form.finish(&chunks, trailers, into: &sent)
    return sent
  }
}

extension ChunkForm {
  func update(
    _ chunks: inout SigV4.ChunkSigner, _ bytes: ArraySlice<UInt8>, into sent: inout [UInt8]
  ) throws {
    // Safety: buffers are used only inside the closures, within their bounds.
    switch self {
    case .array: try chunks.update(Array(bytes), into: &sent)
    case .collectionWithoutBuffer:
      try chunks.update(bytes.lazy.map { $0 }, into: &sent)
    case .span:
      try unsafe Array(bytes).withUnsafeBytes { bytes in
        try unsafe chunks.update(Span<UInt8>(_unsafeBytes: bytes), into: &sent)
      }
    case .buffer:
      var output = [UInt8](
        repeating: 0xEE, count: chunks.encodedByteCount(ofNext: bytes.count) + 3)
      let count = try unsafe output.withUnsafeMutableBytes { output in
        try unsafe bytes.withUnsafeBytes { try unsafe chunks.update($0, into: output) }
      }
      #expect(output[count...] == [0xEE, 0xEE, 0xEE])
      sent += output.prefix(count)
    case .pieces:
      try unsafe bytes.withUnsafeBytes { bytes in
        try unsafe chunks.update(bytes) { unsafe sent.append(contentsOf: $0) }
      }
    }
  }

  func finish(
    _ chunks: inout SigV4.ChunkSigner, _ trailers: SigV4.Headers, into sent: inout [UInt8]
  ) throws {
    // Safety: buffers are used only inside the closures, within their bounds.
    switch self {
    case .array, .collectionWithoutBuffer, .span:
      try chunks.finish(trailers: trailers, into: &sent)
    case .buffer:
      var output = [UInt8](repeating: 0, count: chunks.upload.trailerByteCount)
      let count = try unsafe output.withUnsafeMutableBytes {
        try unsafe chunks.finish(trailers: trailers, into: $0)
      }
      #expect(count == output.count)
      sent += output
    case .pieces:
      try unsafe chunks.finish(trailers: trailers) { unsafe sent.append(contentsOf: $0) }
    }
  }
}

extension VectorRecord {
  /// The upload of a record: `kind`, signed unless it says otherwise, and its trailers by their names.
  func upload(decodedByteCount: Int, chunkByteCount: Int) throws -> SigV4.ChunkedUpload {
    let known = SigV4.Checksum.Algorithm.all.compactMap { SigV4.ChunkTrailer($0) }
    let trailers = try texts("trailer").map { text in
      try #require(known.first { text.hasPrefix($0.name + ":") || text == $0.name })
    }
    if try optionalText("kind") == "unsigned" {
      return try .unsigned(
        decodedByteCount: decodedByteCount, chunkByteCount: chunkByteCount, trailers: trailers)
    }
    return try .signed(
      decodedByteCount: decodedByteCount, chunkByteCount: chunkByteCount, trailers: trailers)
  }
}
