// SPDX-License-Identifier: Apache-2.0
// A chunked upload before its first byte: what a request announces, and how long the body becomes.

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
  public struct ChunkedUpload: Hashable, Sendable {
    /// The size of the body in bytes.
    public let decodedByteCount: Int

    /// The size in bytes of every chunk but the last.
    public let chunkByteCount: Int

    /// The headers after the body, sorted by their names.
    public let trailers: [ChunkTrailer]

    /// How each chunk is signed; nil when none is.
    package let signatures: Signatures?

    /// An algorithm that signs chunks.
    package struct Signatures: Hashable, Sendable {
      let algorithm: String
      /// The longest signature in hexadecimal digits: shorter ones are padded with '*'.
      let digitCount: Int

      package init(algorithm: String, digitCount: Int) {
        self.algorithm = algorithm
        self.digitCount = digitCount
      }

      static var hmacSHA256: Signatures {
        Signatures(algorithm: "AWS4-HMAC-SHA256", digitCount: 64)
      }
    }

    /// Whether each chunk has a signature.
    var isSigned: Bool { signatures != nil }

    /// An upload of which each chunk is signed, and the trailers are too.
    ///
    /// Throws `invalidChunkedUpload` when the body would have less than 0 bytes or more than can be
    /// counted, the chunks have fewer than 8,192 bytes, or the trailers repeat a name or have more
    /// than 8,192 bytes together.
    public static func signed(
      decodedByteCount: Int, chunkByteCount: Int = 65_536, trailers: [ChunkTrailer] = []
    ) throws(SigningError) -> ChunkedUpload {
      try signed(
        by: .hmacSHA256, decodedByteCount: decodedByteCount, chunkByteCount: chunkByteCount,
        trailers: trailers)
    }

    package static func signed(
      by signatures: Signatures, decodedByteCount: Int, chunkByteCount: Int,
      trailers: [ChunkTrailer]
    ) throws(SigningError) -> ChunkedUpload {
      try ChunkedUpload(decodedByteCount, chunkByteCount, trailers, signatures)
    }

    /// An upload of which nothing but the request is signed. Use TLS: anyone who can change it on
    /// the way changes it unnoticed, trailers included.
    ///
    /// Throws what ``signed(decodedByteCount:chunkByteCount:trailers:)`` throws.
    public static func unsigned(
      decodedByteCount: Int, chunkByteCount: Int = 65_536, trailers: [ChunkTrailer]
    ) throws(SigningError) -> ChunkedUpload {
      try ChunkedUpload(decodedByteCount, chunkByteCount, trailers, nil)
    }

    private init(
      _ decodedByteCount: Int, _ chunkByteCount: Int, _ trailers: [ChunkTrailer],
      _ signatures: Signatures?
    ) throws(SigningError) {
      // Half of what can be counted leaves enough for the framing, at most 183 bytes for each
      // 8,192.
      if decodedByteCount < 0 || decodedByteCount > Int.max / 2 {
        throw SigningError(
          .invalidChunkedUpload,
          "A body can't be \(decodedByteCount) bytes long.",
          fix: "Pass its size before any encoding that the upload adds, from 0 to \(Int.max / 2).")
      }
      if chunkByteCount < 8_192 {
        throw SigningError(
          .invalidChunkedUpload,
          """
          S3 rejects chunks of \(chunkByteCount) bytes: except for the last one, the minimum is \
          8192.
          """,
          fix: "Use 65536, or more for fewer signatures.")
      }
      self.trailers = trailers.sorted { $0.name < $1.name }
      self.signatures = signatures
      self.decodedByteCount = decodedByteCount
      self.chunkByteCount = chunkByteCount
      try checkTrailers()
    }

    private func checkTrailers() throws(SigningError) {
      let pairs = Swift.zip(trailers, trailers.dropFirst())
      if let (trailer, _) = pairs.first(where: { $0.name == $1.name }) {
        throw SigningError(
          .invalidChunkedUpload,
          "The trailer \(quoted: trailer.name) appears twice.",
          fix: "Remove one of them.")
      }
      if trailersByteCount > 8_192 {
        throw SigningError(
          .invalidChunkedUpload,
          "The trailers are longer than 8192 bytes in total, which is more than servers accept.",
          fix: "Remove some of them.")
      }
    }

    private var trailersByteCount: Int { trailers.reduce(0) { $0 + $1.lineByteCount } }

    /// The size in bytes of what is sent, chunks, signatures and trailers: the Content-Length.
    public var encodedByteCount: Int {
      encodedByteCount(afterDecoded: decodedByteCount) + trailerByteCount
    }

    /// The size in bytes of what follows the last byte of the body: the empty chunk and the
    /// trailers.
    public var trailerByteCount: Int {
      var signature = 0
      if let signatures, isTrailerSigned {
        signature = ChunkTrailer.signatureName.utf8.count + 1 + signatures.digitCount + 2
      }
      return headByteCount(ofChunk: 0) + trailersByteCount + signature + 2
    }

    /// The value of `x-amz-content-sha256`, which is signed in place of a digest.
    public var declaration: String {
      guard let signatures else { return "STREAMING-UNSIGNED-PAYLOAD-TRAILER" }
      return "STREAMING-\(signatures.algorithm)-PAYLOAD" + (isTrailerSigned ? "-TRAILER" : "")
    }

    var isTrailerSigned: Bool { isSigned && !trailers.isEmpty }

    /// The bytes of the line before a chunk: its size, its signature, the line end.
    private func headByteCount(ofChunk byteCount: Int) -> Int {
      let signature = signatures.map { SignatureChain.label.utf8.count + $0.digitCount } ?? 0
      return String(byteCount, radix: 16).utf8.count + signature + 2
    }

    /// The bytes that have been written as soon as so many bytes of the body have been taken.
    ///
    /// A signature stands before its chunk, so signed chunks are written whole.
    func encodedByteCount(afterDecoded byteCount: Int) -> Int {
      let rest = byteCount % chunkByteCount
      var encoded = byteCount - rest
      if encoded > 0 {
        encoded += encoded / chunkByteCount * (headByteCount(ofChunk: chunkByteCount) + 2)
      }
      if rest == 0 { return encoded }
      let lastByteCount = Swift.min(chunkByteCount, decodedByteCount - (byteCount - rest))
      if isSigned && rest < lastByteCount { return encoded }
      return encoded + headByteCount(ofChunk: lastByteCount) + rest + (rest < lastByteCount ? 0 : 2)
    }
  }
}

