// SPDX-License-Identifier: Apache-2.0
// The checksum of an object as S3 takes it: a header or trailer, whole or put together from parts.

public import RequestSigning
public import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// The checksum of an object or of a part of one, which S3 compares with what arrives.
  ///
  ///     let checksum = SigV4.Checksum(.crc32c, of: body)
  ///     try bucket.object("a.jpg").putRequest(.unsigned, headers: checksum.headers)
  ///
  /// Source: Amazon S3 User Guide, "Checking object integrity in Amazon S3".
  public struct Checksum: Hashable, Sendable {
    /// The algorithm that it was computed with.
    public let algorithm: Algorithm

    /// The checksum, the highest byte first: 4 bytes to 32.
    public let bytes: [UInt8]

    /// The checksum of bytes in memory. Larger bodies go through a ``Computation``.
    public init(_ algorithm: Algorithm, of body: some Collection<UInt8>) {
      var computation = Computation(algorithm)
      computation.update(body)
      self = computation.finalize()
    }

    /// The checksums of many parts in their order; with SHA-256, the parts are hashed side by side.
    ///
    ///     let checksums = SigV4.Checksum.batch(.sha256, of: parts)
    ///     let whole = try SigV4.Checksum.composite(of: checksums)
    public static func batch<Part: Collection<UInt8>>(
      _ algorithm: Algorithm, of parts: some Collection<Part>
    ) -> [Checksum] {
      if algorithm == .sha256 {
        return SHA256.hashBatch(parts).map { Checksum(algorithm: algorithm, bytes: Array($0)) }
      }
      return parts.map { Checksum(algorithm, of: $0) }
    }

    /// A checksum in base64, as S3 answers it for a part or an object.
    ///
    /// Throws `invalidChecksum` unless it is base64 of as many bytes as the algorithm gives.
    public init(_ algorithm: Algorithm, base64 text: String) throws(SigningError) {
      guard let bytes = try? Base64.decode(text), bytes.count == algorithm.byteCount else {
        throw SigningError(
          .invalidChecksum,
          """
          \(quoted: text) isn't a \(algorithm.name) checksum, which is \(algorithm.byteCount) \
          bytes in base64.
          """,
          fix: """
            Pass the checksum from the response, without quotes. The ETag is a different value.
            """)
      }
      self.init(algorithm: algorithm, bytes: bytes)
    }

    private init(algorithm: Algorithm, bytes: [UInt8]) {
      self.algorithm = algorithm
      self.bytes = bytes
    }

    /// The checksum in base64, as it is sent.
    public var text: String { Base64.encode(bytes) }

    /// The header of a request, or the trailer of a chunked upload, such as
    /// `x-amz-checksum-crc32c: sOO8/Q==`.
    public var headers: Headers { Headers([Header(algorithm.headerName, text)]) }
  }
}

extension SigV4.Checksum: CustomStringConvertible {
  /// The name of the header and the text.
  public var description: String { algorithm.headerName + ": " + text }
}

extension SigV4.Checksum {
  /// An algorithm of checksums that S3 knows.
  public struct Algorithm: Hashable, Sendable, CustomStringConvertible {
    /// The name in `x-amz-checksum-algorithm`, such as "CRC32C".
    public let name: String

    /// The name of the header, such as `x-amz-checksum-crc32c`.
    public let headerName: String

    /// The size of a checksum in bytes: 4 to 32.
    public let byteCount: Int

    private init(_ name: String, _ headerName: String, byteCount: Int) {
      self.name = name
      self.headerName = headerName
      self.byteCount = byteCount
    }

    /// CRC-32 of 4 bytes.
    public static let crc32 = Self("CRC32", "x-amz-checksum-crc32", byteCount: 4)
    /// CRC-32C of 4 bytes.
    public static let crc32c = Self("CRC32C", "x-amz-checksum-crc32c", byteCount: 4)
    /// CRC-64/NVME of 8 bytes, which S3 computes itself for uploads without a checksum.
    public static let crc64NVME = Self("CRC64NVME", "x-amz-checksum-crc64nvme", byteCount: 8)
    /// SHA-1 of 20 bytes. Forgeable: against accidents only.
    public static let sha1 = Self("SHA1", "x-amz-checksum-sha1", byteCount: 20)
    /// SHA-256 of 32 bytes.
    public static let sha256 = Self("SHA256", "x-amz-checksum-sha256", byteCount: 32)
    /// MD5 of 16 bytes, in the header `content-md5`. Forgeable: against accidents only.
    public static let md5 = Self("MD5", "content-md5", byteCount: 16)

    /// All algorithms that are known here, to find one by its name or its header.
    public static let all = [crc32, crc32c, crc64NVME, sha1, sha256, md5]

    /// The name.
    public var description: String { name }
  }

  /// The checksum of bytes that arrive in portions, such as those of a chunked upload.
  ///
  ///     var checksum = SigV4.Checksum.Computation(.crc32c)
  ///     while let portion = try file.read() {
  ///       checksum.update(portion)
  ///       try chunks.update(portion, into: &output)
  ///     }
  ///     try chunks.finish(trailers: checksum.finalize().headers, into: &output)
  ///
  /// It can be copied in mid-stream, and taking the checksum leaves it as it is.
  public struct Computation: Sendable, CustomStringConvertible {
    /// The algorithm that it computes with.
    public let algorithm: Algorithm

