// SPDX-License-Identifier: Apache-2.0
// The endpoints that follow from the settings of a profile and the environment, compared with botocore's.

internal import CredentialProviders
internal import RequestSigning
internal import S3Signing
internal import TestSupport
internal import Testing

@Suite("Settings of services")
struct ServiceSettingsTests {
  static let table = Result {
    try VectorTable(named: "service-settings.txt", inFolder: setupsFolder).records
  }

  /// A record's settings, or nil if it's rejected and botocore sends no request.
  static func settings(_ record: VectorRecord) throws -> ServiceSettings? {
    let sources = try ProfileFixture(record).sources
    do throws(CredentialError) {
      let profile = Result { try record.optionalText("profile") }
      return try ServiceSettings(
        profile: try? profile.get(), in: ProfileFiles(sources: sources), sources: sources)
    } catch {
      #expect(error.code == .invalidConfiguration, "\(record)")
      for service in ["sts", "sso", "sso-oidc"] {
        #expect(try record.optionalText(service + "-refused") != nil, "\(record): \(error)")
      }
      return nil
    }
  }

  @Test("Requests to STS go to the same endpoint and region as botocore's")
  func securityTokens() async throws {
    for record in try Self.table.get() {
      guard let settings = try Self.settings(record) else { continue }
      let services = try RecordedServices(.text(200, ProviderExamples.securityToken()))
      let caller = try SigV4.Credentials(
        accessKeyID: "AKIDEXAMPLE", secretAccessKey: Secret.callerKey)
      do throws(CredentialError) {
        _ = try await AssumeRoleProvider(
          roleARN: ProviderExamples.role, endpoint: STSEndpoint(settings), source: caller,
          sources: services.sources
        ).credentials()
      } catch {
        #expect(error.code == .invalidConfiguration, "\(record)")
        #expect(try record.optionalText("sts-refused") != nil, "\(record): \(error)")
        continue
      }
      let request = try #require(services.requests.first)
      let scope = request.headers.values(named: "authorization").first?.split(separator: "/")
      let asked = "\(request.url)\n\(scope?.dropFirst(2).first ?? "")"
      #expect(try asked == record.text("sts"), "\(record)")
    }
  }

  @Test("Requests for a web identity go where botocore's go, even without a region")
  func webIdentities() async throws {
    for record in try Self.table.get() {
      guard let settings = try Self.settings(record) else { continue }
      let services = try RecordedServices(
        .text(200, ProviderExamples.securityToken("AssumeRoleWithWebIdentity")),
        files: ["/token": Secret.webIdentity])
      do throws(CredentialError) {
        _ = try await WebIdentityProvider(
          roleARN: ProviderExamples.role, tokenFile: "/token", endpoint: STSEndpoint(settings),
          sources: services.sources
        ).credentials()
      } catch {
        #expect(error.code == .invalidConfiguration, "\(record)")
        #expect(try record.optionalText("web-identity-refused") != nil, "\(record): \(error)")
        continue
      }
      #expect(try services.requests.map(\.url) == [record.text("web-identity")], "\(record)")
    }
  }

