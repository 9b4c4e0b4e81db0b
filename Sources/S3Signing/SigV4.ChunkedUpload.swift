// SPDX-License-Identifier: Apache-2.0
// A chunked upload before its first byte: what is announced, and how long it becomes.

public import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// What is known of a chunked upload (`aws-chunked`) before its first byte.
  ///
  ///     let upload = try SigV4.ChunkedUpload.signed(decodedByteCount: 66_560)
  ///     let request = try request.uploading(upload)
  ///     let signed = try signer.sign(request, at: now)
  ///     var chunks = try SigV4.ChunkSigner(upload, following: signed, by: signer)
  ///
  /// Source: Amazon S3 API Reference, "Signature Calculations for the Authorization Header:
  /// Transferring Payload in Multiple Chunks", and the page about trailing headers after it.
  public struct ChunkedUpload: Sendable {
    /// The size of the body in bytes.
    public let decodedByteCount: Int

    /// The size in bytes of every chunk but the last.
    public let chunkByteCount: Int

    /// The headers after the body, sorted by their names.
    public let trailers: [ChunkTrailer]

    /// Whether each chunk has a signature.
    let protection: Protection

    enum Protection {
      case signed
      case unsigned
    }

    /// An upload of which each chunk is signed, and the trailers are too.
    ///
    /// Throws `invalidChunkedUpload` when the body would have less than 0 bytes or more than can be
    /// counted, the chunks have fewer than 8,192 bytes, or the trailers repeat a name or have more
    /// than 8,192 bytes together.
    public static func signed(
      decodedByteCount: Int, chunkByteCount: Int = 65_536, trailers: [ChunkTrailer] = []
    ) throws(SigningError) -> ChunkedUpload {
      try ChunkedUpload(.signed, decodedByteCount, chunkByteCount, trailers)
    }

    /// An upload of which nothing but the request is signed. Use TLS: whoever can change it on the
    /// way changes it unnoticed, trailers included.
    ///
    /// Throws what ``signed(decodedByteCount:chunkByteCount:trailers:)`` throws.
    public static func unsigned(
      decodedByteCount: Int, chunkByteCount: Int = 65_536, trailers: [ChunkTrailer]
    ) throws(SigningError) -> ChunkedUpload {
      try ChunkedUpload(.unsigned, decodedByteCount, chunkByteCount, trailers)
    }

    /// The size in bytes of what is sent, chunks, signatures and trailers: the Content-Length.
    public var encodedByteCount: Int {
      encodedByteCount(afterDecoded: decodedByteCount) &+ closingByteCount
    }

    /// The size in bytes of what follows the last byte of the body: the empty chunk and the trailers.
    public var closingByteCount: Int {
      let lines = trailers.reduce(0) { $0 &+ $1.lineByteCount }
      let signature = isTrailerSigned ? ChunkTrailer.signatureName.utf8.count &+ 1 &+ 64 &+ 2 : 0
      return headByteCount(ofChunk: 0) &+ lines &+ signature &+ 2
    }

    /// The value of `x-amz-content-sha256`, which is signed in place of a digest.
    public var declaration: String {
      switch protection {
      case .signed where trailers.isEmpty: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
      case .signed: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
      case .unsigned: "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
      }
    }
  }
}

extension SigV4.ChunkedUpload {
  init(
    _ protection: Protection, _ decodedByteCount: Int, _ chunkByteCount: Int,
    _ trailers: [SigV4.ChunkTrailer]
  ) throws(SigV4.SigningError) {
    try Self.check(decodedByteCount, chunkByteCount)
    let sorted = trailers.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    try Self.check(sorted)
    self.protection = protection
    self.decodedByteCount = decodedByteCount
    self.chunkByteCount = chunkByteCount
    self.trailers = sorted
  }

  /// Half of what can be counted leaves room for the framing, at most 103 bytes for each 8,192.
  static func check(
    _ decodedByteCount: Int, _ chunkByteCount: Int
  ) throws(SigV4.SigningError) {
    if decodedByteCount < 0 || decodedByteCount > Int.max / 2 {
      throw SigV4.SigningError(
        .invalidChunkedUpload,
        """
        a body cannot have \(decodedByteCount) bytes; give its size before any encoding that the \
        upload adds, 0 or more
        """)
    }
    if chunkByteCount < 8_192 {
      throw SigV4.SigningError(
        .invalidChunkedUpload,
        """
        chunks of \(chunkByteCount) bytes are refused by S3: all but the last have to have at \
        least 8192; use 65536, or more for fewer signatures
        """)
    }
  }

  /// Sorted trailers have names of their own, and together at most 8,192 bytes.
  static func check(_ trailers: [SigV4.ChunkTrailer]) throws(SigV4.SigningError) {
    var byteCount = 0
    var previous: SigV4.ChunkTrailer?
    for trailer in trailers {
      if let previous, previous.name.utf8.elementsEqual(trailer.name.utf8) {
        throw SigV4.SigningError(
          .invalidChunkedUpload,
          """
          the trailer \(UTF8Text.quoted(trailer.name)) is announced twice, and a server would take \
          one of them at best; leave one out
          """)
      }
      previous = trailer
      byteCount &+= trailer.lineByteCount
      if byteCount > 8_192 {
        throw SigV4.SigningError(
          .invalidChunkedUpload,
          """
          the trailers have more than 8192 bytes together, which is more than servers read of \
          headers; leave some out, beginning with \(UTF8Text.quoted(trailer.name))
          """)
      }
    }
  }

  var isTrailerSigned: Bool {
    switch protection {
    case .signed: !trailers.isEmpty
    case .unsigned: false
    }
  }

  /// The bytes of the line before a chunk: its size, its signature, the line end.
  func headByteCount(ofChunk byteCount: Int) -> Int {
    let digits = Swift.max(1, (Int.bitWidth &- byteCount.leadingZeroBitCount &+ 3) / 4)
    switch protection {
    case .signed: return digits &+ Self.signatureLabel.utf8.count &+ 64 &+ 2
    case .unsigned: return digits &+ 2
    }
  }

  /// The bytes that have been written as soon as so many bytes of the body have been taken.
  ///
  /// A signature stands before its chunk, so signed chunks are written whole.
  func encodedByteCount(afterDecoded byteCount: Int) -> Int {
    let wholeChunks = byteCount / chunkByteCount
    let rest = byteCount % chunkByteCount
    let whole = wholeChunks &* (headByteCount(ofChunk: chunkByteCount) &+ chunkByteCount &+ 2)
    if rest == 0 { return whole }
    let lastByteCount = Swift.min(chunkByteCount, decodedByteCount &- (byteCount &- rest))
    let isLastChunkWhole = rest == lastByteCount
    switch protection {
    case .signed where !isLastChunkWhole: return whole
    default:
      return whole &+ headByteCount(ofChunk: lastByteCount) &+ rest &+ (isLastChunkWhole ? 2 : 0)
    }
  }

  package static var signatureLabel: String { ";chunk-signature=" }
}

extension SigV4.ChunkedUpload: CustomStringConvertible {
  /// The declaration and the sizes.
  public var description: String {
    declaration + ", \(decodedByteCount) bytes in chunks of \(chunkByteCount)"
  }
}