    private var state: any ChecksumState

    /// Starts with no bytes.
    public init(_ algorithm: Algorithm) {
      self.algorithm = algorithm
      switch algorithm {
      case .crc32: state = CRC32()
      case .crc32c: state = CRC32C()
      case .crc64NVME: state = CRC64NVME()
      case .sha1: state = Insecure.SHA1()
      case .md5: state = Insecure.MD5()
      default: state = SHA256()
      }
    }

    /// Appends bytes.
    public mutating func update(_ bytes: some Collection<UInt8>) {
      let done: Void? = bytes.withContiguousStorageIfAvailable {
        unsafe state.update(bufferPointer: UnsafeRawBufferPointer($0))
      }
      if done == nil {
        unsafe Array(bytes).withUnsafeBytes { unsafe state.update(bufferPointer: $0) }
      }
    }

    /// The checksum of the bytes so far.
    public func finalize() -> SigV4.Checksum {
      SigV4.Checksum(algorithm: algorithm, bytes: state.checksumBytes)
    }

    /// The algorithm, never the state: the bytes may be secret.
    public var description: String { algorithm.name + " computation" }
  }
}

extension SigV4.Checksum.Computation: Redacted {}

/// What has taken some bytes, and gives their checksum so far.
private protocol ChecksumState: Sendable {
  mutating func update(bufferPointer: UnsafeRawBufferPointer)
  var checksumBytes: [UInt8] { get }
}

extension CyclicRedundancyCheck: ChecksumState {
  fileprivate var checksumBytes: [UInt8] { Self.bigEndianBytes(of: finalize()) }
}

extension Insecure.SHA1: ChecksumState {
  fileprivate var checksumBytes: [UInt8] { Array(finalize()) }
}

extension SHA256: ChecksumState {
  fileprivate var checksumBytes: [UInt8] { Array(finalize()) }
}

extension Insecure.MD5: ChecksumState {
  fileprivate var checksumBytes: [UInt8] { Array(finalize()) }
}

extension SigV4.Checksum {
  /// The composite form of a multipart upload: the checksum of the parts' checksums one after the
  /// other in base64, '-', and how many parts there are.
  ///
  /// Throws `invalidChecksum` for no parts, parts of several algorithms, and CRC-64/NVME, for which S3
  /// knows the full-object form only.
  public static func composite(
    of parts: [SigV4.Checksum]
  ) throws(SigV4.SigningError) -> String {
    let algorithm = try commonAlgorithm(of: parts)
    if algorithm == .crc64NVME {
      throw SigV4.SigningError(
        .invalidChecksum,
        "S3 doesn't support composite \(algorithm.name) checksums.",
        fix: "Use the full-object checksum, which doesn't depend on the parts.")
    }
    let whole = SigV4.Checksum(algorithm, of: parts.flatMap { $0.bytes })
    return whole.text + "-" + String(parts.count)
  }

  /// The full-object form of a multipart upload: the checksum of the whole object, from the checksums
  /// of its parts and their sizes in bytes, in order.
  ///
  /// Throws `invalidChecksum` for no parts, parts of several algorithms, and SHA-1, SHA-256 and MD5,
  /// which cannot be put together from parts.
  public static func fullObject(
    of parts: [(checksum: SigV4.Checksum, byteCount: UInt64)]
  ) throws(SigV4.SigningError) -> SigV4.Checksum {
    let algorithm = try commonAlgorithm(of: parts.map { $0.checksum })
    switch algorithm {
    case .crc32: return combined(CRC32.self, parts)
    case .crc32c: return combined(CRC32C.self, parts)
    case .crc64NVME: return combined(CRC64NVME.self, parts)
    default:
      throw SigV4.SigningError(
        .invalidChecksum,
        "The \(algorithm.name) of a whole object can't be computed from its parts.",
        fix: "Use a CRC, or the composite checksum.")
    }
  }

  private static func combined<Polynomial>(
    _ check: CyclicRedundancyCheck<Polynomial>.Type,
    _ parts: [(checksum: SigV4.Checksum, byteCount: UInt64)]
  ) -> SigV4.Checksum {
    let whole = parts.reduce(check.init().finalize()) { whole, part in
      let value = part.checksum.bytes.reduce(0) { $0 << 8 | Polynomial.Checksum($1) }
      return check.combine(whole, value, secondByteCount: part.byteCount)
    }
    return Self(algorithm: parts[0].checksum.algorithm, bytes: check.bigEndianBytes(of: whole))
  }

  private static func commonAlgorithm(
    of parts: [SigV4.Checksum]
  ) throws(SigV4.SigningError) -> Algorithm {
    guard let first = parts.first, parts.allSatisfy({ $0.algorithm == first.algorithm }) else {
      throw SigV4.SigningError(
        .invalidChecksum,
        """
        The checksums of \(parts.count) parts can't be combined: there must be at least one, all \
        with the same algorithm.
        """,
        fix: "Pass the checksums of all parts in order, each with the upload's algorithm.")
    }
    return first.algorithm
  }
}
