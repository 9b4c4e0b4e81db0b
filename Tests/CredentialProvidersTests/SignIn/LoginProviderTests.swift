// SPDX-License-Identifier: Apache-2.0
// The sign-in of `aws login`: its renewal, and errors without secrets.

@testable internal import CredentialProviders
internal import DigitalSignatures
internal import DocumentSupport
internal import RequestSigning
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("The sign-in of aws login")
struct LoginProviderTests {
  static let session = "arn:aws:iam::123456789012:user/me"
  // printf arn:aws:iam::123456789012:user/me | sha256sum
  static let name = "286187707741fc2ccb93cf9e56dbd0ee0a16208feed5fbc8ae1baa86d44c283f.json"
  static let path = "/home/user/.aws/login/cache/" + name

  /// The file of the first record of botocore, with another end. Its key is that of RFC 6979, A.2.5.
  static func file(
    until end: String, _ changes: (String, with: String)...
  ) throws -> [String: String] {
    let record = try #require(CredentialRequestTests.records("login").first)
    var text = try record.text("file").replacing("2024-01-02T03:09:05Z", with: end)
      .replacing("old/secret", with: Secret.key).replacing("old-token==", with: Secret.sessionToken)
      .replacing("old-refresh-token", with: Secret.refreshToken)
    for (old, new) in changes {
      #expect(text.contains(old))
      text = text.replacing(old, with: new)
    }
    return [path: text]
  }

  static func provider(
    _ services: RecordedServices, region: String? = "eu-west-1", sources: CredentialSources? = nil
  ) -> LoginProvider {
    var settings = ServiceSettings()
    settings.region = region
    return LoginProvider(
      session: session, settings: settings, sources: sources ?? services.sources)
  }

  static let home = ["HOME": "/home/user"]
  static let renewed = renewed(for: "900")[0]

  /// A response whose credentials expire after this many seconds.
  static func renewed(for seconds: String) -> [RecordedServices.Answer] {
    [
      .text(
        200,
        """
        {"accessToken":{"accessKeyId":"ASIANEW","secretAccessKey":"\(Secret.callerKey)",
         "sessionToken":"\(Secret.callerToken)"},"tokenType":"aws_sigv4","expiresIn":\(seconds),
         "refreshToken":"\(Secret.clientSecret)"}
        """)
    ]
  }

  // botocore, LoginCredentialFetcher._REFRESH_THRESHOLD: 5 minutes.
  @Test(
    "Credentials with more than five minutes left come from the cache, without a request")
  func cached() async throws {
    let services = try RecordedServices(
      variables: Self.home, files: try Self.file(until: "2024-01-02T03:09:06Z"))
    let provided = try await Self.provider(services).credentials()
    try expect(
      provided, "ASIAOLD", secret: Secret.key, token: Secret.sessionToken,
      until: "20240102T030906Z")
    #expect(provided.accountID == "123456789012")
    #expect(provided.source == #"the sign-in of "arn:aws:iam::123456789012:user/me""#)
    #expect(provided.warning == nil)
  }

  @Test("A proof contains the request, the time and its own ID, and verifies with the key")
  func proof() async throws {
    let services = try RecordedServices(
      Self.renewed, Self.renewed, variables: Self.home,
      files: try Self.file(until: "2024-01-02T03:09:05Z"))
    let provided = try await Self.provider(services).credentials()
    try expect(
      provided, "ASIANEW", secret: Secret.callerKey, token: Secret.callerToken,
      until: "20240102T031905Z")
    try services.advance(seconds: 700)
    _ = try await Self.provider(services).credentials()
    #expect(
      String(decoding: services.requests[1].body, as: UTF8.self).contains(Secret.clientSecret))
    var ids: [String] = []
    for request in services.requests {
      let proof = try #require(request.headers.values(named: "dpop").first)
      let parts = proof.split(separator: ".").map { String($0) }
      let header = try JSONReader.value(of: Base64.decode(parts[0], as: .urlSafeUnpadded))
      let claims = try JSONReader.value(of: Base64.decode(parts[1], as: .urlSafeUnpadded))
      #expect(claims["htu"]?.text == "https://eu-west-1.signin.aws.amazon.com/v1/token")
      let point = try ["x", "y"].flatMap {
        try Base64.decode(header["jwk"]?[$0]?.text ?? "", as: .urlSafeUnpadded)
      }
      // RFC 6979, A.2.5: Ux and Uy.
      #expect(
        Hexadecimal.encode(point)
          == "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
          + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299")
      let key = try P256.Signing.PublicKey(rawRepresentation: point)
      let signature = try P256.Signing.ECDSASignature(
        rawRepresentation: Base64.decode(parts[2], as: .urlSafeUnpadded))
      #expect(key.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8)))
      ids.append(try #require(claims["jti"]?.text))
    }
    // RFC 9562, 5.4: version and variant.
    #expect(Set(ids).count == 2)
    #expect(ids.allSatisfy { $0.count == 36 && Array($0)[14] == "4" })
    #expect(ids.allSatisfy { "89ab".contains(Array($0)[19]) })
  }

