// SPDX-License-Identifier: Apache-2.0
// What a request is signed for: in one region with Signature Version 4, or in a set of them with
// Signature Version 4a.

internal import MultiRegionSigning
internal import RequestSigning
internal import S3Signing

/// What a request is signed for.
struct SigningScope {
  let service: String

  /// The region of the host; empty where the host has none.
  let region: String

  /// The regions that are signed in place of that one.
  let regions: SigV4.RegionSet?

  /// A signer for a request, or for many objects of a bucket.
  func signer(
    _ credentials: SigV4.Credentials, for request: SigV4.Request?
  ) throws -> SigV4.Signer {
    var service = try SigV4.Service.named(service)
    if service == .s3Express, let request { service = .s3Express(for: request) }
    if let regions {
      return try SigV4.Signer(credentials: credentials, regionSet: regions, service: service)
    }
    return try SigV4.Signer(credentials: credentials, region: region, service: service)
  }
}
