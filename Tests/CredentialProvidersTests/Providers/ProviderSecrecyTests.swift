// SPDX-License-Identifier: Apache-2.0
// No secret in any error: every provider against services that send back what they were sent.

internal import CredentialProviders
internal import RequestSigning
internal import Testing

@Suite("Errors of providers hold no secret")
struct ProviderSecrecyTests {
  static let variables = SecurityTokenTests.tokenVariables.merging([
    "HOME": "/home/user", "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1/",
    "AWS_CONTAINER_AUTHORIZATION_TOKEN": Secret.authorization,
  ]) { $1 }

  static let files = SecurityTokenTests.tokenFile.merging([
    ProviderExamples.sessionFile: SSOProviderTests.over,
    ProviderExamples.startFile: ProviderExamples.signIn(),
  ]) { $1 }.merging((try? LoginProviderTests.file(until: "2024-01-02T03:04:05Z")) ?? [:]) { $1 }

  /// Every provider, and the responses before the broken one.
  static let providers:
    [(
      before: [RecordedServices.Answer],
      make:
        @Sendable (RecordedServices) throws ->
        any CredentialResolver
    )] = [
      ([], { try SecurityTokenTests.assumeRole($0) }),
      ([], { WebIdentityProvider(sources: $0.sources) }),
      ([], { ContainerProvider(sources: $0.sources) }),
      ([], { InstanceMetadataProvider(sources: $0.sources) }),
      ([InstanceMetadataTests.token()], { InstanceMetadataProvider(sources: $0.sources) }),
      (
        [InstanceMetadataTests.token(), .text(200, "r")],
        { InstanceMetadataProvider(sources: $0.sources) }
      ),
      ([], { try SSOProviderTests.provider($0, session: nil) }),
      ([], { try SSOProviderTests.provider($0) }),
      ([SSOProviderTests.renewed], { try SSOProviderTests.provider($0) }),
      ([], { LoginProviderTests.provider($0) }),
      (
        [],
        {
          try ExpressSessionProvider(
            ExpressSessionTests.bucket(), source: ExpressSessionTests.caller(), sources: $0.sources)
        }
      ),
      ([], { try RolesAnywhereTests.provider($0, RolesAnywhereTests.first()) }),
      ([], { try CognitoProviderTests.provider($0, CognitoProviderTests.logins) }),
      (
        [CognitoProviderTests.identity],
        { try CognitoProviderTests.provider($0, CognitoProviderTests.logins) }
      ),
    ]

  /// Broken responses, each with as many secrets as possible.
  static let broken: [RecordedServices.Answer] =
    [
      .echo(status: 200), .echo(status: 400), .echo(status: 401), .echo(status: 403),
      .echo(status: 404), .echo(status: 500), .redirect, .failure(.timedOut),
      .failure(.unreachable),
      .text(200, "{\"AccessKeyId\":\"\(Secret.key)\",\"SecretAccessKey\":\"\(Secret.sessionToken)"),
      .text(200, "{\"roleCredentials\":{\"secretAccessKey\":\"\(Secret.key)\"}}"),
      .text(200, "<Credentials><SecretAccessKey>\(Secret.key)</SecretAccessKey></Credentials>"),
      .text(200, ProviderExamples.container(expiration: "1999-01-01T00:00:00Z")),
      .text(200, ProviderExamples.securityToken().replacing("==<", with: "==\u{1}<")),
      .text(200, ProviderExamples.container().replacing("ASIA", with: "AS IA")),
      .text(200, ProviderExamples.cognito().replacing("ASIA", with: "AS IA")),
      .text(200, ProviderExamples.sso().replacing("ASIA", with: "AS IA")),
    ] + [200, 400, 401, 403, 404, 500].flatMap { status in refusals.map { .text(status, $0) } }

  /// The errors of services, with their own secrets, which weren't in the request.
  static let refusals = [
    "{\"Code\":\"Failed\",\"Message\":\"with \(Secret.key) and \(Secret.sessionToken)\","
      + "\"SecretAccessKey\":\"\(Secret.key)\",\"Token\":\"\(Secret.sessionToken)\"}",
    "{\"__type\":\"\(Secret.key)\",\"message\":\"no \(Secret.accessToken)\",\"details\":[{\"keys\":"
      + "{\"secretKey\":\"\(Secret.key)\",\"accessToken\":\"\(Secret.accessToken)\"}}]}",
    "{\"error\":\"invalid_grant\",\"error_description\":\"\(Secret.login) of \(Secret.clientSecret)\","
      + "\"id_token\":\"\(Secret.login)\",\"client_secret\":\"\(Secret.clientSecret)\"}",
    "<Error><Code>Failed</Code><Message>with \(Secret.key) of \(Secret.sessionToken)</Message>"
      + "<Credentials><SecretAccessKey>\(Secret.key)</SecretAccessKey><SessionToken>"
      + "\(Secret.sessionToken)</SessionToken></Credentials></Error>",
  ]

