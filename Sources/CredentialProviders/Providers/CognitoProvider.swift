// SPDX-License-Identifier: Apache-2.0
// Amazon Cognito identity pools: credentials for an app's users and guests.

internal import RequestSigning

/// Credentials of an Amazon Cognito identity pool, for a guest or a signed-in user.
///
///     let guest = try CognitoProvider(
///       identityPoolID: "us-east-1:01234567-89ab-cdef-0123-456789abcdef",
///       identities: store, sources: sources)
///
/// It keeps the identity ID in a store. If a guest signs in, Cognito turns the guest identity into
/// the user's. If Cognito no longer recognizes an identity, the provider requests a new one, once.
/// Wrap it in a `RefreshingCredentialProvider`. Otherwise two callers at the first launch become
/// two guests.
public struct CognitoProvider: CredentialProvider {
  private let pool: CognitoIdentityPool
  private let visitor: Visitor
  private let roleARN: String?
  private let identities: CognitoIdentityStore
  private let sources: CredentialSources

  /// Creates a provider for a guest, or for a user of identity providers.
  ///
  /// - Parameters:
  ///   - poolID: The pool ID, which starts with the region.
  ///   - logins: Returns the user's tokens by identity provider: `accounts.google.com`,
  ///     `appleid.apple.com`, `graph.facebook.com`, `cognito-idp.us-east-1.amazonaws.com/POOL`, or
  ///     an OpenID Connect provider without `https://`, such as `slack.com`. It's called each time,
  ///     since tokens expire. Without tokens, the user is a guest.
  ///   - roleARN: One of the roles in a token, if the pool lets the user choose.
  ///   - identities: The store for the identity ID.
  ///   - endpointURL: The endpoint, if it isn't the region's, such as that of a test server.
  ///   - sources: HTTP and the clock.
  /// - Throws: `invalidConfiguration` if the pool ID or the URL isn't valid.
  public init(
    identityPoolID poolID: String,
    logins: @escaping @Sendable () async throws -> [String: String] = { [:] },
    roleARN: String? = nil, identities: CognitoIdentityStore, endpointURL: String? = nil,
    sources: CredentialSources
  ) throws(CredentialError) {
    self.init(
      pool: try CognitoIdentityPool(poolID, endpoint: endpointURL),
      visitor: .logins {
        try await logins().sorted { $0.key < $1.key }.map {
          CognitoLogin(provider: $0.key, token: $0.value)
        }
      },
      roleARN: roleARN, identities: identities, sources: sources)
  }

  /// Creates a provider for a user of your own server, which requests the identity and its token
  /// from Cognito (GetOpenIdTokenForDeveloperIdentity).
  ///
  /// - Parameters:
  ///   - poolID: The pool ID, which starts with the region.
  ///   - identity: Returns the identity ID and the token. It's called each time, since tokens
  ///     expire.
  ///   - roleARN: One of the roles in a token, if the pool lets the user choose.
  ///   - endpointURL: The endpoint, if it isn't the region's, such as that of a test server.
  ///   - sources: HTTP and the clock.
  /// - Throws: `invalidConfiguration` if the pool ID or the URL isn't valid.
  public init(
    identityPoolID poolID: String,
    developer identity: @escaping @Sendable () async throws -> (identityID: String, token: String),
    roleARN: String? = nil, endpointURL: String? = nil, sources: CredentialSources
  ) throws(CredentialError) {
    self.init(
      pool: try CognitoIdentityPool(poolID, endpoint: endpointURL), visitor: .developer(identity),
      roleARN: roleARN, identities: .memory(), sources: sources)
  }

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

    /// Returns a user of your own server.
    package static func developer(
      _ identity: @escaping @Sendable () async throws -> (identityID: String, token: String)
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
  public func credentials() async throws(CredentialError) -> ResolvedCredentials {
    let (logins, identityID) = try await visitor.identify()
    guard let identityID else { return try await credentials(logins: logins) }
    let response = try await credentialsAnswer(identityID, logins)
    return try pool.credentials(in: response, logins: logins, at: sources.now())
  }

  /// Removes the stored identity. The next guest is a new one. A user who signs in again gets the
  /// same identity back.
  ///
  /// - Throws: The errors of the store.
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
