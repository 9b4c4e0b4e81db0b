// SPDX-License-Identifier: Apache-2.0
// A chain of providers, and the default chain of the AWS CLI.

/// A chain of providers. It queries them in order until one has credentials.
///
/// A provider that isn't set up (`notConfigured`) is skipped. If one is set up but fails, the
/// search ends, so that a broken file never makes a program sign with different credentials.
package struct CredentialProviderChain: CredentialResolver {
  private let providers: [any CredentialResolver]

  /// Creates a chain of providers, first to last.
  package init(_ providers: [any CredentialResolver]) { self.providers = providers }

  /// Returns the credentials of the first provider that has any.
  ///
  /// - Throws: `notConfigured` with the message of every provider, or the error of the first
  ///   provider that failed, followed by the problems of those before it.
  package func credentials() async throws(CredentialError) -> ResolvedCredentials {
    var passed: [(name: String, error: CredentialError)] = []
    for provider in providers {
      do throws(CredentialError) {
        return try await provider.credentials()
      } catch {
        if error.code == .cancelled { throw error }
        let name = Self.name(of: provider)
        if error.code != .notConfigured {
          let list = Self.list(passed.map { "\($0.name): \($0.error.problem)" })
          // The cause and its fix first, then the sources that aren't set up.
          let earlier = passed.isEmpty ? "" : " Earlier sources had no credentials: \(list)"
          throw error.with("\(name): \(error.problem)", fix: error.fix + earlier)
        }
        // A profile is queried for its role first, and later for its other settings.
        if !passed.contains(where: { $0.name == name && $0.error == error }) {
          passed.append((name, error))
        }
      }
    }
    if passed.isEmpty {
      throw CredentialError(
        .notConfigured, "The credential chain is empty.", fix: "Add a provider.")
    }
    throw CredentialError(
      .notConfigured,
      "No credentials found. Sources tried: "
        + Self.list(passed.map { "\($0.name): \($0.error.message)" }),
      fix: "Add credentials to one of these sources.")
  }

  /// Drops the rejected credentials from the caches of all providers.
  package func invalidate(_ provided: ResolvedCredentials) async {
    for provider in providers { await provider.invalidate(provided) }
  }

  /// The name of a source in messages. A caller's type has its own name.
  private static func name(of source: any CredentialResolver) -> String {
    switch source {
    case is EnvironmentCredentialProvider: "Environment variables"
    case is ProfileCredentialProvider: "Profile"
    case is WebIdentityProvider: "Web identity"
    case is ContainerProvider: "Container"
    case is InstanceMetadataProvider: InstanceMetadataProvider.name
    case is ProcessCredentialProvider: "Command"
    case is AssumeRoleProvider: "Role"
    case is RolesAnywhereProvider: "IAM Roles Anywhere"
    case is SSOProvider: "IAM Identity Center"
    case is LoginProvider: "Sign-in"
    case is CognitoProvider: "Amazon Cognito"
    case is FetchedCredentials: "Closure"
    case is DefaultCredentialProvider, is CredentialProviderChain: "Chain"
    default: "\(type(of: source))"
    }
  }

  private static func list(_ lines: [String]) -> String {
    lines.enumerated().map { "(\($0 + 1)) \($1)" }.joined(separator: " ")
  }
}

extension CredentialProviderChain: SignOutResolver {
  func signOut() async throws(CredentialError) {
    for provider in providers { try await (provider as? any SignOutResolver)?.signOut() }
  }
}

/// The credentials that the AWS CLI would use, searched in the same order.
///
/// 1. Environment variables
/// 2. A role that the profile assumes with other credentials
/// 3. A web identity from environment variables
/// 4. The profile's other settings: keys, commands, IAM Identity Center
/// 5. The container's role
/// 6. The EC2 instance's role
///
/// If you pass a profile here, instead of setting an environment variable, 1 and 3 are skipped: the
/// argument overrides the environment. If a source is set up but fails, the search ends.
///
/// Source: botocore, `create_credential_resolver`.
package struct DefaultCredentialProvider: CredentialResolver {
  private let chain: CredentialProviderChain

  /// Creates a provider that searches these sources.
  package init(profile: String? = nil, sources: CredentialSources) {
    let roles = ProfileCredentialProvider(
      profile: profile, part: .rolesWithSource, sources: sources)
    let environment: [any CredentialResolver] = [
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

  /// Returns the credentials of the first source that has any.
  ///
  /// - Throws: `notConfigured` with the message of every source, or the error of the first source
  ///   that failed.
  package func credentials() async throws(CredentialError) -> ResolvedCredentials {
    try await chain.credentials()
  }
}
