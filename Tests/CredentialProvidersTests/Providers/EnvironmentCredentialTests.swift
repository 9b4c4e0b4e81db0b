// SPDX-License-Identifier: Apache-2.0
// Credentials in environment variables: error messages. The values are in the table of profiles.

internal import CredentialProviders
internal import Testing

@Suite("Environment credentials")
struct EnvironmentCredentialTests {
  private static func refusal(_ variables: [String: String]) throws -> CredentialError? {
    var fixture = ProfileFixture()
    fixture.variables = variables
    let provider = EnvironmentCredentialProvider(sources: try fixture.sources)
    return #expect(throws: CredentialError.self) { try provider.credentials() }
  }

  @Test("Without an access key ID, the chain continues")
  func nothing() throws {
    for variables in [[:], ["AWS_ACCESS_KEY_ID": ""], ["AWS_SECRET_ACCESS_KEY": "secretive"]] {
      #expect(try Self.refusal(variables)?.code == .notConfigured)
    }
  }

  @Test("Half of a pair is rejected by the name of the missing variable, without the other's value")
  func half() throws {
    let error = try Self.refusal(["AWS_ACCESS_KEY_ID": "AKIDEXAMPLE"])
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.contains("AWS_SECRET_ACCESS_KEY isn't") == true)
  }

  @Test("An impossible value is rejected, and isn't shown")
  func wrong() throws {
    let keys = ["AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secretive"]
    for (name, value) in [
      ("AWS_ACCESS_KEY_ID", "AKID EXAMPLE"), ("AWS_SECRET_ACCESS_KEY", "secretive\n"),
      ("AWS_SESSION_TOKEN", "secretive token"), ("AWS_CREDENTIAL_EXPIRATION", "1706554381"),
    ] {
      let error = try Self.refusal(keys.merging([name: value]) { $1 })
      #expect(error?.code == .invalidConfiguration, "\(name)")
      #expect(error?.description.contains("secretive") == false, "\(name)")
    }
  }

  @Test("Credentials that have ended, even this second, are rejected as such")
  func ended() throws {
    let keys = ["AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secretive"]
    let end = ["AWS_CREDENTIAL_EXPIRATION": "2024-01-02T03:04:05Z"]
    #expect(try Self.refusal(keys.merging(end) { $1 })?.code == .expired)
  }
}
