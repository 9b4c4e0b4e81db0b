// SPDX-License-Identifier: Apache-2.0
// What stores accept as uploads in parts.

internal import RequestSigning

extension SigV4 {
  /// What a store accepts as an upload in parts. The defaults are Amazon S3's.
  ///
  /// Source: Amazon S3, User Guide, "Amazon S3 multipart upload limits".
  package struct UploadLimits: Sendable {
    /// The maximum number of parts.
    package let maximumPartCount: Int64

    /// The size of a part in bytes. The last part can be smaller. The maximum also applies to an
    /// object that's sent or copied in one request.
    package let partByteCounts: ClosedRange<Int64>

    /// The maximum size of an object in bytes.
    package let maximumObjectByteCount: Int64

    /// The algorithms that could combine the checksums of parts, but whose checksum of the object's
    /// bytes the store doesn't accept: only the checksum of the parts' checksums.
    private let compositeAlgorithms: [Checksum.Algorithm]

    package init(
      maximumPartCount: Int64 = 10_000,
      partByteCounts: ClosedRange<Int64> = 5_242_880...5_368_709_120,
      maximumObjectByteCount: Int64 = 53_687_091_200_000,
      compositeAlgorithms: [Checksum.Algorithm] = []
    ) {
      self.maximumPartCount = maximumPartCount
      self.partByteCounts = partByteCounts
      self.maximumObjectByteCount = maximumObjectByteCount
      self.compositeAlgorithms = compositeAlgorithms
    }

    /// Returns whether the store accepts the checksum of the bytes of an object in parts.
    package func acceptsFullObject(_ algorithm: Checksum.Algorithm) -> Bool {
      algorithm.combinesParts && !compositeAlgorithms.contains(algorithm)
    }
  }
}
