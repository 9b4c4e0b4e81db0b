// SPDX-License-Identifier: Apache-2.0
// Credentials of a profile: reads the files and queries the source that they configure.

internal import SecureHashing
internal import RequestSigning

/// Credentials of a profile in the AWS CLI's files: keys, a command's output, roles, IAM Identity
/// Center sign-ins, containers and instances.
package struct ProfileCredentialProvider: CredentialResolver {
  private let profile: String?
  private let part: Part
  private let sources: CredentialSources
  /// Stored here, since it has a cache.
  private let instance: InstanceMetadataProvider

  /// The part of a profile to use.
  enum Part: Sendable {
    case all
    /// A role assumed with other credentials. botocore checks for it first.
    case rolesWithSource
  }

  /// Creates a provider of a profile's credentials, which reads the files on each call. Without a
  /// name, it uses the profile in `AWS_PROFILE` or `AWS_DEFAULT_PROFILE`, or else `default`.
  ///
  /// Endpoints come from ``ServiceSettings``.
  package init(profile: String? = nil, sources: CredentialSources) {
    self.init(profile: profile, part: .all, sources: sources)
  }

  init(profile: String?, part: Part, sources: CredentialSources) {
    self.profile = profile
    self.part = part
    self.sources = sources
    instance = InstanceMetadataProvider(profile: profile, sources: sources)
  }

  /// Returns the credentials of the profile.
  ///
  /// - Throws: The errors of the files, the profile's settings, and the provider of the source.
  package func credentials() async throws(CredentialError) -> ResolvedCredentials {
    let files = try ProfileFiles(sources: sources)
    if part == .rolesWithSource { try checkAssumesRole(in: files) }
    let found = try ProfileCredentials(profile: profile, in: files, sources: sources)
    var provider = try provider(of: found, files)
    for role in found.roles.reversed() {
      provider = try AssumeRoleProvider(
        roleARN: role.roleARN, sessionName: role.sessionName, externalID: role.externalID,
        mfaSerial: role.mfaSerial, duration: role.durationSeconds.map { .seconds($0) },
        endpoint: STSEndpoint(settings(in: files)),
        source: provider, sources: sources)
    }
    return try await provider.credentials()
  }

  /// Throws `notConfigured` for a profile that doesn't assume a role, even if its other settings
  /// are invalid: other sources come before them in the chain.
  private func checkAssumesRole(in files: ProfileFiles) throws(CredentialError) {
    let section = try files.existingProfile(named: profile, sources: sources)
    if ProfileResolver.assumesRole(section) { return }
    throw CredentialError(
      .notConfigured, "Profile \(section.name.shown) doesn't assume a role.",
      fix: "To use a role, add role_arn and source_profile.")
  }

  /// Returns the provider of the first credentials.
  private func provider(
    of found: ProfileCredentials, _ files: ProfileFiles
  ) throws(CredentialError) -> any CredentialResolver {
    let source = found.source
    if let keys = source.keys { return keys }
    if let role = source.webIdentity, let tokenFile = role.webIdentityTokenFile {
      return try WebIdentityProvider(
        roleARN: role.roleARN, tokenFile: tokenFile, sessionName: role.sessionName,
        endpoint: STSEndpoint(settings(in: files)), sources: sources)
    }
    if let sso = source.sso {
      return try SSOProvider(
        startURL: sso.startURL, session: sso.session, region: sso.region, accountID: sso.accountID,
        roleName: sso.roleName, settings: settings(in: files), sources: sources)
    }
    if let session = source.loginSession {
      return LoginProvider(session: session, settings: try settings(in: files), sources: sources)
    }
    switch source.kind {
    case .environment: return EnvironmentCredentialProvider(sources: sources)
    case .container: return ContainerProvider(sources: sources)
    case .instanceMetadata: return instance
    default:
      return ProcessCredentialProvider(
        command: source.command,
        source: "credential_process of the profile \(found.profile.shown)",
        accountID: source.accountID, sources: sources)
    }
  }

  /// The endpoint settings. They're read only if a service is called, since other credentials don't
  /// depend on them.
  private func settings(in files: ProfileFiles) throws(CredentialError) -> ServiceSettings {
    try ServiceSettings(profile: profile, in: files, sources: sources)
  }
}

