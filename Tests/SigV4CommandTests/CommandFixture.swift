// SPDX-License-Identifier: Apache-2.0
// Files, signed URLs, a profile and a curl for tests that call every command.

internal import Foundation
internal import SigningTestSupport
internal import TestSupport
internal import Testing

@testable import sigv4

/// A folder with the files that the words in capitals in `OptionUse` refer to.
struct CommandFixture {
  static let time = "20240102T030405Z"

  private let folder: TemporaryFolder
  private let environment: [String: String]
  private var values: [String: String]

  init() throws {
    folder = try TemporaryFolder()
    try folder.addProgram("curl", SendCommandTests.fakeCurl)
    let profile = """
      [profile p]
      aws_access_key_id = AKIDEXAMPLE
      aws_secret_access_key = wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY
      """
    environment = try CommandProcess.exampleKeys.merging([
      "PATH": folder.url.path + ":/usr/bin:/bin", "KEY": "6b6b",
      "AWS_CONFIG_FILE": folder.file("config", profile),
      "AWS_SHARED_CREDENTIALS_FILE": folder.file("credentials", ""),
    ]) { $1 }
    let device = try VectorTable(named: "roles-anywhere.txt").record(named: "P-256, a chain")
    values = try [
      "CERTIFICATE": folder.file("device.pem", device.text("certificate")),
      "CERTIFICATE_KEY": folder.file("device.key", device.text("private-key")),
      "CHAIN": folder.file("chain.pem", device.text("intermediates")),
      // Larger than the smallest chunk.
      "FILE": folder.file("file", String(repeating: "a", count: 10_000)),
      "PRIVATE_KEY": folder.file(
        "key.pem",
        VectorTable(named: "cloudfront-signatures.txt").record(named: "key rsa")
          .text("private-key")),
      "PUBLIC_KEY": folder.file(
        "public.pem",
        VectorTable(named: "p256-keys.txt").record(named: "key 1").text("public-pem")),
      "KEYS": folder.file("keys", "a\nb\n"),
      "RESPONSE": folder.file("response", "HTTP/1.1 200 OK\na: b\n\n"),
      "OUT": folder.url.appendingPathComponent("out").path,
      "OTHER_ANSWER": folder.file("other", "<Error><Code>AccessDenied</Code></Error>"),
    ]
    let presign = ["presign", "s3://films/a", "--region", "us-east-1", "--at", Self.time]
    for (word, options) in [
      ("SIGNED_URL", []), ("SIGNED_URL_WITH_HEADER", ["-H", "x-amz-meta-a:b"]),
      ("SIGNED_URL_OF_PROFILE", ["--profile", "p"]),
    ] {
      values[word] = try run(presign + options).output.trimmingCharacters(in: .newlines)
    }
    values["ANSWER"] = try folder.file("answer", answer())
  }

  /// Runs a command with the words in capitals replaced.
  func run(_ arguments: [String]) throws -> CommandProcess {
    try CommandProcess(arguments.map { values[$0] ?? $0 }, environment: environment)
  }

  /// Runs a command with the default time and response, if it has options for them. A later option
  /// wins.
  func run(_ command: CommandDescription, _ arguments: [String]) throws -> CommandProcess {
    func hasOption(_ name: String) -> Bool { command.options.contains { $0.names.contains(name) } }
    let time = hasOption("--at") ? ["--at", Self.time] : []
    let answer = command.name == "explain" ? ["--response", "ANSWER"] : []
    return try run([command.name] + time + answer + arguments)
  }

  /// S3's response to `sigv4 sign s3://films/a` with a wrong secret: both strings are as signed.
  private func answer() throws -> String {
    let signed = try run(["sign", "s3://films/a", "--json", "--at", Self.time]).output
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(signed.utf8)) as? [String: Any])
    func text(_ name: String) throws -> String { try #require(json[name] as? String) }
    return try """
    <Error><Code>SignatureDoesNotMatch</Code><AWSAccessKeyId>AKIAIOSFODNN7EXAMPLE</AWSAccessKeyId>\
    <StringToSign>\(text("stringToSign"))</StringToSign>\
    <CanonicalRequest>\(text("canonicalRequest"))</CanonicalRequest></Error>
    """
  }
}
