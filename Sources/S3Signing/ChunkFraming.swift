// SPDX-License-Identifier: Apache-2.0
// How chunks are laid out in what is sent: a line with size and signature, the bytes, a line end.

internal import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4.ChunkSigner {
  /// All bytes of the body pass here, in order, and fit into what was announced.
  mutating func frame(
    _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
  ) {
    // Safety: handed on as it came.
    switch upload.protection {
    case .signed: unsafe frameSigned(bytes, write)
    case .unsigned: unsafe frameUnsigned(bytes, write)
    }
  }

  /// A signature stands before its chunk: what is not complete waits.
  private mutating func frameSigned(
    _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
  ) {
    // Safety: rest and chunks are parts of bytes, and of gathered for as long as the closure runs.
    var rest = unsafe bytes
    if !gathered.isEmpty {
      let missing = Swift.min(nextChunkByteCount &- gathered.count, rest.count)
      unsafe gathered.append(contentsOf: rest.prefix(missing))
      unsafe rest = Self.bytes(from: missing, of: rest)
      if gathered.count < nextChunkByteCount { return }
      var chunk: [UInt8] = []
      Swift.swap(&chunk, &gathered)
      unsafe chunk.withUnsafeBytes { unsafe rest = writeChunks($0, rest, write) }
      chunk.removeAll(keepingCapacity: true)
      Swift.swap(&chunk, &gathered)
    }
    while nextChunkByteCount > 0 && rest.count >= nextChunkByteCount {
      let byteCount = nextChunkByteCount
      unsafe rest = writeChunks(
        Self.first(byteCount, of: rest), Self.bytes(from: byteCount, of: rest), write)
    }
    unsafe gathered.append(contentsOf: rest)
  }

  /// Writes a chunk, and the one after it when that is in hand too: they are hashed side by side. The
  /// result is what is left.
  private mutating func writeChunks(
    _ first: UnsafeRawBufferPointer, _ rest: UnsafeRawBufferPointer,
    _ write: (UnsafeRawBufferPointer) -> Void
  ) -> UnsafeRawBufferPointer {
    framedByteCount &+= first.count
    let byteCount = nextChunkByteCount
    // Safety: rest has at least byteCount bytes where it is divided.
    if byteCount == 0 || rest.count < byteCount {
      unsafe writeChunk(first, SHA256.hash(bufferPointer: first), write)
      return unsafe rest
    }
    let second = unsafe Self.first(byteCount, of: rest)
    framedByteCount &+= byteCount
    let (digest, secondDigest) = unsafe SHA256.hashPair(first, second)
    unsafe writeChunk(first, digest, write)
    unsafe writeChunk(second, secondDigest, write)
    return unsafe Self.bytes(from: byteCount, of: rest)
  }

  private mutating func writeChunk(
    _ chunk: UnsafeRawBufferPointer, _ digest: SHA256.Digest,
    _ write: (UnsafeRawBufferPointer) -> Void
  ) {
    chain?.sign(chunk: digest)
    startHead(ofChunk: chunk.count)
    // Safety: handed on as they came; the line lives as long as the closures run.
    unsafe line.withUnsafeBytes { unsafe write($0) }
    unsafe write(chunk)
    startLineEnd()
    unsafe line.withUnsafeBytes { unsafe write($0) }
  }

  /// Without signatures nothing has to wait, since the size of each chunk is known.
  private mutating func frameUnsigned(
    _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
  ) {
    // Safety: rest is a part of bytes, and is divided below its end.
    var rest = unsafe bytes
    while rest.count > 0 {
      let offset = framedByteCount % upload.chunkByteCount
      let start = framedByteCount &- offset
      let chunkByteCount = Swift.min(upload.chunkByteCount, upload.decodedByteCount &- start)
      if offset == 0 {
        startHead(ofChunk: chunkByteCount)
        unsafe line.withUnsafeBytes { unsafe write($0) }
      }
      let portion = Swift.min(chunkByteCount &- offset, rest.count)
      unsafe write(Self.first(portion, of: rest))
      unsafe rest = Self.bytes(from: portion, of: rest)
      framedByteCount &+= portion
      if offset &+ portion == chunkByteCount {
        startLineEnd()
        unsafe line.withUnsafeBytes { unsafe write($0) }
      }
    }
  }

  /// Puts the empty chunk and the trailers into `line`.
  mutating func frameEnd(_ values: [String]) {
    chain?.sign(chunk: SHA256().finalize())
    startHead(ofChunk: 0)
    var canonical: [UInt8] = []
    for (trailer, value) in Swift.zip(upload.trailers, values) {
      let field = Array(trailer.name.utf8) + [ASCIIByte.colon] + Array(value.utf8)
      canonical.append(contentsOf: field)
      canonical.append(ASCIIByte.newline)
      line.append(contentsOf: field)
      appendLineEnd()
    }
    if upload.isTrailerSigned {
      chain?.sign(trailers: SHA256.hash(data: canonical), with: trailerTemplate)
      line.append(contentsOf: SigV4.ChunkTrailer.signatureName.utf8)
      line.append(ASCIIByte.colon)
      line.append(contentsOf: chain?.signature ?? [])
      appendLineEnd()
    }
    appendLineEnd()
  }

  /// The size of the chunk that is gathered now, or comes next: 0 after the last.
  private var nextChunkByteCount: Int {
    Swift.min(upload.chunkByteCount, upload.decodedByteCount &- framedByteCount)
  }

  /// Puts the line before a chunk into `line`: `10000;chunk-signature=...`.
  private mutating func startHead(ofChunk byteCount: Int) {
    line.removeAll(keepingCapacity: true)
    var shift = (Int.bitWidth &- 1 &- byteCount.leadingZeroBitCount) / 4 &* 4
    while shift >= 0 {
      let value = UInt8(truncatingIfNeeded: byteCount &>> shift) & 15
      line.append(SigV4.ChunkStringToSign.digit(value))
      shift &-= 4
    }
    if let chain {
      line.append(contentsOf: SigV4.ChunkedUpload.signatureLabel.utf8)
      line.append(contentsOf: chain.signature)
    }
    appendLineEnd()
  }

  private mutating func startLineEnd() {
    line.removeAll(keepingCapacity: true)
    appendLineEnd()
  }

  private mutating func appendLineEnd() {
    line.append(0x0D)
    line.append(ASCIIByte.newline)
  }
}

