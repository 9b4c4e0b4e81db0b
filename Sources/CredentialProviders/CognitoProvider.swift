// SPDX-License-Identifier: Apache-2.0
// The identity pools of Amazon Cognito: credentials for the users of an app, and for its guests.

/// Credentials of an identity pool of Amazon Cognito, for a guest or a user who has signed in.
///
///     let provider = CognitoProvider(
///       pool: try CognitoIdentityPool("us-east-1:01234567-89ab-cdef-0123-456789abcdef"),
///       identities: store, sources: sources)
///
/// The identity ID is kept in a store. When a user signs in whose guest identity is kept, Cognito
/// makes it theirs. An identity that Cognito no longer knows is replaced by a new one, which is asked
/// for once. Wrap it in a `RefreshingCredentialProvider`: two callers at the first launch would become
/// two guests.
public struct CognitoProvider: CredentialProvider {
  private let pool: CognitoIdentityPool
  private let visitor: Visitor
  private let roleARN: String?
  private let identities: CognitoIdentityStore
  private let sources: CredentialSources

  /// The user of the credentials. The closures are called each time, since tokens expire.
  public struct Visitor: Sendable {
    /// The logins, and the identity where the caller's server knows it.
    fileprivate let identify:
      @Sendable () async throws(CredentialError) -> (logins: [CognitoLogin], identityID: String?)

    /// A guest: the pool has to allow guests.
    public static let guest = logins { [] }

    /// A user of identity providers.
    public static func logins(
      _ logins: @escaping @Sendable () async throws -> [CognitoLogin]
    ) -> Visitor {
      Visitor { () async throws(CredentialError) in
        do { return (try await logins(), nil) } catch {
          throw CredentialError(error, .accessDenied, of: "The closure that returns the logins")
        }
      }
    }

    /// A user of your own server, which asks Cognito for identity and token.
    public static func developer(
      _ identity: @escaping @Sendable () async throws -> CognitoDeveloperIdentity
    ) -> Visitor {
      Visitor { () async throws(CredentialError) in
        do {
          let identity = try await identity()
          return ([.developer(token: identity.token)], identity.identityID)
        } catch {
          throw CredentialError(error, .accessDenied, of: "The closure that returns the identity")
        }
      }
    }
  }

  /// A provider of a pool's credentials.
  ///
  /// - Parameters:
  ///   - pool: the identity pool and its region.
  ///   - visitor: the user of the credentials.
  ///   - roleARN: one of the roles that a token names, when the pool lets the user choose.
  ///   - identities: where the identity ID is kept. One of `developer` is not: the server knows it.
  ///   - sources: HTTP and the clock.
  public init(
    pool: CognitoIdentityPool, visitor: Visitor = .guest, roleARN: String? = nil,
    identities: CognitoIdentityStore, sources: CredentialSources
  ) {
    self.pool = pool
    self.visitor = visitor
    self.roleARN = roleARN
    self.identities = identities
    self.sources = sources
  }

  /// Credentials, asked for now.
  ///
  /// Throws what the closures and the store throw, `refused`, `expired`, `invalidResponse`,
  /// `unreachable`, `timedOut`.
  public func credentials() async throws(CredentialError) -> ResolvedCredentials {
    let (logins, identityID) = try await visitor.identify()
    guard let identityID else { return try await credentials(logins: logins) }
    let response = try await credentialsAnswer(identityID, logins)
    return try pool.credentials(in: response, logins: logins, at: sources.now())
  }

  /// Forgets the identity that is kept. The next guest is a new one; a user who signs in again gets
  /// their own identity back.
  ///
  /// Throws what the store throws.
  public func signOut() async throws(CredentialError) {
    try await identities.keep(nil, inPool: pool.id)
  }
}

extension CognitoProvider {
  private func credentials(
    logins: [CognitoLogin]
  ) async throws(CredentialError) -> ResolvedCredentials {
    if let kept = try await identities.identityID(inPool: pool.id) {
      let response = try await credentialsAnswer(kept, logins)
      // Kept until there is another one: a mistake in the pool may be the reason of a refusal.
      if !Self.isUnknown(response, logins) { return try await finished(response, kept, logins) }
    }
    let answer = try await exchange.response(to: pool.identityRequest(logins: logins))
    let identityID = try pool.identityID(in: answer, logins: logins)
    try await identities.keep(identityID, inPool: pool.id)
    let response = try await credentialsAnswer(identityID, logins)
    return try await finished(response, identityID, logins)
  }

  /// The credentials of an answer; Cognito may have merged the identity with another one, which is
  /// kept then.
  private func finished(
    _ response: CredentialResponse, _ identityID: String, _ logins: [CognitoLogin]
  ) async throws(CredentialError) -> ResolvedCredentials {
    let provided = try pool.credentials(in: response, logins: logins, at: sources.now())
    let answered = try pool.identityID(in: response, logins: logins)
    if answered != identityID { try await identities.keep(answered, inPool: pool.id) }
    return provided
  }

  private func credentialsAnswer(
    _ identityID: String, _ logins: [CognitoLogin]
  ) async throws(CredentialError) -> CredentialResponse {
    try await exchange.response(
      to: pool.credentialsRequest(identityID: identityID, logins: logins, roleARN: roleARN))
  }

  private var exchange: ServiceExchange {
    ServiceExchange(name: pool.serviceName, sources: sources)
  }

  /// Whether Cognito no longer knows the identity: deleted, or a guest that became a user.
  private static func isUnknown(_ response: CredentialResponse, _ logins: [CognitoLogin]) -> Bool {
    let code = response.status == 200 ? nil : ServiceRejection(response).code
    return code == "ResourceNotFoundException"
      || code == "NotAuthorizedException" && logins.isEmpty
  }
}
