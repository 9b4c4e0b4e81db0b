// SPDX-License-Identifier: Apache-2.0
// Sources of credentials by name, each of which keeps what it gives and renews it in time.

public import CredentialProviders
public import Foundation
public import RequestSigning

/// Sources of credentials of this process, by name.
///
///     let session = try bucket.session(credentials: .profile("work"))
///
/// Each one keeps its credentials, and fetches new ones before they end.
extension CredentialProvider where Self == RefreshingCredentialProvider {
  /// The credentials that aws-cli would find, in its order: variables, profile, container, instance.
  public static var `default`: Self { Self(DefaultCredentialProvider(sources: .process)) }

  /// The variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`.
  public static var environment: Self { Self(EnvironmentCredentialProvider(sources: .process)) }

  /// A profile of the files of aws-cli, with all that it can name: keys, programs, roles, sign-ins.
  public static func profile(_ name: String) -> Self {
    Self(ProfileCredentialProvider(profile: name, sources: .process))
  }

  /// The agent of a container: ECS, EKS Pod Identity.
  public static var container: Self { Self(ContainerProvider(sources: .process)) }

  /// The metadata service of an EC2 instance.
  public static var instance: Self { Self(InstanceMetadataProvider(sources: .process)) }

  /// A role by the token in a file, both of which the environment names: EKS, GitHub Actions.
  public static var webIdentity: Self { Self(WebIdentityProvider(sources: .process)) }

  /// What a program prints, as `credential_process` of a profile does.
  ///
  /// Throws `invalidConfiguration` for a command line that cannot be split into words.
  public static func process(_ commandLine: String) throws(CredentialError) -> Self {
    Self(try ProcessCredentialProvider(commandLine: commandLine, sources: .process))
  }

  /// A role, assumed with the credentials of another source, at the endpoint of the region that
  /// environment and profile name.
  ///
  ///     let session = try bucket.session(
  ///       credentials: .assumeRole("arn:aws:iam::123456789012:role/reader", using: .default))
  ///
  /// - Parameters:
  ///   - roleARN: the role.
  ///   - sessionName: the name of the session in logs, 2 to 64 characters; without one `sigv4-` and the
  ///     Unix time.
  ///   - externalID: the ID that the trust policy of the role asks for.
  ///   - source: whose credentials assume the role.
  ///
  /// `AssumeRoleProvider` has more options. Throws `invalidConfiguration` for values that the service would
  /// refuse.
  public static func assumeRole(
    _ roleARN: String, sessionName: String? = nil, externalID: String? = nil,
    using source: some CredentialProvider
  ) throws(CredentialError) -> Self {
    let sources = CredentialSources.process
    let settings = try ServiceSettings(in: ProfileFiles(sources: sources), sources: sources)
    return Self(
      try AssumeRoleProvider(
        roleARN: roleARN, sessionName: sessionName, externalID: externalID,
        endpoint: STSEndpoint(settings), source: source, sources: sources))
  }

  /// The guests or users of an app, by an identity pool of Amazon Cognito.
  ///
  /// - Parameters:
  ///   - identityPoolID: `eu-west-1:12345678-1234-1234-1234-123456789012`.
  ///   - visitor: a guest, or a user with logins.
  ///   - identities: where the identity is kept, so that a guest stays the same.
  ///
  /// Throws `invalidConfiguration` for a text that is no ID of a pool.
  public static func cognito(
    identityPoolID: String, visitor: CognitoProvider.Visitor = .guest,
    identities: CognitoIdentityStore
  ) throws(CredentialError) -> Self {
    Self(
      CognitoProvider(
        pool: try CognitoIdentityPool(identityPoolID), visitor: visitor, identities: identities,
        sources: .process))
  }

  /// A source of your own: a closure that fetches credentials. It is asked again before they end, and when
  /// a server refuses them.
  ///
  ///     let session = try bucket.session(
  ///       credentials: .refreshing {
  ///         let keys = try await server.keys()
  ///         return try SigV4.Credentials(
  ///           accessKeyID: keys.id, secretAccessKey: keys.secret, sessionToken: keys.token,
  ///           expiration: keys.end)
  ///       })
  ///
  /// What the closure throws is printed in the error of the call that asked, so it may not hold a secret.
  public static func refreshing(
    _ fetch: sending @escaping () async throws -> SigV4.Credentials
  ) -> Self {
    Self(FetchedCredentials(fetch))
  }
}

/// Credentials that a closure fetches.
private actor FetchedCredentials: CredentialProvider {
  private let fetch: () async throws -> SigV4.Credentials

  init(_ fetch: sending @escaping () async throws -> SigV4.Credentials) { self.fetch = fetch }

  func credentials() async throws(CredentialError) -> ProvidedCredentials {
    do {
      return ProvidedCredentials(try await fetch(), origin: "a closure of the program")
    } catch let error as CredentialError {
      throw error
    } catch is CancellationError {
      throw CredentialError(.cancelled, "the task that fetches credentials was cancelled")
    } catch {
      throw CredentialError(
        .refused,
        "the closure that fetches credentials failed, so nothing can be signed: \(error); look at what "
          + "it asks")
    }
  }
}

extension SigV4.Credentials {
  /// Temporary credentials that end at a date.
  ///
  /// Throws what `init(accessKeyID:secretAccessKey:sessionToken:expiration:)` throws, and
  /// `timestampOutOfRange` outside of the years 1 to 9999.
  public init(
    accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil, expiration: Date
  ) throws(SigV4.SigningError) {
    try self.init(
      accessKeyID: accessKeyID, secretAccessKey: secretAccessKey, sessionToken: sessionToken,
      expiration: SigV4.Timestamp(expiration))
  }
}
