// SPDX-License-Identifier: Apache-2.0
// Credentials that a program prints, read as botocore reads them.

@testable internal import CredentialProviders
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Process credentials")
struct ProcessCredentialTests {
  private static func found(_ output: [UInt8]) async throws -> ResolvedCredentials {
    var fixture = ProfileFixture()
    fixture.output = output
    return try await ProcessCredentialProvider(
      command: ["tool", "--key=argument"], sources: fixture.sources
    ).credentials()
  }

  @Test("Every output means to us what it means to botocore, or is rejected as there")
  func table() async throws {
    let records = try VectorTable(named: "process-credentials.txt").records
    #expect(records.count == 42)
    for record in records {
      let output = try record.bytes("output")
      if try record.optionalText("refused") != nil {
        let error = await #expect(throws: CredentialError.self, "\(record)") {
          try await Self.found(output)
        }
        #expect(error?.code == (record.name.contains("2001") ? .expired : .invalidResponse))
        #expect(error?.description.contains("secret/") == false)
        #expect(error?.description.contains("argument") == false)
      } else {
        let provided = try await Self.found(output)
        #expect(
          try provided.credentials.fingerprint == SigV4.Credentials.fingerprint(of: record),
          "\(record)")
      }
    }
  }

  @Test("Members of another type, and names that occur twice, are rejected, stricter than botocore")
  func types() async {
    for output in [
      #"{"Version": true, "AccessKeyId": "AKIDEXAMPLE", "SecretAccessKey": "s"}"#,
      #"{"Version": 1, "AccessKeyId": 1, "SecretAccessKey": "s"}"#,
      #"{"Version": 1, "AccessKeyId": null, "SecretAccessKey": "s"}"#,
      #"{"Version": 1, "AccessKeyId": "A", "SecretAccessKey": "s", "SecretAccessKey": "t"}"#,
      #"{"Version": 1, "AccessKeyId": "A", "SecretAccessKey": ""}"#,
      #"{"Version": 1, "AccessKeyId": "A", "SecretAccessKey": "s", "Expiration": 1706554381}"#,
    ] {
      let error = await #expect(throws: CredentialError.self) {
        try await Self.found(Array(output.utf8))
      }
      #expect(error?.code == .invalidResponse, "\(output)")
    }
  }

  @Test("A command line is split without a shell, and one without a program is rejected")
  func commandLine() async throws {
    var sources = try ProfileFixture().sources
    sources.run = { (command) async throws(CredentialError) in
      throw CredentialError(.accessDenied, command.joined(separator: "|"), fix: "Check it.")
    }
    let provider = try SigV4.CredentialProvider.process(
      #"tool 'a b' $HOME "#, sources: sources)
    let error = await #expect(throws: CredentialError.self) {
      try await provider.source.credentials()
    }
    #expect(error?.code == .accessDenied)
    #expect(error?.problem == "tool|a b|$HOME")
    for line in ["", " \t\n", "tool 'a", "tool \\"] {
      let refusal = #expect(throws: CredentialError.self) {
        try SigV4.CredentialProvider.process(line, sources: sources)
      }
      #expect(refusal?.code == .invalidConfiguration)
    }
    let empty = ProcessCredentialProvider(command: [], sources: sources)
    await #expect(throws: CredentialError.self) { try await empty.credentials() }
  }
}