extension SigV4.ChunkSigner {
  /// Frames bytes into an array; the result is why it was refused.
  mutating func append(
    _ bytes: UnsafeRawBufferPointer, to output: inout [UInt8]
  ) -> SigV4.SigningError? {
    do {
      // Safety: handed on as they came.
      try unsafe update(bytes) { unsafe output.append(contentsOf: $0) }
      return nil
    } catch {
      return error
    }
  }

  /// The first bytes of a buffer that has at least as many.
  static func first(
    _ byteCount: Int, of bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    // Safety: a part of the buffer.
    unsafe UnsafeRawBufferPointer(rebasing: bytes[..<byteCount])
  }

  /// What follows the first bytes of a buffer that has at least as many.
  static func bytes(
    from byteCount: Int, of bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    // Safety: a part of the buffer.
    unsafe UnsafeRawBufferPointer(rebasing: bytes[byteCount...])
  }

  /// A buffer that is filled from its beginning.
  @safe
  struct Output {
    var buffer: UnsafeMutableRawBufferPointer

    mutating func write(_ piece: UnsafeRawBufferPointer) {
      // Safety: the buffer was found to be large enough for all pieces; what would not fit is dropped.
      let count = unsafe Swift.min(piece.count, buffer.count)
      unsafe buffer.copyMemory(from: SigV4.ChunkSigner.first(count, of: piece))
      unsafe buffer = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
    }
  }
}
