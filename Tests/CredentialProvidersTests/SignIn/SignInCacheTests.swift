// SPDX-License-Identifier: Apache-2.0
// The file of a sign-in: what is written to it, and who else may have written to it meanwhile.

internal import CredentialProviders
internal import DigitalSignatures
internal import DocumentSupport
internal import Foundation
internal import RequestSigning
internal import Testing

@Suite("The file of a sign-in")
struct SignInCacheTests {
  private static let ended = "2024-01-02T03:04:05Z"

  /// A response of AWS Sign-In, with changes.
  private static func answer(
    _ changes: (String, with: String)..., seconds: String = "900"
  ) throws -> RecordedServices.Answer {
    guard case .response(let response) = LoginProviderTests.renewed(for: seconds)[0] else {
      throw CredentialError(.invalidResponse, "No response.", fix: "Check the example.")
    }
    var text = String(decoding: response.body, as: UTF8.self)
    for (old, new) in changes {
      #expect(text.contains(old))
      text = text.replacing(old, with: new)
    }
    return .text(200, text)
  }

  /// AWS Sign-In API Reference, CreateOAuth2Token: the parts that are required. RFC 6749, A.17: a refresh
  /// token is of visible ASCII and spaces.
  @Test("An unusable response doesn't overwrite a usable sign-in")
  func unusable() async throws {
    for (old, new) in [
      ("ASIANEW", ""), ("ASIANEW", "A,B"), ("ASIANEW", "AKIA\\n"), (Secret.callerKey, ""),
      (Secret.callerKey, " x"), (Secret.callerKey, "x\\n"), (Secret.callerToken, ""),
      (Secret.callerToken, "a\\r\\nb"), (Secret.callerToken, "é"), (Secret.clientSecret, ""),
      (Secret.clientSecret, "a\\nb"), (Secret.clientSecret, "é"),
      ("\"refreshToken\"", "\"other\""),
    ] {
      for end in [Self.ended, "2024-01-02T03:09:05Z"] {
        let files = try LoginProviderTests.file(until: end)
        let services = try RecordedServices(
          try Self.answer((old, with: new)), variables: LoginProviderTests.home, files: files)
        let provider = LoginProviderTests.provider(services)
        if end == Self.ended {
          #expect(await failure(of: provider).code == .invalidResponse, "\(old) -> \(new)")
        } else {
          let provided = try await provider.credentials()
          #expect(provided.credentials.identity.accessKeyID == "ASIAOLD", "\(old) -> \(new)")
          #expect(provided.warning?.isEmpty == false)
        }
        #expect(services.text(ofFile: LoginProviderTests.path) == files[LoginProviderTests.path])
      }
    }
  }

  /// AWS Sign-In API Reference, CreateOAuth2Token, expiresIn: "Maximum value is 900 seconds (15 minutes)."
  @Test(
    "Credentials are valid for at most 15 minutes, whatever the response says",
    arguments: [
      ("1", "2024-01-02T03:04:06Z"), ("899.9", "2024-01-02T03:19:04Z"),
      ("900", "2024-01-02T03:19:05Z"), ("901", "2024-01-02T03:19:05Z"),
      ("1073741824", "2024-01-02T03:19:05Z"), ("1e300", "2024-01-02T03:19:05Z"),
    ])
  func longLife(seconds: String, end: String) async throws {
    let services = try RecordedServices(
      try Self.answer(seconds: seconds), variables: LoginProviderTests.home,
      files: try LoginProviderTests.file(until: Self.ended))
    let provided = try await LoginProviderTests.provider(services).credentials()
    #expect(provided.credentials.identity.expiration?.extendedText == end)
    let text = try #require(services.text(ofFile: LoginProviderTests.path))
    #expect(text.contains("\"expiresAt\":\"\(end)\""))
  }

