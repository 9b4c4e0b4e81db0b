// SPDX-License-Identifier: Apache-2.0
// Decodes and verifies a chunked upload: takes received bytes in any portions, outputs verified
// bytes.

internal import RequestSigning
internal import S3Signing
internal import SecureHashing

extension SigV4 {
  /// Decodes an `aws-chunked` body, and verifies its chunk signatures, trailers and checksum.
  struct ChunkVerifier: Sendable {
    private let announcement: ChunkAnnouncement

    /// Nil if the chunks aren't signed.
    private var chain: SignatureChain?
    private let key: VerificationKey

    private var state = State.head

    /// The current line, without its newline.
    private var line: [UInt8] = []

    /// The total size of the chunks so far, including the current one, in bytes. It never exceeds
    /// ``decodedByteCount``.
    private var announcedByteCount = 0

    /// The number of chunks so far, including the current one.
    private var chunkCount = 0

    /// The number of bytes to read until the end of the chunk.
    private var missingByteCount = 0

    /// The signature in the chunk's header line.
    private var claimedSignature: Signature?

    /// The hash of the chunk so far.
    private var function = SHA256()

    /// The beginning of an incomplete signed chunk.
    private var gathered: [UInt8] = []

    private var trailers = ReceivedTrailers()
    private var checksum: Checksum.Computation?

    /// The next expected part.
    private enum State {
      case head
      case data
      case dataEnd
      case trailer
      /// The empty line after a trailer that ends with LF alone.
      case trailerEnd
      case end
    }

    init(
      _ announcement: ChunkAnnouncement, of claim: Claim, by key: VerificationKey
    ) {
      self.announcement = announcement
      self.key = key
      if announcement.kind != .unsignedWithTrailers {
        chain = SignatureChain(
          announcement.algorithm.name, seed: Array(claim.message[claim.signature]),
          scope: claim.scope, at: claim.timestamp)
      }
      checksum = announcement.checksum.map { Checksum.Computation($0) }
    }

    /// The size of the decoded body that the request announces, in bytes.
    var decodedByteCount: Int { announcement.decodedByteCount }

    /// Whether the chunks are signed.
    var isSigned: Bool { chain != nil }

    /// Checks that the body is complete, and returns its trailers, with lowercase names.
    ///
    /// - Throws: `bodyLengthMismatch` if the last chunk or the end of the trailers is missing.
    func finish() throws(VerificationError) -> Headers {
      if state != .end {
        throw VerificationError(
          .bodyLengthMismatch,
          "The body ended before its last chunk and trailers: its chunks announced "
            + "\(announcedByteCount) of \(decodedByteCount) bytes.",
          fix: "Discard the body, and check for an interrupted connection.")
      }
      return trailers.headers
    }
  }
}

// The framing: a line with size and signature, the bytes, and a newline. Then the trailers.
extension SigV4.ChunkVerifier {
  /// Verifies the next received bytes, and calls `write` with the decoded bytes, in pieces.
  mutating func update(
    _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
  ) throws(SigV4.VerificationError) {
    var position = 0
    while position < bytes.count {
      switch state {
      case .data:
        let end = position + min(missingByteCount, bytes.count - position)
        try unsafe takeData(bytes.part(position..<end), write)
        position = end
      case .head, .dataEnd, .trailer, .trailerEnd:
        try takeLineByte(unsafe bytes[position])
        position += 1
      case .end:
        throw SigV4.VerificationError(
          .bytesAfterEnd,
          "\(bytes.count - position) unsigned bytes follow the last chunk.",
          fix: "Treat it as an attack, or check how the client computes the chunk sizes.")
      }
    }
  }

