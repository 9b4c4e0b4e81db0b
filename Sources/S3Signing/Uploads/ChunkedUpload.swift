// SPDX-License-Identifier: Apache-2.0
// Chunked uploads: the headers of the request, and the length of the body.

public import RequestSigning

extension SigV4 {
  /// A chunked upload (`aws-chunked`): its size, chunk size, trailers and signatures.
  ///
  ///     let upload = try SigV4.ChunkedUpload.signed(decodedByteCount: 66_560)
  ///     let request = try request.uploading(upload)
  ///     let signed = try signer.sign(request, at: now)
  ///     var chunks = try SigV4.ChunkSigner(upload, following: signed, by: signer)
  ///
  /// Source: Amazon S3 API Reference, "Signature Calculations for the Authorization Header:
  /// Transferring Payload in Multiple Chunks", and the following page about trailing headers.
  public struct ChunkedUpload: Hashable, Sendable {
    /// The size of the body in bytes.
    public let decodedByteCount: Int

    /// The size in bytes of every chunk except the last.
    public let chunkByteCount: Int

    /// The headers after the body, sorted by name.
    public let trailers: [ChunkTrailer]

    /// The algorithm that signs each chunk, or nil for unsigned chunks.
    package let signatures: Signatures?

    /// An algorithm that signs chunks.
    package struct Signatures: Hashable, Sendable {
      let algorithm: String
      /// The maximum signature length in hexadecimal digits. Shorter ones are padded with '*'.
      let digitCount: Int

      package init(algorithm: String, digitCount: Int) {
        self.algorithm = algorithm
        self.digitCount = digitCount
      }

      static var hmacSHA256: Signatures {
        Signatures(algorithm: SignatureNames.aws.algorithm.description, digitCount: 64)
      }
    }

    /// Whether each chunk has a signature.
    var isSigned: Bool { signatures != nil }

    /// Creates an upload with signed chunks and trailers.
    ///
    /// - Throws: `invalidChunkedUpload` if the size is negative or more than half of `Int.max`, the
    ///   chunks are smaller than 8,192 bytes, or the trailers repeat a name or are longer than
    ///   8,192 bytes in total.
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

    /// Creates an upload with unsigned chunks and trailers. Use TLS: otherwise, anyone can change
    /// them in transit.
    ///
    /// - Throws: The errors of ``signed(decodedByteCount:chunkByteCount:trailers:)``.
    public static func unsigned(
      decodedByteCount: Int, chunkByteCount: Int = 65_536, trailers: [ChunkTrailer]
    ) throws(SigningError) -> ChunkedUpload {
      try ChunkedUpload(decodedByteCount, chunkByteCount, trailers, nil)
    }

