// SPDX-License-Identifier: Apache-2.0
// The users of an identity pool of Amazon Cognito, by the tokens that they signed in with.

public import SigningSupport

/// A user's login: an identity provider's name, and the token that it gave. Prints the name only.
///
/// Source: Amazon Cognito Developer Guide, "Identity pools third-party identity providers".
public struct CognitoLogin: Hashable, Sendable, CustomStringConvertible, ConcealsContents {
  /// The name of the identity provider, as the pool knows it: `accounts.google.com`.
  public let provider: String

  /// The token. Secret.
  public let token: String

  /// A login by an identity provider's name: `accounts.google.com`, `appleid.apple.com`,
  /// `graph.facebook.com`, `cognito-idp.us-east-1.amazonaws.com/POOL`, or the name of a provider of
  /// OpenID Connect without `https://`, such as `slack.com`.
  public init(provider: String, token: String) {
    self.provider = provider
    self.token = token
  }

  /// A login with the token that your own server got from GetOpenIdTokenForDeveloperIdentity.
  public static func developer(token: String) -> CognitoLogin {
    CognitoLogin(provider: "cognito-identity.amazonaws.com", token: token)
  }

  /// The name of the identity provider.
  public var description: String { provider }
}

/// An identity, and a token for it, from your own server for a user that it knows.
///
/// Source: Amazon Cognito Developer Guide, "Developer-authenticated identities".
public struct CognitoDeveloperIdentity: Hashable, Sendable, CustomStringConvertible,
  ConcealsContents
{
  /// The identity ID.
  public let identityID: String

  /// The token. Secret.
  public let token: String

  /// An identity and its token, both from GetOpenIdTokenForDeveloperIdentity.
  public init(identityID: String, token: String) {
    self.identityID = identityID
    self.token = token
  }

  /// The identity ID.
  public var description: String { identityID }
}