  /// Reads bytes of a chunk. Buffers those of a signed chunk until it's complete.
  private mutating func takeData(
    _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
  ) throws(SigV4.VerificationError) {
    missingByteCount -= bytes.count
    if chain == nil {
      unsafe handOut(bytes, write)
    } else {
      unsafe function.update(bufferPointer: bytes)
      if missingByteCount > 0 {
        unsafe gathered.append(contentsOf: bytes)
      } else {
        try verifyChunk(function.finalize())
        if !gathered.isEmpty {
          // Move the buffer out while reading it, and reuse its memory for the next chunk.
          var first: [UInt8] = []
          swap(&first, &gathered)
          unsafe first.withUnsafeBytes { unsafe handOut($0, write) }
          first.removeAll(keepingCapacity: true)
          swap(&first, &gathered)
        }
        unsafe handOut(bytes, write)
      }
    }
    if missingByteCount == 0 { state = .dataEnd }
  }

  private mutating func handOut(
    _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
  ) {
    unsafe checksum?.update(bytes)
    unsafe write(bytes)
  }

  /// Verifies the signature of a chunk, which covers the previous signature.
  private mutating func verifyChunk(_ digest: SHA256.Digest) throws(SigV4.VerificationError) {
    let (key, claimed) = (key, claimedSignature)
    try check(chain?.append(chunk: digest) { key.signature(claimed, of: $0) })
  }

  /// Throws if a signature is wrong. Nil means that the chunks aren't signed.
  private func check(_ isRight: Bool?) throws(SigV4.VerificationError) {
    if isRight == false {
      throw SigV4.VerificationError(
        .chunkSignatureMismatch,
        "The signature of the chunk that ends at byte \(announcedByteCount) of the body, or of the "
          + "trailers after it, doesn't match.",
        fix: "Treat it as an attack, and discard the body.")
    }
  }

  /// Reads a byte of a line, which ends with CR and LF. A trailer may also end with LF, CR and LF,
  /// as minio-go sends it.
  private mutating func takeLineByte(_ byte: UInt8) throws(SigV4.VerificationError) {
    if byte == ASCIIByte.newline {
      if line.last == 0x0D {
        line.removeLast()
        try takeLine()
      } else if state == .trailer && !line.isEmpty {
        try takeLine()
        state = .trailerEnd
      } else {
        throw Self.malformed("a line has no CR before its LF")
      }
      line.removeAll(keepingCapacity: true)
      return
    }
    if line.last == 0x0D { throw Self.malformed("a line contains a CR") }
    line.append(byte)
    if line.count > lineLimit { throw Self.malformed("a line is too long") }
  }

  /// The maximum length of a line with its CR: a size of 15 digits and a signature, nothing, or a
  /// trailer.
  private var lineLimit: Int {
    switch state {
    case .head:
      15 + SigV4.SignatureChain.label.utf8.count
        + announcement.algorithm.chunkSignatureCount + 1
    case .trailer: SigV4.ReceivedTrailers.byteLimit
    case .data, .dataEnd, .trailerEnd, .end: 1
    }
  }

  private mutating func takeLine() throws(SigV4.VerificationError) {
    switch state {
    case .head: try takeHead()
    case .trailer where line.isEmpty: try takeEnd()
    case .trailer: try trailers.append(line[...], announcement)
    case .trailerEnd: state = .trailer
    case .data, .dataEnd, .end: state = .head
    }
  }

  /// Reads the header line of a chunk: `10000;chunk-signature=...`, or only the size.
  private mutating func takeHead() throws(SigV4.VerificationError) {
    let digits = line.prefix { $0 != ASCIIByte.semicolon }
    let byteCount = try Self.size(digits)
    try takeSignature(line[digits.endIndex...])
    if chain != nil && byteCount > announcement.largestChunk {
      throw Self.malformed(
        "a signed chunk is \(byteCount) bytes long, more than the maximum of "
          + "\(announcement.largestChunk)")
    }
    if byteCount > decodedByteCount - announcedByteCount {
      throw SigV4.VerificationError(
        .bodyLengthMismatch,
        "The chunks are larger than the \(decodedByteCount) bytes that the request announces.",
        fix: "Treat it as an attack, or check how the client computes the body size.")
    }
    announcedByteCount += byteCount
    chunkCount += 1
    // Many small chunks would be much slower to verify than a few large ones.
    if byteCount > 0 && byteCount < Self.minimumChunkByteCount
      && announcedByteCount < decodedByteCount
    {
      throw smallChunk(byteCount)
    }
    missingByteCount = byteCount
    function = SHA256()
    state = byteCount == 0 ? .trailer : .data
    if byteCount == 0 { try takeLastChunk() }
  }

