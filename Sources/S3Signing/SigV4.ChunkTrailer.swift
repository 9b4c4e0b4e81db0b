// SPDX-License-Identifier: Apache-2.0
// A header that follows the body: its name and size are known before, its value after.

public import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// A header that follows the body of a chunked upload, usually its checksum.
  ///
  /// Name and size are announced with the request; the value is given at the end.
  public struct ChunkTrailer: Sendable, CustomStringConvertible {
    /// The name in lowercase.
    public let name: String

    /// The size of the value in bytes.
    public let valueByteCount: Int

    /// A trailer of any name whose value has 1 to 1,024 bytes.
    ///
    /// Throws `invalidHeaderName` unless the name is a token of HTTP, and `invalidChunkedUpload` for
    /// another size and for `x-amz-trailer-signature`, which the signer writes itself.
    public init(named name: String, valueByteCount: Int) throws(SigningError) {
      try Header(name, "").check()
      if valueByteCount < 1 || valueByteCount > 1_024 {
        throw SigningError(
          .invalidChunkedUpload,
          """
          a trailer of \(valueByteCount) bytes, \(UTF8Text.quoted(name)), is none that services take; give \
          the exact size of its value, 1 to 1024 bytes, since the length of the body depends on it
          """)
      }
      if ASCIIByte.equalIgnoringCase(name.utf8, Self.signatureName.utf8) {
        throw SigningError(
          .invalidChunkedUpload,
          """
          \(UTF8Text.quoted(name)) holds the signature of the other trailers and is written by the signer; \
          leave it out
          """)
      }
      self.init(
        checkedName: String(decoding: name.utf8.map(ASCIIByte.lowercased), as: UTF8.self),
        valueByteCount: valueByteCount)
    }

    init(checkedName name: String, valueByteCount: Int) {
      self.name = name
      self.valueByteCount = valueByteCount
    }

    /// The name.
    public var description: String { name }

    package static var signatureName: String { "x-amz-trailer-signature" }
  }
}

// Amazon S3 User Guide, "Checking object integrity": the values are base64, big-endian.
extension SigV4.ChunkTrailer {
  /// `x-amz-checksum-crc32`: 4 bytes in base64.
  public static var checksumCRC32: Self {
    Self(checkedName: "x-amz-checksum-crc32", valueByteCount: 8)
  }

  /// `x-amz-checksum-crc32c`: 4 bytes in base64.
  public static var checksumCRC32C: Self {
    Self(checkedName: "x-amz-checksum-crc32c", valueByteCount: 8)
  }

  /// `x-amz-checksum-crc64nvme`: 8 bytes in base64.
  public static var checksumCRC64NVME: Self {
    Self(checkedName: "x-amz-checksum-crc64nvme", valueByteCount: 12)
  }

  /// `x-amz-checksum-sha1`: 20 bytes in base64.
  public static var checksumSHA1: Self {
    Self(checkedName: "x-amz-checksum-sha1", valueByteCount: 28)
  }

  /// `x-amz-checksum-sha256`: 32 bytes in base64.
  public static var checksumSHA256: Self {
    Self(checkedName: "x-amz-checksum-sha256", valueByteCount: 44)
  }
}

extension SigV4.ChunkTrailer {
  /// The bytes of the line `name:value` with its line end.
  var lineByteCount: Int { name.utf8.count &+ 1 &+ valueByteCount &+ 2 }

  /// The only value that was given for this trailer.
  func value(in given: SigV4.Headers) throws(SigV4.SigningError) -> String {
    let values = given.values(named: name)
    guard let value = values.first, values.count == 1 else {
      throw SigV4.SigningError(
        .trailerMismatch,
        """
        the request announces the trailer \(name), and \(values.count) values are given for it; \
        give exactly one, or sign the upload without this trailer
        """)
    }
    let isVisible = value.utf8.allSatisfy(ASCIIByte.isVisible)
    if value.utf8.count != valueByteCount || !isVisible {
      throw SigV4.SigningError(
        .trailerMismatch,
        """
        the value of the trailer \(name), \(UTF8Text.quoted(value)), has \(value.utf8.count) bytes, \
        and the length of the body was computed for \(valueByteCount); give that many visible \
        characters of ASCII, for a checksum its bytes in base64
        """)
    }
    return value
  }
}
