// SPDX-License-Identifier: Apache-2.0
// Providers one after another: who is passed over, who ends the search, and what is said of it.

internal import CredentialProviders
internal import RequestSigning
internal import Testing

@Suite("A chain of providers")
struct ProviderChainTests {
  struct Failing: CredentialProvider {
    let error: CredentialError

    func credentials() async throws(CredentialError) -> ResolvedCredentials { throw error }
  }

  static func failing(_ code: CredentialError.Code, _ message: String) -> Failing {
    Failing(error: CredentialError(code, message))
  }

  static let empty = failing(.notConfigured, "nothing here")

  @Test("The first that has credentials gives them")
  func first() async throws {
    let credentials = try SigV4.Credentials(accessKeyID: "FIRST", secretAccessKey: "secret")
    let chain = CredentialProviderChain([
      Self.empty, credentials, Self.failing(.accessDenied, "never asked"),
    ])
    #expect(try await chain.credentials().credentials.identity.accessKeyID == "FIRST")
  }

  @Test("When no provider has any, the error repeats what each said")
  func none() async throws {
    let error = await failure(
      of: CredentialProviderChain([Self.empty, Self.failing(.notConfigured, "nor here")]))
    #expect(error.code == .notConfigured)
    #expect(error.message.hasSuffix("Asked: (1) Failing: nothing here; (2) Failing: nor here"))
    let twice = await failure(of: CredentialProviderChain([Self.empty, Self.empty]))
    #expect(twice.message.hasSuffix("Asked: (1) Failing: nothing here"))
    #expect(await failure(of: CredentialProviderChain([])).code == .notConfigured)
  }

  @Test("One that is there and fails ends the search")
  func failed() async throws {
    let credentials = try SigV4.Credentials(accessKeyID: "LATER", secretAccessKey: "secret")
    let error = await failure(
      of: CredentialProviderChain([
        Self.empty, Self.failing(.invalidFile, "broken"), credentials,
      ]))
    #expect(error.code == .invalidFile)
    #expect(
      error.message
        == "Failing: broken. Asked before, and without credentials: (1) Failing: nothing here")
  }

  @Test("A chain whose caller was cancelled says nothing else")
  func cancelled() async throws {
    let error = await failure(
      of: CredentialProviderChain([Self.empty, Self.failing(.cancelled, "cancelled")]))
    #expect(error.code == .cancelled)
    #expect(error.message == "cancelled")
  }

  @Test("Chains stand in chains, and name what HTTP providers said")
  func nested() async throws {
    let services = try RecordedServices(.failure(.unreachable))
    let sources = services.sources
    let error = await failure(
      of: CredentialProviderChain([
        CredentialProviderChain([WebIdentityProvider(sources: sources)]),
        ContainerProvider(sources: sources), InstanceMetadataProvider(sources: sources),
      ]))
    #expect(error.code == .notConfigured)
    for name in ["WebIdentityProvider", "ContainerProvider", "InstanceMetadataProvider"] {
      #expect(error.message.contains(name + ": "))
    }
  }
}