  @Test("If renewal fails, it's used with a warning until it expires")
  func failures() async throws {
    let answers: [([RecordedServices.Answer], CredentialError.Code, String)] = [
      (
        [.failure(.timedOut), .failure(.timedOut), .failure(.unreachable)], .unreachable,
        "3 attempts"
      ),
      ([.text(503, ""), .text(500, ""), .text(500, "")], .unreachable, "status 500"),
      ([.redirect], .accessDenied, "redirect"),
      (
        [.text(401, #"{"error":"TOKEN_EXPIRED","message":"old"}"#)], .signInRequired, "aws login"
      ),
      (
        [.text(403, #"{"error":"USER_CREDENTIALS_CHANGED","message":"new"}"#)], .signInRequired,
        "aws login"
      ),
      (
        [.text(403, #"{"error":"INSUFFICIENT_PERMISSIONS","message":"no"}"#)], .accessDenied,
        "signin:CreateOAuth2Token"
      ),
      ([.text(400, #"{"error":"INVALID_REQUEST"}"#)], .accessDenied, "status 400"),
      ([.echo(status: 400)], .accessDenied, "not shown"),
      ([.text(200, "{}")], .invalidResponse, "accessToken"),
      (Self.renewed(for: "0"), .invalidResponse, "accessToken"),
      (Self.renewed(for: "-900"), .invalidResponse, "accessToken"),
      (Self.renewed(for: "\"900\""), .invalidResponse, "accessToken"),
      ([.text(200, "<a/>")], .invalidResponse, "JSON"),
    ]
    for (answers, code, word) in answers {
      let files = try Self.file(until: "2024-01-02T03:09:05Z")
      let services = try RecordedServices(variables: Self.home, files: files)
      answers.forEach { services.add($0) }
      let provided = try await Self.provider(services).credentials()
      #expect(provided.credentials.identity.accessKeyID == "ASIAOLD")
      let warning = try #require(provided.warning)
      #expect(warning.contains(word), "\(warning)")
      #expect(warning.hasSuffix("stay in use until 20240102T030905Z."))
      expectNoSecret(in: warning)
      #expect(services.text(ofFile: Self.path) == files[Self.path])

      try services.advance(seconds: 300)
      answers.forEach { services.add($0) }
      let error = await failure(of: Self.provider(services))
      #expect(error.code == code)
      #expect(error.message.contains(word), "\(error)")
    }
  }

  @Test("Without a sign-in, a key, a region or a home folder, the error says what to do")
  func configuration() async throws {
    func error(
      _ files: [String: String], _ variables: [String: String] = Self.home, region: String? = "r-1"
    ) async throws -> CredentialError {
      let services = try RecordedServices(variables: variables, files: files)
      return await failure(of: Self.provider(services, region: region))
    }
    let end = "2024-01-02T03:04:05Z"
    #expect(try await error([:]).code == .signInRequired)
    #expect(try await error([:], [:]).code == .invalidConfiguration)
    #expect(try await error([Self.path: "{"]).code == .invalidFile)
    #expect(try await error([Self.path: "[]"]).code == .invalidFile)
    for name in ["accessToken", "refreshToken", "clientId", "dpopKey", "accessKeyId", "expiresAt"] {
      let error = try await error(Self.file(until: end, ("\"\(name)\"", with: "\"other\"")))
      #expect(error.code == .invalidFile, "\(name)")
    }
    let later = try Self.file(until: "2024-01-02T03:19:05Z", ("ASIAOLD", with: "A,B"))
    #expect(try await error(later).code == .invalidFile)
    #expect(try await error(Self.file(until: end), region: nil).code == .invalidConfiguration)
    let variables = ["AWS_LOGIN_CACHE_DIRECTORY": "$FOLDER/x", "FOLDER": "/f"]
    let file = try Self.file(until: "2024-01-02T03:19:05Z")[Self.path]
    let services = try RecordedServices(
      variables: variables, files: ["/f/x/" + Self.name: file ?? ""])
    _ = try await Self.provider(services).credentials()
  }

  @Test("A profile's login session is requested in the profile's region")
  func profile() async throws {
    let config = "[profile a]\nlogin_session = \(Self.session)\nregion = cn-north-1\n"
    let files = try Self.file(until: "2024-01-02T03:09:05Z")
      .merging(["/home/user/.aws/config": config]) { $1 }
    let services = try RecordedServices(Self.renewed, variables: Self.home, files: files)
    let provider = DefaultCredentialProvider(profile: "a", sources: services.sources)
    #expect(try await provider.credentials().credentials.identity.accessKeyID == "ASIANEW")
    #expect(services.targets == ["POST https://cn-north-1.signin.amazonaws.cn/v1/token"])
  }

  /// The tables of botocore's AWS Sign-In endpoints for a profile's settings.
  @Test("Requests to AWS Sign-In go to the same endpoints as botocore's")
  func endpoints() async throws {
    var count = 0
    for record in try ServiceSettingsTests.table.get() {
      guard let settings = try ServiceSettingsTests.settings(record) else { continue }
      let isRefused = try record.optionalText("signin-refused") != nil
      guard try isRefused || record.optionalText("signin") != nil else { continue }
      let files = try Self.file(until: "2024-01-02T03:04:05Z")
      let services = try RecordedServices(Self.renewed, variables: Self.home, files: files)
      let provider = LoginProvider(
        session: Self.session, settings: settings, sources: services.sources)
      count += 1
      do throws(CredentialError) {
        _ = try await provider.credentials()
      } catch {
        #expect(isRefused, "\(record): \(error)")
        #expect(error.code == .invalidConfiguration, "\(record): \(error)")
        continue
      }
      #expect(try [record.text("signin")] == services.requests.map(\.url), "\(record)")
    }
    #expect(count > 100)
  }
}
