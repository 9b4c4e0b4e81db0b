// SPDX-License-Identifier: Apache-2.0
// No secret in what a program or a debugger prints of requests, answers and providers.

internal import CredentialProviders
internal import RequestSigning
internal import Testing

@Suite("Values and providers print no secret")
struct ProviderDumpTests {
  /// What `print`, `debugPrint` and `dump` write of a value.
  static func texts(of value: some Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return ["\(value)", String(reflecting: value), dumped]
  }

  @Test("Neither a request nor its response prints its query, headers or body")
  func exchanges() {
    let request = SigV4.HTTPRequest(
      "GET", "http://127.0.0.1/role?token=" + Secret.authorization,
      headers: ["Authorization": Secret.authorization], body: Array(Secret.key.utf8),
      timeout: .seconds(1))
    let response = SigV4.HTTPResponse(
      status: 200, headers: ["X-Token": Secret.metadataToken], body: Array(Secret.key.utf8))
    for text in Self.texts(of: request) + Self.texts(of: response) {
      expectNoSecret(in: text)
      // The first byte of the body as dump writes one.
      #expect(!text.contains("- \(Secret.key.utf8.first ?? 0)"))
    }
    #expect(Self.texts(of: request)[0] == "GET http://127.0.0.1/role")
    #expect(Self.texts(of: response)[0] == "status 200, \(Secret.key.utf8.count) bytes")
  }

  @Test("A provider of a program's credentials doesn't print the program's arguments")
  func arguments() throws {
    let services = try RecordedServices()
    let provider = ProcessCredentialProvider(
      command: ["print-keys", "--token", Secret.authorization], sources: services.sources)
    for text in Self.texts(of: provider) { expectNoSecret(in: text) }
  }

  @Test("A provider of an instance's role doesn't print the token of its session")
  func sessionToken() async throws {
    let services = try RecordedServices(
      InstanceMetadataTests.token(), .text(200, "reader"), .text(200, ProviderExamples.instance()))
    let provider = InstanceMetadataProvider(sources: services.sources)
    let provided = try await provider.credentials()
    #expect(services.requests.last?.headers.first?.value == Secret.metadataToken)
    for text in Self.texts(of: provider) + Self.texts(of: provided) { expectNoSecret(in: text) }
  }

  @Test("A provider that caches credentials doesn't print them")
  func kept() async throws {
    let services = try RecordedServices()
    let credentials = try SigV4.Credentials(
      accessKeyID: "AKIDEXAMPLE", secretAccessKey: Secret.key, sessionToken: Secret.sessionToken)
    let source = credentials
    let provider = SigV4.CredentialProvider(source, now: services.sources.now)
    _ = try await provider.credentials()
    for text in Self.texts(of: provider) + Self.texts(of: source) { expectNoSecret(in: text) }
  }
}