  private mutating func takeSignature(_ rest: ArraySlice<UInt8>) throws(SigV4.VerificationError) {
    let label = SigV4.SignatureChain.label
    if chain == nil {
      if !rest.isEmpty { throw Self.malformed("an unsigned chunk has an extension") }
      return
    }
    let algorithm = announcement.algorithm
    claimedSignature = algorithm.chunkSignature(rest.dropFirst(label.utf8.count))
    if claimedSignature == nil || !rest.starts(with: label.utf8) {
      throw SigV4.VerificationError(
        .chunkSignatureMismatch,
        "A chunk's signature must be \(algorithm.chunkSignatureRule), since the request announces "
          + "signed chunks.",
        fix: "Treat it as an attack.")
    }
  }

  /// Parses a chunk size (RFC 9112, 7.1): at most 15 hexadecimal digits, in either case. Leading
  /// zeros have no effect, as in Amazon S3.
  private static func size(_ digits: ArraySlice<UInt8>) throws(SigV4.VerificationError) -> Int {
    let isSize =
      !digits.isEmpty && digits.count <= 15
      && digits.allSatisfy { ASCIIByte.hexadecimalValue($0) != nil }
    guard isSize, let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else {
      throw malformed("\(SigV4.shown(digits)) isn't a valid chunk size")
    }
    return size
  }

  private mutating func takeLastChunk() throws(SigV4.VerificationError) {
    if announcedByteCount < decodedByteCount {
      throw SigV4.VerificationError(
        .bodyLengthMismatch,
        "The chunks contain \(announcedByteCount) bytes, but the request announces "
          + "\(decodedByteCount).",
        fix: "Discard the body, and check how the client computes the body size.")
    }
    try verifyChunk(function.finalize())
  }

  /// Reads the empty line after the trailers.
  private mutating func takeEnd() throws(SigV4.VerificationError) {
    try trailers.check(announcement.trailerNames)
    if announcement.kind == .signedWithTrailers {
      let (key, claimed) = (key, trailers.signature)
      let digest = SHA256.hash(data: trailers.canonicalBytes)
      try check(chain?.append(trailers: digest) { key.signature(claimed, of: $0) })
    }
    try checksum?.check(trailers)
    state = .end
  }

  /// The minimum size of every chunk except the last (Amazon S3 API Reference, "Signature
  /// Calculations ... Transferring Payload in Multiple Chunks").
  private static var minimumChunkByteCount: Int { 8_192 }

  private func smallChunk(_ byteCount: Int) -> SigV4.VerificationError {
    let limit = Self.minimumChunkByteCount
    let text = "Only the last chunk is allowed to have a size less than \(limit) bytes"
    return SigV4.VerificationError(
      .malformedChunk,
      "A chunk of \(byteCount) bytes is too small, since it isn't the last one: only "
        + "\(announcedByteCount) of \(decodedByteCount) bytes are announced so far.",
      fix: "Ask the client to use chunks of at least \(limit) bytes.",
      // S3 reports the number of the next chunk.
      elements: [("Chunk", String(chunkCount + 1)), ("BadChunkSize", String(byteCount))],
      sentence: text, statement: (.smallChunk, text))
  }

  private static func malformed(_ reason: String) -> SigV4.VerificationError {
    SigV4.VerificationError(
      .malformedChunk,
      "The chunks are malformed: \(reason).",
      fix: "Check for a proxy that reframes the body, or a client that doesn't send aws-chunked.")
  }
}
