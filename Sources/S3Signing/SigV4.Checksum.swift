// SPDX-License-Identifier: Apache-2.0
// The checksum of an object as S3 takes it: a header or trailer, whole or put together from parts.

public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// The checksum of an object or of a part of one, which S3 compares with what arrives.
  ///
  ///     let checksum = SigV4.Checksum(.crc32c, of: body)
  ///     try bucket.object("a.jpg").putRequest(.unsigned, headers: checksum.headers)
  ///
  /// Source: Amazon S3 User Guide, "Checking object integrity in Amazon S3".
  public struct Checksum: Hashable, Sendable {
    /// How it was computed.
    public let algorithm: Algorithm

    /// The checksum, the highest byte first: 4 bytes to 32.
    public let bytes: [UInt8]

    /// The checksum of bytes in memory. Larger bodies go through a ``Computation``.
    public init(_ algorithm: Algorithm, of body: some Collection<UInt8>) {
      var computation = Computation(algorithm)
      computation.update(body)
      self = computation.finalize()
    }

    /// A checksum in base64, as S3 answers it for a part or an object.
    ///
    /// Throws `invalidChecksum` unless it is base64 of as many bytes as the algorithm gives.
    public init(_ algorithm: Algorithm, base64 text: String) throws(SigningError) {
      guard let bytes = try? Base64.decode(text), bytes.count == algorithm.byteCount else {
        throw SigningError(
          .invalidChecksum,
          """
          \(UTF8Text.quoted(text)) is no checksum of \(algorithm.name): that has \(algorithm.byteCount) \
          bytes in base64; take the text of the answer without quotes, and not the ETag
          """)
      }
      self.init(algorithm: algorithm, bytes: bytes)
    }

    init(algorithm: Algorithm, bytes: [UInt8]) {
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
        """
        there is no composite checksum of \(algorithm.name) in S3; use the full-object form, which \
        does not depend on the parts
        """)
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
    switch algorithm.kind {
    case .crc32: return combined(CRC32.self, parts)
    case .crc32c: return combined(CRC32C.self, parts)
    case .crc64NVME: return combined(CRC64NVME.self, parts)
    case .sha1, .sha256, .md5:
      throw SigV4.SigningError(
        .invalidChecksum,
        """
        \(algorithm.name) of a whole object cannot be computed from its parts; use a CRC, or the \
        composite form
        """)
    }
  }

  static func combined<Polynomial>(
    _ check: CyclicRedundancyCheck<Polynomial>.Type,
    _ parts: [(checksum: SigV4.Checksum, byteCount: UInt64)]
  ) -> SigV4.Checksum {
    typealias Check = CyclicRedundancyCheck<Polynomial>
    var whole = Check().finalize()
    for part in parts {
      let value = part.checksum.bytes.reduce(0) { $0 &<< 8 | Check.Checksum($1) }
      whole = Check.combine(whole, value, secondByteCount: part.byteCount)
    }
    return SigV4.Checksum(
      algorithm: parts[0].checksum.algorithm, bytes: Check.bigEndianBytes(of: whole))
  }

  static func commonAlgorithm(
    of parts: [SigV4.Checksum]
  ) throws(SigV4.SigningError) -> Algorithm {
    guard let first = parts.first, parts.allSatisfy({ $0.algorithm == first.algorithm }) else {
      throw SigV4.SigningError(
        .invalidChecksum,
        """
        there are \(parts.count) parts, of different algorithms or none at all; give the checksums \
        of all parts in order, each with the algorithm of the upload
        """)
    }
    return first.algorithm
  }
}

extension SigV4.Checksum {
  /// A checksum that S3 knows.
  public struct Algorithm: Hashable, Sendable, CustomStringConvertible {
    enum Kind: UInt8, Sendable {
      case crc32
      case crc32c
      case crc64NVME
      case sha1
      case sha256
      case md5
    }

    let kind: Kind

    /// CRC-32 of 4 bytes.
    public static var crc32: Self { Self(kind: .crc32) }
    /// CRC-32C of 4 bytes.
    public static var crc32c: Self { Self(kind: .crc32c) }
    /// CRC-64/NVME of 8 bytes, which S3 computes itself for uploads without a checksum.
    public static var crc64NVME: Self { Self(kind: .crc64NVME) }
    /// SHA-1 of 20 bytes. Forgeable: against accidents only.
    public static var sha1: Self { Self(kind: .sha1) }
    /// SHA-256 of 32 bytes.
    public static var sha256: Self { Self(kind: .sha256) }
    /// MD5 of 16 bytes, in the header `content-md5`. Forgeable: against accidents only.
    public static var md5: Self { Self(kind: .md5) }

    /// The name in `x-amz-checksum-algorithm`, such as "CRC32C".
    public var name: String {
      switch kind {
      case .crc32: "CRC32"
      case .crc32c: "CRC32C"
      case .crc64NVME: "CRC64NVME"
      case .sha1: "SHA1"
      case .sha256: "SHA256"
      case .md5: "MD5"
      }
    }

    /// The name of the header, such as `x-amz-checksum-crc32c`.
    public var headerName: String {
      switch kind {
      case .crc32: "x-amz-checksum-crc32"
      case .crc32c: "x-amz-checksum-crc32c"
      case .crc64NVME: "x-amz-checksum-crc64nvme"
      case .sha1: "x-amz-checksum-sha1"
      case .sha256: "x-amz-checksum-sha256"
      case .md5: "content-md5"
      }
    }

    /// The size of a checksum in bytes: 4 to 32.
    public var byteCount: Int {
      switch kind {
      case .crc32, .crc32c: 4
      case .crc64NVME: 8
      case .md5: 16
      case .sha1: 20
      case .sha256: 32
      }
    }

    /// The name.
    public var description: String { name }
  }
}

extension SigV4.Checksum: CustomStringConvertible {
  /// The name of the header and the text.
  public var description: String { algorithm.headerName + ": " + text }
}
