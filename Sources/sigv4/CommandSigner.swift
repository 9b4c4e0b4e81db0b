// SPDX-License-Identifier: Apache-2.0
// What signs: in one region with Signature Version 4, or in a set of them with Signature Version 4a.

internal import MultiRegionSigning
internal import RequestSigning
internal import S3Signing

/// A signer for one region, or for a set of regions.
enum CommandSigner {
  case region(SigV4.Signer)
  case regions(SigV4.MultiRegionSigner)

  var service: SigV4.Service {
    switch self {
    case .region(let signer): signer.preparer.service
    case .regions(let signer): signer.preparer.service
    }
  }

  func sign(_ request: SigV4.Request, at time: SigV4.Timestamp) throws -> SigV4.SignedRequest {
    switch self {
    case .region(let signer): try signer.sign(request, at: time)
    case .regions(let signer): try signer.sign(request, at: time)
    }
  }

  /// Without a lifetime for services whose URLs have none.
  func presign(
    _ request: SigV4.Request, validFor seconds: Int?, at time: SigV4.Timestamp
  ) throws -> SigV4.PresignedURL {
    switch (self, seconds) {
    case (.region(let signer), let seconds?):
      try signer.presign(request, validFor: seconds, at: time)
    case (.region(let signer), nil): try signer.presign(request, at: time)
    case (.regions(let signer), let seconds):
      try signer.presign(request, validFor: seconds ?? 3_600, at: time)
    }
  }

  /// The signer of one region, which some commands need.
  func ofOneRegion(_ command: String) throws -> SigV4.Signer {
    if case .region(let signer) = self { return signer }
    throw CommandError.usage(
      "\(command) signs for one region, and this URL is signed for a set of them; give an object of "
        + "a bucket")
  }

  /// An upload in chunks that are signed as the request is.
  func upload(
    decodedByteCount: Int, chunkByteCount: Int, trailers: [SigV4.ChunkTrailer]
  ) throws -> SigV4.ChunkedUpload {
    switch self {
    case .region:
      try .signed(
        decodedByteCount: decodedByteCount, chunkByteCount: chunkByteCount, trailers: trailers)
    case .regions:
      try .multiRegionSigned(
        decodedByteCount: decodedByteCount, chunkByteCount: chunkByteCount, trailers: trailers)
    }
  }

  func chunkSigner(
    _ upload: SigV4.ChunkedUpload, following signed: SigV4.SignedRequest
  ) throws -> SigV4.ChunkSigner {
    switch self {
    case .region(let signer): try SigV4.ChunkSigner(upload, following: signed, by: signer)
    case .regions(let signer): try SigV4.ChunkSigner(upload, following: signed, by: signer)
    }
  }
}

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
  ) throws -> CommandSigner {
    var service = try SigV4.Service.named(service)
    if service == .s3Express, let request { service = .s3Express(for: request) }
    if let regions {
      return .regions(
        SigV4.MultiRegionSigner(credentials: credentials, regions: regions, service: service))
    }
    return .region(try SigV4.Signer(credentials: credentials, region: region, service: service))
  }
}
