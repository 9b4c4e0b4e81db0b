// SPDX-License-Identifier: Apache-2.0
// The account of credentials, from the sources that tell it.

internal import CredentialProviders
internal import RequestSigning
internal import Testing

/// The names: AWS SDKs and Tools Reference Guide, "Account-based endpoints" and "Process credential
/// provider".
@Suite("The account of credentials")
struct AccountIDTests {
  private static let keys = ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": Secret.key]

  private func account(
    _ variables: [String: String], _ files: [String: String] = [:]
  ) async throws -> String? {
    let services = try RecordedServices(
      .text(200, ProviderExamples.securityToken("AssumeRoleWithWebIdentity")),
      variables: variables.merging(["HOME": "/h"]) { $1 }, files: files)
    return try await DefaultCredentialProvider(sources: services.sources).credentials().accountID
  }

  @Test("It comes from a variable, a profile, a role or a program")
  func told() async throws {
    #expect(try await account(Self.keys) == nil)
    #expect(try await account(Self.keys.merging(["AWS_ACCOUNT_ID": "1"]) { $1 }) == "1")
    #expect(try await account(Self.keys.merging(["AWS_ACCOUNT_ID": ""]) { $1 }) == nil)
    let profile = "[default]\naws_access_key_id = AKID\naws_secret_access_key = \(Secret.key)\n"
    #expect(
      try await account([:], ["/h/.aws/config": profile + "aws_account_id = 2\n"]) == "2")
    let web = [
      "AWS_WEB_IDENTITY_TOKEN_FILE": "/token", "AWS_ROLE_ARN": ProviderExamples.role,
    ]
    // The ARN in the answer names the account.
    #expect(try await account(web, ["/token": Secret.webIdentity]) == "123456789012")
    var sources = try RecordedServices(.text(500, "")).sources
    for (member, accountID) in [(#", "AccountId": "3""#, "3"), ("", nil)] {
      sources.run = { (_) async throws(CredentialError) in
        Array(
          #"{"Version": 1, "AccessKeyId": "A", "SecretAccessKey": "s"\#(member)}"#.utf8)
      }
      let program = ProcessCredentialProvider(command: ["program"], sources: sources)
      #expect(try await program.credentials().accountID == accountID)
    }
  }

  /// botocore 1.43.11, `ProcessProvider`, gives these.
  @Test("A program's output takes precedence over the profile that names the program")
  func programOfProfile() async throws {
    for (member, config, credentials, accountID) in [
      ("", "aws_account_id = 5\n", "", "5"),
      (#", "AccountId": "3""#, "aws_account_id = 5\n", "", "3"),
      (#", "AccountId": """#, "aws_account_id = 5\n", "", "5"),
      (#", "AccountId": null"#, "aws_account_id = 5\n", "", "5"),
      (#", "AccountId": 3"#, "aws_account_id = 5\n", "", "3"),
      ("", "", "[a]\naws_account_id = 7\n", "7"),
      ("", "aws_account_id = 5\n", "[a]\naws_account_id = 7\n", "7"),
      ("", "aws_account_id =\n", "", nil), ("", "", "", nil),
      ("", "[DEFAULT]\naws_account_id = 5\n", "", "5"),
    ] as [(String, String, String, String?)] {
      let services = try RecordedServices(
        variables: ["HOME": "/h", "AWS_ACCOUNT_ID": "9"],
        files: [
          "/h/.aws/config": "[profile a]\ncredential_process = program\n" + config,
          "/h/.aws/credentials": credentials,
        ])
      var sources = services.sources
      sources.run = { (_) async throws(CredentialError) in
        Array(#"{"Version": 1, "AccessKeyId": "A", "SecretAccessKey": "s"\#(member)}"#.utf8)
      }
      let provider = DefaultCredentialProvider(profile: "a", sources: sources)
      let found = try await provider.credentials().accountID
      #expect(found == accountID, "\(member), \(config), \(credentials)")
    }
  }
}
