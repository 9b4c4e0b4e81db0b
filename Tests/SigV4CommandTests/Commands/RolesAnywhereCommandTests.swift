// SPDX-License-Identifier: Apache-2.0
// sigv4 credentials --certificate, with a curl that answers, and what is refused.

internal import Foundation
internal import SigningTestSupport
internal import TestSupport
internal import Testing

/// The certificate and key are those of `roles-anywhere.py`. `.ci/check-roles-anywhere` sends the request to a
/// server with TLS.
@Suite("sigv4 credentials --certificate")
struct RolesAnywhereCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  private func run(_ arguments: [String], without dropped: String = "") throws -> CommandProcess {
    let given = OptionUse.certificateArguments.filter { dropped.isEmpty || !$0.hasPrefix(dropped) }
    return try fixture.run(
      ["credentials"] + given.flatMap { $0.split(separator: " ").map(String.init) } + arguments)
  }

  /// IAM Roles Anywhere User Guide, "Get temporary security credentials": the output of
  /// `aws_signing_helper credential-process`.
  @Test("The output is that of a credential_process, or variables for a shell")
  func output() throws {
    let result = try run([])
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(object["Version"] as? Int == 1)
    let id = try #require(object["AccessKeyId"] as? String)
    #expect(id.hasPrefix("ASIA"))
    #expect(object["SecretAccessKey"] as? String == "s")
    #expect(object["SessionToken"] as? String == "t")
    #expect(object["Expiration"] as? String == "2099-01-01T00:00:00Z")
    #expect(result.exitCode == 0 && result.errors.isEmpty)
    #expect(
      try run(["--format", "env"]).output.hasPrefix("export AWS_ACCESS_KEY_ID='\(id)'\n"))
  }

  @Test("Each required option that is missing is named")
  func missing() throws {
    for option in OptionUse.certificateArguments.dropFirst() {
      let name = String(option.prefix { $0 != " " })
      let result = try run([], without: name)
      #expect(result.exitCode == 2)
      #expect(result.errors.contains("--certificate needs \(name). Add \(name)."))
    }
    let result = try run([], without: "--certificate")
    #expect(result.exitCode == 2)
    #expect(result.errors.contains("--private-key needs --certificate."))
  }

  @Test(
    "What doesn't belong together or isn't valid is refused",
    arguments: [
      (["--profile", "p"], 2, "--profile can't be combined with --certificate."),
      (["--json"], 2, "--json can't be combined with --certificate."),
      (["--session-duration", "1h"], 2, "--session-duration must be a number of seconds"),
      (["--session-duration", "899"], 3, "A role session can't last 899 seconds."),
      (["--profile-arn", "arn:aws:rolesanywhere:eu-west-1:123456789012:profile/1"], 3, "in eu-"),
      (["--endpoint", "http://example.com"], 3, "plain text"),
      (["--certificate", "/none"], 3, "\"/none\" with the certificate doesn't exist"),
      (["--private-key", "-----BEGIN PRIVATE KEY-----\nhush"], 2, "see. Pass --private-key"),
      (["--private-key", "FILE"], 3, "This isn't PEM"),
      (["--private-key", "PRIVATE_KEY"], 3, "doesn't belong to the certificate: it's an RSA key"),
      (["more"], 2, "credentials accepts options only"),
    ] as [([String], Int32, String)])
  func refusals(arguments: [String], exitCode: Int32, words: String) throws {
    let result = try run(arguments)
    #expect(result.exitCode == exitCode, "\(result.errors)")
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(!result.errors.contains("hush") && result.output.isEmpty)
  }
}
