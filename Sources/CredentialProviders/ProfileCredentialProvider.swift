// SPDX-License-Identifier: Apache-2.0
// Credentials of a profile: the files are read, and the source that they name is asked.

/// Credentials of a profile in the files that aws-cli reads: keys, the output of a program, roles that
/// are assumed, sign-ins of IAM Identity Center, containers and instances.
public struct ProfileCredentialProvider: CredentialProvider {
  private let profile: String?
  private let part: Part
  private let sources: CredentialSources

  /// What of a profile counts.
  enum Part: Sendable {
    case all
    /// A role that is assumed with other credentials: botocore looks for it before all else.
    case rolesWithSource
  }

  /// A provider of a profile's credentials, which reads the files each time it is asked; without a name
  /// it is the profile that `AWS_DEFAULT_PROFILE` or `AWS_PROFILE` selects, or else `default`.
  public init(profile: String? = nil, sources: CredentialSources) {
    self.init(profile: profile, part: .all, sources: sources)
  }

  init(profile: String?, part: Part, sources: CredentialSources) {
    self.profile = profile
    self.part = part
    self.sources = sources
  }

  /// The credentials of the profile.
  ///
  /// Throws what `ProfileFiles`, `ProfileCredentials` and the provider of the source throw.
  public func credentials() async throws(CredentialError) -> ProvidedCredentials {
    let found = try ProfileCredentials(
      profile: profile, in: ProfileFiles(sources: sources), sources: sources)
    if part == .rolesWithSource && found.roles.isEmpty {
      throw CredentialError(
        .notConfigured,
        "the profile \(found.profile.shown) assumes no role with the credentials of another source; "
          + "its other settings come later")
    }
    var provider = try provider(of: found)
    for role in found.roles.reversed() {
      provider = try AssumeRoleProvider(
        roleARN: role.roleARN, sessionName: role.sessionName, externalID: role.externalID,
        duration: role.durationSeconds, endpoint: endpoint(of: found), source: provider,
        sources: sources)
    }
    return try await provider.credentials()
  }

  /// The provider of the first credentials.
  private func provider(
    of found: ProfileCredentials
  ) throws(CredentialError) -> any CredentialProvider {
    let source = found.source
    if let keys = source.keys { return StaticCredentialProvider(keys) }
    if let role = source.webIdentity, let tokenFile = role.webIdentityTokenFile {
      return try WebIdentityProvider(
        roleARN: role.roleARN, tokenFile: tokenFile, sessionName: role.sessionName,
        endpoint: endpoint(of: found), sources: sources)
    }
    if let sso = source.sso {
      return try SSOProvider(
        startURL: sso.startURL, session: sso.session, region: sso.region, accountID: sso.accountID,
        roleName: sso.roleName, sources: sources)
    }
    switch source.kind {
    case .environment: return EnvironmentCredentialProvider(sources: sources)
    case .container: return ContainerProvider(sources: sources)
    case .instanceMetadata: return InstanceMetadataProvider(sources: sources)
    default:
      return ProcessCredentialProvider(
        command: source.command,
        origin: "credential_process of the profile \(found.profile.shown)", sources: sources)
    }
  }

  private func endpoint(of found: ProfileCredentials) throws(CredentialError) -> STSEndpoint {
    try found.usesLegacySTSEndpoints ? .legacy(found.region) : .regional(found.region)
  }
}