    private init(
      _ decodedByteCount: Int, _ chunkByteCount: Int, _ trailers: [ChunkTrailer],
      _ signatures: Signatures?
    ) throws(SigningError) {
      // Half of `Int.max` leaves enough for the framing, which is at most 183 bytes per 8,192.
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

    /// The value of `x-amz-trailer`.
    var trailerNames: String { trailers.map(\.name).joined(separator: ",") }

    private var trailersByteCount: Int { trailers.reduce(0) { $0 + $1.lineByteCount } }

    /// The size in bytes of the encoded body, with chunks, signatures and trailers: the
    /// Content-Length.
    public var encodedByteCount: Int {
      encodedByteCount(afterDecoded: decodedByteCount) + trailerByteCount
    }

    /// The size in bytes of the empty chunk and the trailers, which follow the last byte of the
    /// body.
    public var trailerByteCount: Int {
      var signature = 0
      if let signatures, isTrailerSigned {
        signature = ChunkTrailer.signatureName.utf8.count + 1 + signatures.digitCount + 2
      }
      return headByteCount(ofChunk: 0) + trailersByteCount + signature + 2
    }

    /// The value of `x-amz-content-sha256`, which is signed instead of a hash.
    public var declaration: String {
      guard let signatures else { return "STREAMING-UNSIGNED-PAYLOAD-TRAILER" }
      return "STREAMING-\(signatures.algorithm)-PAYLOAD" + (isTrailerSigned ? "-TRAILER" : "")
    }

    var isTrailerSigned: Bool { isSigned && !trailers.isEmpty }

    /// The size in bytes of the line before a chunk: its size, its signature and a newline.
    private func headByteCount(ofChunk byteCount: Int) -> Int {
      let signature = signatures.map { SignatureChain.label.utf8.count + $0.digitCount } ?? 0
      return String(byteCount, radix: 16).utf8.count + signature + 2
    }

    /// The number of bytes written after the given number of bytes of the body.
    ///
    /// A signature precedes its chunk, so signed chunks are written whole.
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
  /// A header after the body of a chunked upload, usually its checksum.
  ///
  /// The request declares its name and size. You pass its value at the end.
  public struct ChunkTrailer: Hashable, Sendable, CustomStringConvertible {
    /// The name in lowercase.
    public let name: String

    /// The size of the value in bytes.
    public let valueByteCount: Int

    /// Creates a trailer with any name and a value of 1 to 1,024 bytes.
    ///
    /// - Throws: `invalidHeaderName` if the name isn't a valid header name, and
    ///   `invalidChunkedUpload` for a different size and for `x-amz-trailer-signature`, which the
    ///   signer adds.
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

    /// Creates the trailer of a checksum, or nil for `contentMD5`, which is a header only.
    public init?(_ algorithm: Checksum.Algorithm) {
      if algorithm == .contentMD5 { return nil }
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
    /// `x-amz-checksum-sha512`: 64 bytes in base64.
    public static let checksumSHA512 = Self(checksum: .sha512)
    /// `x-amz-checksum-md5`: 16 bytes in base64.
    public static let checksumMD5 = Self(checksum: .md5)
    /// `x-amz-checksum-xxhash64`: 8 bytes in base64.
    public static let checksumXXHash64 = Self(checksum: .xxHash64)
    /// `x-amz-checksum-xxhash3`: 8 bytes in base64.
    public static let checksumXXHash3 = Self(checksum: .xxHash3)
    /// `x-amz-checksum-xxhash128`: 16 bytes in base64.
    public static let checksumXXHash128 = Self(checksum: .xxHash128)

    /// The name.
    public var description: String { name }

    package static var signatureName: String { "x-amz-trailer-signature" }

    /// The size in bytes of the line `name:value` with its newline.
    fileprivate var lineByteCount: Int { name.utf8.count + 1 + valueByteCount + 2 }

    /// Returns the only value of this trailer.
    func value(in given: Headers) throws(SigningError) -> String {
      let values = given.values(named: name)
      guard let value = values.first, values.count == 1 else {
        throw SigningError(
          .trailerMismatch,
          "The request declares the trailer \(name), but \(values.count) values were passed.",
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

/// Requests of chunked uploads.
extension SigV4.Request {
  /// Returns the request with the headers of a chunked upload. Sign it, and send its headers.
  ///
  /// It has `content-encoding` (`aws-chunked` before any existing values),
  /// `x-amz-decoded-content-length`, `content-length` and, for an upload with trailers,
  /// `x-amz-trailer`. Signing it adds `x-amz-content-sha256`.
  ///
  /// - Throws: `conflictingHeader` if a header contradicts the upload, `invalidPayload` if the
  ///   request already has a payload, and `unsupportedByStore` for signed chunks to Cloudflare R2.
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
      try announce("x-amz-trailer", upload.trailerNames, in: &announced)
    } else if let given = headers["x-amz-trailer"] {
      throw SigV4.SigningError(
        .conflictingHeader,
        "The request announces the trailer \(quoted: given), but the chunked upload has none.",
        fix: "Create the upload with this trailer, or remove the header x-amz-trailer.")
    }
    let others = headers.filter { header in !announced.contains { $0.isNamed(header.name) } }
    return try SigV4.Request(
      method, scheme: scheme, host: host, path: path, query: query,
      headers: SigV4.Headers(others) + announced, payload: .literal(upload.declaration))
  }

  /// Adds a header. Throws if the request sets it to a different value.
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