/// The credential settings of a profile, before their source is queried.
package struct ProfileCredentials: Sendable, CustomStringConvertible, Redacted {
  /// The name of the profile.
  package let profile: String

  /// `AWS_REGION`, `AWS_DEFAULT_REGION`, or `region` of the profile, or nil.
  package let region: String?

  /// The roles to assume: the first with the second's credentials, and the last with those of
  /// `source`. Empty if `source` has the credentials itself.
  package let roles: [RoleSettings]

  /// The source of the first credentials.
  package let source: Source

  /// Reads the settings of a profile. Without a name, uses the profile in `AWS_PROFILE` or
  /// `AWS_DEFAULT_PROFILE`, or else `default`.
  ///
  /// As in botocore, the first of these wins: `role_arn` without `web_identity_token_file`; with
  /// it; `sso_role_name` or `sso_account_id`; keys in the credentials file; `login_session`;
  /// `credential_process`; keys in the config file. A source profile is read in the same order,
  /// except that keys come before its role. Without a name, `AWS_ROLE_ARN` and
  /// `AWS_ROLE_SESSION_NAME` override the settings next to a `web_identity_token_file`.
  ///
  /// - Throws: `notConfigured` if the profile has no credentials or there's no default profile.
  ///   `invalidConfiguration` if a profile doesn't exist, or if its settings conflict or form a
  ///   cycle.
  package init(
    profile: String? = nil, in files: ProfileFiles, sources: CredentialSources
  ) throws(CredentialError) {
    let section = try files.existingProfile(named: profile, sources: sources)
    var resolver = ProfileResolver(
      profile: section, readingVariables: profile == nil, files: files, sources: sources)
    guard let source = try resolver.source() else {
      throw CredentialError(
        .notConfigured, "Profile \(section.name.shown) has no credentials.",
        fix: "Add aws_access_key_id and aws_secret_access_key to [\(section.name)] in "
          + "\(files.credentialsPath), or use a different profile.")
    }
    self.profile = section.name
    self.source = source
    region = ProfileFiles.region(of: section, sources)
    roles = resolver.roles
  }

  /// The profile, its roles, and the kind of its source.
  package var description: String {
    let roles = roles.map { "\($0.roleARN), assumed with " }.joined()
    return "profile \(profile.shown): \(roles)\(source)"
  }
}

extension ProfileCredentials {
  /// The source of credentials: its kind and settings.
  package struct Source: Sendable, CustomStringConvertible, Redacted {
    /// The kind.
    package let kind: Kind

    /// The credentials, if the kind is `keys`.
    package var keys: ResolvedCredentials?

    /// The name and arguments of a command, if the kind is `process`. They may be secret.
    package var command: [String] = []

    /// The account of a command's credentials, used if the output has none.
    var accountID: String?

    /// The role and its token file, if the kind is `webIdentity`.
    package var webIdentity: RoleSettings?

    /// The role and account, if the kind is `sso`.
    package var sso: SSOSettings?

    /// The ARN of the signed-in user or role, if the kind is `login`.
    package var loginSession: String?

    /// The kind of the source, and its role or access key ID. Never a secret.
    package var description: String {
      if let keys { return keys.description }
      if let webIdentity { return "\(webIdentity.roleARN), assumed with a token in a file" }
      if let sso { return "\(sso.roleName) of account \(sso.accountID)" }
      if let loginSession { return "\(kind.name) of \(loginSession.shown)" }
      return kind.name
    }
  }

  /// The kind of a source. New kinds may be added.
  package struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The name of the kind, for people: `credential_process`.
    package let name: String

    /// The name of the kind.
    package var description: String { name }

    /// Keys in the files.
    package static let keys = Kind(name: "keys")
    /// A command that prints credentials.
    package static let process = Kind(name: "credential_process")
    /// A role, assumed with a token in a file.
    package static let webIdentity = Kind(name: "a web identity")
    /// A role in an account of IAM Identity Center.
    package static let sso = Kind(name: "IAM Identity Center")
    /// A user who signed in with `aws login`.
    package static let login = Kind(name: "a sign-in")
    /// Environment variables.
    package static let environment = Kind(name: "environment variables")
    /// The container's role (Amazon ECS, EKS Pod Identity).
    package static let container = Kind(name: "the agent of the container")
    /// The EC2 instance's role.
    package static let instanceMetadata = Kind(name: "the metadata service of the instance")
  }
}

/// The settings of a role in a profile.
package struct RoleSettings: Hashable, Sendable {
  /// `role_arn`
  package let roleARN: String
  /// `role_session_name`
  package let sessionName: String?
  /// `external_id`
  package var externalID: String?
  /// `mfa_serial`
  package var mfaSerial: String?
  /// `duration_seconds`
  package var durationSeconds: Int?
  /// `web_identity_token_file`, for a role assumed with a token.
  package var webIdentityTokenFile: String?
}

/// The settings of a role in an account of IAM Identity Center.
package struct SSOSettings: Hashable, Sendable, Redacted {
  /// `sso_session`: its name, or nil. The token cache uses this name, or else the start URL.
  package let session: String?
  /// `sso_start_url`
  package let startURL: String
  /// `sso_region`
  package let region: String
  /// `sso_account_id`
  package let accountID: String
  /// `sso_role_name`
  package let roleName: String

  /// The role and its account. The start URL may contain a password.
  package var description: String { "\(roleName) of \(accountID)" }
}
