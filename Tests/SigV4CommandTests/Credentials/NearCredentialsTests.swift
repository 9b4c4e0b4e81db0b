// SPDX-License-Identifier: Apache-2.0
// sigv4 in a container and on an instance: services near by, which are played on this machine.

internal import Foundation
internal import Testing

internal import SigningTestSupport

@Suite("sigv4 in a container and on an instance")
struct NearCredentialsTests {
  /// Proxies that lead nowhere: port 1 (tcpmux) has no server.
  private static let proxies = Dictionary(
    uniqueKeysWithValues: ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"].map {
      ($0, "http://127.0.0.1:1")
    })

  private static func container() throws -> [String: String] {
    try proxies.merging([
      "AWS_CONTAINER_CREDENTIALS_FULL_URI": NearServer.url("/container"),
      "AWS_CONTAINER_AUTHORIZATION_TOKEN": "container token",
    ]) { $1 }
  }

  private static func instance(_ more: [String: String] = [:]) throws -> [String: String] {
    try proxies.merging([
      "AWS_EC2_METADATA_SERVICE_ENDPOINT": NearServer.url(""),
      "AWS_METADATA_SERVICE_TIMEOUT": "30",
    ]) { $1 }.merging(more) { $1 }
  }

  @Test("The role signs, also where proxies are set")
  func roles() throws {
    let url = "https://b.s3.eu-west-1.amazonaws.com/k"
    for (environment, key) in [
      (try Self.container(), "ASIACONTAINER"), (try Self.instance(), "ASIAINSTANCE"),
    ] {
      let shown = try CommandProcess(["credentials"], environment: environment)
      #expect(
        shown.output.hasPrefix("signed by    \(key) with a session token\n"), "\(shown.errors)")
      let signed = try CommandProcess(["sign", url], environment: environment)
      #expect(signed.output.contains("Credential=\(key)/"))
      #expect(signed.output.contains("x-amz-security-token: token=="))
    }
  }

  @Test("Their secrets are exported, as a program's are")
  func export() throws {
    for (environment, key) in [
      (try Self.container(), "ASIACONTAINER"), (try Self.instance(), "ASIAINSTANCE"),
    ] {
      let result = try CommandProcess(
        ["credentials", "--format", "process"], environment: environment)
      let object = try #require(
        JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
      #expect(object["AccessKeyId"] as? String == key)
      // near-server.py: the base64 of the key ID.
      #expect(object["SecretAccessKey"] as? String == Data(key.utf8).base64EncodedString())
      #expect(object["SessionToken"] as? String == "token==")
    }
  }

  @Test("A wrong address is reported, and TLS isn't blamed")
  func wrongAddress() throws {
    for (variable, address, words) in [
      ("AWS_EC2_METADATA_SERVICE_ENDPOINT", "http://169.253.169.254", "this machine and its link"),
      (
        "AWS_EC2_METADATA_SERVICE_ENDPOINT", "http://metadata.internal", "this machine and its link"
      ),
      ("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://127.0.0.1:65536/", "AWS_CONTAINER"),
    ] {
      let result = try CommandProcess(
        ["credentials"], environment: [variable: address])
      #expect(result.exitCode == 3)
      #expect(result.errors.contains(words), "\(result.errors)")
      #expect(!result.errors.contains("TLS"), "\(result.errors)")
    }
  }

  @Test("A profile's settings for them apply, and a wrong token is rejected")
  func profile() throws {
    let folder = try TemporaryFolder()
    let config = try folder.file(
      "config",
      """
      [profile instance]
      role_arn = arn:aws:iam::123456789012:role/r
      credential_source = Ec2InstanceMetadata
      """)
    // The role needs TLS, so this error shows that its caller was found.
    let role = try CommandProcess(
      ["credentials", "--profile", "instance"],
      environment: Self.instance(["AWS_CONFIG_FILE": config]))
    #expect(role.exitCode == 3)
    #expect(role.errors.contains("https://sts.amazonaws.com/ wasn't sent because sigv4 has no TLS"))
    var container = try Self.container()
    container["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = "another token"
    let refused = try CommandProcess(["credentials"], environment: container)
    #expect(refused.exitCode == 3)
    #expect(refused.errors.contains("status 403, \"AccessDenied\""))
    #expect(!refused.errors.contains("another token"))
  }

  @Test("An unreachable metadata service counts as absent after its time limit")
  func blackHole() throws {
    let hole = "http://127.0.0.1:\(try NearServer.blackHolePort())"
    let result = try CommandProcess(
      ["credentials"],
      environment: Self.instance([
        "AWS_EC2_METADATA_SERVICE_ENDPOINT": hole, "AWS_METADATA_SERVICE_TIMEOUT": "0.3",
      ]))
    #expect(result.exitCode == 3)
    #expect(result.errors.contains("No credentials found"))
  }
}
