// SPDX-License-Identifier: Apache-2.0
// Credentials that somebody holds already.

public import RequestSigning

/// Credentials that somebody holds already.
public struct StaticCredentialProvider: CredentialProvider {
  private let provided: ProvidedCredentials

  /// A provider of these credentials.
  public init(_ credentials: SigV4.Credentials) {
    self.init(ProvidedCredentials(credentials, origin: "the program"))
  }

  /// A provider of these credentials, which keep their origin.
  public init(_ provided: ProvidedCredentials) {
    self.provided = provided
  }

  /// The credentials; never throws, even when they have expired: the signer says so.
  public func credentials() async throws(CredentialError) -> ProvidedCredentials { provided }
}
