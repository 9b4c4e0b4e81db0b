// SPDX-License-Identifier: Apache-2.0
// sigv4 token as a user's shell runs it: botocore's tokens, and its errors.

internal import Foundation
internal import TestSupport
internal import SigningTestSupport
internal import Testing

@testable import sigv4

/// Source of the expected tokens: the tables of `TokenVectors`.
@Suite("sigv4 token")
struct TokenCommandTests {
  @Test("The command prints the token of the vectors")
  func token() throws {
    try TokenVectors.all().forEachCase { (vector: VectorRecord) in
      let kind = try vector.tokenKind()
      let result = try CommandProcess(
        ["token", kind.name] + vector.tokenArguments(of: kind),
        environment: Self.environment(vector))
      #expect(result.errors == "")
      #expect(result.exitCode == 0)
      #expect(try result.output == vector.text("text") + "\n")
    }
  }

  @Test("With --json the token comes with its end")
  func json() throws {
    let result = try CommandProcess([
      "token", "eks", "--cluster-name", "c", "--region", "us-east-1", "--at", "20240102T030405Z",
      "--json",
    ])
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: String])
    #expect(object["token"]?.hasPrefix("k8s-aws-v1.") == true)
    #expect(object["expires"] == "20240102T031905Z")
  }

  @Test("A missing or wrong argument is reported, with exit code 2")
  func usage() {
    [
      ([], "The token kind is missing. Pass one of rds, "),
      (["redis"], "Unknown token kind redis."),
      (["rds", "--port", "1", "--username", "u"], "needs --hostname"),
      (["rds", "--hostname", "h", "--port", "x", "--username", "u"], "--port must be a number"),
      (["eks"], "needs --cluster-name"), (["rds", "msk"], "accepts options only"),
      (["eks", "--cluster-name", "c", "--expires", "1h"], "has no option --expires"),
    ].forEachCase { (arguments: [String], message: String) in
      let result = try CommandProcess(["token"] + arguments, environment: Self.withRegion)
      #expect(result.exitCode == 2)
      #expect(result.output == "")
      #expect(result.errors.contains(message))
    }
  }

  @Test("A user that's empty is rejected by the library, with exit code 1")
  func refusal() throws {
    let result = try CommandProcess([
      "token", "memorydb", "--region", "us-east-1", "--cluster-name", "c", "--username", "",
    ])
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("user"))
  }

  /// Amazon RDS, User Guide, "Connecting to your DB instance using IAM authentication": the host name of
  /// the DB instance, not a custom name. The address that is dialed may be another one.
  @Test("The address of a tunnel is rejected, with the host to sign")
  func tunnels() throws {
    for host in ["127.0.0.1", "localhost", "10.0.0.5", "db.eu-west-1.rds.amazonaws.com."] {
      let options = ["--region=eu-west-1", "--hostname", host]
      let rds = try CommandProcess(
        ["token", "rds", "--port=5432", "--username=u"] + options)
      let dsql = try CommandProcess(["token", "dsql"] + options)
      for result in [rds, dsql] {
        #expect(result.exitCode == 1 && result.output == "", "\(host)")
        #expect(result.errors.contains("\"\(host)\"") && result.errors.contains("tunnel"))
      }
    }
  }

  @Test("The region comes from a database's host, in upper or lower case")
  func regionOfHost() throws {
    let options = ["token", "rds", "--port", "5432", "--username", "iam_user", "--at", "0"]
    let host = "db.123.eu-west-1.rds.amazonaws.com"
    let lowercase = try CommandProcess(options + ["--hostname", host])
    #expect(lowercase.output.contains("%2Feu-west-1%2Frds-db%2F"))
    let uppercase = try CommandProcess(options + ["--hostname", host.uppercased()])
    #expect(uppercase.output == lowercase.output)
  }

  @Test("The region of Vault's proof comes from the host, not from the environment")
  func regionOfVault() throws {
    for (host, region) in [
      ("sts.eu-west-1.amazonaws.com", "eu-west-1"), ("STS.amazonaws.com", "us-east-1"),
    ] {
      let result = try CommandProcess(
        ["token", "vault", "--sts-host", host, "--at", "0"],
        environment: CommandProcess.exampleKeys.merging(["AWS_REGION": "us-west-2"]) { $1 })
      let fields = try #require(
        JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: String],
        "\(result.errors)")
      let headers = try #require(
        fields["iam_request_headers"].flatMap { Data(base64Encoded: $0) })
      #expect(String(decoding: headers, as: UTF8.self).contains("/\(region)/sts/aws4_request"))
    }
  }

  static let withRegion = CommandProcess.exampleKeys.merging(["AWS_REGION": "us-east-1"]) { $1 }

  static func environment(_ vector: VectorRecord) throws -> [String: String] {
    var environment = [
      "AWS_ACCESS_KEY_ID": try vector.optionalText("access-key-id") ?? "AKIDEXAMPLE",
      "AWS_SECRET_ACCESS_KEY": try vector.optionalText("secret-access-key")
        ?? "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
    ]
    environment["AWS_SESSION_TOKEN"] = try vector.optionalText("token")
    return environment
  }
}
