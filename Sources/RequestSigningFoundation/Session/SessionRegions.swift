// SPDX-License-Identifier: Apache-2.0
// The regions that a session signs for: one, or all of them with Signature Version 4a.

internal import MultiRegionSigning
internal import RequestSigning
internal import S3Signing

/// The regions that a session signs for.
enum SessionRegions: Sendable {
  case one(String)

  /// All regions, with Signature Version 4a, for S3 Multi-Region Access Points.
  case all

  /// Creates the regions of an endpoint.
  init(_ endpoint: SigV4.S3Endpoint) {
    self = endpoint.isMultiRegion ? .all : .one(endpoint.region)
  }

  /// Creates a signer.
  func signer(
    _ credentials: SigV4.Credentials, _ service: SigV4.Service, _ keys: SigV4.SigningKeyCache
  ) throws(SigV4.SigningError) -> SigV4.Signer {
    switch self {
    case .one(let region):
      try SigV4.Signer(credentials: credentials, region: region, service: service, keys: keys)
    case .all:
      try SigV4.Signer(credentials: credentials, regionSet: .all, service: service)
    }
  }

  /// Returns the form of an upload in signed chunks.
  func signedChunks(
    decodedByteCount: Int, chunkByteCount: Int, trailers: [SigV4.ChunkTrailer]
  ) throws(SigV4.SigningError) -> SigV4.ChunkedUpload {
    switch self {
    case .one:
      try .signed(
        decodedByteCount: decodedByteCount, chunkByteCount: chunkByteCount, trailers: trailers)
    case .all:
      try .multiRegionSigned(
        decodedByteCount: decodedByteCount, chunkByteCount: chunkByteCount, trailers: trailers)
    }
  }
}
