// SPDX-License-Identifier: Apache-2.0
// API keys for Amazon Bedrock: from the environment, or from credentials.

internal import ConnectionTokens
public import RequestSigning
internal import SecureHashing

/// Provides a valid API key for each request to Amazon Bedrock.
///
///     let keys = BedrockKeyProvider(credentials: provider, region: "us-west-2", sources: sources)
///     request.setValue(try await keys.key().authorization, forHTTPHeaderField: "Authorization")
///
/// Get a key for each request. If `AWS_BEARER_TOKEN_BEDROCK` is set, it's that key, as in AWS's
/// SDKs. Otherwise each call creates a key from current credentials, which sends nothing and takes
/// microseconds.
public struct BedrockKeyProvider: Sendable {
  private let credentials: any CredentialResolver
  private let region: String
  private let lifetime: Duration
  private let sources: CredentialSources

  /// Creates a source of keys.
  ///
  /// - Parameters:
  ///   - provider: the caller's credentials. A `SigV4.CredentialProvider` fetches new ones in
  ///     time.
  ///   - region: the region of the Bedrock endpoint.
  ///   - lifetime: how long a key is valid, at most 12 hours, and not longer than the credentials.
  ///     A request that has started isn't affected when its key expires.
  ///   - sources: the environment variables and the clock. With `RequestSigningFoundation`, omit
  ///     them.
  public init(
    credentials provider: some CredentialResolver, region: String,
    expiresIn lifetime: Duration = .seconds(900), sources: CredentialSources
  ) {
    credentials = provider
    self.region = region
    self.lifetime = lifetime
    self.sources = sources
  }

  /// Returns a key for a request that's sent now.
  ///
  /// - Throws: `invalidConfiguration` for a region, a lifetime or a variable that isn't valid, or
  ///   the error of the credential provider.
  public func key() async throws(CredentialError) -> BedrockKey {
    let name = "AWS_BEARER_TOKEN_BEDROCK"
    if let text = sources.setVariable(name) {
      if text.utf8.allSatisfy(ASCIIByte.isVisible) {
        return BedrockKey(text: text, expiration: nil, source: name)
      }
      throw CredentialError(
        .invalidConfiguration,
        "\(name) (\(text.utf8.count) bytes, not shown) contains a space or another character that "
          + "no key contains.",
        fix: "Check for a copied space or newline, or unset it.")
    }
    let found = try await credentials.credentials()
    do throws(SigV4.SigningError) {
      let token = try SigV4.ConnectionToken.bedrock(
        region: region, credentials: found.credentials, expiresIn: lifetime, at: sources.now())
      return BedrockKey(text: token.text, expiration: token.expiration, source: found.source)
    } catch {
      let code: CredentialError.Code =
        error.code == .credentialsExpired ? .expired : .invalidConfiguration
      throw CredentialError(code, error.problem, fix: error.fix)
    }
  }
}

/// An API key for Amazon Bedrock. Treat it as a secret.
public struct BedrockKey: Sendable {
  /// The key.
  public let text: String

  /// When the key expires, or nil if it's from the environment, where that's unknown.
  public let expiration: SigV4.Timestamp?

  /// Where the credentials come from, or the name of the environment variable. Never a secret.
  public let source: String

  /// The `Authorization` header value.
  public var authorization: String { "Bearer " + text }
}

extension BedrockKey: CustomStringConvertible {
  /// The source and the expiration, without the key.
  public var description: String {
    "BedrockKey(\(source)" + (expiration.map { ", until \($0.text)" } ?? "") + ")"
  }
}

extension BedrockKey: Redacted {}
