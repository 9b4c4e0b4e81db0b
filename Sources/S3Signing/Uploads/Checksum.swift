// SPDX-License-Identifier: Apache-2.0
// Object checksums in S3: as a header or trailer, whole or combined from parts.

internal import Checksums
public import RequestSigning
internal import SecureHashing

extension SigV4 {
  /// The checksum of an object or part, which S3 compares with the bytes it receives.
  ///
  ///     let checksum = SigV4.Checksum(.crc32c, of: body)
  ///     try bucket.object("a.jpg").putRequest(.unsigned, headers: checksum.headers)
  ///
  /// Source: Amazon S3 User Guide, "Checking object integrity in Amazon S3".
  public struct Checksum: Hashable, Sendable {
    /// The algorithm of the checksum.
    public let algorithm: Algorithm

    /// The checksum in big-endian order: 4 to 64 bytes.
    public let bytes: [UInt8]

    /// Computes the checksum of bytes in memory. For larger bodies, use a ``Computation``.
    public init(_ algorithm: Algorithm, of body: some Collection<UInt8>) {
      var computation = Computation(algorithm)
      computation.update(body)
      self = computation.finalize()
    }

    /// Returns the checksums of many parts, in order. SHA-256 hashes them in parallel (SIMD).
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

    /// Creates a checksum from base64, as S3 returns it for a part or an object.
    ///
    /// - Throws: `invalidChecksum` if the string isn't base64 or its size doesn't fit the
    ///   algorithm.
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

    /// The checksum in base64.
    public var text: String { Base64.encode(bytes) }

    /// The request header or the trailer of a chunked upload, such as
    /// `x-amz-checksum-crc32c: sOO8/Q==`.
    public var headers: Headers { Headers([Header(algorithm.headerName, text)]) }
  }
}

extension SigV4.Checksum: CustomStringConvertible {
  /// The header name and the checksum in base64.
  public var description: String { algorithm.headerName + ": " + text }
}

extension SigV4.Checksum {
  /// A checksum algorithm that S3 supports.
  ///
  /// Other stores, and servers from before 2026, know only the CRCs, SHA-1, SHA-256 and
  /// ``contentMD5``.
  public struct Algorithm: Sendable, CustomStringConvertible {
    /// The name in `x-amz-checksum-algorithm`, such as "CRC32C".
    public let name: String

    /// The header name, such as `x-amz-checksum-crc32c`.
    public let headerName: String

    /// The size of a checksum in bytes: 4 to 64.
    public let byteCount: Int

    /// Returns a computation of no bytes.
    fileprivate let start: @Sendable () -> any ChecksumState

    /// Returns the checksum of a whole from those of its parts, or nil for algorithms that can't.
    fileprivate let combine: (@Sendable (_ parts: [Part]) -> [UInt8])?

    fileprivate typealias Part = (checksum: SigV4.Checksum, byteCount: UInt64)

    /// A CRC, whose checksums can be combined.
    private init<Check: CyclicRedundancyCheck>(_ name: String, combining check: Check.Type) {
      self.name = name
      headerName = Self.headerName(name)
      byteCount = Check.Checksum.bitWidth / 8
      start = { CheckState(check: check.init()) }
      combine = { parts in
        let whole = parts.reduce(check.init().finalize()) { whole, part in
          let value = part.checksum.bytes.reduce(0) { $0 << 8 | Check.Checksum($1) }
          return check.combine(whole, value, secondByteCount: part.byteCount)
        }
        return check.bigEndianBytes(of: whole)
      }
    }

    private init<Check: ChecksumFunction>(_ name: String, _ check: Check.Type) {
      self.name = name
      headerName = Self.headerName(name)
      byteCount = check.bigEndianBytes(of: check.init().finalize()).count
      start = { CheckState(check: check.init()) }
      combine = nil
    }

    private init<Function: HashFunction>(
      _ name: String, headerName: String? = nil, _ function: Function.Type
    ) {
      self.name = name
      self.headerName = headerName ?? Self.headerName(name)
      byteCount = Array(function.init().finalize()).count
      start = { HashState(function: function.init()) }
      combine = nil
    }

    private static func headerName(_ name: String) -> String {
      "x-amz-checksum-" + name.lowercased()
    }

