// SPDX-License-Identifier: Apache-2.0
// Errors of credentials: the cause first, then its fix, and the sources that are not set up last.

internal import Foundation
internal import SigningTestSupport
import Testing

@Suite("Errors of credentials")
struct CredentialAdviceTests {
  private static let config = """
    [profile empty]
    output = json
    [profile half]
    aws_access_key_id = AKIAIOSFODNN7EXAMPLE
    [profile role]
    role_arn = arn:aws:iam::123456789012:role/r
    source_profile = keys
    [profile "a b"]
    role_arn = arn:aws:iam::123456789012:role/r
    source_profile = keys
    [profile keys]
    aws_access_key_id = AKIAIOSFODNN7EXAMPLE
    aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
    [profile sso]
    sso_session = my
    sso_account_id = 123456789012
    sso_role_name = r
    [sso-session my]
    sso_region = eu-west-1
    sso_start_url = https://x.awsapps.com/start
    [profile fails]
    credential_process = /bin/false

    """

  /// Runs commands without credentials of their own.
  private func errors(
    _ arguments: [String] = [], _ variables: [String: String] = [:]
  ) throws -> String {
    let folder = try TemporaryFolder()
    let environment = try [
      "AWS_CONFIG_FILE": folder.file("config", Self.config), "PATH": "/usr/bin:/bin",
      "AWS_SHARED_CREDENTIALS_FILE": folder.file("credentials", ""),
    ]
    let result = try CommandProcess(
      ["sign", "https://b.s3.us-east-1.amazonaws.com/k"] + arguments,
      environment: environment.merging(variables) { $1 })
    #expect(result.exitCode == 3 && result.output == "", "\(result.errors)")
    return result.errors.split(separator: "\n").last { $0.hasPrefix("sigv4: ") }
      .map { String($0.dropFirst(7)) } ?? ""
  }

  @Test("The cause comes first, its fix second, and the sources before it last")
  func order() throws {
    for (variables, cause, fix) in [
      (["AWS_PROFILE": "sso"], "signInRequired: Profile: You aren't", "Sign in"),
      (["AWS_PROFILE": "half"], "invalidConfiguration: Profile: Prof", "Add it"),
      (["AWS_PROFILE": "fails"], "accessDenied: Profile: The command", "Check"),
      (["AWS_PROFILE": "nope"], "invalidConfiguration: Profile: Prof", "Check"),
      (["AWS_PROFILE": "role"], "invalidConfiguration: Profile: POST", "Run"),
      (
        ["AWS_WEB_IDENTITY_TOKEN_FILE": "/nonexistent", "AWS_ROLE_ARN": "arn:aws:iam::1:role/r"],
        "invalidFile: Web identity: The web", "Check"
      ),
      (
        ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:1/x"],
        "unreachable: Container: No response", "Check the address"
      ),
    ] {
      let text = try errors([], variables)
      #expect(text.hasPrefix(cause), "\(text)")
      let parts = text.components(separatedBy: " Earlier sources had no credentials: (1) ")
      #expect(parts.count == 2 && parts[0].contains(fix), "\(text)")
      #expect(parts.last?.hasPrefix("Environment variables: AWS_ACCESS_KEY_ID") == true)
    }
  }

  @Test("A variable or a profile that the user chose is the cause, whatever other sources say")
  func meant() throws {
    let failing = ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:1/x"]
    for others in [[:], failing] {
      for name in ["AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"] {
        let text = try errors([], others.merging([name: "hush-hush"]) { $1 })
        #expect(text.hasPrefix("\(name) is set but AWS_ACCESS_KEY_ID isn't. Set both."), "\(text)")
        #expect(!text.contains("hush-hush"))
        #expect(text.contains("127.0.0.1:1") == !others.isEmpty, "\(text)")
      }
      for (arguments, variables) in [
        (["--profile", "empty"], [:]), ([], ["AWS_PROFILE": "empty"]),
        ([], ["AWS_DEFAULT_PROFILE": "empty"]),
      ] as [([String], [String: String])] {
        let text = try errors(arguments, others.merging(variables) { $1 })
        #expect(text.hasPrefix("Profile \"empty\" has no credentials. Add aws_access"), "\(text)")
        #expect(text.contains("127.0.0.1:1") == !others.isEmpty, "\(text)")
      }
    }
    #expect(try errors().hasPrefix("No credentials found"))
    // Something that isn't EC2 answers at the address of its metadata service.
    let log = try TemporaryFolder()
    let server = try PythonServer(
      "RequestSigningFoundationTests/loopback-server.py", log.url.path + "/log",
      #"[{"status": 403, "headers": {}, "body": "", "zeros": 0, "wait": 0, "pause": 0}]"#)
    let instance = [
      "AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://127.0.0.1:\(server.port)",
      "AWS_EC2_METADATA_DISABLED": "false",
    ]
    let text = try errors([], instance)
    #expect(text.hasPrefix("No credentials found. Set AWS_ACCESS_KEY_ID"), "\(text)")
    #expect(text.contains("status 403"), "\(text)")
    let stray = try errors([], instance.merging(["AWS_SECRET_ACCESS_KEY": "hush-hush"]) { $1 })
    #expect(stray.hasPrefix("AWS_SECRET_ACCESS_KEY is set but"), "\(stray)")
    #expect(
      try errors(["--profile", "half"]).hasPrefix(
        "invalidConfiguration: Profile: Profile \"half\""))
  }

  @Test("The command that gets credentials with TLS names the profile")
  func export() throws {
    for (name, word) in [("role", "'role'"), ("a b", "'a b'")] {
      for (arguments, variables) in [(["--profile", name], [:]), ([], ["AWS_PROFILE": name])] {
        let text = try errors(arguments, variables)
        #expect(text.contains("export-credentials --profile \(word) --format env"), "\(text)")
      }
    }
  }
}
