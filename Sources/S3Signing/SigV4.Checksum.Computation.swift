// SPDX-License-Identifier: Apache-2.0
// A checksum that is computed while the bytes pass by.

public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4.Checksum {
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
  public struct Computation: Sendable {
    /// What is computed.
    public let algorithm: Algorithm

    private var state: State

    private enum State {
      case crc32(CRC32)
      case crc32c(CRC32C)
      case crc64NVME(CRC64NVME)
      case sha1(Insecure.SHA1)
      case sha256(SHA256)
      case md5(Insecure.MD5)
    }

    /// Starts with no bytes.
    public init(_ algorithm: Algorithm) {
      self.algorithm = algorithm
      switch algorithm.kind {
      case .crc32: state = .crc32(CRC32())
      case .crc32c: state = .crc32c(CRC32C())
      case .crc64NVME: state = .crc64NVME(CRC64NVME())
      case .sha1: state = .sha1(Insecure.SHA1())
      case .sha256: state = .sha256(SHA256())
      case .md5: state = .md5(Insecure.MD5())
      }
    }

    /// Appends bytes.
    public mutating func update(_ bytes: some Collection<UInt8>) {
      switch state {
      case .crc32(var check):
        check.update(data: bytes)
        state = .crc32(check)
      case .crc32c(var check):
        check.update(data: bytes)
        state = .crc32c(check)
      case .crc64NVME(var check):
        check.update(data: bytes)
        state = .crc64NVME(check)
      case .sha1(var hash):
        hash.update(data: bytes)
        state = .sha1(hash)
      case .sha256(var hash):
        hash.update(data: bytes)
        state = .sha256(hash)
      case .md5(var hash):
        hash.update(data: bytes)
        state = .md5(hash)
      }
    }

    /// The checksum of the bytes so far.
    public func finalize() -> SigV4.Checksum {
      let bytes: [UInt8] =
        switch state {
        case .crc32(let check): CRC32.bigEndianBytes(of: check.finalize())
        case .crc32c(let check): CRC32C.bigEndianBytes(of: check.finalize())
        case .crc64NVME(let check): CRC64NVME.bigEndianBytes(of: check.finalize())
        case .sha1(let hash): Array(hash.finalize())
        case .sha256(let hash): Array(hash.finalize())
        case .md5(let hash): Array(hash.finalize())
        }
      return SigV4.Checksum(algorithm: algorithm, bytes: bytes)
    }
  }
}

extension SigV4.Checksum.Computation: CustomStringConvertible {
  /// What is computed, never the state: the bytes may be secret.
  public var description: String { algorithm.name + " computation" }
}

extension SigV4.Checksum.Computation: ConcealsContents {}
