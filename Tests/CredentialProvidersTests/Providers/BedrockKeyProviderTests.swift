// SPDX-License-Identifier: Apache-2.0
// API keys for Amazon Bedrock: which one a program uses, and when it changes.

internal import CredentialProviders
internal import RequestSigning
internal import SigningTestSupport
internal import TestSupport
internal import Testing

/// Source of the key: botocore and AWS's aws-bedrock-token-generator, by `connection-tokens.py`.
@Suite("API keys for Amazon Bedrock")
struct BedrockKeyProviderTests {
  @Test("A key is created from the credentials, and is the one of the vectors")
  func created() async throws {
    let vector = try VectorTable(named: "connection-tokens.txt").record(named: "Bedrock")
    let keys = try BedrockKeyProvider(
      credentials: vector.credentials(), region: "us-west-2", expiresIn: .seconds(43_200),
      sources: sources(at: vector.timestamp()))
    let key = try await keys.key()
    #expect(try key.text == vector.text("text"))
    #expect(key.authorization == "Bearer " + key.text)
    #expect(try key.expiration == vector.timestamp().advanced(bySeconds: 43_200))
    #expect(key.source == "the program")
  }

  @Test("AWS_BEARER_TOKEN_BEDROCK has precedence, and the credentials aren't queried")
  func environment() async throws {
    var sources = try sources(at: now())
    sources.variable = { $0 == "AWS_BEARER_TOKEN_BEDROCK" ? "bedrock-api-key-abc=" : nil }
    let keys = BedrockKeyProvider(
      credentials: NoCredentials(), region: "us-west-2", sources: sources)
    let key = try await keys.key()
    #expect(key.authorization == "Bearer bedrock-api-key-abc=")
    #expect(key.expiration == nil && key.source == "AWS_BEARER_TOKEN_BEDROCK")
    #expect("\(key)" == "BedrockKey(AWS_BEARER_TOKEN_BEDROCK)")
  }

  @Test("An empty variable counts as not set, and one with a newline is rejected")
  func variables() async throws {
    var sources = try sources(at: now())
    sources.variable = { _ in "" }
    await #expect(throws: CredentialError.self) {
      try await BedrockKeyProvider(credentials: NoCredentials(), region: "a", sources: sources)
        .key()
    }
    sources.variable = { _ in "hush\n" }
    let keys = BedrockKeyProvider(
      credentials: NoCredentials(), region: "us-west-2", sources: sources)
    let error = await #expect(throws: CredentialError.self) { try await keys.key() }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.contains("AWS_BEARER_TOKEN_BEDROCK (5 bytes, not shown)") == true)
    #expect(error?.message.contains("hush") == false)
  }

  @Test("A key expires with the credentials, and the next one is from the new credentials")
  func refreshed() async throws {
    let first = try now()
    let end = try first.advanced(bySeconds: 600)
    let provider = Rotation(end: end)
    let key = try await BedrockKeyProvider(
      credentials: provider, region: "us-west-2", sources: sources(at: first)
    ).key()
    #expect(key.expiration == end)
    #expect("\(key)" == "BedrockKey(rotation, until \(end.text))")
    let next = try await BedrockKeyProvider(
      credentials: provider, region: "us-west-2", sources: sources(at: end)
    ).key()
    #expect(next.text != key.text)
    #expect(try next.expiration == end.advanced(bySeconds: 600))
  }

  @Test("A region or a lifetime that isn't valid, and expired credentials, have their codes")
  func refusals() async throws {
    let sources = try sources(at: now())
    let valid = try Example.credentials()
    let expired = try Example.credentials(sessionToken: "t", expiration: now())
    for (credentials, region, seconds, code) in [
      (valid, "a/b", 900, CredentialError.Code.invalidConfiguration),
      (valid, "us-west-2", 43_201, .invalidConfiguration), (expired, "us-west-2", 900, .expired),
    ] {
      let keys = BedrockKeyProvider(
        credentials: credentials, region: region, expiresIn: .seconds(seconds), sources: sources)
      let error = await #expect(throws: CredentialError.self) { try await keys.key() }
      #expect(error?.code == code)
    }
  }

  func now() throws -> SigV4.Timestamp { try SigV4.Timestamp("20240102T030405Z") }

  func sources(at now: SigV4.Timestamp) -> CredentialSources { CredentialSources(now: { now }) }

  struct NoCredentials: CredentialResolver {
    func credentials() async throws(CredentialError) -> ResolvedCredentials {
      throw CredentialError(.notConfigured, "There are none.", fix: "Add some.")
    }
  }

  /// New credentials on each call, which expire ten minutes after the ones before.
  actor Rotation: CredentialResolver {
    private var end: SigV4.Timestamp
    private var count = 0

    init(end: SigV4.Timestamp) { self.end = end }

    func credentials() async throws(CredentialError) -> ResolvedCredentials {
      count += 1
      do throws(SigV4.SigningError) {
        let credentials = try SigV4.Credentials(
          accessKeyID: "AKID\(count)", secretAccessKey: "s\(count)", sessionToken: "t",
          expiration: end)
        end = try end.advanced(by: .seconds(600))
        return ResolvedCredentials(credentials, source: "rotation")
      } catch {
        throw CredentialError(.invalidResponse, error.problem, fix: error.fix)
      }
    }
  }
}
