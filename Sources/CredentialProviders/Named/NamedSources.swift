// SPDX-License-Identifier: Apache-2.0
// Sources of credentials by name: this machine's, and your own.

public import RequestSigning

/// Sources of credentials by name, each cached and refreshed before the credentials expire.
///
///     let session = bucket.session(credentials: .profile("work", sources: .posix))
///     let provider = SigV4.CredentialProvider.default(sources: .posix(http: client.response(to:)))
///
/// `RequestSigningFoundation` has the same names without `sources:`, for this process.
extension CredentialResolver where Self == SigV4.CredentialProvider {
  /// The credentials that the AWS CLI finds, searched in the same order.
  ///
  /// 1. Environment variables
  /// 2. A role that the profile assumes with other credentials
  /// 3. A web identity from environment variables
  /// 4. The profile's other settings: keys, commands, IAM Identity Center
  /// 5. The container's role
  /// 6. The EC2 instance's role
  ///
  /// If you pass a profile here, instead of setting an environment variable, 1 and 3 are skipped:
  /// the argument overrides the environment. If a source is set up but fails, the search ends.
  public static func `default`(
    profile: String? = nil, sources: CredentialSources
  ) -> Self {
    Self(DefaultCredentialProvider(profile: profile, sources: sources), sources: sources)
  }

  /// The environment variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and
  /// `AWS_SESSION_TOKEN`.
  public static func environment(sources: CredentialSources) -> Self {
    Self(EnvironmentCredentialProvider(sources: sources), sources: sources)
  }

  /// Reads a profile in the config files of the AWS CLI: keys, a command, a role or a sign-in.
  ///
  /// - Parameters:
  ///   - name: The profile. If nil, the one in `AWS_PROFILE` or `AWS_DEFAULT_PROFILE`, or else
  ///     `default`.
  ///   - sources: Variables, files, commands, HTTP, the clock and MFA codes.
  public static func profile(_ name: String? = nil, sources: CredentialSources) -> Self {
    Self(ProfileCredentialProvider(profile: name, sources: sources), sources: sources)
  }

  /// The credentials of a container on ECS or with EKS Pod Identity.
  public static func container(sources: CredentialSources) -> Self {
    Self(ContainerProvider(sources: sources), sources: sources)
  }

  /// The role of an EC2 instance, from version 2 of its metadata service.
  ///
  /// If AWS can't refresh the role, or the service is down, the provider returns the earlier
  /// credentials with a `warning`, because AWS may still accept them. Expired ones get an
  /// expiration 5 to 15 minutes from now.
  ///
  /// - Parameters:
  ///   - profile: The profile with settings of the service, such as
  ///     `ec2_metadata_service_endpoint`. If nil, the selected one or `default`.
  ///   - sources: Variables, files, HTTP and the clock.
  public static func instanceMetadata(
    profile: String? = nil, sources: CredentialSources
  ) -> Self {
    Self(InstanceMetadataProvider(profile: profile, sources: sources), sources: sources)
  }

  /// Runs a command that prints credentials, like `credential_process` in a profile. No shell runs.
  /// The line is split into words by the rules of a POSIX shell.
  ///
  /// - Throws: `invalidConfiguration` if it's empty or has an unclosed quote.
  public static func process(
    _ commandLine: String, sources: CredentialSources
  ) throws(CredentialError) -> Self {
    try process(ProcessCredentialProvider.words(of: commandLine), sources: sources)
  }

  /// Runs a command that prints credentials, from its name and arguments.
  public static func process(_ command: [String], sources: CredentialSources) -> Self {
    Self(ProcessCredentialProvider(command: command, sources: sources), sources: sources)
  }

  /// Calls a closure that gets credentials. It's called again before they expire, and if a server
  /// rejects them.
  ///
  /// If the closure throws, its error is the `underlyingError` of a `CredentialError`.
  ///
  /// - Parameters:
  ///   - sources: The clock.
  ///   - fetch: Returns credentials, with an expiration if they're temporary.
  public static func refreshing(
    sources: CredentialSources, _ fetch: sending @escaping () async throws -> SigV4.Credentials
  ) -> Self {
    Self(FetchedCredentials(fetch), sources: sources)
  }

  /// The first of several sources that has credentials. A source that isn't set up
  /// (`notConfigured`) is skipped. If one is set up but fails, the search ends, so that a broken
  /// file never makes a program sign with different credentials.
  ///
  /// The chain has its own cache and policy: those of `providers` aren't used. For another policy,
  /// pass the chain to `SigV4.CredentialProvider(_:policy:now:)`.
  ///
  ///     let provider = SigV4.CredentialProvider.chain(
  ///       [.environment(sources: .posix), .container(sources: .posix)], sources: .posix)
  ///
  /// - Parameters:
  ///   - providers: The sources in order.
  ///   - sources: The clock.
  public static func chain(_ providers: [Self], sources: CredentialSources) -> Self {
    Self(CredentialProviderChain(providers.map(\.source)), sources: sources)
  }
}

extension SigV4.CredentialProvider {
  /// Creates a provider with the default policy, whose background refresh begins at a random time.
  package init(_ source: some CredentialResolver, sources: CredentialSources) {
    self.init(source, policy: .spread(by: sources), now: sources.now)
  }
}

/// Credentials fetched by a closure.
struct FetchedCredentials: CredentialResolver {
  private let fetch: SentClosure<Void, SigV4.Credentials>

  init(_ fetch: sending @escaping () async throws -> SigV4.Credentials) {
    self.fetch = SentClosure { (_: Void) in try await fetch() }
  }

  func credentials() async throws(CredentialError) -> ResolvedCredentials {
    do {
      return ResolvedCredentials(try await fetch(()), source: "a closure")
    } catch {
      throw CredentialError(error, .accessDenied, of: "The closure that fetches credentials")
    }
  }
}

extension CredentialSources {
  /// Requests the region of this EC2 instance from its metadata service.
  ///
  /// - Parameter profile: The profile with settings of the service. If nil, the selected one or
  ///   `default`.
  /// - Throws: `notConfigured` if the service is disabled or doesn't respond.
  ///   `invalidConfiguration`, `accessDenied`, `invalidResponse`, `timedOut`, `unreachable`.
  public func instanceRegion(profile: String? = nil) async throws(CredentialError) -> String {
    try await InstanceMetadataProvider(profile: profile, sources: self).region()
  }
}
