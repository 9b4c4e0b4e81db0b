// SPDX-License-Identifier: Apache-2.0
// Credentials of a profile: the files are read, and the source that they name is asked.

internal import SecureHashing
internal import SigningSupport

/// Credentials of a profile in the files that aws-cli reads: keys, the output of a program, roles that
/// are assumed, sign-ins of IAM Identity Center, containers and instances.
public struct ProfileCredentialProvider: CredentialProvider {
  private let profile: String?
  private let part: Part
  private let sources: CredentialSources
  /// Here, since it keeps what it got.
  private let instance: InstanceMetadataProvider

  /// What of a profile counts.
  enum Part: Sendable {
    case all
    /// A role that is assumed with other credentials: botocore looks for it before all else.
    case rolesWithSource
  }

  /// A provider of a profile's credentials, which reads the files each time it is asked; without a name
  /// it is the profile that `AWS_DEFAULT_PROFILE` or `AWS_PROFILE` selects, or else `default`.
  ///
  /// Where services are asked goes by ``ServiceSettings``.
  public init(profile: String? = nil, sources: CredentialSources) {
    self.init(profile: profile, part: .all, sources: sources)
  }

  init(profile: String?, part: Part, sources: CredentialSources) {
    self.profile = profile
    self.part = part
    self.sources = sources
    instance = InstanceMetadataProvider(profile: profile, sources: sources)
  }

  /// The credentials of the profile.
  ///
  /// Throws what `ProfileFiles`, `ProfileCredentials` and the provider of the source throw.
  public func credentials() async throws(CredentialError) -> ResolvedCredentials {
    let files = try ProfileFiles(sources: sources)
    if part == .rolesWithSource { try checkAssumesRole(in: files) }
    let found = try ProfileCredentials(profile: profile, in: files, sources: sources)
    var provider = try provider(of: found, files)
    for role in found.roles.reversed() {
      provider = try AssumeRoleProvider(
        roleARN: role.roleARN, sessionName: role.sessionName, externalID: role.externalID,
        mfaSerial: role.mfaSerial, duration: role.durationSeconds,
        endpoint: STSEndpoint(settings(in: files)),
        source: provider, sources: sources)
    }
    return try await provider.credentials()
  }

  /// Throws `notConfigured` for a profile that assumes no role, whatever may be wrong with it: what
  /// comes before its other settings has to be asked first.
  private func checkAssumesRole(in files: ProfileFiles) throws(CredentialError) {
    let section = try files.existingProfile(named: profile, sources: sources)
    if ProfileResolver.assumesRole(section) { return }
    throw .notConfigured(
      "Profile \(section.name.shown) doesn't assume a role.",
      fix: "To use a role, add role_arn and source_profile. Other settings come later in the chain."
    )
  }

  /// The provider of the first credentials.
  private func provider(
    of found: ProfileCredentials, _ files: ProfileFiles
  ) throws(CredentialError) -> any CredentialProvider {
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
        origin: "credential_process of the profile \(found.profile.shown)",
        accountID: source.accountID, sources: sources)
    }
  }

  /// Where services are asked. Read when one is: other credentials do not depend on it.
  private func settings(in files: ProfileFiles) throws(CredentialError) -> ServiceSettings {
    try ServiceSettings(profile: profile, in: files, sources: sources)
  }
}

/// What a profile says about its credentials, before a source is asked.
package struct ProfileCredentials: Sendable, CustomStringConvertible, Redacted {
  /// The name of the profile.
  package let profile: String

  /// `AWS_REGION`, `AWS_DEFAULT_REGION`, or `region` of the profile; nil when none is set.
  package let region: String?

  /// The roles that are assumed with other credentials: the first with those of the second, and the
  /// last with those of `source`. Empty when `source` has the credentials themselves.
  package let roles: [RoleSettings]

  /// The source of the first credentials.
  package let source: Source

  /// What a profile says; without a name it is the one that `AWS_DEFAULT_PROFILE` or `AWS_PROFILE`
  /// selects, or else `default`.
  ///
  /// As in botocore, the first of these counts: `role_arn` without `web_identity_token_file`, then
  /// with it; `sso_role_name` or `sso_account_id`; keys in the credentials file; `login_session`;
  /// `credential_process`; keys in the config file. A source profile is read in the same order, but
  /// keys come before its role. Without a name, `AWS_ROLE_ARN` and `AWS_ROLE_SESSION_NAME` come before
  /// the settings beside a `web_identity_token_file`.
  ///
  /// Throws `notConfigured` when the profile says nothing about credentials or there is no default
  /// profile; `invalidConfiguration` when a profile does not exist, its settings contradict each other
  /// or refer to each other in a circle.
  package init(
    profile: String? = nil, in files: ProfileFiles, sources: CredentialSources
  ) throws(CredentialError) {
    let section = try files.existingProfile(named: profile, sources: sources)
    var resolver = ProfileResolver(
      profile: section, readingVariables: profile == nil, files: files, sources: sources)
    guard let source = try resolver.source() else {
      throw .notConfigured(
        "Profile \(section.name.shown) has no credentials.",
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
  /// Where credentials come from: the kind of the source, and what it needs.
  package struct Source: Sendable, CustomStringConvertible, Redacted {
    /// The kind.
    package let kind: Kind

    /// The credentials, where the kind is `keys`.
    package var keys: ResolvedCredentials?

    /// The name and the arguments of a program, which may be secret, where the kind is `process`.
    package var command: [String] = []

    /// The account of a program's credentials, where the program tells none.
    var accountID: String?

    /// The role and the file of its token, where the kind is `webIdentity`.
    package var webIdentity: RoleSettings?

    /// The role in an account, where the kind is `sso`.
    package var sso: SSOSettings?

    /// The ARN of the user or role that signed in, where the kind is `login`.
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

  /// The kind of a source. More kinds may come.
  package struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The name of the kind, for people: `credential_process`.
    package let name: String

    /// The name of the kind.
    package var description: String { name }

    /// Keys in the files.
    package static let keys = Kind(name: "keys")
    /// A program that prints credentials.
    package static let process = Kind(name: "credential_process")
    /// A role, assumed with a token in a file.
    package static let webIdentity = Kind(name: "a web identity")
    /// A role in an account of IAM Identity Center.
    package static let sso = Kind(name: "IAM Identity Center")
    /// A user who signed in with `aws login`.
    package static let login = Kind(name: "a sign-in")
    /// The variables of the environment.
    package static let environment = Kind(name: "environment variables")
    /// The agent of the container (Amazon ECS, EKS Pod Identity).
    package static let container = Kind(name: "the agent of the container")
    /// The metadata service of the instance (Amazon EC2).
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
  /// `web_identity_token_file`, for a role that is assumed with a token.
  package var webIdentityTokenFile: String?
}

/// The settings of a role in an account of IAM Identity Center.
package struct SSOSettings: Hashable, Sendable {
  /// `sso_session`: its name, when the profile refers to one. The token cache goes by it, or else by
  /// the start URL.
  package let session: String?
  /// `sso_start_url`
  package let startURL: String
  /// `sso_region`
  package let region: String
  /// `sso_account_id`
  package let accountID: String
  /// `sso_role_name`
  package let roleName: String
}
