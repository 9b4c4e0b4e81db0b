// SPDX-License-Identifier: Apache-2.0
// The requests of providers, byte for byte those of botocore (Tests/Vectors/credential-requests.txt).

@testable internal import CredentialProviders
internal import RequestSigning
internal import S3Signing
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Requests for credentials match botocore's")
struct CredentialRequestTests {
  static let table = Result { try VectorTable(named: "credential-requests.txt").records }

  static func records(_ provider: String) throws -> [VectorRecord] {
    let records = try table.get().filter { try $0.text("provider") == provider }
    #expect(records.count > 1)
    return records
  }

  @Test("AssumeRole, with its signature")
  func assumeRole() async throws {
    for record in try Self.records("assume-role") {
      let region = try record.optionalText("region")
      let isLegacy = try record.optionalText("legacy") != nil
      let services = try RecordedServices(.text(200, ProviderExamples.securityToken()))
      let serial = try record.optionalText("mfa-serial")
      let code = try record.optionalText("mfa-code")
      var sources = services.sources
      sources.mfaCode = { (asked) async throws(CredentialError) in
        #expect(asked == serial)
        return (code ?? "") + "\n"
      }
      let provider = try AssumeRoleProvider(
        roleARN: record.text("role"), sessionName: record.text("session-name"),
        externalID: record.optionalText("external-id"), policy: record.optionalText("policy"),
        policyARNs: record.texts("policy-arn"), tags: record.texts("tag").map(Self.tag),
        sourceIdentity: record.optionalText("source-identity"), mfaSerial: serial,
        duration: record.optionalText("duration").flatMap { Int($0) }.map { .seconds($0) },
        endpoint: isLegacy ? .legacy(region) : .regional(region),
        source: Self.caller(record), sources: sources)
      _ = try await provider.credentials()
      try Self.expect(services.requests, record)
    }
  }

  static func caller(_ record: VectorRecord) throws -> SigV4.Credentials {
    try SigV4.Credentials(
      accessKeyID: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
      sessionToken: record.optionalText("token"))
  }

  static func tag(_ text: String) -> SessionTag {
    let parts = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    return parts[2] == "own" ? SessionTag(parts[0], parts[1]) : .transitive(parts[0], parts[1])
  }

  @Test("CreateSession of S3 Express, with its signature")
  func expressSession() async throws {
    for record in try Self.records("express") {
      let services = try RecordedServices(.text(200, ProviderExamples.expressSession()))
      let mode = try record.optionalText("mode")
      let provider = try ExpressSessionProvider(
        .directory(record.text("bucket"), region: record.text("region")),
        headers: mode.map { ["x-amz-create-session-mode": $0] } ?? [:], source: Self.caller(record),
        sources: services.sources)
      _ = try await provider.credentials()
      try Self.expect(services.requests, record)
    }
  }

  @Test("AssumeRoleWithWebIdentity, unsigned")
  func webIdentity() async throws {
    for record in try Self.records("web-identity") {
      let services = try RecordedServices(
        .text(200, ProviderExamples.securityToken("AssumeRoleWithWebIdentity")),
        files: ["/token": record.text("token") + "\n"])
      let provider = try WebIdentityProvider(
        roleARN: record.text("role"), tokenFile: "/token",
        sessionName: record.text("session-name"), policy: record.optionalText("policy"),
        policyARNs: record.texts("policy-arn"),
        duration: record.optionalText("duration").flatMap { Int($0) }.map { .seconds($0) },
        endpoint: .regional(record.optionalText("region")), sources: services.sources)
      _ = try await provider.credentials()
      try Self.expect(services.requests, record)
    }
  }

  @Test("GetRoleCredentials of IAM Identity Center")
  func sso() async throws {
    for record in try Self.records("sso") {
      let path = "/cache/e8be5486177c5b5392bd9aa76563515b29358e6e.json"
      let file = try ProviderExamples.signIn()
        .replacing(Secret.accessToken, with: record.text("token"))
      let services = try RecordedServices(
        .text(200, ProviderExamples.sso()), files: [path: file])
      let provider = try SSOProvider(
        startURL: "https://example.awsapps.com/start", region: record.text("region"),
        accountID: record.text("account"), roleName: record.text("role"), cacheFolder: "/cache",
        sources: services.sources)
      _ = try await provider.credentials()
      try Self.expect(services.requests, record)
    }
  }

