// SPDX-License-Identifier: Apache-2.0
// Sessions of S3 Express, cached for each directory bucket.

public import RequestSigning
public import S3Signing

/// Sessions of directory buckets, which expire after five minutes. It caches one for each bucket
/// and refreshes it in time.
///
///     let sessions = ExpressSessions(source: credentials, sources: sources)
///     let provided = try await sessions.provider(for: bucket).credentials()
///     let signer = try bucket.signer(session: provided.credentials)
///
/// Any number of tasks may share one. It caches the 100 most recently used buckets.
///
/// Source: Amazon S3, User Guide, "Authorizing Zonal endpoint API operations with CreateSession";
/// times and number are those of botocore's `S3ExpressIdentityCache`.
public final class ExpressSessions: Sendable {
  private let headers: SigV4.Headers
  private let source: any CredentialResolver
  private let sources: CredentialSources
  private let kept = Guarded<[Entry]>([])

  private struct Entry: Sendable {
    let bucket: SigV4.Bucket
    let provider: SigV4.CredentialProvider
  }

  /// Creates a cache of sessions, created with a provider's credentials.
  ///
  /// - Parameters:
  ///   - headers: Headers of the requests that create sessions, such as
  ///     `x-amz-create-session-mode: ReadOnly`.
  ///   - source: A provider with a cache, such as `SigV4.CredentialProvider`.
  ///   - sources: HTTP and the clock.
  public init(
    headers: SigV4.Headers = [:], source: some CredentialResolver,
    sources: CredentialSources
  ) {
    self.headers = headers
    self.source = source
    self.sources = sources
  }

  /// Returns the provider of a bucket's sessions, the same one each time. It creates a new session
  /// in the background 45 seconds before the expiration. Callers wait for it from 10 seconds
  /// before.
  public func provider(for bucket: SigV4.Bucket) -> SigV4.CredentialProvider {
    kept.withLock { [headers, source, sources] entries in
      if let index = entries.firstIndex(where: { $0.bucket == bucket }) {
        let entry = entries.remove(at: index)
        entries.append(entry)
        return entry.provider
      }
      let provider = SigV4.CredentialProvider(
        ExpressSessionProvider(bucket, headers: headers, source: source, sources: sources),
        policy: .init(backgroundRefresh: .seconds(45), blockingRefresh: .seconds(10)),
        now: sources.now)
      if entries.count == 100 { entries.removeFirst() }
      entries.append(Entry(bucket: bucket, provider: provider))
      return provider
    }
  }
}

/// A session of a directory bucket, created on each call (CreateSession). Use ``ExpressSessions``,
/// unless you cache sessions elsewhere.
package struct ExpressSessionProvider: CredentialResolver {
  private let bucket: SigV4.Bucket
  private let headers: SigV4.Headers
  private let source: any CredentialResolver
  private let sources: CredentialSources

  /// Creates a provider of a bucket's sessions, created with another provider's credentials.
  package init(
    _ bucket: SigV4.Bucket, headers: SigV4.Headers = [:],
    source: any CredentialResolver, sources: CredentialSources
  ) {
    self.bucket = bucket
    self.headers = headers
    self.source = source
    self.sources = sources
  }

  /// Returns the credentials of a new session. If S3 says that the source's credentials have
  /// expired, retries once with new ones.
  ///
  /// - Throws: The errors of the source, `accessDenied`, `expired`, `invalidResponse`,
  ///   `unreachable`, `timedOut`.
  package func credentials() async throws(CredentialError) -> ResolvedCredentials {
    var caller = try await source.credentials()
    let service = ServiceExchange(name: "S3 Express (\(bucket.name))", sources: sources)
    let response = try await service.response(
      signedBy: &caller, of: source, renewed: source.credentials
    ) { (credentials, time) throws(CredentialError) in
      try request(signedBy: credentials, at: time)
    }
    if response.status != 200 || ServiceRejection.isFailedSuccess(response) {
      let reason = ServiceRejection(response).text(
        hiding: [caller.credentials.identity.sessionToken].compactMap(\.self))
      throw CredentialError(
        .accessDenied, "Can't create a session for \(service.name): \(reason).",
        fix: "Check the caller's s3express:CreateSession permission, "
          + "and the bucket's name and region.")
    }
    var provided = try CredentialParts(
      ServiceResponse.fields(in: response.body, root: "CreateSessionResult", of: service.name)
    ).provided(
      from: "a session of \(service.name), opened by \(caller.source)", by: service.name,
      at: sources.now())
    provided.warning = caller.warning
    return provided
  }

  private func request(
    signedBy credentials: SigV4.Credentials, at time: SigV4.Timestamp
  ) throws(CredentialError) -> SigV4.HTTPRequest {
    do throws(SigV4.SigningError) {
      let request = try bucket.createSessionRequest(headers: headers)
      let signed = try bucket.signer(credentials: credentials).sign(request, at: time)
      return SigV4.HTTPRequest(
        "GET", signed.url, headers: signed.headers, timeout: .seconds(10))
    } catch {
      throw CredentialError(
        error.code == .credentialsExpired ? .expired : .invalidConfiguration,
        "Can't sign the request for a session of \(bucket). \(error.problem)", fix: error.fix)
    }
  }
}
