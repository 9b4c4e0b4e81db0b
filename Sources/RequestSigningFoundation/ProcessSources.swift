// SPDX-License-Identifier: Apache-2.0
// What credential providers may use of this process, with URLSession for what needs TLS.

public import CredentialProviders
internal import POSIXCredentialSources

/// What this process has, with TLS.
extension CredentialSources {
  /// What this process has: `CredentialSources.posix` (environment, files, programs, clock), and HTTP
  /// with TLS through URLSession.
  ///
  /// Addresses of this machine and of its link are never asked through a proxy, which would learn the
  /// credentials: what needs no TLS there is asked over a socket.
  public static var process: CredentialSources {
    var sources = CredentialSources.posix
    let near = sources.http
    let exchange = URLSessionExchange()
    sources.http = { request in
      request.isLocal ? try await near(request) : try await exchange.response(to: request)
    }
    return sources
  }
}

/// A provider with the clock of this machine.
extension RefreshingCredentialProvider {
  /// A provider that keeps the credentials of a source, by the system's clock.
  ///
  ///     let provider = RefreshingCredentialProvider(DefaultCredentialProvider(sources: .process))
  ///
  /// Without a policy the early refresh begins at a random moment 15 to 20 minutes before the end, so
  /// that many machines that started at once do not ask at once.
  public init(
    _ source: any CredentialProvider,
    policy: RefreshPolicy = RefreshPolicy(backgroundRefresh: .seconds(.random(in: 900...1_200)))
  ) {
    self.init(source, policy: policy, now: { SystemFacts.now() })
  }
}
