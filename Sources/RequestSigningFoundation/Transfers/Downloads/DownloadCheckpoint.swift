// SPDX-License-Identifier: Apache-2.0
// The stored state of a download, so that a later call or process can continue it.

internal import Foundation
internal import RequestSigning
internal import S3Signing

/// The state of a download: the object, its version, and the finished ranges.
struct DownloadCheckpoint: ObjectTransfer {
  static let transfer = TransferKind.download

  let place: BucketPlace
  let key: String
  /// The number in the name of the partial file, which no other download has.
  let partialNumber: UInt32
  let eTag: String
  /// The version ID, for a reader of the file. It isn't requested, because that requires an
  /// additional permission (s3:GetObjectVersion). The entity tag is enough.
  let versionID: String?
  let byteCount: Int64
  /// The header and the value of the whole object's checksum. Nil if the store has none, or only
  /// the checksum of its parts' checksums (COMPOSITE).
  let checksumHeader: String?
  let checksum: String?
  var finished = ByteRanges()

  init(
    _ object: SigV4.Bucket.Object, _ version: DownloadVersion, _ response: HTTPURLResponse,
    _ checksum: SigV4.Checksum?, partialNumber: UInt32
  ) {
    place = BucketPlace(object.bucket)
    key = object.key
    self.partialNumber = partialNumber
    eTag = version.eTag
    byteCount = version.byteCount
    versionID = response.value(forHTTPHeaderField: "x-amz-version-id")
    checksumHeader = checksum?.algorithm.headerName
    self.checksum = checksum?.text
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    place = try fields.decode(BucketPlace.self, forKey: .place)
    key = try fields.decode(String.self, forKey: .key)
    partialNumber = try fields.decode(UInt32.self, forKey: .partialNumber)
    eTag = try fields.decode(String.self, forKey: .eTag)
    versionID = try fields.decodeIfPresent(String.self, forKey: .versionID)
    byteCount = try fields.decode(Int64.self, forKey: .byteCount)
    checksumHeader = try fields.decodeIfPresent(String.self, forKey: .checksumHeader)
    checksum = try fields.decodeIfPresent(String.self, forKey: .checksum)
    finished = try fields.decode(ByteRanges.self, forKey: .finished)
    let last = finished.ranges.last?.upperBound ?? 0
    guard byteCount >= 0, finished.ranges.first?.lowerBound ?? 0 >= 0, last <= byteCount else {
      throw DecodingError.dataCorruptedError(
        forKey: .finished, in: fields, debugDescription: "The ranges aren't in the object.")
    }
  }
}

extension DownloadCheckpoint {
  var version: DownloadVersion { DownloadVersion(eTag: eTag, byteCount: byteCount) }

  var isComplete: Bool { finished.byteCount == byteCount }

  /// The checksum of the whole object.
  var expectedChecksum: SigV4.Checksum? {
    guard let checksum,
      let algorithm = SigV4.Checksum.Algorithm.all.first(where: { $0.headerName == checksumHeader })
    else { return nil }
    return try? SigV4.Checksum(algorithm, base64: checksum)
  }
}
