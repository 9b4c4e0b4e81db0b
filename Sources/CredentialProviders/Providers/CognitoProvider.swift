// SPDX-License-Identifier: Apache-2.0
// Amazon Cognito identity pools: credentials for an app's users and guests.

internal import RequestSigning

/// Credentials of an Amazon Cognito identity pool, for a guest or a signed-in user.
///
/// It keeps the identity ID in a store. If a guest signs in, Cognito turns the guest identity into
/// the user's. If Cognito no longer recognizes an identity, the provider requests a new one, once.
/// It's called once at a time. Otherwise two callers at the first launch become two guests.
package struct CognitoProvider: SignOutResolver {
  private let pool: CognitoIdentityPool
  private let visitor: Visitor
  private let roleARN: String?
  private let identities: CognitoIdentityStore
  private let sources: CredentialSources

  /// The user of the credentials. The closures are called each time, since tokens expire.
  package struct Visitor: Sendable {
    /// Returns the logins, and the identity ID if the caller's server supplies it.
    fileprivate let identify:
      @Sendable () async throws(CredentialError) -> (logins: [CognitoLogin], identityID: String?)

    /// A guest. The pool must allow guests.
    package static let guest = logins { [] }

    /// Returns a user of identity providers.
    package static func logins(
      _ logins: @escaping @Sendable () async throws -> [CognitoLogin]
    ) -> Visitor {
      Visitor { () async throws(CredentialError) in
        do { return (try await logins(), nil) } catch {
          throw CredentialError(error, .accessDenied, of: "The closure that returns the logins")
        }
      }
    }

    /// Returns a user of identity providers, from the tokens by provider.
    static func tokens(
      _ tokens: sending @escaping () async throws -> [String: String]
    ) -> Visitor {
      let tokens = SentClosure { (_: Void) in try await tokens() }
      return logins {
        try await tokens(()).sorted { $0.key < $1.key }.map {
          CognitoLogin(provider: $0.key, token: $0.value)
        }
      }
    }

    /// Returns a user of your own server.
    package static func developer(
      _ identity: sending @escaping () async throws -> (identityID: String, token: String)
    ) -> Visitor {
      let identity = SentClosure { (_: Void) in try await identity() }
      return Visitor { () async throws(CredentialError) in
        do {
          let identity = try await identity(())
          return ([.developer(token: identity.token)], identity.identityID)
        } catch {
          throw CredentialError(error, .accessDenied, of: "The closure that returns the identity")
        }
      }
    }
  }

  /// Creates a provider of a pool's credentials.
  package init(
    pool: CognitoIdentityPool, visitor: Visitor = .guest, roleARN: String? = nil,
    identities: CognitoIdentityStore, sources: CredentialSources
  ) {
    self.pool = pool
    self.visitor = visitor
    self.roleARN = roleARN
    self.identities = identities
    self.sources = sources
  }

  /// Requests credentials.
  ///
  /// - Throws: The errors of the closures and the store, `accessDenied`, `expired`,
  ///   `invalidResponse`, `unreachable`, `timedOut`.
  package func credentials() async throws(CredentialError) -> ResolvedCredentials {
    let (logins, identityID) = try await visitor.identify()
    guard let identityID else { return try await credentials(logins: logins) }
    let response = try await credentialsAnswer(identityID, logins)
    return try pool.credentials(in: response, logins: logins, at: sources.now())
  }

  /// Removes the stored identity. The next guest is a new one. A user who signs in again gets the
  /// same identity back.
  ///
  /// - Throws: The errors of the store.
  package func signOut() async throws(CredentialError) {
    try await identities.keep(nil, inPool: pool.id)
  }
}

extension CognitoProvider {
  private func credentials(
    logins: [CognitoLogin]
  ) async throws(CredentialError) -> ResolvedCredentials {
    if let kept = try await identities.identityID(inPool: pool.id) {
      let response = try await credentialsAnswer(kept, logins)
      // The old identity stays until there's a new one: a misconfigured pool may have caused the
      // rejection.
      if !Self.isUnknown(response, logins) { return try await finished(response, kept, logins) }
    }
    let answer = try await exchange.response(to: pool.identityRequest(logins: logins))
    let identityID = try pool.identityID(in: answer, logins: logins)
    try await identities.keep(identityID, inPool: pool.id)
    let response = try await credentialsAnswer(identityID, logins)
    return try await finished(response, identityID, logins)
  }

  /// Returns the credentials in a response, and stores the new identity if Cognito merged two.
  private func finished(
    _ response: SigV4.HTTPResponse, _ identityID: String, _ logins: [CognitoLogin]
  ) async throws(CredentialError) -> ResolvedCredentials {
    let provided = try pool.credentials(in: response, logins: logins, at: sources.now())
    let answered = try pool.identityID(in: response, logins: logins)
    if answered != identityID { try await identities.keep(answered, inPool: pool.id) }
    return provided
  }

  private func credentialsAnswer(
    _ identityID: String, _ logins: [CognitoLogin]
  ) async throws(CredentialError) -> SigV4.HTTPResponse {
    try await exchange.response(
      to: pool.credentialsRequest(identityID: identityID, logins: logins, roleARN: roleARN))
  }

  private var exchange: ServiceExchange {
    ServiceExchange(name: pool.serviceName, sources: sources)
  }

  /// Returns whether Cognito no longer recognizes the identity: it was deleted, or a guest became a
  /// user.
  private static func isUnknown(_ response: SigV4.HTTPResponse, _ logins: [CognitoLogin]) -> Bool {
    let code = response.status == 200 ? nil : ServiceRejection(response).code
    return code == "ResourceNotFoundException"
      || code == "NotAuthorizedException" && logins.isEmpty
  }
}
