// SPDX-License-Identifier: Apache-2.0
// Credentials from wherever aws-cli would find them.

/// Credentials from wherever aws-cli would find them, in its order.
///
///     let provider = RefreshingCredentialProvider(DefaultCredentialProvider(sources: .process))
///
/// 1. environment variables;
/// 2. a role that the profile assumes with other credentials;
/// 3. a web identity that the environment names;
/// 4. all else that the profile says: keys, programs, IAM Identity Center;
/// 5. the agent of the container;
/// 6. the metadata service of the instance.
///
/// When a profile is named here, and not by a variable, 1 and 3 are left out: it counts more than the
/// environment. A source that is there and fails ends the search.
///
/// Source: botocore, `create_credential_resolver`.
public struct DefaultCredentialProvider: CredentialProvider {
  private let chain: CredentialProviderChain

  /// A provider of whatever credentials there are.
  public init(profile: String? = nil, sources: CredentialSources) {
    let whole = ProfileCredentialProvider(profile: profile, sources: sources)
    let roles = ProfileCredentialProvider(
      profile: profile, part: .rolesWithSource, sources: sources)
    let machine: [any CredentialProvider] = [
      ContainerProvider(sources: sources), InstanceMetadataProvider(sources: sources),
    ]
    let environment: [any CredentialProvider] = [
      EnvironmentCredentialProvider(sources: sources), roles,
      WebIdentityProvider(sources: sources),
    ]
    chain = CredentialProviderChain((profile == nil ? environment : []) + [whole] + machine)
  }

  /// The credentials of the first source that has any.
  ///
  /// Throws `notConfigured` with what every source said, or the error of the one that failed.
  public func credentials() async throws(CredentialError) -> ProvidedCredentials {
    try await chain.credentials()
  }
}
