// SPDX-License-Identifier: Apache-2.0
// Credentials of a profile: the files are read, and whoever they name is asked.

/// Credentials of a profile in the files that aws-cli reads.
///
/// It asks for keys in the files, for what a program prints and for the variables itself.
public struct ProfileCredentialProvider: CredentialProvider {
  private let profile: String?
  private let sources: CredentialSources

  /// A provider of a profile's credentials, which reads the files each time it is asked; without a name
  /// it is the profile that `AWS_DEFAULT_PROFILE` or `AWS_PROFILE` selects, or else `default`.
  public init(profile: String? = nil, sources: CredentialSources) {
    self.profile = profile
    self.sources = sources
  }

  /// The credentials of the profile.
  ///
  /// Throws what `ProfileFiles`, `ProfileCredentials` and the provider of the source throw.
  public func credentials() async throws(CredentialError) -> ProvidedCredentials {
    let resolved = try ProfileCredentials(
      profile: profile, in: ProfileFiles(sources: sources), sources: sources)
    return try await credentials(of: resolved.source, in: resolved)
  }

  private func credentials(
    of source: ProfileCredentials.Source, in resolved: ProfileCredentials
  ) async throws(CredentialError) -> ProvidedCredentials {
    switch source {
    case .keys(let provided):
      return provided
    case .process(let command):
      let origin = "credential_process of the profile \(resolved.profile.shown)"
      return try await ProcessCredentialProvider(
        command: command, origin: origin, sources: sources
      ).credentials()
    case .environment:
      return try EnvironmentCredentialProvider(sources: sources).credentials()
    case .assumeRole, .webIdentity, .sso, .container, .instanceMetadata:
      throw CredentialError(
        .invalidConfiguration,
        "the \(resolved) has to be asked for over HTTP, which this provider does not do")
    }
  }
}
