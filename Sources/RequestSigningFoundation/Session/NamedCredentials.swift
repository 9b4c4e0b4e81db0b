// SPDX-License-Identifier: Apache-2.0
// Credential sources of this process by name, and Foundation's dates.

public import CredentialProviders
public import Foundation
internal import POSIXCredentialSources
public import RequestSigning

/// Credential sources of this process, by name.
///
///     let session = bucket.session(credentials: .profile("work"))
///     let provider = SigV4.CredentialProvider.profile("work")
///
/// Each source caches its credentials and refreshes them before they expire. For other sources or
/// rare options, pass `sources:`, such as `.process`.
extension CredentialResolver where Self == SigV4.CredentialProvider {
  /// The credentials that the AWS CLI finds: environment variables, profile, container, EC2
  /// instance.
  public static var `default`: Self { .default(sources: .process) }

  /// The environment variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and
  /// `AWS_SESSION_TOKEN`.
  public static var environment: Self { .environment(sources: .process) }

  /// Reads a profile in the config files of the AWS CLI: keys, a command, a role or a sign-in.
  public static func profile(_ name: String) -> Self { .profile(name, sources: .process) }

  /// The credentials of a container on ECS or with EKS Pod Identity.
  public static var container: Self { .container(sources: .process) }

  /// The role of an EC2 instance, from its metadata service.
  public static var instanceMetadata: Self { .instanceMetadata(sources: .process) }

  /// Runs a command that prints credentials, like `credential_process` in a profile.
  ///
  /// - Throws: `invalidConfiguration` if the command line can't be split into words.
  public static func process(_ commandLine: String) throws(CredentialError) -> Self {
    try .process(commandLine, sources: .process)
  }

  /// Assumes a role. AWS STS is called in the region of the environment or the profile.
  ///
  ///     let session = try bucket.session(
  ///       credentials: .assumeRole("arn:aws:iam::123456789012:role/reader"))
  ///
  /// - Parameters:
  ///   - roleARN: the role, such as `arn:aws:iam::123456789012:role/reader`.
  ///   - source: the credentials that assume the role. The default is those that the AWS CLI finds.
  ///   - sessionName: the session name in logs, 2 to 64 characters. The default is `sigv4-` and the
  ///     Unix time.
  ///   - externalID: the ID required by the role's trust policy, 2 to 1,224 characters.
  ///   - duration: the lifetime of the session, 15 minutes to 12 hours. The default is one hour.
  ///   - options: policies, tags and MFA.
  ///
  /// - Throws: `invalidConfiguration` if a value isn't valid.
  public static func assumeRole(
    _ roleARN: String,
    using source: some CredentialResolver = SigV4.CredentialProvider.default,
    sessionName: String? = nil, externalID: String? = nil, duration: Duration? = nil,
    options: SigV4.CredentialProvider.RoleOptions = .init()
  ) throws(CredentialError) -> Self {
    try .assumeRole(
      roleARN, using: source, sessionName: sessionName, externalID: externalID,
      duration: duration, options: options, sources: .process)
  }

  /// Assumes a role with a web identity token, from environment variables: EKS, GitHub Actions.
  public static var webIdentity: Self { .webIdentity(sources: .process) }

  /// Assumes a role with an identity provider's token in a file. AWS STS is called in the region of
  /// the environment or the profile.
  ///
  /// - Parameters:
  ///   - roleARN: the role, such as `arn:aws:iam::123456789012:role/reader`.
  ///   - tokenFile: the path of the token file, which is read for each refresh.
  ///   - sessionName: the session name in logs, 2 to 64 characters. The default is `sigv4-` and the
  ///     Unix time.
  ///   - duration: the lifetime of the session, 15 minutes to 12 hours. The default is one hour.
  ///
  /// - Throws: `invalidConfiguration` if a value isn't valid.
  public static func webIdentity(
    _ roleARN: String, tokenFile: String, sessionName: String? = nil, duration: Duration? = nil
  ) throws(CredentialError) -> Self {
    try .webIdentity(
      roleARN, tokenFile: tokenFile, sessionName: sessionName, duration: duration,
      sources: .process)
  }

  /// Assumes a role on a machine outside AWS that has a certificate, with IAM Roles Anywhere. FIPS,
  /// dual-stack and the endpoint URL are settings of the environment or the profile.
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
  ///   - duration: the lifetime of a session, 15 minutes to 12 hours. The default is the profile's.
  ///
  /// - Throws: `invalidConfiguration` if a value isn't valid.
  public static func rolesAnywhere(
    _ certificate: ClientCertificate, trustAnchorARN: String, profileARN: String, roleARN: String,
    sessionName: String? = nil, duration: Duration? = nil
  ) throws(CredentialError) -> Self {
    try .rolesAnywhere(
      certificate, trustAnchorARN: trustAnchorARN, profileARN: profileARN, roleARN: roleARN,
      sessionName: sessionName, duration: duration, sources: .process)
  }

