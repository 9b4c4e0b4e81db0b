// SPDX-License-Identifier: Apache-2.0
// Credentials of a profile: the files are read, and whoever they name is asked.

/// Credentials of a profile in the files that aws-cli reads: keys, what a program prints, roles that
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
    let resolved = try ProfileCredentials(
      profile: profile, in: ProfileFiles(sources: sources), sources: sources)
    switch (part, resolved.source) {
    case (.all, _), (.rolesWithSource, .assumeRole):
      return try await provider(of: resolved.source, in: resolved).credentials()
    case (.rolesWithSource, _):
      throw CredentialError(
        .notConfigured,
        "the profile \(resolved.profile.shown) assumes no role with the credentials of another "
          + "source; what else it says comes later")
    }
  }

  /// Who has to be asked for what a profile names.
  private func provider(
    of source: ProfileCredentials.Source, in resolved: ProfileCredentials
  ) throws(CredentialError) -> any CredentialProvider {
    switch source {
    case .keys(let provided): return StaticCredentialProvider(provided)
    case .process(let command):
      return ProcessCredentialProvider(
        command: command, origin: "credential_process of the profile \(resolved.profile.shown)",
        sources: sources)
    case .environment: return EnvironmentCredentialProvider(sources: sources)
    case .container: return ContainerProvider(sources: sources)
    case .instanceMetadata: return InstanceMetadataProvider(sources: sources)
    case .assumeRole(let settings, let source):
      return try AssumeRoleProvider(
        roleARN: settings.roleARN, sessionName: settings.roleSessionName,
        externalID: settings.externalID, duration: settings.durationSeconds,
        endpoint: endpoint(settings.stsRegionalEndpoints, settings.region),
        source: provider(of: source, in: resolved), sources: sources)
    case .webIdentity(let settings):
      return try WebIdentityProvider(
        roleARN: settings.roleARN, tokenFile: settings.webIdentityTokenFile,
        sessionName: settings.roleSessionName,
        endpoint: endpoint(settings.stsRegionalEndpoints, settings.region), sources: sources)
    case .sso(let settings):
      return try SSOProvider(
        startURL: settings.ssoStartURL, session: settings.ssoSession, region: settings.ssoRegion,
        accountID: settings.ssoAccountID, roleName: settings.ssoRoleName, sources: sources)
    }
  }

  private func endpoint(
    _ endpoints: STSRegionalEndpoints?, _ region: String?
  ) throws(CredentialError) -> STSEndpoint {
    switch endpoints {
    case .regional, nil: try .regional(region)
    case .legacy: try .legacy(region)
    }
  }
}
