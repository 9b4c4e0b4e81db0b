// SPDX-License-Identifier: Apache-2.0
// Swapped keys from each source, temporary keys without a token, and passwords in endpoint URLs.

internal import CredentialProviders
internal import RequestSigning
internal import Testing

/// Source: IAM User Guide, "Understanding unique ID prefixes".
@Suite("Swapped keys from each source")
struct SwappedKeySourceTests {
  private typealias Examples = ProviderExamples

  private static let id = "ASIAIOSFODNN7EXAMPLE"

  /// A response or a file with the ID and the secret exchanged.
  private static func swapped(_ text: String) -> String {
    text.replacing(id, with: "(id)").replacing(Secret.key, with: id)
      .replacing("(id)", with: Secret.key)
  }

  /// Every provider of a service's credentials, and the responses up to the credentials.
  private static let services:
    [(
      before: [RecordedServices.Answer], answer: String, status: Int,
      make: @Sendable (RecordedServices) throws -> any CredentialResolver
    )] = [
      ([], Examples.securityToken(), 200, { try SecurityTokenTests.assumeRole($0) }),
      (
        [], Examples.securityToken("AssumeRoleWithWebIdentity"), 200,
        { WebIdentityProvider(sources: $0.sources) }
      ),
      ([], Examples.container(), 200, { ContainerProvider(sources: $0.sources) }),
      (
        [InstanceMetadataTests.token(), .text(200, "r")], Examples.instance(), 200,
        { InstanceMetadataProvider(sources: $0.sources) }
      ),
      ([], Examples.sso(), 200, { try SSOProviderTests.provider($0, session: nil) }),
      (
        [], Examples.expressSession(), 200,
        {
          try ExpressSessionProvider(
            ExpressSessionTests.bucket(), source: ExpressSessionTests.caller(), sources: $0.sources)
        }
      ),
      (
        [], RolesAnywhereTests.session(), 201,
        { try RolesAnywhereTests.provider($0, RolesAnywhereTests.first()) }
      ),
      (
        [CognitoProviderTests.identity], Examples.cognito(), 200,
        { try CognitoProviderTests.provider($0, CognitoProviderTests.logins) }
      ),
      (
        [],
        """
        {"accessToken":{"accessKeyId":"\(id)","secretAccessKey":"\(Secret.key)",
         "sessionToken":"\(Secret.callerToken)"},"tokenType":"aws_sigv4","expiresIn":900,
         "refreshToken":"\(Secret.clientSecret)"}
        """, 200, { LoginProviderTests.provider($0) }
      ),
    ]

  @Test("Each service's swapped keys are rejected, and neither is shown")
  func providers() async throws {
    for (index, service) in Self.services.enumerated() {
      for answer in [service.answer, Self.swapped(service.answer)] {
        let services = try RecordedServices(
          variables: ProviderSecrecyTests.variables,
          files: ProviderSecrecyTests.files.merging([
            Examples.startFile: Examples.signIn()
          ]) { $1 })
        for first in service.before { services.add(first) }
        services.add(.text(service.status, answer))
        let provider = try service.make(services)
        if answer == service.answer {
          let provided = try await provider.credentials()
          #expect(provided.credentials.accessKeyID == Self.id, "provider \(index)")
          #expect(provided.warning == nil)
        } else {
          try await Self.expectSwapped(provider)
        }
      }
    }
  }

