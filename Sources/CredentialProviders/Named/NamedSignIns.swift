// SPDX-License-Identifier: Apache-2.0
// Sources of credentials by name: users who signed in.

public import RequestSigning

/// Users and guests.
extension CredentialResolver where Self == SigV4.CredentialProvider {
  /// A guest of an app, from an Amazon Cognito identity pool.
  ///
  /// - Parameters:
  ///   - poolID: The pool, such as `eu-west-1:12345678-1234-1234-1234-123456789012`.
  ///   - identities: The store for the identity ID. A guest with a stored ID stays the same guest.
  ///   - endpointURL: The endpoint, if it isn't the region's, such as that of a test server.
  ///   - sources: HTTP and the clock.
  /// - Throws: `invalidConfiguration` if the pool ID or the URL isn't valid.
  public static func cognito(
    identityPoolID poolID: String, identities: CognitoIdentityStore, endpointURL: String? = nil,
    sources: CredentialSources
  ) throws(CredentialError) -> Self {
    Self(
      CognitoProvider(
        pool: try CognitoIdentityPool(poolID, endpoint: endpointURL), identities: identities,
        sources: sources),
      sources: sources)
  }

  /// A user of identity providers, from an Amazon Cognito identity pool. A guest who signs in keeps
  /// the identity if both have the same store.
  ///
  /// - Parameters:
  ///   - poolID: The pool, such as `eu-west-1:12345678-1234-1234-1234-123456789012`.
  ///   - logins: Returns the user's tokens by identity provider: `accounts.google.com`,
  ///     `appleid.apple.com`, `graph.facebook.com`, `cognito-idp.us-east-1.amazonaws.com/POOL`, or
  ///     an OpenID Connect provider without `https://`, such as `slack.com`. It's called each time,
  ///     since tokens expire. Without tokens, the user is a guest.
  ///   - roleARN: One of the roles in a token, if the pool lets the user choose.
  ///   - identities: The store for the identity ID. By default, it's in memory: the tokens identify
  ///     the user.
  ///   - endpointURL: The endpoint, if it isn't the region's, such as that of a test server.
  ///   - sources: HTTP and the clock.
  /// - Throws: `invalidConfiguration` if the pool ID or the URL isn't valid.
  public static func cognito(
    identityPoolID poolID: String, logins: sending @escaping () async throws -> [String: String],
    roleARN: String? = nil, identities: CognitoIdentityStore = .memory(),
    endpointURL: String? = nil, sources: CredentialSources
  ) throws(CredentialError) -> Self {
    Self(
      CognitoProvider(
        pool: try CognitoIdentityPool(poolID, endpoint: endpointURL), visitor: .tokens(logins),
        roleARN: roleARN, identities: identities, sources: sources),
      sources: sources)
  }

  /// A user of your own server, which requests the identity and its token from Amazon Cognito
  /// (GetOpenIdTokenForDeveloperIdentity).
  ///
  /// - Parameters:
  ///   - poolID: The pool, such as `eu-west-1:12345678-1234-1234-1234-123456789012`.
  ///   - identity: Returns the identity ID and the token. It's called each time, since tokens
  ///     expire.
  ///   - roleARN: One of the roles in a token, if the pool lets the user choose.
  ///   - endpointURL: The endpoint, if it isn't the region's, such as that of a test server.
  ///   - sources: HTTP and the clock.
  /// - Throws: `invalidConfiguration` if the pool ID or the URL isn't valid.
  public static func cognito(
    identityPoolID poolID: String,
    developer identity: sending @escaping () async throws -> (identityID: String, token: String),
    roleARN: String? = nil, endpointURL: String? = nil, sources: CredentialSources
  ) throws(CredentialError) -> Self {
    Self(
      CognitoProvider(
        pool: try CognitoIdentityPool(poolID, endpoint: endpointURL), visitor: .developer(identity),
        roleARN: roleARN, identities: .memory(), sources: sources),
      sources: sources)
  }

  /// A role in an account of IAM Identity Center (AWS SSO), for a user who ran `aws sso login`.
  ///
  /// It reads the sign-in from the AWS CLI's cache, and refreshes it if it belongs to a session.
  ///
  /// - Parameters:
  ///   - startURL: `sso_start_url`.
  ///   - session: The name of the `sso-session`, or nil for profiles without one, whose sign-ins
  ///     can't be refreshed.
  ///   - region: `sso_region`, the region of Identity Center.
  ///   - accountID: `sso_account_id`, 12 digits.
  ///   - roleName: `sso_role_name`.
  ///   - cacheFolder: The cache directory. If nil, `~/.aws/sso/cache`.
  ///   - settings: The endpoints of the portal (`sso`) and the OIDC service (`ssoOIDC`). If nil,
  ///     those of the environment and the profile.
  ///   - sources: Variables, files, HTTP and the clock.
  /// - Throws: `invalidConfiguration` if a value isn't valid.
  ///   Without `settings`, also the errors of ``ServiceSettings/init(profile:sources:)``.
  public static func sso(
    startURL: String, session: String? = nil, region: String, accountID: String, roleName: String,
    cacheFolder: String? = nil, settings: ServiceSettings? = nil, sources: CredentialSources
  ) throws(CredentialError) -> Self {
    Self(
      try SSOProvider(
        startURL: startURL, session: session, region: region, accountID: accountID,
        roleName: roleName, cacheFolder: cacheFolder,
        settings: ServiceSettings(settings, orOf: sources), sources: sources),
      sources: sources)
  }

  /// The credentials of a user who ran `aws login`, from the AWS CLI's cache. They expire after 15
  /// minutes. The provider refreshes them, and updates the file.
  ///
  /// - Parameters:
  ///   - session: `login_session`, the ARN of the user or role that signed in.
  ///   - cacheFolder: The cache directory. If nil, `AWS_LOGIN_CACHE_DIRECTORY` or
  ///     `~/.aws/login/cache`.
  ///   - settings: The endpoint for refreshing the sign-in (`signIn`), and its region if the file
  ///     has none. If nil, those of the environment and the profile.
  ///   - sources: Variables, files, HTTP and the clock.
  /// - Throws: `invalidConfiguration` if a setting of the environment or the profile isn't valid.
  ///   Without `settings`, also the errors of ``ServiceSettings/init(profile:sources:)``.
  public static func login(
    session: String, cacheFolder: String? = nil, settings: ServiceSettings? = nil,
    sources: CredentialSources
  ) throws(CredentialError) -> Self {
    Self(
      LoginProvider(
        session: session, cacheFolder: cacheFolder,
        settings: try ServiceSettings(settings, orOf: sources), sources: sources),
      sources: sources)
  }
}
