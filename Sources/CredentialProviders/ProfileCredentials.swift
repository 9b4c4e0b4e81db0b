// SPDX-License-Identifier: Apache-2.0
// What a profile says about its credentials: the keys themselves, or whom to ask and for what.

internal import RequestSigning

/// What a profile says about its credentials, before anybody is asked.
public struct ProfileCredentials: Sendable, CustomStringConvertible {
  /// The name of the profile.
  public let profile: String

  /// `AWS_REGION`, `AWS_DEFAULT_REGION`, or `region` of the profile; nil when none is set.
  public let region: String?

  /// Where the credentials are.
  public let source: Source

  /// Where credentials are. More kinds may come.
  public indirect enum Source: Sendable {
    /// In the files.
    case keys(ProvidedCredentials)
    /// In what a program prints: its name and its arguments, which may be secret.
    case process([String])
    /// A role, assumed with the credentials of another source.
    case assumeRole(AssumeRoleSettings, source: Source)
    /// A role, assumed with a token in a file.
    case webIdentity(WebIdentitySettings)
    /// A role in an account of IAM Identity Center.
    case sso(SSOSettings)
    /// The variables of the environment.
    case environment
    /// The agent of the container (Amazon ECS, EKS Pod Identity).
    case container
    /// The metadata service of the instance (Amazon EC2).
    case instanceMetadata
  }

  /// What a profile says; without a name it is the one that `AWS_DEFAULT_PROFILE` or `AWS_PROFILE`
  /// selects, or else `default`.
  ///
  /// As in botocore, the first of these counts: `role_arn` without `web_identity_token_file`, then
  /// with it; `sso_role_name` or `sso_account_id`; keys in the credentials file;
  /// `credential_process`; keys in the config file. A source profile is read in the same order, but
  /// keys come before its role.
  ///
  /// Throws `notConfigured` when the profile says nothing about credentials or there is no default
  /// profile; `invalidConfiguration` when a profile does not exist, its settings contradict each other
  /// or go round in a circle, and when a role needs the code of a device (`mfa_serial`).
  public init(
    profile: String? = nil, in files: ProfileFiles, sources: CredentialSources
  ) throws(CredentialError) {
    let section = try files.existingProfile(named: profile, sources: sources)
    var resolver = ProfileResolver(of: section, in: files, sources: sources)
    guard let source = try resolver.source() else {
      throw CredentialError(
        .notConfigured,
        "the profile \(section.name.shown) says nothing about credentials; set aws_access_key_id and "
          + "aws_secret_access_key in [\(section.name)] of \(files.credentialsPath), or name another "
          + "profile")
    }
    self.profile = section.name
    region = resolver.region
    self.source = source
  }

  /// The profile, and the kind of its source.
  public var description: String { "profile \(profile.shown): \(source)" }
}

extension ProfileCredentials.Source: CustomStringConvertible, CustomReflectable {
  /// The kind of the source. Never a secret.
  public var description: String {
    switch self {
    case .keys(let provided): provided.description
    case .process: "credential_process"
    case .assumeRole(let settings, let source): "\(settings.roleARN), assumed with \(source)"
    case .webIdentity(let settings): "\(settings.roleARN), assumed with a token in a file"
    case .sso(let settings): "\(settings.ssoRoleName) of account \(settings.ssoAccountID)"
    case .environment: "environment variables"
    case .container: "the agent of the container"
    case .instanceMetadata: "the metadata service of the instance"
    }
  }

  /// Nothing: a command may hold a secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
