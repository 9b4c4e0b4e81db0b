// SPDX-License-Identifier: Apache-2.0
// Requests, responses and sources as values: equality, rejections before sending, and descriptions.

@testable internal import CredentialProviders
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Values of credential providers")
struct CredentialValueTests {
  static func request(
    _ method: String = "GET", _ url: String = "https://sts.amazonaws.com/?a=1",
    name: String = "x-a", value: String = "1", body: [UInt8] = [], seconds: Int = 5
  ) -> SigV4.HTTPRequest {
    SigV4.HTTPRequest(
      method, url, headers: [name: value], body: body, timeout: .seconds(seconds))
  }

  @Test("Requests are equal when every part is")
  func requests() {
    let request = Self.request()
    #expect(request == Self.request())
    for other in [
      Self.request("POST"), Self.request("GET", "https://sts.amazonaws.com/?a=2"),
      Self.request(name: "x-b"), Self.request(value: "2"), Self.request(body: [1]),
      Self.request(seconds: 6),
    ] {
      #expect(request != other)
    }
  }

  @Test("A body that's still arriving is collected up to the request's limit")
  func collection() async throws {
    let buffers = AsyncStream<[UInt8]> { continuation in
      for byte in UInt8(1)...3 { continuation.yield([byte, byte]) }
      continuation.finish()
    }
    var sources = CredentialSources { .unixEpoch }
    sources.http = { _ in SigV4.HTTPResponse(status: 200, headers: ["a": "b"], body: buffers) }
    var request = Self.request()
    request.maximumByteCount = 6
    let response = try await sources.response(to: request)
    #expect(response.status == 200 && response.headers == ["a": "b"])
    #expect(response.body == [1, 1, 2, 2, 3, 3])
    sources.http = { _ in SigV4.HTTPResponse(status: 200, body: [1, 2, 3, 4, 5, 6, 7]) }
    let error = await #expect(throws: CredentialError.self) {
      try await sources.response(to: request)
    }
    #expect(error?.code == .invalidResponse && error?.problem.contains("6 bytes") == true)
  }

  @Test(
    "An invalid method, which could end the request line, isn't sent", arguments: ["", "GET /"])
  func method(_ method: String) {
    let error = #expect(throws: CredentialError.self) { try Self.request(method).check() }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.contains("a=1") == false, "\(error?.message ?? "")")
  }

  @Test("A profile's sources describe themselves without a secret")
  func sources() throws {
    let profiles = """
      [profile role]
      role_arn = arn:aws:iam::123456789012:role/reader
      web_identity_token_file = /token
      [profile sso]
      sso_start_url = https://example.awsapps.com/start
      sso_region = eu-west-1
      sso_account_id = 123456789012
      sso_role_name = viewer
      [profile login]
      login_session = arn:aws:iam::123456789012:user/anna
      [profile program]
      credential_process = /bin/keys --secret hidden
      """
    var sources = CredentialSources { .unixEpoch }
    sources.variable = { $0 == "AWS_CONFIG_FILE" ? "/config" : nil }
    sources.file = { (path) throws(CredentialError) in
      path == "/config" ? Array(profiles.utf8) : nil
    }
    for (name, description) in [
      ("role", "arn:aws:iam::123456789012:role/reader, assumed with a token in a file"),
      ("sso", "viewer of account 123456789012"),
      ("login", "a sign-in of \"arn:aws:iam::123456789012:user/anna\""),
      ("program", "credential_process"),
    ] {
      let found = try ProfileCredentials(
        profile: name, in: ProfileFiles(sources: sources), sources: sources)
      #expect(found.source.description == description)
    }
  }
}
