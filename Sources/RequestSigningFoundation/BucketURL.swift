// SPDX-License-Identifier: Apache-2.0
// Buckets at an endpoint `URL`.

public import Foundation
public import RequestSigning
public import S3Signing

/// Buckets at an endpoint `URL`.
extension SigV4.Bucket {
  /// Creates a bucket at a MinIO server, such as `http://127.0.0.1:9000`.
  ///
  /// - Throws: The errors of `minIO(_:url:region:)`.
  public static func minIO(
    _ name: String, endpoint: URL, region: String = "us-east-1"
  ) throws(SigV4.SigningError) -> SigV4.Bucket {
    try minIO(name, url: endpoint.absoluteString, region: region)
  }

  /// Creates a bucket at any other S3-compatible store. By default, URLs contain its name in the
  /// path.
  ///
  /// - Throws: The errors of `S3Endpoint.custom(url:region:)` and `init(_:at:addressing:)`.
  public init(
    _ name: String, endpoint: URL, region: String, addressing: Addressing = .automatic
  ) throws(SigV4.SigningError) {
    try self.init(
      name, at: .custom(url: endpoint.absoluteString, region: region), addressing: addressing)
  }
}
