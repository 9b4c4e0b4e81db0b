// SPDX-License-Identifier: Apache-2.0
// Named credential sources, each with a cache that refreshes itself.

public import CredentialProviders
public import Foundation
public import RequestSigning

/// Credential sources of this process, by name.
///
///     let session = bucket.session(credentials: .profile("work"))
///
/// Each source caches its credentials and refreshes them before they expire.
extension CredentialProvider where Self == RefreshingCredentialProvider {
  /// The credentials that the AWS CLI finds: environment variables, profile, container, EC2
  /// instance.
  public static var `default`: Self { Self(DefaultCredentialProvider(sources: .process)) }

  /// The environment variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and
  /// `AWS_SESSION_TOKEN`.
  public static var environment: Self { Self(EnvironmentCredentialProvider(sources: .process)) }

  /// Reads a profile in the config files of the AWS CLI: keys, a command, a role or a sign-in.
  public static func profile(_ name: String) -> Self {
    Self(ProfileCredentialProvider(profile: name, sources: .process))
  }

  /// The credentials of a container on ECS or with EKS Pod Identity.
  public static var container: Self { Self(ContainerProvider(sources: .process)) }

  /// The metadata service of an EC2 instance.
  public static var instance: Self { Self(InstanceMetadataProvider(sources: .process)) }

  /// A role with a web identity token, from environment variables: EKS, GitHub Actions.
  public static var webIdentity: Self { Self(WebIdentityProvider(sources: .process)) }

  /// Runs a command that prints credentials, like `credential_process` in a profile.
  ///
  /// - Throws: `invalidConfiguration` if the command line can't be split into words.
  public static func process(_ commandLine: String) throws(CredentialError) -> Self {
    Self(try ProcessCredentialProvider(commandLine: commandLine, sources: .process))
  }

  /// Assumes a role. AWS STS is called in the region of the environment or the profile.
  /// `AssumeRoleProvider` has more options.
  ///
  ///     let session = try bucket.session(
  ///       credentials: .assumeRole("arn:aws:iam::123456789012:role/reader", using: .default))
  ///
  /// - Parameters:
  ///   - roleARN: the role, such as `arn:aws:iam::123456789012:role/reader`.
  ///   - sessionName: the session name in logs, 2 to 64 characters. The default is `sigv4-` and the
  ///     Unix time.
  ///   - externalID: the ID required by the role's trust policy, 2 to 1,224 characters.
  ///   - source: the credentials that assume the role.
  ///
  /// - Throws: `invalidConfiguration` if a value isn't valid.
  public static func assumeRole(
    _ roleARN: String, sessionName: String? = nil, externalID: String? = nil,
    using source: some CredentialProvider
  ) throws(CredentialError) -> Self {
    let sources = CredentialSources.process
    let settings = try ServiceSettings(sources: sources)
    return Self(
      try AssumeRoleProvider(
        roleARN: roleARN, sessionName: sessionName, externalID: externalID,
        endpoint: STSEndpoint(settings), source: source, sources: sources))
  }

  /// Assumes a role on a machine outside AWS that has a certificate, with IAM Roles Anywhere. FIPS,
  /// dual-stack and the endpoint URL are settings of the environment or the profile.
  /// `RolesAnywhereProvider` has more options.
  ///
  ///     let session = try bucket.session(
  ///       credentials: .rolesAnywhere(
  ///         .files(certificate: "device.pem", privateKey: "device.key"),
  ///         trustAnchorARN: trustAnchorARN, profileARN: profileARN, roleARN: roleARN))
  ///
  /// - Parameters:
  ///   - certificate: the certificate and its private key. Files are read for each refresh.
  ///   - trustAnchorARN: the trust anchor, whose region is called.
  ///   - profileARN: the profile, in the same region.
  ///   - roleARN: the role, such as `arn:aws:iam::123456789012:role/reader`.
  ///   - sessionName: the session name in logs, 2 to 64 characters, if the profile accepts one.
  ///   - duration: the lifetime of a session, 900 to 43,200 seconds. The default is the profile's.
  ///
  /// - Throws: `invalidConfiguration` if a value isn't valid.
  public static func rolesAnywhere(
    _ certificate: ClientCertificate, trustAnchorARN: String, profileARN: String, roleARN: String,
    sessionName: String? = nil, duration: Int? = nil
  ) throws(CredentialError) -> Self {
    let sources = CredentialSources.process
    return Self(
      try RolesAnywhereProvider(
        certificate: certificate, trustAnchorARN: trustAnchorARN, profileARN: profileARN,
        roleARN: roleARN, sessionName: sessionName, duration: duration,
        settings: ServiceSettings(sources: sources), sources: sources))
  }

