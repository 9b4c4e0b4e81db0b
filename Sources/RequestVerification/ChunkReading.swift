// SPDX-License-Identifier: Apache-2.0
// How chunks are read: a line with size and signature, the bytes, a line end; then the trailers.

internal import DocumentSupport
internal import RequestSigning
internal import S3Signing
internal import SecureHashing
internal import SigningSupport

extension SigV4.ChunkVerifier {
  /// Takes bytes until the first thing that is wrong.
  mutating func take(
    _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
  ) {
    var position = 0
    // Safety: only positions below the end of the buffer are read.
    while position < bytes.count && failure == nil {
      do throws(SigV4.VerificationError) {
        switch state {
        case .data:
          let count = Swift.min(missingByteCount, bytes.count &- position)
          try unsafe takeData(bytes.part(position..<position &+ count), write)
          position &+= count
        case .head, .dataEnd, .trailer:
          try takeLineByte(unsafe bytes[position])
          position &+= 1
        case .end:
          throw SigV4.VerificationError(
            .bytesAfterEnd,
            """
            \(bytes.count &- position) bytes follow the end of the chunks, and nobody signed them; \
            take it for an attack, or look for a client that counts wrongly
            """)
        }
      } catch {
        failure = error
      }
    }
  }

  /// The bytes of a chunk. Those of a signed chunk wait for its end.
  private mutating func takeData(
    _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
  ) throws(SigV4.VerificationError) {
    missingByteCount &-= bytes.count
    // Safety: handed on as they came; what was gathered lives as long as the closure runs.
    if chain == nil {
      unsafe handOut(bytes, write)
    } else {
      unsafe function.update(bufferPointer: bytes)
      if missingByteCount > 0 {
        unsafe gathered.append(contentsOf: bytes)
      } else {
        try verifyChunk(function.finalize())
        if !gathered.isEmpty {
          var first: [UInt8] = []
          Swift.swap(&first, &gathered)
          unsafe first.withUnsafeBytes { unsafe handOut($0, write) }
          first.removeAll(keepingCapacity: true)
          Swift.swap(&first, &gathered)
        }
        unsafe handOut(bytes, write)
      }
    }
    if missingByteCount == 0 { state = .dataEnd }
  }

  private mutating func handOut(
    _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
  ) {
    // Safety: handed on as they came.
    for index in checksums.indices { unsafe checksums[index].update(bytes) }
    unsafe write(bytes)
  }

  /// Room 2 to 4 of a chunk: its signature covers the one before.
  private mutating func verifyChunk(_ digest: SHA256.Digest) throws(SigV4.VerificationError) {
    chain?.sign(chunk: digest)
    try compare(claimedSignature)
  }

  private func compare(_ claimed: SHA256.Digest?) throws(SigV4.VerificationError) {
    guard let chain else { return }
    let digits = claimed.map { Array($0.hexadecimal.utf8) } ?? []
    if !ConstantTime.equal(chain.signature, digits) {
      throw SigV4.VerificationError(
        .chunkSignatureMismatch,
        """
        the signature of what follows the first \(announcedByteCount) bytes of the body is not the \
        one of this chunk or these trailers; take it for an attack, and keep nothing of the body
        """
      )
    }
  }

  /// A byte of a line, which ends in CR and LF.
  private mutating func takeLineByte(_ byte: UInt8) throws(SigV4.VerificationError) {
    if byte == ASCIIByte.newline {
      guard line.popLast() == 0x0D else { throw Self.malformed("a line ends without CR") }
      try takeLine()
      line.removeAll(keepingCapacity: true)
      return
    }
    if line.last == 0x0D { throw Self.malformed("a CR stands within a line") }
    line.append(byte)
    if line.count > lineLimit { throw Self.malformed("a line is too long") }
  }

  /// The longest line with its CR: a size of 16 digits and a signature; nothing; a trailer.
  private var lineLimit: Int {
    switch state {
    case .head: 16 &+ SigV4.ChunkedUpload.signatureLabel.utf8.count &+ 64 &+ 1
    case .trailer: SigV4.ReceivedTrailers.byteLimit
    case .data, .dataEnd, .end: 1
    }
  }

