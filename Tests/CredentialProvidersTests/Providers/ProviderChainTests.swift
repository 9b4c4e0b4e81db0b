// SPDX-License-Identifier: Apache-2.0
// Providers one after another: who is passed over, who ends the search, and what is said of it.

internal import CredentialProviders
internal import RequestSigning
internal import Testing

@Suite("A chain of providers")
struct ProviderChainTests {
  struct Failing: CredentialResolver {
    let error: CredentialError

    func credentials() async throws(CredentialError) -> ResolvedCredentials { throw error }
  }

  static func failing(_ code: CredentialError.Code, _ problem: String) -> Failing {
    Failing(error: CredentialError(code, problem, fix: "Call \(code)."))
  }

  static let empty = failing(.notConfigured, "Nothing here.")

  @Test("The first provider with credentials returns them")
  func first() async throws {
    let credentials = try SigV4.Credentials(accessKeyID: "FIRST", secretAccessKey: "secret")
    let chain = CredentialProviderChain([
      Self.empty, credentials, Self.failing(.accessDenied, "Never asked."),
    ])
    #expect(try await chain.credentials().credentials.identity.accessKeyID == "FIRST")
  }

  @Test("If no provider has any, the error contains each provider's message")
  func none() async throws {
    let error = await failure(
      of: CredentialProviderChain([Self.empty, Self.failing(.notConfigured, "Nor here.")]))
    #expect(error.code == .notConfigured)
    #expect(
      error.problem.hasSuffix(
        "tried: (1) Failing: Nothing here. Call notConfigured. "
          + "(2) Failing: Nor here. Call notConfigured."))
    let twice = await failure(of: CredentialProviderChain([Self.empty, Self.empty]))
    #expect(twice.problem.hasSuffix("tried: (1) Failing: Nothing here. Call notConfigured."))
    #expect(await failure(of: CredentialProviderChain([])).code == .notConfigured)
  }

  @Test("One that's there and fails ends the search")
  func failed() async throws {
    let credentials = try SigV4.Credentials(accessKeyID: "LATER", secretAccessKey: "secret")
    let error = await failure(
      of: CredentialProviderChain([
        Self.empty, Self.failing(.invalidFile, "Broken."), credentials,
      ]))
    #expect(error.code == .invalidFile)
    #expect(error.problem == "Failing: Broken.")
    #expect(
      error.fix
        == "Call invalidFile. Earlier sources had no credentials: (1) Failing: Nothing here.")
  }

  @Test("A chain whose caller is cancelled reports only the cancellation")
  func cancelled() async throws {
    let error = await failure(
      of: CredentialProviderChain([Self.empty, Self.failing(.cancelled, "Cancelled.")]))
    #expect(error.code == .cancelled)
    #expect(error.problem == "Cancelled.")
  }

  @Test("Chains can contain chains, and name the errors of HTTP providers")
  func nested() async throws {
    let services = try RecordedServices(.failure(.unreachable))
    let sources = services.sources
    let error = await failure(
      of: CredentialProviderChain([
        CredentialProviderChain([WebIdentityProvider(sources: sources)]),
        ContainerProvider(sources: sources), InstanceMetadataProvider(sources: sources),
      ]))
    #expect(error.code == .notConfigured)
    for name in ["Web identity", "Container", "EC2 instance"] {
      #expect(error.message.contains(name + ": "))
    }
  }
}