  @Test("CreateToken, the name of the cached file, and what is written back")
  func renewal() async throws {
    for record in try Self.records("sso-renewal") {
      let path = try "/home/u/.aws/sso/cache/" + record.text("file-name")
      let services = try RecordedServices(
        .text(200, record.text("answer")), .text(200, ProviderExamples.sso()),
        variables: ["HOME": "/home/u"], files: [path: record.text("file")])
      let provider = try SSOProvider(
        startURL: record.text("start-url"), session: record.text("session"),
        region: record.text("region"), accountID: "123456789012", roleName: "r",
        sources: services.sources)
      _ = try await provider.credentials()
      try Self.expect(Array(services.requests.prefix(1)), record)
      #expect(try services.text(ofFile: path) == record.text("renewed-file"))
      #expect(services.requests.last?.headers.first?.value == "new-access-token")
    }
  }

  /// The signature of the proof is that of the package cryptography, by RFC 6979.
  @Test("CreateOAuth2Token with its proof of possession, the cached file, and what is written back")
  func login() async throws {
    for record in try Self.records("login") {
      let path = try "/home/u/.aws/login/cache/" + record.text("file-name")
      let services = try RecordedServices(
        .text(200, record.text("answer")), variables: ["HOME": "/home/u"],
        files: [path: record.text("file")])
      var settings = ServiceSettings()
      settings.region = try record.text("region")
      let id = try record.text("proof-id")
      let provided = try await LoginProvider(
        session: record.text("session"), cacheFolder: nil, settings: settings,
        sources: services.sources, proofID: { id }
      ).credentials()
      try Self.expect(services.requests, record)
      #expect(try services.text(ofFile: path) == record.text("renewed-file"))
      #expect(provided.credentials.identity.accessKeyID == "ASIANEW")
      #expect(provided.accountID == "123456789012")
    }
  }

  @Test("GetId and GetCredentialsForIdentity of Cognito")
  func cognito() async throws {
    for record in try Self.records("cognito GetId") {
      let pool = try CognitoIdentityPool(record.text("pool"))
      try Self.expect([pool.identityRequest(logins: try Self.logins(record))], record)
    }
    for record in try Self.records("cognito GetCredentialsForIdentity") {
      let pool = try CognitoIdentityPool(record.text("pool"))
      let request = try pool.credentialsRequest(
        identityID: record.text("identity"), logins: Self.logins(record),
        roleARN: record.optionalText("role"))
      try Self.expect([request], record)
    }
  }

  @Test("The metadata service of EC2: token, role, credentials")
  func instance() async throws {
    let records = try Self.records("instance")
    #expect(records.count == 9)
    for start in stride(from: 0, to: records.count, by: 3) {
      let services = try RecordedServices(
        .text(200, "a-token"), .text(200, "a-role"), .text(200, ProviderExamples.instance()),
        variables: Self.variables(records[start]))
      _ = try await InstanceMetadataProvider(sources: services.sources).credentials()
      #expect(services.requests.count == 3)
      for (request, record) in zip(services.requests, records[start...]) {
        try Self.expect([request], record)
      }
    }
  }

  @Test("The credential services of ECS and EKS")
  func container() async throws {
    for record in try Self.records("container") {
      let services = try RecordedServices(
        .text(200, ProviderExamples.container()), variables: Self.variables(record))
      _ = try await ContainerProvider(sources: services.sources).credentials()
      try Self.expect(services.requests, record)
    }
  }

  static func expect(_ requests: [SigV4.HTTPRequest], _ record: VectorRecord) throws {
    #expect(requests.count == 1)
    for request in requests {
      #expect(try request.method == record.text("method"))
      #expect(try request.url == record.text("url"), "\(record)")
      let headers = request.headers.map { $0.name.lowercased() + ": " + $0.value }.sorted()
      #expect(try headers == record.texts("header"), "\(record)")
      #expect(
        String(decoding: request.body, as: UTF8.self)
          == String(decoding: try record.bytes("body"), as: UTF8.self), "\(record)")
    }
  }

  static func logins(_ record: VectorRecord) throws -> [CognitoLogin] {
    try record.texts("login").map { text in
      let parts = text.split(separator: " ")
      return CognitoLogin(provider: String(parts[0]), token: String(parts[1]))
    }
  }

  static func variables(_ record: VectorRecord) throws -> [String: String] {
    let pairs = try record.texts("variable").map { text in
      let name = text.prefix { $0 != "=" }
      return (String(name), String(text.dropFirst(name.count + 1)))
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }
}