extension SigV4.ChunkedUpload: CustomStringConvertible {
  /// The declaration and the sizes.
  public var description: String {
    declaration + ", \(decodedByteCount) bytes in chunks of \(chunkByteCount)"
  }
}

extension SigV4 {
  /// A header that follows the body of a chunked upload, usually its checksum.
  ///
  /// Name and size are announced with the request; the value is given at the end.
  public struct ChunkTrailer: Hashable, Sendable, CustomStringConvertible {
    /// The name in lowercase.
    public let name: String

    /// The size of the value in bytes.
    public let valueByteCount: Int

    /// A trailer of any name whose value has 1 to 1,024 bytes.
    ///
    /// Throws `invalidHeaderName` unless the name is a token of HTTP, and `invalidChunkedUpload`
    /// for another size and for `x-amz-trailer-signature`, which the signer writes itself.
    public init(named name: String, valueByteCount: Int) throws(SigningError) {
      try Header(name, "").check()
      if valueByteCount < 1 || valueByteCount > 1_024 {
        throw SigningError(
          .invalidChunkedUpload,
          """
          The value of the trailer \(quoted: name) must be 1 to 1024 bytes long, not \
          \(valueByteCount).
          """,
          fix: "Pass the value's exact size, because the body's length depends on it.")
      }
      self.name = name.lowercased()
      self.valueByteCount = valueByteCount
      if self.name == Self.signatureName {
        throw SigningError(
          .invalidChunkedUpload,
          """
          The trailer \(quoted: name) is the signature of the other trailers, which the signer \
          adds.
          """,
          fix: "Remove this trailer.")
      }
    }

    /// The trailer of a checksum; nil for MD5, which S3 takes in a header only.
    public init?(_ algorithm: Checksum.Algorithm) {
      if algorithm == .md5 { return nil }
      self.init(checksum: algorithm)
    }

    private init(checksum algorithm: Checksum.Algorithm) {
      name = algorithm.headerName
      valueByteCount = (algorithm.byteCount + 2) / 3 * 4  // base64
    }

    // Amazon S3 User Guide, "Checking object integrity": the values are base64, big-endian.

