// SPDX-License-Identifier: Apache-2.0
// The encoding of chunks: a line with size and signature, the bytes, and a newline.

internal import RequestSigning
internal import SecureHashing

extension SigV4.ChunkSigner {
  /// Encodes the next bytes of the body, which are within the declared length.
  mutating func frame(
    _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
  ) {
    if upload.isSigned {
      unsafe frameSigned(bytes, write)
    } else {
      unsafe frameUnsigned(bytes, write)
    }
  }

  /// Encodes signed chunks. A signature precedes its chunk, so an incomplete chunk waits.
  private mutating func frameSigned(
    _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
  ) {
    var rest = unsafe bytes[...]
    if !gathered.isEmpty {
      let missing = unsafe rest.prefix(nextChunkByteCount - gathered.count)
      unsafe gathered.append(contentsOf: UnsafeRawBufferPointer(rebasing: missing))
      unsafe rest = rest.dropFirst(missing.count)
      if gathered.count < nextChunkByteCount { return }
      var chunk: [UInt8] = []
      Swift.swap(&chunk, &gathered)
      unsafe chunk.withUnsafeBytes { unsafe writeChunks($0, &rest, write) }
      chunk.removeAll(keepingCapacity: true)
      Swift.swap(&chunk, &gathered)
    }
    while unsafe hasChunk(rest) { unsafe writeChunks(nil, &rest, write) }
    unsafe gathered.append(contentsOf: UnsafeRawBufferPointer(rebasing: rest))
  }

  /// Writes a batch of chunks, which are hashed in parallel (SIMD). The first can lie in different
  /// memory.
  private mutating func writeChunks(
    _ first: UnsafeRawBufferPointer?, _ rest: inout Slice<UnsafeRawBufferPointer>,
    _ write: (UnsafeRawBufferPointer) -> Void
  ) {
    var waiting = unsafe first
    // Safety: the chunks outlive their jobs.
    unsafe SHA256.BatchJob.run {
      var chunk = unsafe waiting
      unsafe waiting = nil
      if unsafe chunk == nil && hasChunk(rest) {
        unsafe chunk = UnsafeRawBufferPointer(rebasing: rest.prefix(nextChunkByteCount))
        unsafe rest = rest.dropFirst(nextChunkByteCount)
      }
      guard let chunk = unsafe chunk else { return nil }
      framedByteCount += chunk.count
      return unsafe SHA256.BatchJob(hashing: chunk)
    } _: {
      unsafe writeChunk($0.bytes, $0.digest, write)
    }
  }

  /// Whether the next chunk is complete.
  private func hasChunk(_ rest: Slice<UnsafeRawBufferPointer>) -> Bool {
    unsafe nextChunkByteCount > 0 && rest.count >= nextChunkByteCount
  }

  private mutating func writeChunk(
    _ chunk: UnsafeRawBufferPointer, _ digest: SHA256.Digest,
    _ write: (UnsafeRawBufferPointer) -> Void
  ) {
    chain?.append(chunk: digest, sign)
    startHead(ofChunk: chunk.count)
    unsafe line.withUnsafeBytes { unsafe write($0) }
    unsafe write(chunk)
    unsafe writeLineEnd(write)
  }

  /// Encodes unsigned chunks, which don't wait, because the size of each is known.
  private mutating func frameUnsigned(
    _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
  ) {
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty {
      let offset = framedByteCount % upload.chunkByteCount
      let missing = Swift.min(
        upload.chunkByteCount - offset, upload.decodedByteCount - framedByteCount)
      if offset == 0 {
        startHead(ofChunk: missing)
        unsafe line.withUnsafeBytes { unsafe write($0) }
      }
      let portion = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(missing))
      unsafe write(portion)
      framedByteCount += portion.count
      unsafe rest = rest.dropFirst(portion.count)
      if portion.count == missing { unsafe writeLineEnd(write) }
    }
  }

  /// Writes the empty chunk and the trailers, lines without newlines, to `line`.
  mutating func frameEnd(_ trailers: [String]) {
    chain?.append(chunk: SHA256().finalize(), sign)
    startHead(ofChunk: 0)
    for trailer in trailers { line += (trailer + "\r\n").utf8 }
    if upload.isTrailerSigned, chain != nil {
      let canonical = trailers.map { $0 + "\n" }.joined()
      chain?.append(trailers: SHA256.hash(data: canonical.utf8), sign)
      line += (SigV4.ChunkTrailer.signatureName + ":").utf8
      if let chain { appendSignature(chain.signature) }
      line += "\r\n".utf8
    }
    line += "\r\n".utf8
  }

  /// The size of the chunk in progress or the next one, or 0 after the last.
  private var nextChunkByteCount: Int {
    Swift.min(upload.chunkByteCount, upload.decodedByteCount - framedByteCount)
  }

  /// Writes the line before a chunk to `line`: `10000;chunk-signature=...`.
  private mutating func startHead(ofChunk byteCount: Int) {
    line.removeAll(keepingCapacity: true)
    line += String(byteCount, radix: 16).utf8
    if let chain {
      line += SigV4.SignatureChain.label.utf8
      appendSignature(chain.signature)
    }
    line += "\r\n".utf8
  }

  /// Appends a signature to `line`, padded to the maximum length.
  private mutating func appendSignature(_ signature: [UInt8]) {
    line += signature
    let missing = (upload.signatures?.digitCount ?? 0) - signature.count
    if missing > 0 { line += repeatElement(UInt8(ascii: "*"), count: missing) }
  }

  private mutating func writeLineEnd(_ write: (UnsafeRawBufferPointer) -> Void) {
    line.removeAll(keepingCapacity: true)
    line += "\r\n".utf8
    unsafe line.withUnsafeBytes { unsafe write($0) }
  }
}