  @Test("An impossible expiration, left by a wrong response, doesn't block the file")
  func farEnd() async throws {
    // Credentials live 15 minutes; 5 more for the difference of two clocks, as AWS has it.
    for (end, isRenewed) in [
      ("2024-01-02T03:24:05Z", false), ("2024-01-02T03:24:06Z", true),
      ("2058-01-02T03:04:05Z", true), ("9999-12-31T23:59:59Z", true),
    ] {
      let files = try LoginProviderTests.file(until: end)
      let services = try RecordedServices(
        LoginProviderTests.renewed, variables: LoginProviderTests.home, files: files)
      let provided = try await LoginProviderTests.provider(services).credentials()
      let key = provided.credentials.identity.accessKeyID
      #expect(key == (isRenewed ? "ASIANEW" : "ASIAOLD"), "\(end)")
      // Out of reach, they may still be good: a clock can be wrong.
      let offline = try RecordedServices(variables: LoginProviderTests.home, files: files)
      for _ in 0..<3 { offline.add(.failure(.unreachable)) }
      let old = try await LoginProviderTests.provider(offline).credentials()
      #expect(old.credentials.identity.accessKeyID == "ASIAOLD")
      // Nor are they used for years when the sign-in has ended.
      if !isRenewed { continue }
      let over = try RecordedServices(
        .text(403, #"{"error":"TOKEN_EXPIRED"}"#), variables: LoginProviderTests.home, files: files)
      #expect(await failure(of: LoginProviderTests.provider(over)).code == .signInRequired)
    }
  }

  /// A refresh token is valid once, so only one of several processes succeeds.
  @Test("A token that another process renewed is used before the user must sign in again")
  func renewedElsewhere() async throws {
    let refusals = [
      #"{"error":"TOKEN_EXPIRED"}"#, #"{"error":"USER_CREDENTIALS_CHANGED"}"#,
      #"{"error":"INVALID_REQUEST"}"#, "",
    ]
    for (status, refusal) in zip([403, 403, 400, 400], refusals) {
      for waits in 0...5 {
        let services = try RecordedServices(
          .text(status, refusal), variables: LoginProviderTests.home,
          files: try LoginProviderTests.file(until: Self.ended))
        let newer = try LoginProviderTests.file(
          until: "2024-01-02T03:19:05Z", ("ASIAOLD", with: "ASIATHEIRS"),
          (Secret.refreshToken, with: "their-refresh-token"))
        let provider = LoginProviderTests.provider(
          services, sources: services.sources(writing: newer, afterWaits: waits))
        let provided = try await provider.credentials()
        #expect(provided.credentials.identity.accessKeyID == "ASIATHEIRS", "\(refusal), \(waits)")
        #expect(provided.warning == nil)
        #expect(services.requests.count == 1)
        let written = services.text(ofFile: LoginProviderTests.path)
        #expect(written == newer[LoginProviderTests.path])
      }
    }
  }

  @Test("An expired sign-in is reported within a few seconds, after one request")
  func ended() async throws {
    let services = try RecordedServices(
      .text(403, #"{"error":"TOKEN_EXPIRED"}"#), variables: LoginProviderTests.home,
      files: try LoginProviderTests.file(until: Self.ended))
    let error = await failure(of: LoginProviderTests.provider(services))
    #expect(error.code == .signInRequired)
    #expect(services.requests.count == 1)
    let waited = services.waits.reduce(Duration.zero, +)
    #expect(waited > .seconds(2) && waited < .seconds(5))
    // While the old credentials are valid, there's no wait.
    let living = try RecordedServices(
      .text(403, #"{"error":"TOKEN_EXPIRED"}"#), variables: LoginProviderTests.home,
      files: try LoginProviderTests.file(until: "2024-01-02T03:04:06Z"))
    let provided = try await LoginProviderTests.provider(living).credentials()
    #expect(provided.warning?.contains("TOKEN_EXPIRED") == true)
    #expect(living.waits.isEmpty)
  }

  @Test("A file that's missing, damaged or older by then doesn't change the error")
  func worseFiles() async throws {
    for worse in ["", "{", "{}"] {
      let services = try RecordedServices(
        .text(403, #"{"error":"TOKEN_EXPIRED"}"#), variables: LoginProviderTests.home,
        files: try LoginProviderTests.file(until: Self.ended))
      let provider = LoginProviderTests.provider(
        services,
        sources: services.sources(writing: [LoginProviderTests.path: worse], afterWaits: 1))
      #expect(await failure(of: provider).code == .signInRequired, "\(worse)")
    }
    let services = try RecordedServices(
      .text(403, #"{"error":"TOKEN_EXPIRED"}"#), variables: LoginProviderTests.home,
      files: try LoginProviderTests.file(until: Self.ended))
    let alsoEnded = try LoginProviderTests.file(
      until: "2024-01-02T03:04:04Z", ("ASIAOLD", with: "ASIAOLDER"))
    let provider = LoginProviderTests.provider(
      services, sources: services.sources(writing: alsoEnded, afterWaits: 1))
    #expect(await failure(of: provider).code == .signInRequired)
  }

  @Test("An invalid sign-in region is reported, and isn't used in a host name")
  func signInRegion() async throws {
    for region in ["\"evil.example/\"", "\"eu west\"", "5", "{}", "true"] {
      let services = try RecordedServices(
        variables: LoginProviderTests.home,
        files: try LoginProviderTests.file(
          until: Self.ended, ("\"tokenType\"", with: "\"signInRegion\":\(region),\"tokenType\"")))
      let error = await failure(of: LoginProviderTests.provider(services))
      #expect([.invalidFile, .invalidConfiguration].contains(error.code), "\(region): \(error)")
      #expect(services.requests.isEmpty)
    }
  }
}
