// SPDX-License-Identifier: Apache-2.0
// The credential sources of this process, with TLS through URLSession.

public import CredentialProviders
internal import POSIXCredentialSources
public import RequestSigning

/// The sources of this process, with TLS.
extension CredentialSources {
  /// The sources of this process: `CredentialSources.posix` (environment, files, commands, clock),
  /// and HTTP with TLS through URLSession.
  ///
  /// Requests to this machine and to link-local addresses never use a proxy, which would see the
  /// credentials. If they don't need TLS, they're sent over a plain socket.
  public static var process: CredentialSources {
    let exchange = URLSessionExchange()
    return .posix { request in try await exchange.response(to: request) }
  }
}

/// Providers that use this machine's clock.
extension SigV4.CredentialProvider {
  /// Creates a provider that caches a source's credentials and refreshes them before they expire.
  ///
  ///     let patient = SigV4.CredentialProvider(
  ///       .profile("work"), policy: .init(timeout: .seconds(600)))
  ///
  /// By default, the background refresh starts at a random time 15 to 20 minutes before the
  /// expiration, so that many machines that started together don't refresh together.
  public init(_ source: some CredentialResolver, policy: RefreshPolicy? = nil) {
    self.init(source, policy: policy ?? .spread(by: .posix), now: { SystemFacts.now() })
  }
}
