// SPDX-License-Identifier: Apache-2.0
// What users of other tools type: each answer leads on, to a command that does it.

internal import Foundation
internal import SigningTestSupport
import Testing

@testable import sigv4

@Suite("Words of other tools")
struct AdviceTests {
  /// Fails with this exit code, prints nothing, and says these words.
  private func expect(
    _ arguments: [String], _ words: String..., code: Int32 = 2,
    environment: [String: String] = CommandProcess.exampleKeys
  ) throws {
    let result = try CommandProcess(arguments, environment: environment)
    #expect(result.exitCode == code && result.output == "", "\(arguments): \(result.errors)")
    for word in words {
      #expect(result.errors.contains(word), "\(arguments): \(result.errors)")
    }
    #expect(
      !result.errors.contains("COMMAND'") && !result.errors.contains("  "), "\(result.errors)")
  }

  @Test("A usage error names the help of its own command")
  func help() throws {
    for command in CommandDescription.all where !command.options.isEmpty {
      try expect(
        [command.name, "--frob"], "'sigv4 help \(command.name)' lists options and examples.")
    }
    try expect(["frobnicate"], "'sigv4 help' lists the commands.")
    try expect(["help", "frobnicate"], "'sigv4 help' lists the commands.")
    for command in CommandDescription.all {
      let text = HelpText.text(of: command)
      for arguments in [["-h"], ["a", "-h"], ["-h", "a"], ["--help"], ["a", "--help"]] {
        let result = try CommandProcess(
          [command.name] + arguments,
          environment: ["PATH": "/usr/bin:/bin"])
        #expect(result.output == text && result.exitCode == 0, "\(command.name) \(arguments)")
      }
    }
    // The value of an option isn't a request for help.
    let data = try CommandProcess(["sign", "-d", "-h", "https://b.s3.us-east-1.amazonaws.com/"])
    #expect(data.output.contains("SignedHeaders="))
  }

  @Test("upload without an output names the command that uploads")
  func upload() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("film.mov", "1")
    try expect(
      ["upload", file, "s3://bucket/k"], "sends nothing", "'sigv4 curl -T \(file) s3://bucket/k'")
    try expect(["upload", file], "sigv4 upload FILE s3://bucket/key")
    try expect(
      ["upload", "s3://bucket/k", file], "file comes first", "sigv4 upload \(file) s3://bucket/k")
    try expect(["upload", file, "bucket/k"], "Use s3://bucket/k")
    for headers in [[], ["--headers", folder.url.path + "/headers"]] {
      let encoded = try CommandProcess(
        ["upload", "--region=us-east-1", "-o", folder.url.path + "/body", file, "s3://bucket/k"]
          + headers)
      #expect(encoded.exitCode == 0 && encoded.errors.contains("Nothing is sent yet"))
      #expect(encoded.errors.contains("'sigv4 curl -T FILE URL'"), "\(encoded.errors)")
    }
  }

  @Test("A method among the operands leads to -X")
  func methods() throws {
    for command in ["presign", "sign", "curl", "explain", "verify"] {
      for method in ["PUT", "get", "DELETE", "HEAD", "Post", "PATCH", "OPTIONS"] {
        let option = "-X \(method.uppercased())"
        try expect([command, method, "s3://bucket/k"], option)
        try expect([command, "https://b.s3.amazonaws.com/k", method], option)
        try expect([command, method], option)
      }
      try expect([command, "s3://bucket/k", "s3://bucket/l"], "s3://bucket/l is a second URL.")
    }
    for option in ["--method", "--verb", "--http-method", "--client-method"] {
      for command in ["presign", "sign", "curl"] {
        try expect([command, option, "PUT", "s3://bucket/k"], "Use -X METHOD.")
        try expect([command, option + "=PUT", "s3://bucket/k"])
      }
    }
  }

  @Test("A misspelled place is spelled out")
  func places() throws {
    for (given, meant) in [
      ("s3:/bucket/k", "s3://bucket/k"), ("s3:bucket/k", "s3://bucket/k"),
      ("S3://bucket/k", "s3://bucket/k"), ("s3:///bucket/k", "s3://bucket/k"),
      ("s3:", "s3://bucket/key"), ("s3://", "s3://bucket/key"), ("s3:///", "s3://bucket/key"),
      ("s3/bucket/k", "s3://s3/bucket/k"),
      ("bucket/k", "s3://bucket/k"), ("/bucket/k", "s3://bucket/k"), ("bucket", "s3://bucket"),
      ("bucket.s3.eu-west-1.amazonaws.com/k", "https://bucket.s3.eu-west-1.amazonaws.com/k"),
      ("//s3.amazonaws.com/k", "https://s3.amazonaws.com/k"),
      ("localhost:9000/b/k", "http://localhost:9000/b/k"),
      ("127.0.0.1/b/k", "http://127.0.0.1/b/k"), ("[::1]:9000/b", "http://[::1]:9000/b"),
      ("minio.example.com:9000/b/k", "https://minio.example.com:9000/b/k"),
      ("https:/s3.amazonaws.com/k", "https://s3.amazonaws.com/k"),
      ("https:s3.amazonaws.com/k", "https://s3.amazonaws.com/k"),
      ("http:/127.0.0.1/k", "http://127.0.0.1/k"),
      ("https://", "https://host/path"), ("https:", "https://host/path"),
      ("htps://s3.amazonaws.com/k", "https://"), ("", "s3://bucket/key"),
      ("./film.mov", "s3://bucket/key"), ("../film.mov", "s3://bucket/key"),
      ("arn:aws:s3:::bucket/k", "s3://bucket/k"), ("s3://arn:aws:s3:::bucket/k", "s3://bucket/k"),
      ("arn:aws-cn:s3:::bucket", "s3://bucket"),
      (
        "arn:aws:s3:us-west-2:123456789012:accesspoint/films/k",
        "s3://arn:aws:s3:us-west-2:123456789012:accesspoint/films/k"
      ),
    ] {
      for command in [["presign"], ["curl"], ["sign"], ["explain"], ["presign", "--keys", "-"]] {
        try expect(command + [given], " \(meant)")
      }
      try expect(["upload", "/dev/null", given], " \(meant)")
      try expect(["post-policy", given], " ")
    }
    for scheme in ["gs", "r2", "oss", "cos", "obs", "minio", "b2"] {
      try expect(["presign", "\(scheme)://bucket/k"], "s3://bucket/k with --endpoint URL")
    }
    try expect(["presign", "file:///etc/passwd"], "https://")
    for secret in [
      "b.s3.amazonaws.com/k?X-Amz-Signature=hush", "https:/b.s3.amazonaws.com/k?a=hush",
      "//me:hush@h.example/k", "me:hush@h.example/k", "https:/me:hush@h.example/k",
    ] {
      let result = try CommandProcess(["curl", secret])
      #expect(result.exitCode != 0 && !result.errors.contains("hush"), "\(result.errors)")
    }
    // A key may look like anything.
    let key = try CommandProcess(["presign", "--region=us-east-1", "s3://bucket/s3:/a://b"])
    #expect(key.output.hasPrefix("https://bucket.s3.us-east-1.amazonaws.com/s3%3A/a%3A//b?"))
  }

  @Test("Commands of other tools lead to the command that does it")
  func commands() throws {
    for (names, words) in [
      (["ls", "list", "dir"], "sigv4 curl s3://bucket"),
      (["cp", "copy"], "sigv4 curl -T FILE s3://bucket/key"),
      (["cp", "get", "download", "cat"], "sigv4 curl -o FILE s3://bucket/key"),
      (["put", "put-object"], "sigv4 curl -T FILE s3://bucket/key"),
      (["rm", "delete", "remove"], "sigv4 curl -X DELETE s3://bucket/key"),
      (["mv", "move", "rename"], "x-amz-copy-source"), (["sync", "mirror"], "for each file"),
      (["mb", "create-bucket"], "sigv4 curl -X PUT s3://bucket"),
      (["rb", "delete-bucket"], "sigv4 curl -X DELETE https://"),
      (["head", "stat", "head-object"], "sigv4 curl -I s3://bucket/key"),
      (["url", "link", "share", "signurl", "presigned"], "sigv4 presign s3://bucket/key"),
      (["request", "call", "api"], "sigv4 curl URL"),
      (["login", "configure", "sso"], "sigv4 credentials"),
      (["debug", "diagnose"], "sigv4 explain URL"), (["version", "-v"], "sigv4 --version"),
      (["PUT", "DELETE", "POST"], "sigv4 curl -X"),
      (["s3://bucket/k", "https://b.s3.amazonaws.com/k"], "sigv4 curl URL"),
      (["--profile", "-X", "--region=eu-west-1"], "after the command"),
    ] {
      for name in names {
        try expect([name], words)
        try expect([name, "s3://bucket/k"], words)
        if !name.contains("-") && !name.contains(":") { try expect(["help", name], words) }
      }
    }
    for tool in ["s3", "s3api", "aws"] {
      try expect([tool], "sigv4 curl")
      try expect([tool, "ls", "s3://bucket"], "sigv4 curl s3://bucket")
      try expect([tool, "presign", "s3://bucket/k"], "sigv4 presign")
    }
    try expect(["aws", "s3", "rm", "s3://bucket/k"], "sigv4 curl -X DELETE s3://bucket/key")
  }

  @Test("Options of other tools lead to ours")
  func options() throws {
    for (option, words) in [
      ("--ttl", "--expires"), ("--expiry", "--expires"), ("--expiration", "--expires"),
      ("--bucket", "s3://bucket/key"), ("--key", "s3://bucket/key"),
      ("--acl", "-H 'x-amz-acl: VALUE'"), ("--content-type", "-H 'content-type: VALUE'"),
      ("--storage-class", "-H 'x-amz-storage-class: VALUE'"),
      ("--metadata", "-H 'x-amz-meta-NAME: VALUE'"),
      ("--version-id", "--query versionId=VALUE"), ("--prefix", "--query prefix=VALUE"),
      ("--secret-access-key", "environment"), ("--access-key", "environment"),
      ("--session-token", "environment"), ("--user", "environment"), ("-u", "'sigv4 curl'"),
      ("-T", "'sigv4 curl'"), ("-v", "'sigv4 curl'"), ("-L", "'sigv4 curl'"),
      ("--upload-file", "'sigv4 curl'"), ("--location", "'sigv4 curl'"),
    ] {
      try expect(["presign", option, "1", "s3://bucket/k"], words)
      try expect(["sign", option, "1", "s3://bucket/k"], words)
    }
    try expect(["curl", "--acl", "private", "s3://bucket/k"], "-H 'x-amz-acl: VALUE'")
    try expect(["curl", "--secret-key", "hush", "s3://bucket/k"], "environment")
    // A short option of curl is nothing to hash with.
    let hash = try CommandProcess(["hash", "-T", "a"]).errors
    #expect(hash.contains("Check the spelling.") && !hash.contains("curl"))
  }
}
