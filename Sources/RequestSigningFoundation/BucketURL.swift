// SPDX-License-Identifier: Apache-2.0
// Buckets of servers that a URL names.

public import Foundation
public import RequestSigning
public import S3Signing

/// Servers by their `URL`.
extension SigV4.Bucket {
  /// A bucket of a MinIO server, such as `http://127.0.0.1:9000`.
  ///
  /// Throws what `minIO(_:url:region:)` throws.
  public static func minIO(
    _ name: String, endpoint: URL, region: String = "us-east-1"
  ) throws(SigV4.SigningError) -> SigV4.Bucket {
    try minIO(name, url: endpoint.absoluteString, region: region)
  }

  /// A bucket of any other store with the protocol of S3, whose name stands in the path unless you say
  /// otherwise.
  ///
  /// Throws what `S3Endpoint.custom(url:region:)` and `init(_:at:addressing:)` throw.
  public init(
    _ name: String, endpoint: URL, region: String, addressing: Addressing = .automatic
  ) throws(SigV4.SigningError) {
    try self.init(
      name, at: .custom(url: endpoint.absoluteString, region: region), addressing: addressing)
  }
}
