// SPDX-License-Identifier: Apache-2.0
// The how-to page on Cognito: its code compiles, and does what the page says.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import SigningTestSupport
internal import Testing

/// The lines of the page are here, and a test compares the two.
@Suite("How-to: Cognito")
struct CognitoHowToTests {
  let services: RecordedServices
  let sources: CredentialSources
  let poolID = "us-east-1:01234567-89ab-cdef-0123-456789abcdef"
  let store: CognitoIdentityStore

  init() throws {
    services = try RecordedServices(
      CognitoProviderTests.identity, CognitoProviderTests.credentials,
      CognitoProviderTests.credentials)
    sources = services.sources
    store = CognitoIdentityStore.file("/var/lib/app/cognito-identity.json", sources: sources)
  }

  @Test("A guest")
  func guest() async throws {
    let poolID = "us-east-1:01234567-89ab-cdef-0123-456789abcdef"
    let store = CognitoIdentityStore.file("/var/lib/app/cognito-identity.json", sources: sources)
    let guest = try SigV4.CredentialProvider.cognito(
      identityPoolID: poolID, identities: store, sources: sources)
    let provided = try await guest.credentials()
    let signer = try SigV4.Signer(
      credentials: provided.credentials, region: "us-east-1", service: .s3)

    #expect("\(signer)".contains("us-east-1"))
    #expect(
      try await store.identityID(inPool: poolID)
        == "us-east-1:fedcba98-7654-3210-fedc-ba9876543210")
  }

  @Test("A user")
  func user() async throws {
    let user = try SigV4.CredentialProvider.cognito(
      identityPoolID: poolID, logins: { ["accounts.google.com": try await currentGoogleToken()] },
      identities: store, sources: sources)
    let own = try await user.credentials()
    try await user.signOut()  // drops the credentials and the identity; the next guest is a new one

    try ProviderExamples.expectCredentials(own)
    #expect(try await store.identityID(inPool: poolID) == nil)
    @Sendable func currentGoogleToken() async throws(CredentialError) -> String { Secret.login }
  }

  @Test("Your own server")
  func developer() async throws {
    let member = try SigV4.CredentialProvider.cognito(
      identityPoolID: poolID, developer: { try await askYourServer() }, sources: sources)

    _ = await failure(of: member)  // the first answer here is one to GetId
    let sent = services.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(
      sent == [
        "{\"IdentityId\":\"\(ProviderExamples.identity)\","
          + "\"Logins\":{\"cognito-identity.amazonaws.com\":\"\(Secret.login)\"}}"
      ])
    @Sendable func askYourServer() async throws(CredentialError) -> (String, String) {
      (ProviderExamples.identity, Secret.login)
    }
  }

  @Test("Every line of code on the page is in this file, except the program with a session")
  func page() throws {
    try HowToPage("cognito.md").expectCode(in: #filePath, count: 14, skipping: [0])
  }
}