  @Test("No message contains a secret, whatever a service's response is")
  func secrets() async throws {
    var messages: [String] = []
    for provider in Self.providers {
      for answer in Self.broken {
        let services = try RecordedServices(variables: Self.variables, files: Self.files)
        for first in provider.before { services.add(first) }
        for _ in 0..<6 { services.add(answer) }
        let asked = try provider.make(services)
        do throws(CredentialError) {
          let provided = try await asked.credentials()
          messages.append("\(provided) \(provided.source)")
        } catch {
          messages.append("\(error) \(error.message)")
        }
        messages += services.requests.map { "\($0)" }
      }
    }
    #expect(messages.count > Self.providers.count * Self.broken.count)
    for message in messages { expectNoSecret(in: message) }
    #expect(messages.contains { $0.contains("(not shown)") })
  }

  @Test("A service's failure message is shown without the secrets that it contains")
  func refusals() async throws {
    for (refusal, words) in zip(
      Self.refusals,
      [
        #""Failed": "with (not shown) and (not shown)"#, #""(not shown)": "no (not"#,
        "invalid_grant", "of (not shown)",
      ])
    {
      let services = try RecordedServices(
        .text(400, refusal), variables: Self.variables, files: Self.files)
      let error = await failure(of: ContainerProvider(sources: services.sources))
      #expect(error.message.contains(words), "\(error.message)")
    }
  }

  @Test("A secret isn't shown if a service repeats part of it, or repeats it after the limit")
  func parts() async throws {
    let token = String(repeating: "AbCdEfGh", count: 2_000)
    for message in ["bad token \(token.prefix(20))", token, "\(token)\(token.prefix(12))"] {
      let services = try RecordedServices(
        .text(403, "{\"message\":\"\(message)\"}"),
        variables: Self.variables.merging(["AWS_CONTAINER_AUTHORIZATION_TOKEN": token]) { $1 })
      let error = await failure(of: ContainerProvider(sources: services.sources))
      #expect(!error.message.contains("AbCdEfGhAbCd"))
      #expect(error.message.contains("(not shown)"))
    }
  }

  @Test("A secret that begins like a header isn't shown without that beginning")
  func schemes() async throws {
    let token = "Bearer AbCdEfGhIjKlMnOpQrSt"
    for message in ["bad token AbCdEfGhIjKlMnOpQrSt", "xAbCdEfGhIjKlMnx", "IjKlMnOpQrSt"] {
      let services = try RecordedServices(
        .text(403, "{\"message\":\"\(message)\"}"),
        variables: Self.variables.merging(["AWS_CONTAINER_AUTHORIZATION_TOKEN": token]) { $1 })
      let error = await failure(of: ContainerProvider(sources: services.sources))
      #expect(!error.message.contains("IjKlMn"), "\(error.message)")
      #expect(error.message.contains("(not shown)"))
    }
  }

  @Test("A secret that's a URL isn't shown, nor are the parts between its escapes")
  func escaped() async throws {
    let token = "wJalrXUtnFEMI/K7M/bPxRfiCYEXAMPLEKEY+zQ9"
    let message = "bad wJalrXUtnFEMI%2FK7M%2FbPxRfiCYEXAMPLEKEY%2BzQ9 end"
    let services = try RecordedServices(
      .text(403, "{\"message\":\"\(message)\"}"),
      variables: Self.variables.merging(["AWS_CONTAINER_AUTHORIZATION_TOKEN": token]) { $1 })
    let error = await failure(of: ContainerProvider(sources: services.sources))
    #expect(error.message.contains("bad (not shown) end"), "\(error.message)")
  }

  @Test("An error from the metadata service contains neither its secrets nor its token")
  func roles() async throws {
    let answer = """
      {"Code": "Failed", "Token": "\(Secret.sessionToken)", "SecretAccessKey": "\(Secret.key)",
       "Message": "\(Secret.metadataToken) \(Secret.key) \(Secret.sessionToken)"}
      """
    let services = try RecordedServices(
      InstanceMetadataTests.token(), .text(200, "r"), .text(200, answer))
    let error = await failure(of: InstanceMetadataProvider(sources: services.sources))
    #expect(error.code == .accessDenied)
    #expect(error.message.contains("(not shown) (not shown) (not shown)"), "\(error.message)")
  }

  @Test("A service's message is truncated, and can't control a terminal")
  func printable() async throws {
    let long = String(repeating: "x", count: 5_000)
    let services = try RecordedServices(
      .text(400, "{\"__type\":\"A\\u001b[31mB\",\"message\":\"\\u202e\\n\(long)\"}"),
      variables: Self.variables, files: Self.files)
    let error = await failure(of: ContainerProvider(sources: services.sources))
    #expect(error.message.contains(#""A\x1B[31mB": "\xE2\x80\xAE\x0Axxx"#))
    #expect(error.message.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) })
  }
}