    /// CRC-32 (4 bytes).
    public static let crc32 = Self("CRC32", combining: CRC32.self)
    /// CRC-32C (4 bytes).
    public static let crc32c = Self("CRC32C", combining: CRC32C.self)
    /// CRC-64/NVME (8 bytes), which S3 computes for uploads without a checksum.
    public static let crc64NVME = Self("CRC64NVME", combining: CRC64NVME.self)
    /// SHA-1 (20 bytes). It detects accidental changes only, because it can be forged.
    public static let sha1 = Self("SHA1", SHA1.self)
    /// SHA-256 (32 bytes).
    public static let sha256 = Self("SHA256", SHA256.self)
    /// SHA-512 (64 bytes).
    public static let sha512 = Self("SHA512", SHA512.self)
    /// MD5 (16 bytes). It detects accidental changes only, because it can be forged.
    public static let md5 = Self("MD5", Insecure.MD5.self)
    /// XXH64 with seed 0 (8 bytes). It detects accidental changes only.
    public static let xxHash64 = Self("XXHASH64", XXHash64Checksum.self)
    /// XXH3 with 64 bits and seed 0 (8 bytes). It detects accidental changes only.
    public static let xxHash3 = Self("XXHASH3", XXHash3Checksum.self)
    /// XXH3 with 128 bits and seed 0 (16 bytes). It detects accidental changes only.
    public static let xxHash128 = Self("XXHASH128", XXHash128Checksum.self)
    /// MD5 in the header `content-md5`, which all S3-compatible stores know. It can't be a trailer.
    public static let contentMD5 = Self(
      "Content-MD5", headerName: "content-md5", Insecure.MD5.self)

    /// All supported algorithms, to find one by its name or header.
    public static let all = [
      crc32, crc32c, crc64NVME, sha1, sha256, sha512, md5, xxHash64, xxHash3, xxHash128, contentMD5,
    ]

    /// The algorithms whose headers are `x-amz-checksum-*`, which can also be trailers.
    package static let named = all.dropLast()

    /// Whether the full-object checksum can be computed from those of the parts.
    package var combinesParts: Bool { combine != nil }

    /// The name.
    public var description: String { name }
  }

  /// A checksum in progress, for bytes that arrive in parts, such as a chunked upload.
  ///
  ///     var checksum = SigV4.Checksum.Computation(.crc32c)
  ///     while let portion = try file.read() {
  ///       checksum.update(portion)
  ///       try chunks.update(portion, into: &output)
  ///     }
  ///     try chunks.finish(trailers: checksum.finalize().headers, into: &output)
  ///
  /// You can copy it at any time, and update it further after ``finalize()``.
  public struct Computation: Sendable, CustomStringConvertible {
    /// The algorithm of the checksum.
    public let algorithm: Algorithm

    private var state: any ChecksumState

    /// Creates a checksum of no bytes.
    public init(_ algorithm: Algorithm) {
      self.algorithm = algorithm
      state = algorithm.start()
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

    /// Returns the checksum of the bytes so far.
    public func finalize() -> SigV4.Checksum {
      SigV4.Checksum(algorithm: algorithm, bytes: state.checksumBytes)
    }

    /// The algorithm, without the state, because the bytes may be secret.
    public var description: String { algorithm.name + " computation" }
  }
}

extension SigV4.Checksum.Computation: Redacted {}

/// The state of a checksum algorithm.
private protocol ChecksumState: Sendable {
  mutating func update(bufferPointer: UnsafeRawBufferPointer)
  var checksumBytes: [UInt8] { get }
}

private struct CheckState<Check: ChecksumFunction>: ChecksumState {
  var check: Check

  mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    unsafe check.update(bufferPointer: bufferPointer)
  }

  var checksumBytes: [UInt8] { Check.bigEndianBytes(of: check.finalize()) }
}

private struct HashState<Function: HashFunction>: ChecksumState {
  var function: Function

  mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    unsafe function.update(bufferPointer: bufferPointer)
  }

  var checksumBytes: [UInt8] { Array(function.finalize()) }
}

extension SigV4.Checksum.Algorithm: Hashable {
  /// Returns whether two algorithms have the same header.
  public static func == (left: Self, right: Self) -> Bool { left.headerName == right.headerName }

  /// Hashes the header name.
  public func hash(into hasher: inout Hasher) { hasher.combine(headerName) }
}

extension SigV4.Checksum {
  /// Returns the composite checksum of a multipart upload: the checksum of the concatenated part
  /// checksums in base64, '-', and the number of parts.
  ///
  /// - Throws: `invalidChecksum` for no parts, parts with different algorithms, and CRC-64/NVME,
  ///   for which S3 supports only the full-object checksum.
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

  /// Returns the full-object checksum of a multipart upload, from the checksums of its parts and
  /// their sizes in bytes, in order.
  ///
  /// - Throws: `invalidChecksum` for no parts, parts with different algorithms, and algorithms
  ///   other than CRCs, which can't be combined from parts.
  public static func fullObject(
    of parts: [(checksum: SigV4.Checksum, byteCount: UInt64)]
  ) throws(SigV4.SigningError) -> SigV4.Checksum {
    let algorithm = try commonAlgorithm(of: parts.map { $0.checksum })
    guard let combine = algorithm.combine else {
      throw SigV4.SigningError(
        .invalidChecksum,
        "The \(algorithm.name) of a whole object can't be computed from its parts.",
        fix: "Use a CRC, or the composite checksum.")
    }
    return Self(algorithm: algorithm, bytes: combine(parts))
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