  /// Signs in the guest or user of an app with an Amazon Cognito identity pool.
  ///
  /// - Parameters:
  ///   - poolID: the pool, such as `eu-west-1:12345678-1234-1234-1234-123456789012`.
  ///   - logins: returns the user's tokens by identity provider, such as `accounts.google.com`.
  ///     Without tokens, the user is a guest.
  ///   - identities: the store for the identity ID. A guest with a stored ID stays the same guest.
  ///
  /// - Throws: `invalidConfiguration` if the pool ID isn't valid.
  public static func cognito(
    identityPoolID poolID: String,
    logins: @escaping @Sendable () async throws -> [String: String] = { [:] },
    identities: CognitoIdentityStore
  ) throws(CredentialError) -> Self {
    Self(
      try CognitoProvider(
        identityPoolID: poolID, logins: logins, identities: identities, sources: .process))
  }

  /// Calls a closure that gets credentials. It's called again before they expire, and if a server
  /// rejects them.
  ///
  ///     let session = bucket.session(
  ///       credentials: .refreshing {
  ///         let keys = try await server.keys()
  ///         return try SigV4.Credentials(
  ///           accessKeyID: keys.id, secretAccessKey: keys.secret, sessionToken: keys.token,
  ///           expiration: keys.end)
  ///       })
  ///
  /// If the closure throws, its error is the `underlyingError` of a `CredentialError`.
  public static func refreshing(
    _ fetch: sending @escaping () async throws -> SigV4.Credentials
  ) -> Self {
    Self(FetchedCredentials(fetch))
  }
}

extension BedrockKeyProvider {
  /// Creates a source of API keys for Amazon Bedrock, with this process's environment variables and
  /// clock.
  ///
  ///     let keys = BedrockKeyProvider(credentials: .default, region: "us-east-1")
  ///     request.setValue(try await keys.key().authorization, forHTTPHeaderField: "Authorization")
  ///
  /// - Parameters:
  ///   - provider: the caller's credentials.
  ///   - region: the region of the Bedrock endpoint.
  ///   - lifetime: how long a key is valid, at most 12 hours, and not longer than the credentials.
  public init(
    credentials provider: RefreshingCredentialProvider, region: String,
    expiresIn lifetime: Duration = .seconds(900)
  ) {
    self.init(
      credentials: provider, region: region, expiresIn: lifetime, sources: .process)
  }
}

/// Credentials fetched by a closure.
private actor FetchedCredentials: CredentialProvider {
  private let fetch: () async throws -> SigV4.Credentials

  init(_ fetch: sending @escaping () async throws -> SigV4.Credentials) { self.fetch = fetch }

  func credentials() async throws(CredentialError) -> ResolvedCredentials {
    do {
      return ResolvedCredentials(try await fetch(), source: "a closure")
    } catch {
      throw CredentialError(error, .accessDenied, of: "The closure that fetches credentials")
    }
  }
}

extension SigV4.Credentials {
  /// Creates temporary credentials with an expiration date.
  ///
  /// - Throws: `invalidAccessKeyID`, `invalidSecretAccessKey`, `invalidSessionToken`, or
  ///   `timestampOutOfRange` if the year isn't 1 to 9999.
  public init(
    accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil, expiration: Date
  ) throws(SigV4.SigningError) {
    try self.init(
      accessKeyID: accessKeyID, secretAccessKey: secretAccessKey, sessionToken: sessionToken,
      expiration: SigV4.Timestamp(expiration))
  }
}
