// SPDX-License-Identifier: Apache-2.0
// The stored state of a download, so that a later call or process can continue it.

internal import Foundation
internal import RequestSigning
internal import S3Signing

/// The state of a download: the object, its version, and the finished ranges.
struct DownloadCheckpoint: TransferState {
  static let transfer = "download"

  let place: UploadCheckpoint.Place
  let key: String
  let eTag: String
  /// The version ID, to look it up. It isn't requested, because that requires a permission of its
  /// own (s3:GetObjectVersion). The entity tag is enough.
  let versionID: String?
  let byteCount: Int64
  /// The header and the value of the whole object's checksum. Nil if there is none, or only one of
  /// its parts' checksums (COMPOSITE).
  let checksumHeader: String?
  let checksum: String?
  var finished = ByteRanges()

  init(
    _ object: SigV4.Bucket.Object, _ version: DownloadVersion, _ response: HTTPURLResponse,
    _ checksum: SigV4.Checksum?
  ) {
    place = UploadCheckpoint.Place(object.bucket)
    key = object.key
    eTag = version.eTag
    byteCount = version.byteCount
    versionID = response.value(forHTTPHeaderField: "x-amz-version-id")
    checksumHeader = checksum?.algorithm.headerName
    self.checksum = checksum?.text
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    place = try fields.decode(UploadCheckpoint.Place.self, forKey: .place)
    key = try fields.decode(String.self, forKey: .key)
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

  /// Throws `invalidCheckpoint` if this is the download of a different object.
  func check(_ object: SigV4.Bucket.Object) throws(TransferError) {
    // Swift's == ignores how Unicode characters are composed, and keys don't.
    let isSameKey = key.utf8.elementsEqual(object.key.utf8)
    if isSameKey && place == UploadCheckpoint.Place(object.bucket) { return }
    throw TransferError(
      .invalidCheckpoint,
      "The checkpoint is of a download of \(UTF8Text.quoted(key.utf8, upTo: 80)) in the bucket "
        + "\(place.bucket) at \(place.host)\(place.path) (\(place.region)), not of this object.",
      fix: "Use one checkpoint for each object.")
  }
}

/// Writes the finished ranges to the checkpoint, one at a time.
actor DownloadRecord {
  private(set) var state: DownloadCheckpoint
  private let file: CheckpointFile<DownloadCheckpoint>

  init(_ state: DownloadCheckpoint, _ file: CheckpointFile<DownloadCheckpoint>) {
    self.state = state
    self.file = file
  }

  /// Adds a range whose bytes are on the disk.
  func insert(_ range: Range<Int64>) throws(TransferError) {
    if range.isEmpty { return }
    state.finished.insert(range)
    try file.write(state)
  }
}