    /// `x-amz-checksum-crc32`: 4 bytes in base64.
    public static let checksumCRC32 = Self(checksum: .crc32)
    /// `x-amz-checksum-crc32c`: 4 bytes in base64.
    public static let checksumCRC32C = Self(checksum: .crc32c)
    /// `x-amz-checksum-crc64nvme`: 8 bytes in base64.
    public static let checksumCRC64NVME = Self(checksum: .crc64NVME)
    /// `x-amz-checksum-sha1`: 20 bytes in base64.
    public static let checksumSHA1 = Self(checksum: .sha1)
    /// `x-amz-checksum-sha256`: 32 bytes in base64.
    public static let checksumSHA256 = Self(checksum: .sha256)

    /// The name.
    public var description: String { name }

    package static var signatureName: String { "x-amz-trailer-signature" }

    /// The bytes of the line `name:value` with its line end.
    fileprivate var lineByteCount: Int { name.utf8.count + 1 + valueByteCount + 2 }

    /// The only value that was given for this trailer.
    func value(in given: Headers) throws(SigningError) -> String {
      let values = given.values(named: name)
      guard let value = values.first, values.count == 1 else {
        throw SigningError(
          .trailerMismatch,
          "The request declares the trailer \(name), but it has \(values.count) values.",
          fix: "Pass exactly one value, or sign the upload without this trailer.")
      }
      if value.utf8.count != valueByteCount || !value.utf8.allSatisfy(ASCIIByte.isVisible) {
        throw SigningError(
          .trailerMismatch,
          """
          The value of the trailer \(name) must be \(valueByteCount) visible ASCII characters, but \
          \(quoted: value) is \(value.utf8.count) bytes long or has other characters.
          """,
          fix: "Pass a value of the declared size. For a checksum, pass its bytes in base64.")
      }
      return value
    }
  }
}

/// Requests whose body goes up in chunks.
extension SigV4.Request {
  /// The same request, announcing a chunked upload: sign this one, and send its headers.
  ///
  /// It carries `content-encoding` (`aws-chunked` before what is there already),
  /// `x-amz-decoded-content-length`, `content-length`, and `x-amz-trailer` when there are trailers;
  /// signing it adds `x-amz-content-sha256`.
  ///
  /// Throws `conflictingHeader` when a header contradicts the upload, and `invalidPayload` when the
  /// request says something else of its body.
  public func uploading(
    _ upload: SigV4.ChunkedUpload
  ) throws(SigV4.SigningError) -> SigV4.Request {
    guard case .digestOfNothing = payload.kind else {
      throw SigV4.SigningError(
        .invalidPayload,
        "The request already has a payload, but a chunked upload sets its own.",
        fix: "Remove the payload from the request.")
    }
    if upload.isSigned { try SigV4.StoreUse.signedChunks.check(atHost: host) }
    let encodings = headers.values(named: "content-encoding")
      .flatMap { $0.split(separator: ",") }
      .map { $0.filter { $0 != " " && $0 != "\t" } }
      .filter { !$0.isEmpty && $0.lowercased() != "aws-chunked" }
    var announced: SigV4.Headers = [
      "content-encoding": (["aws-chunked"] + encodings).joined(separator: ",")
    ]
    try announce("content-length", String(upload.encodedByteCount), in: &announced)
    try announce("x-amz-decoded-content-length", String(upload.decodedByteCount), in: &announced)
    if !upload.trailers.isEmpty {
      let names = upload.trailers.map(\.name).joined(separator: ",")
      try announce("x-amz-trailer", names, in: &announced)
    }
    let others = headers.filter { header in !announced.contains { $0.isNamed(header.name) } }
    return try SigV4.Request(
      method, scheme: scheme, host: host, path: path, query: query,
      headers: SigV4.Headers(others) + announced, payload: .literal(upload.declaration))
  }

  /// Adds a header, unless the request says something else in one of this name.
  private func announce(
    _ name: String, _ value: String, in announced: inout SigV4.Headers
  ) throws(SigV4.SigningError) {
    for given in headers.values(named: name) where given != value {
      throw SigV4.SigningError(
        .conflictingHeader,
        """
        The request sets the header \(name) to \(quoted: given), but the chunked upload needs \
        \(quoted: value).
        """,
        fix: "Remove the header. The upload adds it.")
    }
    announced.append(name, value)
  }
}
