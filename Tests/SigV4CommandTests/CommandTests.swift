// SPDX-License-Identifier: Apache-2.0
// hash, hmac, demo, help and every usage error, as a user's shell runs them.

internal import Foundation
import SecureHashing
internal import SigningTestSupport
import Testing

@testable import sigv4

@Suite("sigv4 hash, hmac, demo, and mistakes")
struct CommandTests {
  @Test("A command that ends before it reads its input doesn't end the tests")
  func unreadInput() throws {
    let input = String(repeating: "0123456789abcdef", count: 100_000)
    let result = try CommandProcess(["hash", "--nope"], input: input)
    #expect(result.exitCode == 2 && result.errors.contains("--nope"))
  }

  @Test("hash prints as sha256sum does, for files, odd names and standard input")
  func hash() throws {
    let folder = try TemporaryFolder()
    let files = [
      try folder.file("plain", "abc"), try folder.file("empty", ""),
      try folder.file("line\nend", "x"), try folder.file("back\\slash", "y"),
      try folder.file("large", String(repeating: "0123456789abcdef", count: 20_000)),
    ]
    let ours = try CommandProcess(["hash"] + files)
    let theirs = try run("sha256sum", files, input: "")
    #expect(ours.output == theirs.output)
    #expect(ours.exitCode == 0)
    #expect(
      try CommandProcess(["hash"], input: "abc").output == run("sha256sum", [], input: "abc").output
    )
    #expect(
      try CommandProcess(["hash", "-"], input: "").output
        == run("sha256sum", ["-"], input: "").output)
  }

  @Test(
    "hash --algorithm prints as the tools of that algorithm do",
    arguments: [
      ("sha256", "sha256sum"), ("sha384", "sha384sum"), ("sha512", "sha512sum"),
      ("sha1", "sha1sum"), ("md5", "md5sum"),
    ])
  func algorithms(_ name: String, _ tool: String) throws {
    let folder = try TemporaryFolder()
    let files = [
      try folder.file("plain", "abc"), try folder.file("empty", ""),
      try folder.file("line\nend", "x"),
      try folder.file("large", String(repeating: "0123456789abcdef", count: 20_000)),
    ]
    let ours = try CommandProcess(["hash", "--algorithm", name] + files)
    #expect(try ours.output == run(tool, files, input: "").output)
    #expect(ours.exitCode == 0)
    #expect(
      try CommandProcess(["hash", "--algorithm=\(name)"], input: "abc").output
        == run(tool, [], input: "abc").output)
  }

  /// By Python: zlib.crc32 and the package xxhash; CRC-32C and CRC-64/NVME are the published check values.
  @Test(
    "hash --algorithm prints the checksums of Amazon S3",
    arguments: [
      ("crc32", "cbf43926"), ("crc32c", "e3069283"), ("crc64nvme", "ae8b14860a799888"),
      ("xxhash64", "8cb841db40e6ae83"), ("xxhash3", "72dcb18b67a17dff"),
      ("xxhash128", "33119477ede5dcd5e9716427681d5860"),
    ])
  func checksums(_ name: String, _ digest: String) throws {
    let result = try CommandProcess(["hash", "--algorithm", name], input: "123456789")
    #expect(result.output == digest + "  -\n")
  }

  @Test("hash lists the algorithms if it doesn't know one")
  func unknownAlgorithm() throws {
    let result = try CommandProcess(["hash", "--algorithm", "sha521"], input: "")
    #expect(result.exitCode == 2)
    #expect(result.errors.contains("Did you mean sha512?"))
    #expect(result.errors.contains("xxhash128"))
  }

  @Test("hash accepts many files at once, small and large ones mixed")
  func manyFiles() throws {
    let folder = try TemporaryFolder()
    let sizes = [0, 1, 63, 64, 1_000, 262_143, 262_144, 262_145, 600_000]
    let files = try (0..<40).map { index in
      try folder.file(
        "\(index)", String(repeating: "\(index % 10)", count: sizes[index % sizes.count]))
    }
    let ours = try CommandProcess(["hash"] + files)
    #expect(try ours.output == run("sha256sum", files, input: "").output)
    #expect(ours.exitCode == 0)
  }

  @Test("hash continues after an unreadable file, and exits with 1")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("plain", "abc")
    let result = try CommandProcess(["hash", "/proc/nonexistent", file, folder.url.path])
    #expect(result.exitCode == 1)
    #expect(result.output == (try CommandProcess(["hash", file]).output))
    #expect(result.errors.contains("Can't read /proc/nonexistent: No such file or directory"))
    #expect(result.errors.contains("2 files failed"))
  }

  @Test("hmac agrees with openssl, for keys from a variable and from files in every encoding")
  func hmac() throws {
    let folder = try TemporaryFolder()
    let message = try folder.file("message", "what do ya want for nothing?")
    let openssl = try run(
      "openssl", ["dgst", "-sha256", "-r", "-hmac", "Jefe", message], input: "")
    let expected = String(openssl.output.prefix(64))
    #expect(expected.count == 64)
    let ways = [
      ["--key-variable", "KEY"],
      ["--key-file", try folder.file("raw", "Jefe")],
      ["--key-file", try folder.file("hex", "4a656665\n"), "--key-encoding", "hex"],
      ["--key-file", try folder.file("base64", "SmVmZQ==\n"), "--key-encoding=base64"],
    ]
    for way in ways {
      let result = try CommandProcess(["hmac"] + way + [message], environment: ["KEY": "Jefe"])
      #expect(result.output == "\(expected)  \(message)\n", "\(way)")
    }
  }

  @Test("demo computes the published signature, and needs no environment")
  func demo() throws {
    let result = try CommandProcess(["demo"], environment: [:])
    let signature = "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
    #expect(result.exitCode == 0)
    #expect(
      result.output.contains("computed   \(signature)\n  published  \(signature)\n  They match."))
    // Amazon S3 API Reference, "GET Object": the hash of the canonical request.
    let hash = "7344ae5b7ee6c3e7e6b0fe0640412a37625d1fbfff95c48bbb2dc43964946972"
    #expect(result.output.contains("Step 1: canonical request\n"))
    #expect(result.output.contains("Step 2: its hash\n  \(hash)\n"))
    #expect(result.output.contains("Step 6: headers to add\n"))
    #expect(result.output.contains("r2.cloudflarestorage.com"))
    #expect(result.output.contains("SHA-256: \(SHA256.Implementation.current.name)."))
  }

  @Test("A value that the library rejects is reported with its option")
  func options() throws {
    for (arguments, option) in [
      (["sign", "--at", "yesterday", "s3://bucket/k"], "Pass --at as"),
      (["sign", "-X", "G T", "s3://bucket/k"], " Check -X."),
      (["presign", "--expires", "8d", "s3://bucket/k"], " Check --expires."),
      (["sign", "--endpoint", "http://a/?b", "s3://bucket/k"], " Check --endpoint."),
      (["upload", "--chunk-size=5", "-o", "-", "--headers", "/dev/null", "/dev/null"], "--size"),
    ] {
      let url = arguments.last?.hasPrefix("s3:") == true ? [] : ["s3://bucket/k", "--size=9"]
      let result = try CommandProcess(arguments + url)
      #expect(result.exitCode == 1)
      #expect(result.errors.contains(option), "\(result.errors)")
    }
  }

  @Test("The version matches the newest entry in the changelog")
  func version() throws {
    let changelog = try String(
      contentsOf: Repository.root.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
    let newest = try #require(changelog.split(separator: "\n").first { $0.hasPrefix("## ") })
    let version = try CommandProcess(["--version"]).output.split(separator: " ")[1]
    #expect(newest.contains(version.dropLast()))
  }

  @Test("Without a command, the commands are listed as by help, and the exit code is 2")
  func noCommand() throws {
    let result = try CommandProcess([], environment: [:])
    #expect(result.errors == HelpText.text && result.output == "" && result.exitCode == 2)
  }

  @Test("Wrong usage exits with 2 and names the missing part")
  func usage() {
    ([
      (["frobnicate"], "Unknown command frobnicate."),
      (["sign"], "The URL to sign is missing."),
      (["sign", "https://a.amazonaws.com/", "https://b.amazonaws.com/"], "is a second URL."),
      (["sign", "--frob", "https://s3.amazonaws.com/"], "has no option --frob."),
      (["sign", "https://s3.amazonaws.com/", "-H"], "The option -H needs a value."),
      (["sign", "--json=1", "https://s3.amazonaws.com/"], "doesn't accept a value."),
      (["sign", "--json", "--curl", "https://s3.amazonaws.com/"], "can't be used together."),
      (["sign", "-H", "no colon", "https://s3.amazonaws.com/"], "has no colon."),
      (["sign", "https://localhost/"], "Use --service NAME"),
      (["sign", "--service", "s3", "https://localhost/"], "Use --region NAME"),
      (["sign", "--expires", "9", "https://s3.amazonaws.com/"], "has no option --expires."),
      (
        ["presign", "--expires", "soon", "https://s3.amazonaws.com/"],
        "--expires must be a duration"
      ),
      (["presign", "--expires", "99999999999999999d", "https://s3.amazonaws.com/"], "such as 900"),
      (["hmac", "file"], "hmac needs exactly one key."),
      (["hmac", "--key-variable", "A", "--key-file", "b"], "hmac needs exactly one key."),
      (["demo", "extra"], "takes no arguments"),
    ] as [([String], String)]).forEachCase { (arguments: [String], message: String) in
      let result = try CommandProcess(arguments)
      #expect(result.exitCode == 2)
      #expect(result.output == "")
      #expect(result.errors.hasPrefix("sigv4: "))
      #expect(result.errors.contains(message))
    }
  }

  @Test("A request that can't be signed ends with exit code 1 and the library's message")
  func refused() {
    ([
      (["sign", "not a URL", "--service", "s3", "--region", "a"], "invalidURL"),
      (["sign", "--at", "yesterday", "https://s3.amazonaws.com/"], "invalidTimestamp"),
      (["sign", "-X", "GE T", "https://s3.amazonaws.com/"], "invalidMethod"),
      (["sign", "--region", "a b", "https://s3.amazonaws.com/"], "invalidRegion"),
      (
        ["sign", "--data", "@/proc/nonexistent", "https://s3.amazonaws.com/"],
        "Can't read /proc/nonexistent"
      ),
      (["presign", "--expires", "0", "https://s3.amazonaws.com/"], "invalidLifetime"),
      (["presign", "--expires", "8d", "https://s3.amazonaws.com/"], "invalidLifetime"),
    ] as [([String], String)]).forEachCase { (arguments: [String], message: String) in
      let result = try CommandProcess(arguments)
      #expect(result.exitCode == 1)
      #expect(result.output == "")
      #expect(result.errors.contains(message))
    }
  }

  @Test("Missing or invalid credentials end with exit code 3, and the secret isn't shown")
  func credentials() throws {
    let url = "https://s3.amazonaws.com/"
    let missing = try CommandProcess(["sign", url], environment: [:])
    #expect(missing.exitCode == 3)
    #expect(missing.errors.contains("Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"))
    let broken = try CommandProcess(
      ["sign", url],
      environment: ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "topsecret\n"])
    #expect(broken.exitCode == 3)
    #expect(broken.errors.contains("invalidConfiguration"))
    #expect(broken.errors.contains("secret access key (10 bytes, not shown)"))
    #expect(!broken.errors.contains("topsecret"))
    let keys = CommandProcess.exampleKeys.merging(["AWS_SESSION_TOKEN": "a b"]) { $1 }
    let token = try CommandProcess(["sign", url], environment: keys)
    #expect(token.exitCode == 3)
    #expect(token.errors.hasSuffix(" Permanent credentials have no token.\n"), "\(token.errors)")
    let noKey = try CommandProcess(["hmac", "--key-variable", "NOT_SET"])
    #expect(noKey.exitCode == 3)
  }

  func run(_ program: String, _ arguments: [String], input: String) throws -> CommandProcess {
    try CommandProcess(
      executable: URL(fileURLWithPath: "/usr/bin/env"), [program] + arguments,
      environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"], input: input)
  }
}
