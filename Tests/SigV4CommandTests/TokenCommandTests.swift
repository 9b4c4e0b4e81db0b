// SPDX-License-Identifier: Apache-2.0
// sigv4 token as a user's shell runs it: the tokens of botocore, and what is refused.

internal import Foundation
internal import RequestSigning
internal import TestSupport
internal import Testing

/// Source of the expected tokens: botocore, by `connection-tokens.py`.
@Suite("sigv4 token")
struct TokenCommandTests {
  @Test(
    "The command prints the token of botocore",
    arguments: try VectorTable(named: "connection-tokens.txt").records.filter(isForCommand))
  func token(_ vector: VectorRecord) throws {
    let result = try CommandProcess(
      ["token"] + Self.arguments(vector), environment: Self.environment(vector))
    #expect(result.errors == "")
    #expect(result.exitCode == 0)
    #expect(try result.output == vector.text("text") + "\n")
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

  @Test(
    "What is missing or wrong is said, with exit code 2",
    arguments: [
      ([], "token wants one kind"), (["redis"], "there is no token for redis"),
      (["rds", "--port", "1", "--username", "u"], "needs --hostname"),
      (["rds", "--hostname", "h", "--port", "x", "--username", "u"], "--port takes a number"),
      (["eks"], "needs --cluster-name"), (["rds", "msk"], "token wants one kind"),
    ])
  func usage(_ arguments: [String], _ message: String) throws {
    let result = try CommandProcess(["token", "--region", "us-east-1"] + arguments)
    #expect(result.exitCode == 2)
    #expect(result.output == "")
    #expect(result.errors.contains(message))
  }

  @Test("A user that is empty is refused by the library, with exit code 1")
  func refusal() throws {
    let result = try CommandProcess([
      "token", "memorydb", "--region", "us-east-1", "--cluster-name", "c", "--username", "",
    ])
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("user"))
  }

  /// The library's token is compared with that of botocore, under names of other agents.
  @Test("The token for MSK is the library's")
  func msk() throws {
    let credentials = try SigV4.Credentials(
      accessKeyID: "AKIAIOSFODNN7EXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    let token = try SigV4.ConnectionToken.msk(
      region: "eu-west-1", credentials: credentials, at: SigV4.Timestamp("20240102T030405Z"))
    let result = try CommandProcess(
      ["token", "msk", "--region", "eu-west-1", "--at", "20240102T030405Z"])
    #expect(result.output == token.text + "\n")
  }

  /// Those whose door the command has.
  @Sendable static func isForCommand(_ vector: VectorRecord) throws -> Bool {
    try ["rds", "dsql", "elastiCache", "memoryDB", "eks"].contains(vector.text("door"))
  }

  static func arguments(_ vector: VectorRecord) throws -> [String] {
    let door = try vector.text("door")
    let options = [
      "host": "--hostname", "port": "--port", "user": "--username",
      "cache": door == "memoryDB" ? "--cluster-name" : "--cache-name",
      "cluster": "--cluster-name", "lifetime": "--expires",
    ]
    var arguments = try [
      door.lowercased(), "--region", vector.text("region"), "--at",
      vector.text("date"),
    ]
    for (field, option) in options.sorted(by: { $0.key < $1.key }) {
      if let value = try vector.optionalText(field) { arguments += [option, value] }
    }
    if try vector.optionalText("kind") == "serverless" { arguments.append("--serverless") }
    if try vector.optionalText("role") == "admin" { arguments.append("--admin") }
    return arguments
  }

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
