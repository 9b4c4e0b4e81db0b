// SPDX-License-Identifier: Apache-2.0
// Sessions of buckets, and providers that ask their source once.

public import CredentialProviders
public import RequestSigning
public import S3Signing
internal import POSIXCredentialSources

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Sessions for the objects of a bucket.
extension SigV4.Bucket {
  /// A session for this bucket, with the region and the service of its endpoint.
  ///
  ///     let session = try bucket.session(credentials: provider)
  ///     let data = try await session.data(for: bucket.object("été.jpg"))
  ///
  /// Throws `conflictingEndpoint` for a Multi-Region Access Point, which takes Signature Version 4a
  /// alone.
  public func session(
    credentials provider: some CredentialProvider,
    options: SigningSession.Options = SigningSession.Options(),
    configuration: URLSessionConfiguration = .ephemeral
  ) throws(SigV4.SigningError) -> SigningSession {
    try endpoint.checkRegion()
    return SigningSession(
      credentials: provider, openedBy: nil, bucket: self, region: endpoint.region,
      service: endpoint.service, options: options, configuration: configuration, now: { .now })
  }
}

/// Sessions for the objects of a bucket of S3 Express.
extension SigV4.DirectoryBucket {
  /// Creates a signing session for the objects of this bucket. It creates an S3 Express session when it
  /// needs one, and caches it. HeadBucket, CopyObject and UploadPartCopy don't support S3 Express
  /// sessions, so the provider's credentials sign them.
  ///
  /// - Parameters:
  ///   - provider: the credentials that open sessions.
  ///   - mode: what the sessions may do.
  ///   - sources: HTTP and the clock, with which sessions of S3 Express are opened.
  ///   - options: further attempts, and checksums.
  ///   - configuration: for the URLSession.
  public func session(
    credentials provider: some CredentialProvider, mode: SessionMode = .widest,
    sources: CredentialSources = .process,
    options: SigningSession.Options = SigningSession.Options(),
    configuration: URLSessionConfiguration = .ephemeral
  ) -> SigningSession {
    let kept = provider.keepingCredentials { .now }
    let sessions = ExpressSessions(mode: mode, source: kept, sources: sources)
    return SigningSession(
      credentials: sessions.provider(for: self), openedBy: kept, bucket: bucket,
      region: bucket.endpoint.region, service: .s3Express, options: options,
      configuration: configuration, now: { .now })
  }
}

extension CredentialProvider {
  /// The provider itself when it keeps what it gives, or has nothing to ask for; otherwise one that keeps
  /// it.
  func keepingCredentials(_ now: @escaping @Sendable () -> Date) -> any CredentialProvider {
    if self is RefreshingCredentialProvider || self is SigV4.Credentials
      || self is ResolvedCredentials
    {
      return self
    }
    return RefreshingCredentialProvider(self) {
      (try? SigV4.Timestamp(now())) ?? SystemFacts.now()
    }
  }
}