  @Test("Requests to IAM Identity Center go where botocore's go, for a renewal and for a role")
  func identityCenter() async throws {
    // The name of the file: printf s | sha1sum.
    let file = "/cache/a0f1490a20d0211c997b44bc357e1972deab8ae3.json"
    let signIn = """
      {"accessToken": "old", "expiresAt": "2024-01-02T03:10:00Z", "clientId": "c",
       "clientSecret": "s", "registrationExpiresAt": "2024-03-02T00:00:00Z", "refreshToken": "r"}
      """
    for record in try Self.table.get() {
      guard let settings = try Self.settings(record) else { continue }
      let services = try RecordedServices(
        .text(200, #"{"accessToken": "new", "expiresIn": 3600}"#),
        .text(200, ProviderExamples.sso()), files: [file: signIn])
      let region = try record.text("sso-region")
      do throws(CredentialError) {
        _ = try await SSOProvider(
          startURL: "https://d.awsapps.com/start", session: "s", region: region,
          accountID: "123456789012", roleName: "r", cacheFolder: "/cache", settings: settings,
          sources: services.sources
        ).credentials()
      } catch {
        #expect(error.code == .invalidConfiguration, "\(record)")
        let refusals = try ["sso", "sso-oidc"].compactMap {
          try record.optionalText($0 + "-refused")
        }
        #expect(!refusals.isEmpty, "\(record): \(error)")
        continue
      }
      let urls = services.requests.map { String($0.url.prefix { $0 != "?" }) }
      #expect(try urls == [record.text("sso-oidc"), record.text("sso")], "\(record)")
    }
  }

  @Test("Services get as many attempts as botocore makes")
  func attempts() throws {
    for record in try Self.table.get() {
      guard let settings = try Self.settings(record) else { continue }
      // It is not told where botocore asks no service.
      if try ["sts", "sso", "s3"].allSatisfy({ try record.texts($0).isEmpty }) { continue }
      // Without a setting, botocore's default differs between its modes.
      let attempts = try record.optionalText("attempts").flatMap { Int($0) }
      #expect(settings.maximumAttempts == attempts ?? 3, "\(record)")
    }
  }

  /// AWS SDKs and Tools Reference Guide, "Retry behavior": 3 attempts, and 5 of botocore's legacy mode.
  @Test(
    "The retry mode sets the number of attempts, unless the number is set itself",
    arguments: [
      ([:], 3), (["AWS_RETRY_MODE": "legacy"], 5), (["AWS_RETRY_MODE": "Standard"], 3),
      (["AWS_RETRY_MODE": "adaptive"], 3), (["AWS_RETRY_MODE": ""], 3),
      (["AWS_RETRY_MODE": "legacy", "AWS_MAX_ATTEMPTS": "2"], 2), (["AWS_PROFILE": "a"], 5),
      (["AWS_PROFILE": "a", "AWS_RETRY_MODE": "standard"], 3), (["AWS_RETRY_MODE": "x"], nil),
    ] as [([String: String], Int?)])
  func retryMode(variables: [String: String], attempts: Int?) throws {
    let services = try RecordedServices(
      .text(500, ""), variables: variables.merging(["HOME": "/h"]) { $1 },
      files: ["/h/.aws/config": "[profile a]\nretry_mode = legacy\naws_account_id = 123456789012\n"]
    )
    let settings = Result {
      try ServiceSettings(
        in: ProfileFiles(sources: services.sources), sources: services.sources)
    }
    #expect((try? settings.get())?.maximumAttempts == attempts)
    let hasAccount = variables["AWS_PROFILE"] != nil
    #expect((try? settings.get())?.accountID == (hasAccount ? "123456789012" : nil))
  }

  @Test("A profile's provider uses the endpoints and attempts in its settings")
  func provider() async throws {
    let config = """
      [profile a]
      role_arn = \(ProviderExamples.role)
      web_identity_token_file = /token
      region = us-gov-west-1
      services = s
      max_attempts = 2
      [services s]
      sts =
        endpoint_url = https://vpce-1.sts.us-gov-west-1.vpce.amazonaws.com
      """
    let services = try RecordedServices(
      .text(500, ""), .text(503, ""), variables: ["HOME": "/h"],
      files: ["/h/.aws/config": config, "/token": Secret.webIdentity])
    let error = await failure(
      of: ProfileCredentialProvider(profile: "a", sources: services.sources))
    #expect(error.code == .accessDenied)
    let target = "POST https://vpce-1.sts.us-gov-west-1.vpce.amazonaws.com/"
    #expect(services.targets == [target, target])
  }

  /// botocore 1.43.11 asks sts.cn-north-1.amazonaws.com.cn, sts-fips.us-east-1.amazonaws.com and
  /// 127.0.0.1:4566 with these, and takes the name of the session from the profile.
  @Test(
    "A web identity from the environment uses the profile's settings",
    arguments: [
      ("region = cn-north-1", "https://sts.cn-north-1.amazonaws.com.cn/"),
      ("region = us-east-1\nuse_fips_endpoint = true", "https://sts-fips.us-east-1.amazonaws.com/"),
      ("region = us-east-1\nendpoint_url = http://127.0.0.1:4566", "http://127.0.0.1:4566/"),
    ])
  func webIdentity(settings: String, url: String) async throws {
    let services = try DefaultCredentialTests.services(
      [DefaultCredentialTests.identity],
      DefaultCredentialTests.webIdentity.merging(["AWS_PROFILE": "a"]) { $1 },
      config: "[profile a]\nrole_session_name = me\n" + settings)
    try ProviderExamples.expectCredentials(
      await DefaultCredentialProvider(sources: services.sources).credentials())
    #expect(services.targets == ["POST " + url])
    let body = String(decoding: services.requests[0].body, as: UTF8.self)
    #expect(body.contains("&RoleSessionName=me&"))
  }

  @Test("An endpoint URL without a region serves web identities, and signs nothing")
  func endpointWithoutRegion() async throws {
    for region in [nil, "aws-global"] {
      let variables = ["AWS_ENDPOINT_URL_STS": "http://127.0.0.1:4566/a/"].merging(
        region.map { ["AWS_REGION": $0] } ?? [:]
      ) { $1 }
      let services = try DefaultCredentialTests.services(
        [DefaultCredentialTests.identity],
        DefaultCredentialTests.webIdentity.merging(variables) { $1 }, config: "")
      try ProviderExamples.expectCredentials(
        await DefaultCredentialProvider(sources: services.sources).credentials())
      #expect(services.targets == ["POST http://127.0.0.1:4566/a/"])
    }
    let services = try RecordedServices(variables: ["HOME": "/h"])
    let caller = try SigV4.Credentials(
      accessKeyID: "AKIDEXAMPLE", secretAccessKey: Secret.callerKey)
    let error = #expect(throws: CredentialError.self) {
      try AssumeRoleProvider(
        roleARN: ProviderExamples.role, endpoint: .custom("https://sts.example"), source: caller,
        sources: services.sources)
    }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.contains("AWS_REGION") == true)
  }

  @Test("Credentials aren't sent in plain text, and FIPS endpoints need a region")
  func refusals() throws {
    var settings = ServiceSettings()
    settings.region = "eu-west-1"
    settings.setEndpointURL("http://sts.example", of: .sts)
    #expect(throws: CredentialError.self) { try STSEndpoint(settings) }
    for region in [nil, "aws-global", "eu west"] {
      var settings = ServiceSettings()
      settings.region = region
      settings.usesFIPSEndpoints = true
      #expect(throws: CredentialError.self) { try STSEndpoint(settings) }
    }
    // botocore: EndpointVariantError for these partitions.
    for region in ["eu-isoe-west-1", "us-isof-south-1"] {
      var settings = ServiceSettings()
      settings.region = region
      settings.usesDualStackEndpoints = true
      #expect(throws: CredentialError.self) { try STSEndpoint(settings) }
    }
  }
}