  @Test("So are those of environment variables, profiles and commands")
  func others() async throws {
    let variables = ["AWS_ACCESS_KEY_ID": Secret.key, "AWS_SECRET_ACCESS_KEY": Self.id]
    let environment = try RecordedServices(variables: variables)
    try await Self.expectSwapped(EnvironmentCredentialProvider(sources: environment.sources))
    try await Self.expectSwapped(DefaultCredentialProvider(sources: environment.sources))
    let profile = try RecordedServices(
      variables: ["HOME": "/home/user"],
      files: [
        "/home/user/.aws/credentials": """
        [default]
        aws_access_key_id = \(Secret.key)
        aws_secret_access_key = \(Self.id)
        """
      ])
    try await Self.expectSwapped(ProfileCredentialProvider(sources: profile.sources))
    var process = profile.sources
    process.run = { _ in
      Array(
        """
        {"Version":1,"AccessKeyId":"\(Secret.key)","SecretAccessKey":"\(Self.id)"}
        """.utf8)
    }
    try await Self.expectSwapped(ProcessCredentialProvider(command: ["keys"], sources: process))
  }

  @Test("Temporary keys without a session token are returned with a warning")
  func missingToken() async throws {
    for (id, token, isWarned) in [
      (Self.id, nil, true), (Self.id, "", true), (Self.id, "token", false),
      ("AKIAIOSFODNN7EXAMPLE", nil, false), ("ASIA", nil, false), ("AKIDEXAMPLE", nil, false),
    ] as [(String, String?, Bool)] {
      var variables = ["AWS_ACCESS_KEY_ID": id, "AWS_SECRET_ACCESS_KEY": Secret.key]
      variables["AWS_SESSION_TOKEN"] = token
      let services = try RecordedServices(variables: variables)
      let provided = try EnvironmentCredentialProvider(sources: services.sources).credentials()
      #expect((provided.warning?.contains("no session token") == true) == isWarned, "\(id)")
      let credentials = try SigV4.Credentials(
        accessKeyID: id, secretAccessKey: Secret.key, sessionToken: token)
      #expect((try await credentials.credentials().warning != nil) == isWarned)
    }
  }

  private static func expectSwapped(_ provider: some CredentialResolver) async throws {
    let error = await failure(of: provider)
    #expect(error.fix.contains("swapped"), "\(error)")
    expectNoSecret(in: error.message, besides: [id])
  }
}

@Suite("Passwords in endpoint URLs")
struct EndpointPasswordTests {
  @Test(
    "Settings with a password in a URL don't print it",
    arguments: [
      "https://user:hush-hush@host.example.com/path", "http://hush-hush@127.0.0.1:9000",
      "https://user:hush/hush-hush@host.example.com",
      "https://user:hush@hush-hush@host.example.com",
    ])
  func settings(url: String) throws {
    let services = try RecordedServices(variables: ["AWS_ENDPOINT_URL": url])
    var settings = try ServiceSettings(sources: services.sources)
    settings.setEndpointURL(url, of: .s3)
    settings.region = "eu-west-1"
    let values: [any Sendable] = try [
      settings, LoginProvider(session: "s", settings: settings, sources: services.sources),
      SigV4.HTTPRequest("GET", url + "?a=b", timeout: .seconds(1)),
      SigV4.Header("x-forwarded-uri", url), SigV4.Header("Referer", url),
      SSOProvider(
        startURL: url, region: "eu-west-1", accountID: "123456789012", roleName: "reader",
        sources: services.sources),
    ]
    for value in values {
      for text in ProviderDumpTests.texts(of: value) {
        #expect(!text.contains("hush"), "\(text)")
      }
    }
    #expect("\(settings)".contains("eu-west-1, sts: http"))
    #expect(try settings.endpointURL(of: .s3) == url)
    let message = #expect(throws: CredentialError.self) {
      try SigV4.HTTPRequest("A B", url, timeout: .seconds(1)).check()
    }
    #expect(message?.message.contains("hush") == false)
  }

  @Test("A URL without a password is printed in full")
  func plain() throws {
    var settings = ServiceSettings()
    settings.setEndpointURL("https://host.example.com:8443/a", of: .sts)
    #expect("\(settings)" == "ServiceSettings(no region, sts: https://host.example.com:8443/a)")
    let request = SigV4.HTTPRequest("GET", "https://host/a?b", timeout: .seconds(1))
    #expect("\(request)" == "GET https://host/a")
  }
}
