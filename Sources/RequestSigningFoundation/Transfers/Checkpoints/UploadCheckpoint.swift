// SPDX-License-Identifier: Apache-2.0
// What an unfinished upload in parts consists of, so that it can be continued, finished or aborted.

public import Foundation
internal import RequestSigning
internal import S3Signing

/// An unfinished upload in parts. It contains no secret, no URL and no path.
///
/// ``SigningSession/upload(_:to:checkpoint:contentType:metadata:headers:progress:)`` stores it in a
/// file. ``SigningSession/startUpload(ofByteCount:to:partByteCount:contentType:metadata:headers:)``
/// returns it, for you to store.
public struct UploadCheckpoint: Codable, Hashable, Sendable {
  /// The key of the object.
  public let key: String

  /// The upload ID.
  public let uploadID: String

  /// The size of the object in bytes.
  public let byteCount: Int64

  /// The size of each part in bytes. The last one may be smaller.
  public let partByteCount: Int

  /// The bucket of the object.
  let place: BucketPlace

  /// The name of the algorithm of the parts' checksums, or nil.
  let checksumName: String?

  /// The headers of later requests, by name in lowercase: conditions, the expected owner, who pays,
  /// and the digest of the caller's encryption key, but never the key.
  let headers: [String: String]

  /// The uploaded parts by number.
  var parts: [Int: SentPart] = [:]

  /// The next step.
  var phase = Phase.sending

  /// An uploaded part.
  struct SentPart: Codable, Hashable {
    let eTag: String
    /// The checksum of the file's bytes, in base64.
    let checksum: String
  }

  enum Phase: String, Codable {
    /// Send the missing parts.
    case sending
    /// The upload may be complete, because it was requested.
    case completing
    /// Abort the upload before anything else.
    case aborting
  }

  /// Reads the file that
  /// ``SigningSession/upload(_:to:checkpoint:contentType:metadata:headers:progress:)`` writes, such
  /// as to show the progress before the upload continues.
  ///
  ///     let upload = try UploadCheckpoint(contentsOf: checkpoint)
  ///     bar.progress = Double(upload.uploadedByteCount) / Double(upload.byteCount)
  ///
  /// - Throws: `TransferError` with `invalidFile` if the file can't be read, or
  ///   `invalidCheckpoint`.
  public init(contentsOf checkpoint: URL) throws {
    self = try CheckpointFile<Self>.read(checkpoint)
  }

  /// The size of the uploaded parts in bytes. It's 0 if others send the parts: use
  /// ``SigningSession/missingParts(of:)``.
  public var uploadedByteCount: Int64 {
    parts.keys.reduce(0) { sum, number in sum + part(number).range.byteCount }
  }
}

extension UploadCheckpoint: ObjectTransfer {
  static let transfer = TransferKind.upload

  init(
    _ upload: MultipartUpload, _ uploadID: String, byteCount: Int64, partByteCount: Int
  ) {
    key = upload.object.key
    self.uploadID = uploadID
    self.byteCount = byteCount
    self.partByteCount = partByteCount
    place = BucketPlace(upload.object.bucket)
    checksumName = upload.checksum?.name
    headers = upload.keptHeaders
  }

  /// Decodes a checkpoint. Throws a `DecodingError` if its sizes and numbers contradict each other.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    key = try fields.decode(String.self, forKey: .key)
    uploadID = try fields.decode(String.self, forKey: .uploadID)
    byteCount = try fields.decode(Int64.self, forKey: .byteCount)
    partByteCount = try fields.decode(Int.self, forKey: .partByteCount)
    place = try fields.decode(BucketPlace.self, forKey: .place)
    checksumName = try fields.decodeIfPresent(String.self, forKey: .checksumName)
    headers = try fields.decode([String: String].self, forKey: .headers)
    parts = try fields.decode([Int: SentPart].self, forKey: .parts)
    phase = try fields.decode(Phase.self, forKey: .phase)
    let isValid =
      byteCount > 0 && partByteCount > 0 && !key.isEmpty && !uploadID.isEmpty
      && (byteCount - 1) / Int64(partByteCount) < PartList.numbers.upperBound
    guard isValid, parts.keys.allSatisfy({ (1...partCount).contains($0) }) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "The sizes aren't possible."))
    }
  }
}

// The parts.
extension UploadCheckpoint {
  var partCount: Int { Int((byteCount - 1) / Int64(partByteCount)) + 1 }

  /// Returns a part with a number from 1 to the number of parts.
  func part(_ number: Int) -> UploadPart {
    let first = Int64(number - 1) * Int64(partByteCount)
    return UploadPart(
      number: number, range: first..<first + min(Int64(partByteCount), byteCount - first))
  }

  /// All parts, in order.
  var allParts: [UploadPart] { (1...partCount).map(part) }

  /// Returns the parts that a store's list doesn't contain with their sizes, in order.
  func missing(from listed: [Int: MultipartUpload.Part]) -> [UploadPart] {
    allParts.filter { listed[$0.number]?.byteCount != $0.range.byteCount }
  }

  /// The algorithm of the checksums that the store gets, or nil.
  var checksum: SigV4.Checksum.Algorithm? {
    SigV4.Checksum.Algorithm.all.first { $0.name == checksumName }
  }

  /// The algorithm of the checksums that tell whether the file's bytes are those that were sent.
  var fileChecksum: SigV4.Checksum.Algorithm { checksum ?? .crc64NVME }

  /// The headers of later requests, in order, without the digest of the caller's encryption key.
  var laterHeaders: SigV4.Headers {
    let later = headers.filter { $0.key != MultipartUpload.keyDigest }
    return SigV4.Headers(
      later.sorted { $0.key < $1.key }.map { SigV4.Header($0.key, $0.value) })
  }
}
