// SPDX-License-Identifier: Apache-2.0
// Several providers in order, and the order in which aws-cli looks for credentials.

/// Several providers, asked in their order until one has credentials.
///
/// One that is not set up (`notConfigured`) is passed over; one that is set up and fails ends the
/// search, so that a broken file does not make a program sign with other credentials.
public struct CredentialProviderChain: CredentialProvider {
  private let providers: [any CredentialProvider]

  /// A chain of these providers, first to last.
  public init(_ providers: [any CredentialProvider]) { self.providers = providers }

  /// The credentials of the first provider that has any.
  ///
  /// Throws `notConfigured` with the message of every provider, or the error of the one that failed,
  /// with the messages of those before it.
  public func credentials() async throws(CredentialError) -> ResolvedCredentials {
    var passed: [(name: String, error: CredentialError)] = []
    for provider in providers {
      do throws(CredentialError) {
        return try await provider.credentials()
      } catch {
        if error.code == .cancelled { throw error }
        let name = "\(type(of: provider))"
        if error.code != .notConfigured {
          let earlier = Self.list(passed.map { "\($0.name): \($0.error.problem)" })
          throw error.with(
            "\(name): \(error.problem)"
              + (passed.isEmpty ? "" : " Earlier sources had no credentials: \(earlier)"))
        }
        // A profile is queried for its role first, and later for its other settings.
        if !passed.contains(where: { $0.name == name && $0.error == error }) {
          passed.append((name, error))
        }
      }
    }
    if passed.isEmpty {
      throw .notConfigured("The credential chain is empty.", fix: "Add a provider.")
    }
    throw .notConfigured(
      "No credentials found. Sources tried: "
        + Self.list(passed.map { "\($0.name): \($0.error.message)" }),
      fix: "Add credentials to one of these sources.")
  }

  private static func list(_ lines: [String]) -> String {
    lines.enumerated().map { "(\($0 + 1)) \($1)" }.joined(separator: " ")
  }
}

/// The credentials that aws-cli would find, in its order.
///
///     let provider = RefreshingCredentialProvider(DefaultCredentialProvider(sources: .process))
///
/// 1. environment variables;
/// 2. a role that the profile assumes with other credentials;
/// 3. a web identity that the environment names;
/// 4. the other settings of the profile: keys, programs, IAM Identity Center;
/// 5. the agent of the container;
/// 6. the metadata service of the instance.
///
/// When a profile is named here, and not by a variable, 1 and 3 are left out: it counts more than the
/// environment. A source that is set up and fails ends the search.
///
/// Source: botocore, `create_credential_resolver`.
public struct DefaultCredentialProvider: CredentialProvider {
  private let chain: CredentialProviderChain

  /// A provider that searches these sources.
  public init(profile: String? = nil, sources: CredentialSources) {
    let roles = ProfileCredentialProvider(
      profile: profile, part: .rolesWithSource, sources: sources)
    let environment: [any CredentialProvider] = [
      EnvironmentCredentialProvider(sources: sources), roles,
      WebIdentityProvider(sources: sources),
    ]
    chain = CredentialProviderChain(
      (profile == nil ? environment : []) + [
        ProfileCredentialProvider(profile: profile, sources: sources),
        ContainerProvider(sources: sources),
        InstanceMetadataProvider(profile: profile, sources: sources),
      ])
  }

  /// The credentials of the first source that has any.
  ///
  /// Throws `notConfigured` with the message of every source, or the error of the one that failed.
  public func credentials() async throws(CredentialError) -> ResolvedCredentials {
    try await chain.credentials()
  }
}
