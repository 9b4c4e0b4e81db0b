// SPDX-License-Identifier: Apache-2.0
// S3 Express: the sessions in which the objects of directory buckets are requested, kept for each bucket.

internal import RequestSigning
public import S3Signing
internal import SigningSupport

/// The sessions of directory buckets, which live for five minutes: one for each bucket, kept and opened
/// again in time.
///
///     let sessions = ExpressSessions(source: credentials, sources: sources)
///     let provided = try await sessions.provider(for: bucket).credentials()
///     let signer = try bucket.signer(session: .init(provided.credentials))
///
/// Any number of tasks may share one. The buckets that were asked for last are kept, 100 at most.
///
/// Source: Amazon S3, User Guide, "Authorizing Zonal endpoint API operations with CreateSession"; times
/// and number are those of botocore's `S3ExpressIdentityCache`.
public final class ExpressSessions: Sendable {
  private let mode: SigV4.DirectoryBucket.SessionMode
  private let source: any CredentialProvider
  private let sources: CredentialSources
  private let kept = Guarded<[Entry]>([])

  private struct Entry: Sendable {
    let bucket: SigV4.DirectoryBucket
    let provider: RefreshingCredentialProvider
  }

  /// Sessions that the credentials of a provider open.
  ///
  /// - Parameters:
  ///   - mode: what the sessions may do.
  ///   - source: a provider that keeps its credentials, such as `RefreshingCredentialProvider`.
  ///   - sources: HTTP and the clock.
  public init(
    mode: SigV4.DirectoryBucket.SessionMode = .widest, source: any CredentialProvider,
    sources: CredentialSources
  ) {
    self.mode = mode
    self.source = source
    self.sources = sources
  }

  /// The provider of a bucket's sessions, the same one each time. A new session is opened in the background
  /// 45 seconds before the end, and callers wait for it 10 seconds before.
  public func provider(for bucket: SigV4.DirectoryBucket) -> RefreshingCredentialProvider {
    kept.withLock { [mode, source, sources] entries in
      if let index = entries.firstIndex(where: { $0.bucket == bucket }) {
        let entry = entries.remove(at: index)
        entries.append(entry)
        return entry.provider
      }
      let provider = RefreshingCredentialProvider(
        ExpressSessionProvider(bucket, mode: mode, source: source, sources: sources),
        policy: .init(backgroundRefresh: .seconds(45), blockingRefresh: .seconds(10)),
        now: sources.now)
      if entries.count == 100 { entries.removeFirst() }
      entries.append(Entry(bucket: bucket, provider: provider))
      return provider
    }
  }
}

/// A session of a directory bucket, opened each time it is asked (CreateSession). Use ``ExpressSessions``,
/// unless sessions are kept elsewhere.
package struct ExpressSessionProvider: CredentialProvider {
  private let bucket: SigV4.DirectoryBucket
  private let mode: SigV4.DirectoryBucket.SessionMode
  private let source: any CredentialProvider
  private let sources: CredentialSources

  /// A provider of a bucket's sessions, which the credentials of another provider open.
  package init(
    _ bucket: SigV4.DirectoryBucket, mode: SigV4.DirectoryBucket.SessionMode = .widest,
    source: any CredentialProvider, sources: CredentialSources
  ) {
    self.bucket = bucket
    self.mode = mode
    self.source = source
    self.sources = sources
  }

  /// The credentials of a new session.
  ///
  /// Throws what the source throws, `refused`, `expired`, `invalidResponse`, `unreachable`, `timedOut`.
  package func credentials() async throws(CredentialError) -> ResolvedCredentials {
    let caller = try await source.credentials()
    let service = ServiceExchange(name: "S3 Express (\(bucket.bucket.name))", sources: sources)
    let response = try await service.response { (time) throws(CredentialError) in
      try request(signedBy: caller.credentials, at: time)
    }
    if response.status != 200 {
      let reason = ServiceRejection(response).text(
        hiding: [caller.credentials.identity.sessionToken].compactMap(\.self))
      throw .accessDenied(
        "Can't create a session for \(service.name): \(reason).",
        fix: "Check the caller's s3express:CreateSession permission, "
          + "and the bucket's name and region.")
    }
    var provided = try CredentialParts(
      ServiceResponse.fields(in: response.body, of: service.name)
    ).provided(
      from: "a session of \(service.name), opened by \(caller.origin)", by: service.name,
      at: sources.now())
    provided.warning = caller.warning
    return provided
  }

  private func request(
    signedBy credentials: SigV4.Credentials, at time: SigV4.Timestamp
  ) throws(CredentialError) -> CredentialRequest {
    do throws(SigV4.SigningError) {
      let request = try bucket.createSessionRequest(mode)
      let signed = try bucket.signer(credentials: credentials).sign(request, at: time)
      return CredentialRequest(
        "GET", signed.url, headers: signed.headers, timeout: .seconds(10))
    } catch {
      throw CredentialError(
        error.code == .credentialsExpired ? .expired : .invalidConfiguration,
        "Can't sign the request for a session of \(bucket). \(error.problem)", fix: error.fix)
    }
  }
}
