// SPDX-License-Identifier: Apache-2.0
// The how-to page on Cognito: what it shows compiles, and does what it says.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import Testing

/// The lines of the page stand here, and a test compares the two.
@Suite("How-to: Cognito")
struct CognitoHowToTests {
  let services: RecordedServices
  let sources: CredentialSources
  let pool: CognitoIdentityPool
  let store: CognitoIdentityStore

  init() throws {
    services = try RecordedServices(
      CognitoProviderTests.identity, CognitoProviderTests.credentials,
      CognitoProviderTests.credentials)
    sources = services.sources
    pool = try CognitoIdentityPool("us-east-1:01234567-89ab-cdef-0123-456789abcdef")
    store = CognitoIdentityStore.file("cognito-identity.json", sources: sources)
  }

  @Test("A guest")
  func guest() async throws {
    let pool = try CognitoIdentityPool("us-east-1:01234567-89ab-cdef-0123-456789abcdef")
    let store = CognitoIdentityStore.file("cognito-identity.json", sources: sources)
    let guest = CognitoProvider(pool: pool, identities: store, sources: sources)
    let provided = try await guest.credentials()
    let signer = try SigV4.Signer(
      credentials: provided.credentials, region: pool.region, service: .s3)

    #expect("\(signer)".contains("us-east-1"))
    #expect(
      try await store.identityID(inPool: pool.id)
        == "us-east-1:fedcba98-7654-3210-fedc-ba9876543210")
  }

  @Test("A user")
  func user() async throws {
    let user = CognitoProvider(
      pool: pool,
      visitor: .logins {
        [CognitoLogin(provider: "accounts.google.com", token: try await currentGoogleToken())]
      },
      identities: store, sources: sources)
    let own = try await user.credentials()
    try await user.signOut()  // forgets the identity; the next guest is a new one

    try ProviderExamples.expectCredentials(own)
    #expect(try await store.identityID(inPool: pool.id) == nil)
    @Sendable func currentGoogleToken() async throws(CredentialError) -> String { Secret.login }
  }

  @Test("Your own server")
  func developer() async throws {
    let member = CognitoProvider(
      pool: pool,
      visitor: .developer {
        let (identityID, token) = try await askYourServer()
        return CognitoDeveloperIdentity(identityID: identityID, token: token)
      },
      identities: store, sources: sources)

    _ = await failure(of: member)  // the first answer here is one to GetId
    #expect(services.requests.count == 1)
    @Sendable func askYourServer() async throws(CredentialError) -> (String, String) {
      (ProviderExamples.identity, Secret.login)
    }
  }

  @Test("From a Slack token to credentials, by hand")
  func slack() async throws {
    let slackToken = Secret.login
    let now = sources.now()
    let slack = [CognitoLogin(provider: "slack.com", token: slackToken)]
    let identityAnswer = try await send(pool.identityRequest(logins: slack))
    let identityID = try pool.identityID(in: identityAnswer, logins: slack)
    let answer = try await send(pool.credentialsRequest(identityID: identityID, logins: slack))
    let slackUser = try pool.credentials(in: answer, logins: slack, at: now)

    try ProviderExamples.expectCredentials(slackUser)
  }

  @Test("Every line of code on the page stands in this file")
  func page() throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let here = Set(try Self.lines(of: URL(fileURLWithPath: #filePath)))
    var isCode = false
    let code = try Self.lines(of: root.appendingPathComponent("docs/how-to/cognito.md")).filter {
      if $0.hasPrefix("```") { isCode = $0 == "```swift" }
      return isCode && !$0.hasPrefix("```") && !$0.isEmpty
    }
    #expect(code.count >= 28)
    #expect(
      code.filter { !here.contains($0) } == ["import CredentialProviders", "import RequestSigning"])
  }

  func send(_ request: SigV4.HTTPRequest) async throws -> SigV4.HTTPResponse {
    try services.response(to: request)
  }

  static func lines(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
