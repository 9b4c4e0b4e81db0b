// SPDX-License-Identifier: Apache-2.0
// Sessions for buckets, and providers that cache their credentials.

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
  /// Creates a signing session for this bucket, with the region and the service of its endpoint.
  ///
  ///     let session = bucket.session(credentials: provider)
  ///     let data = try await session.data(for: bucket.object("été.jpg"))
  ///
  /// The session of a directory bucket creates an S3 Express session when it needs one, and caches
  /// it. HeadBucket, CopyObject and UploadPartCopy don't support S3 Express sessions, so the
  /// provider's credentials sign them.
  ///
  /// The session of a Multi-Region Access Point signs for all regions, with Signature Version 4a.
  /// If the credentials have a session token, it must come from a regional endpoint of AWS STS.
  public func session(
    credentials provider: some CredentialResolver,
    options: SigningSession.Options = SigningSession.Options(),
    configuration: URLSessionConfiguration = .ephemeral
  ) -> SigningSession {
    session(provider, options, URLSessionTransport(configuration), .process)
  }

  /// Creates the same session with an HTTP client of your own, such as AsyncHTTPClient.
  ///
  ///     let session = bucket.session(credentials: provider, http: client.response(to:))
  ///
  /// - Parameters:
  ///   - provider: the source of credentials.
  ///   - options: retries, checksums, and the sizes of parts.
  ///   - send: sends a request, and returns the response, whatever its status. It must not follow
  ///     redirects.
  public func session(
    credentials provider: some CredentialResolver,
    options: SigningSession.Options = SigningSession.Options(),
    http send: @escaping @Sendable (SigV4.HTTPRequest) async throws -> SigV4.HTTPResponse
  ) -> SigningSession {
    session(provider, options, HTTPTransport(send: send), .posix(http: send))
  }

  private func session(
    _ provider: some CredentialResolver, _ options: SigningSession.Options,
    _ transport: any Transport, _ sources: CredentialSources
  ) -> SigningSession {
    if isDirectory {
      let kept = provider.keepingCredentials { .now }
      let sessions = ExpressSessions(source: kept, sources: sources)
      return SigningSession(
        credentials: sessions.provider(for: self), openedBy: kept, bucket: self,
        regions: SessionRegions(endpoint), service: .s3Express, options: options,
        transport: transport, now: { .now })
    }
    return SigningSession(
      credentials: provider, openedBy: nil, bucket: self, regions: SessionRegions(endpoint),
      service: endpoint.service, options: options, transport: transport, now: { .now })
  }
}

extension CredentialResolver {
  /// The provider itself if it caches its credentials or has fixed ones, else a provider that
  /// caches them.
  func keepingCredentials(_ now: @escaping @Sendable () -> Date) -> any CredentialResolver {
    if self is SigV4.CredentialProvider || self is SigV4.Credentials
      || self is ResolvedCredentials
    {
      return self
    }
    return SigV4.CredentialProvider(self, policy: .spread(by: .posix)) {
      (try? SigV4.Timestamp(now())) ?? SystemFacts.now()
    }
  }
}
