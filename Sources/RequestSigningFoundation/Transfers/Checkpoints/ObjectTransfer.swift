// SPDX-License-Identifier: Apache-2.0
// The object that a checkpoint belongs to.

internal import RequestSigning
internal import S3Signing

/// The state of an object's transfer.
protocol ObjectTransfer: TransferState, Equatable {
  /// The bucket of the object.
  var place: BucketPlace { get }

  /// The key of the object.
  var key: String { get }
}

/// A bucket at an endpoint.
struct BucketPlace: Codable, Hashable {
  let host: String
  let path: String
  let region: String
  let bucket: String

  init(_ bucket: SigV4.Bucket) {
    host = bucket.host
    path = bucket.endpoint.path
    region = bucket.endpoint.region
    self.bucket = bucket.name
  }

  /// Returns the name of an object for a message.
  fileprivate func name(of key: String) -> String {
    "\(UTF8Text.quoted(key.utf8, upTo: 80)) in the bucket \(bucket) at \(host)\(path) (\(region))"
  }
}

extension ObjectTransfer {
  /// Throws `invalidCheckpoint` if this is the transfer of a different object.
  func check(_ object: SigV4.Bucket.Object) throws(TransferError) {
    let other = BucketPlace(object.bucket)
    // Swift's == ignores how Unicode characters are composed, and keys don't.
    if place == other && key.utf8.elementsEqual(object.key.utf8) { return }
    throw TransferError(
      .invalidCheckpoint,
      "The checkpoint is for the \(Self.transfer) of \(place.name(of: key)), not of "
        + "\(other.name(of: object.key)).",
      fix: "Use one checkpoint for each object.")
  }
}
