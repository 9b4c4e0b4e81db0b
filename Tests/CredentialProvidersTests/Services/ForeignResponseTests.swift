// SPDX-License-Identifier: Apache-2.0
// Responses with a status of 200 that aren't the service's: pages of proxies, other documents, errors.

internal import CredentialProviders
internal import RequestSigning
internal import Testing

@Suite("Responses with a status of 200 that aren't the service's")
struct ForeignResponseTests {
  /// Well-formed XML with every field, in a different document.
  static let disguised = ProviderExamples.securityToken("Other")

  static let pages = [
    "", "OK", "<html><head><title>Sign in</title></head><body>Sign in</body></html>",
    "<!DOCTYPE html>\n<html><body><br></body></html>", "<html>\n</html>", "<r/> ", disguised,
    ProviderExamples.expressSession().replacing("CreateSessionResult", with: "html"),
    "{}", "[]", "null", "\"text text\"", "{\"message\": \"Sign in\"}",
  ]

  @Test("No page is taken for credentials or for a token, whatever the service")
  func pages() async throws {
    for (index, provider) in ProviderSecrecyTests.providers.enumerated() {
      for page in Self.pages {
        let services = try RecordedServices(
          variables: ProviderSecrecyTests.variables, files: ProviderSecrecyTests.files)
        for first in provider.before { services.add(first) }
        // The rest is for services with several steps, all behind the same proxy.
        for _ in 0..<3 { services.add(.text(200, page)) }
        let error = await failure(of: try provider.make(services))
        // Without a token, the sign-in of IAM Identity Center stays expired.
        #expect(
          [.invalidResponse, .signInRequired].contains(error.code), "\(index): \(page) \(error)")
      }
    }
  }

  // AWS STS API Reference, "AssumeRoleWithWebIdentity"; Amazon S3 API Reference, "CreateSession".
  @Test("The root element is the operation's, in any namespace and with any prefix")
  func roots() async throws {
    func role(_ document: String) throws -> some CredentialResolver {
      try SecurityTokenTests.assumeRole(RecordedServices(.text(200, document)))
    }
    let right = ProviderExamples.securityToken()
    let bare = right.replacing(" xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"", with: "")
    let prefixed = bare.replacing("</", with: "\u{1}").replacing("<", with: "<s:")
      .replacing("\u{1}", with: "</s:")
      .replacing("<s:AssumeRoleResponse", with: "<s:AssumeRoleResponse xmlns:s=\"u\"")
    for document in [right, bare, prefixed] {
      try ProviderExamples.expectCredentials(try await role(document).credentials())
    }
    let other = await failure(of: try role(ProviderExamples.securityToken("AssumeRoleWithSAML")))
    #expect(other.code == .invalidResponse)
    #expect(
      other.message.contains("\"AssumeRoleWithSAMLResponse\" instead of AssumeRoleResponse"))
  }

  // Amazon S3, API Reference, "CopyObject": "a 200 OK response can contain either a success or an
  // error".
  @Test("An error after a status of 200 is retried, and reported with its code")
  func errors() async throws {
    let failed = RecordedServices.Answer.text(
      200, "<Error><Code>InternalError</Code><Message>Try again.</Message></Error>")
    func session(_ services: RecordedServices) throws -> some CredentialResolver {
      ExpressSessionProvider(
        try ExpressSessionTests.bucket(), source: try ExpressSessionTests.caller(),
        sources: services.sources)
    }
    let services = try RecordedServices(
      failed, failed, .text(200, ProviderExamples.expressSession()))
    _ = try await session(services).credentials()
    #expect(services.requests.count == 3)
    let stubborn = try RecordedServices(failed, failed, failed)
    let error = await failure(of: try session(stubborn))
    #expect(error.code == .accessDenied && error.message.contains("InternalError"))

    let busy = RecordedServices.Answer.text(
      200, ProviderExamples.securityTokenError("InternalFailure", "Try again."))
    let role = try RecordedServices(busy, busy, .text(200, ProviderExamples.securityToken()))
    try ProviderExamples.expectCredentials(
      try await SecurityTokenTests.assumeRole(role).credentials())
    let down = try RecordedServices(busy, busy, busy)
    let failure = await failure(of: try SecurityTokenTests.assumeRole(down))
    #expect(failure.message.contains("InternalFailure"))
  }
}
