// SPDX-License-Identifier: Apache-2.0
// The service and region of a SigV4 signature, or the region set of a SigV4a signature.

internal import MultiRegionSigning
internal import RequestSigning
internal import S3Signing

/// The service and region, or region set, to sign for.
struct SigningScope {
  let service: String

  /// The region of the host, or an empty string if it has none.
  let region: String

  /// The region set to sign for instead of the region, or nil.
  let regions: SigV4.RegionSet?

  /// Creates a signer for a request, or for many objects in a bucket.
  func signer(
    _ credentials: SigV4.Credentials, for request: SigV4.Request?,
    unsigned: SigV4.UnsignedHeaders = .default
  ) throws -> SigV4.Signer {
    var service = try SigV4.Service.named(service)
    if service == .s3Express, let request { service = .s3Express(for: request) }
    service.unsignedHeaders = unsigned
    if let regions {
      return try SigV4.Signer(credentials: credentials, regionSet: regions, service: service)
    }
    return try SigV4.Signer(credentials: credentials, region: region, service: service)
  }
}