  /// A guest of an app, from an Amazon Cognito identity pool.
  ///
  /// - Parameters:
  ///   - poolID: the pool, such as `eu-west-1:12345678-1234-1234-1234-123456789012`.
  ///   - identities: the store for the identity ID. A guest with a stored ID stays the same guest.
  ///   - endpointURL: the endpoint, if it isn't the region's, such as that of a test server.
  ///
  /// - Throws: `invalidConfiguration` if the pool ID isn't valid.
  public static func cognito(
    identityPoolID poolID: String, identities: CognitoIdentityStore, endpointURL: String? = nil
  ) throws(CredentialError) -> Self {
    try .cognito(
      identityPoolID: poolID, identities: identities, endpointURL: endpointURL, sources: .process)
  }

  /// A user of identity providers, from an Amazon Cognito identity pool.
  ///
  /// - Parameters:
  ///   - poolID: the pool, such as `eu-west-1:12345678-1234-1234-1234-123456789012`.
  ///   - logins: returns the user's tokens by identity provider, such as `accounts.google.com`.
  ///     Without tokens, the user is a guest.
  ///   - roleARN: one of the roles in a token, if the pool lets the user choose.
  ///   - identities: the store for the identity ID. A guest who signs in keeps the identity if both
  ///     have the same store. The default is in memory.
  ///   - endpointURL: the endpoint, if it isn't the region's, such as that of a test server.
  ///
  /// - Throws: `invalidConfiguration` if the pool ID isn't valid.
  public static func cognito(
    identityPoolID poolID: String, logins: sending @escaping () async throws -> [String: String],
    roleARN: String? = nil, identities: CognitoIdentityStore = .memory(),
    endpointURL: String? = nil
  ) throws(CredentialError) -> Self {
    try .cognito(
      identityPoolID: poolID, logins: logins, roleARN: roleARN, identities: identities,
      endpointURL: endpointURL, sources: .process)
  }

  /// A user of your own server, which requests the identity and its token from Amazon Cognito.
  ///
  /// - Parameters:
  ///   - poolID: the pool, such as `eu-west-1:12345678-1234-1234-1234-123456789012`.
  ///   - identity: returns the identity ID and the token. It's called each time, since tokens
  ///     expire.
  ///   - roleARN: one of the roles in a token, if the pool lets the user choose.
  ///   - endpointURL: the endpoint, if it isn't the region's, such as that of a test server.
  ///
  /// - Throws: `invalidConfiguration` if the pool ID isn't valid.
  public static func cognito(
    identityPoolID poolID: String,
    developer identity: sending @escaping () async throws -> (identityID: String, token: String),
    roleARN: String? = nil, endpointURL: String? = nil
  ) throws(CredentialError) -> Self {
    try .cognito(
      identityPoolID: poolID, developer: identity, roleARN: roleARN, endpointURL: endpointURL,
      sources: .process)
  }

  /// A role in an account of IAM Identity Center, for a user who ran `aws sso login`.
  ///
  /// - Parameters:
  ///   - startURL: `sso_start_url`.
  ///   - session: the name of the `sso-session`, or nil for profiles without one, whose sign-ins
  ///     can't be refreshed.
  ///   - region: `sso_region`, the region of Identity Center.
  ///   - accountID: `sso_account_id`, 12 digits.
  ///   - roleName: `sso_role_name`.
  ///
  /// - Throws: `invalidConfiguration` if a value isn't valid.
  public static func sso(
    startURL: String, session: String? = nil, region: String, accountID: String, roleName: String
  ) throws(CredentialError) -> Self {
    try .sso(
      startURL: startURL, session: session, region: region, accountID: accountID,
      roleName: roleName, sources: .process)
  }

  /// The credentials of a user who ran `aws login`.
  ///
  /// - Parameter session: `login_session`, the ARN of the user or role that signed in.
  /// - Throws: `invalidConfiguration` if a setting of the environment or the profile isn't valid.
  public static func login(session: String) throws(CredentialError) -> Self {
    try .login(session: session, sources: .process)
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
    .refreshing(sources: .posix, fetch)
  }

  /// The first of several sources that has credentials. If one is set up but fails, the search
  /// ends.
  ///
  ///     let session = bucket.session(credentials: .chain([.environment, .profile("work")]))
  public static func chain(_ providers: [Self]) -> Self { .chain(providers, sources: .posix) }
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
    credentials provider: some CredentialResolver, region: String,
    expiresIn lifetime: Duration = .seconds(900)
  ) {
    self.init(
      credentials: provider, region: region, expiresIn: lifetime, sources: .process)
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