  private mutating func takeLine() throws(SigV4.VerificationError) {
    switch state {
    case .head: try takeHead()
    case .trailer where line.isEmpty: try takeEnd()
    case .trailer: try trailers.append(line[...], announcement.kind)
    case .data, .dataEnd, .end: state = .head
    }
  }

  /// `10000;chunk-signature=...`, or the size alone.
  private mutating func takeHead() throws(SigV4.VerificationError) {
    let digits = line.prefix { $0 != ASCIIByte.semicolon }
    let byteCount = try Self.size(digits)
    try takeSignature(line[digits.endIndex...])
    if byteCount > announcement.largestChunk {
      throw Self.malformed(
        "a chunk has \(byteCount) bytes, more than the \(announcement.largestChunk) that are kept")
    }
    if byteCount > announcement.decodedByteCount &- announcedByteCount {
      throw SigV4.VerificationError(
        .bodyLengthMismatch,
        """
        the request announces \(announcement.decodedByteCount) bytes, and its chunks have more; \
        take it for an attack, or look for a client that counts wrongly
        """)
    }
    announcedByteCount &+= byteCount
    missingByteCount = byteCount
    function = SHA256()
    state = byteCount == 0 ? .trailer : .data
    if byteCount == 0 { try takeLastChunk() }
  }

  private mutating func takeSignature(_ rest: ArraySlice<UInt8>) throws(SigV4.VerificationError) {
    let label = SigV4.ChunkedUpload.signatureLabel
    if chain == nil {
      if !rest.isEmpty { throw Self.malformed("an unsigned chunk has an extension") }
      return
    }
    guard rest.starts(with: label.utf8),
      let signature = SHA256.Digest(lowercaseDigits: rest.dropFirst(label.utf8.count))
    else {
      throw SigV4.VerificationError(
        .chunkSignatureMismatch,
        """
        a chunk has no signature in 64 lowercase hexadecimal digits, and the request announces \
        signed chunks; take it for an attack
        """)
    }
    claimedSignature = signature
  }

  /// RFC 9112, 7.1: hexadecimal digits of either case, here without leading zeros.
  private static func size(_ digits: ArraySlice<UInt8>) throws(SigV4.VerificationError) -> Int {
    var size = 0
    for digit in digits {
      guard let value = ASCIIByte.hexadecimalValue(digit) else {
        throw malformed("the size of a chunk is \(SigV4.shown(digits))")
      }
      // At most 7 digits, which is below 2^28 and fits into a word of 32 bits.
      size = size &<< 4 | Int(value)
    }
    if digits.isEmpty || digits.count > 7 || digits.count > 1 && digits.first == 0x30 {
      throw malformed("the size of a chunk is \(SigV4.shown(digits))")
    }
    return size
  }

  private mutating func takeLastChunk() throws(SigV4.VerificationError) {
    if announcedByteCount < announcement.decodedByteCount {
      throw SigV4.VerificationError(
        .bodyLengthMismatch,
        """
        the request announces \(announcement.decodedByteCount) bytes, and its chunks have \
        \(announcedByteCount); look for a client that counts wrongly, and keep nothing of the body
        """
      )
    }
    try verifyChunk(function.finalize())
  }

  /// The empty line after the trailers.
  private mutating func takeEnd() throws(SigV4.VerificationError) {
    try trailers.check(announcement.trailerNames)
    if announcement.kind == .signedWithTrailers {
      chain?.sign(trailers: SHA256.hash(data: trailers.canonicalBytes))
      try compare(trailers.signature)
    }
    for checksum in checksums { try checksum.check(trailers) }
    state = .end
  }

  private static func malformed(_ reason: String) -> SigV4.VerificationError {
    SigV4.VerificationError(
      .malformedChunk,
      """
      the chunks cannot be read: \(reason); look for a proxy that reframes the body, or a client \
      that does not send aws-chunked
      """)
  }
}
