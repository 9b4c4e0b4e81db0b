// SPDX-License-Identifier: Apache-2.0
// upload, and objects named s3://bucket/key, as a user's shell runs them.

internal import S3Signing
internal import Foundation
import SecureHashing
internal import TestSupport
internal import SigningTestSupport
import Testing

@Suite("sigv4 upload, and s3://bucket/key")
struct UploadCommandTests {
  static let keys = [
    "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
    "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  ]

  /// hashlib, hmac and zlib of Python, by `chunked-uploads.py`: those that the command can make.
  static func uploads() throws -> [VectorRecord] {
    try VectorTable(named: "chunked-uploads.txt").records.filter { upload in
      let trailerCount = try upload.texts("trailer").count
      return try upload.integer("first-length") == upload.integer("last-length")
        && upload.integer("chunk-length") <= 1 << 20
        && (trailerCount == 1 || trailerCount == 0 && upload.text("kind") == "signed")
    }
  }

  @Test("Bodies are framed and signed as Python does it")
  func bodies() throws {
    try Self.uploads().forEachCase { (upload: VectorRecord) in
      let folder = try TemporaryFolder()
      let (file, output) = try (write(body(upload), in: folder), folder.url.path + "/output")
      let result = try CommandProcess(
        ["upload", "--region", "us-east-1", "--output", output] + options(upload)
          + [file, "https://example.s3.amazonaws.com/"], environment: Self.keys)
      #expect(result.exitCode == 0)
      #expect(result.errors == "")
      #expect(try result.output.contains("content-length: \(upload.text("encoded-length"))\n"))
      #expect(try digest(output) == upload.text("digest"))
    }
  }

  @Test("A body can come from a pipe with --size, and headers can be written to a separate file")
  func pipe() throws {
    let folder = try TemporaryFolder()
    let text = String(repeating: "0123456789abcdef", count: 1_250)
    let file = try folder.file("file", text)
    let headers = folder.url.path + "/headers"
    let arguments = ["upload", "--at=20150830T123600Z", "--checksum=crc32c"]
    let url = "https://example.s3.amazonaws.com/"
    let whole = try CommandProcess(
      arguments + ["-o", folder.url.path + "/output", file, url], environment: Self.keys)
    let piped = try CommandProcess(
      arguments + ["--headers", headers, "--size", "20000", "-", url], environment: Self.keys,
      input: text)
    #expect(piped.exitCode == 0)
    #expect(
      try piped.output == String(contentsOfFile: folder.url.path + "/output", encoding: .utf8))
    #expect(try whole.output == String(contentsOfFile: headers, encoding: .utf8))
    let permissions = try FileManager.default.attributesOfItem(atPath: headers)[.posixPermissions]
    #expect(permissions as? Int == 0o600)
  }

  @Test("An output that would overwrite the file is rejected, and the file is unchanged")
  func sameFile() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("file", "abc")
    let link = folder.url.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    for options in [
      ["-o", file], ["-o", link], ["--headers", file], ["--headers", link, "-o", "b"],
    ] {
      let result = try CommandProcess(["upload"] + options + [file, "s3://examplebucket/a"])
      #expect(result.exitCode == 2)
      #expect(
        result.errors.contains("is the file to upload, and would be overwritten"),
        "\(result.errors)")
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "abc")
    }
    let output = try folder.file("output", "")
    let sameOutput = folder.url.path + "/same"
    try FileManager.default.createSymbolicLink(
      atPath: sameOutput, withDestinationPath: output)
    let result = try CommandProcess(
      ["upload", "-o", output, "--headers", sameOutput, file, "s3://examplebucket/a"])
    #expect(result.errors.contains("can't have the same output"), "\(result.errors)")
    let new = folder.url.path
    let twoNames = try CommandProcess(
      ["upload", "-o", new + "/new", "--headers", new + "/./new", file, "s3://examplebucket/a"])
    #expect(twoNames.errors.contains("can't have the same output"), "\(twoNames.errors)")
    let redirected = try CommandProcess(
      script: #""$SIGV4" upload -o /dev/stdout "$FILE" s3://examplebucket/a > "$FILE.out""#,
      environment: CommandProcess.exampleKeys.merging(["FILE": file]) { $1 })
    #expect(redirected.errors.contains("can't have the same output"), "\(redirected.errors)")
  }

  @Test("Chunks are for stores, and an unsigned body needs TLS")
  func places() throws {
    let folder = try TemporaryFolder()
    let (file, output) = (try folder.file("file", "abc"), folder.url.path + "/output")
    let other = try CommandProcess(
      ["upload", "-o", output, file, "https://sqs.us-east-1.amazonaws.com/x"])
    #expect(other.exitCode == 2)
    #expect(other.errors.contains("sqs doesn't support uploads in chunks"), "\(other.errors)")
    #expect(!FileManager.default.fileExists(atPath: output))
    let options = ["--unsigned-payload", "--checksum", "crc32", "-o", output, "--endpoint"]
    for (endpoint, isTold) in [("http://127.0.0.1:9000", true), ("https://s.example", false)] {
      let result = try CommandProcess(
        ["upload"] + options + [endpoint, file, "s3://examplebucket/a"])
      #expect(result.exitCode == 0)
      #expect(result.errors.contains("can be tampered with in transit") == isTold)
    }
  }

  @Test("The curl command survives a shell, and sends the file that was written")
  func curl() throws {
    let folder = try TemporaryFolder()
    let (file, output) = (try folder.file("file", "abc"), folder.url.path + "/it's {a} '\u{301}")
    for (key, begin) in [
      ("a/../é?", ["--globoff", "-T", output, "--path-as-is", "-H"]),
      ("folder/", ["-T", "-", "-H", "Transfer-Encoding:"]),
    ] {
      let result = try CommandProcess([
        "upload", "--curl", "-o", output, "-H", "x-amz-meta-a: it's $HOME", file,
        "s3://examplebucket/" + key,
      ])
      let words = try words(ofShell: result.output)
      #expect(Array(words.prefix(begin.count)) == begin)
      #expect(words.contains("x-amz-meta-a: it's $HOME"))
      #expect(words.contains("x-amz-decoded-content-length: 3"))
      let encoded = key == "folder/" ? key : "a/../%C3%A9%3F"
      #expect(words.last == "https://examplebucket.s3.us-east-1.amazonaws.com/" + encoded)
    }
  }

  @Test("A body that's shorter or longer than its size is rejected, and no headers are printed")
  func wrongSize() throws {
    let folder = try TemporaryFolder()
    for size in ["2", "4"] {
      let result = try CommandProcess(
        [
          "upload", "--size", size, "--output", folder.url.path + "/output", "-",
          "https://examplebucket.s3.amazonaws.com/k",
        ], input: "abc")
      #expect(result.exitCode == 1)
      #expect(result.output == "")
      #expect(result.errors.contains("bodyLengthMismatch"))
      // The library's fix names a Swift function.
      #expect(result.errors.contains("Check --size") && !result.errors.contains("finish"))
    }
  }

  /// Source: S3's "Content-MD5 OR x-amz-checksum- HTTP header is required for Put Object requests
  /// with Object Lock parameters" (versity/versitygw 1776).
  @Test("An upload with Object Lock has a note without --checksum, and none with it")
  func objectLock() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("file", "hello")
    func notes(_ options: [String]) throws -> String {
      let result = try CommandProcess(
        [
          "upload", "--region=us-east-1", "-H", "x-amz-object-lock-legal-hold: ON", "-o",
          folder.url.path + "/output",
        ] + options + [file, "https://example.s3.amazonaws.com/a"], environment: Self.keys)
      #expect(result.exitCode == 0)
      return result.errors
    }
    #expect(try notes([]).contains("x-amz-object-lock-legal-hold"))
    #expect(try notes(["--checksum=crc32c"]) == "")
    #expect(try notes(["--checksum=crc32c", "--unsigned-payload"]) == "")
  }

  @Test("An impossible upload is rejected before anything is written")
  func usage() {
    [
      (["FILE"], "upload FILE s3://bucket/key"),
      (["-", "s3://bucket/k"], "can't have the same output"),
      (["--output=OUTPUT", "-", "s3://bucket/k"], "Add --size BYTES"),
      (["--output=OUTPUT", "--size=-1", "-", "s3://bucket/k"], "--size must be a number"),
      (
        ["--output=OUTPUT", "--checksum=sha384", "FILE", "s3://bucket/k"],
        "--checksum doesn't support sha384. Use one of crc32"
      ),
      (["--output=OUTPUT", "--unsigned-payload", "FILE", "s3://bucket/k"], "--checksum NAME"),
      (["--output=OUTPUT", "--chunk-size=2000000", "FILE", "s3://bucket/k"], "8192 to 1048576"),
      (["--headers=OUTPUT", "--curl", "FILE", "s3://bucket/k"], "Add --output FILE"),
      (["--output=OUTPUT", "FILE", "s3://bucket/"], "has no key"),
      (
        ["--output=OUTPUT", "--endpoint=http://h", "FILE", "https://h/k"],
        "--endpoint can be used only with s3://"
      ),
    ].forEachCase { (arguments: [String], message: String) in
      let folder = try TemporaryFolder()
      let (file, output) = (try folder.file("file", "abc"), folder.url.path + "/output")
      let result = try CommandProcess(
        ["upload"]
          + arguments.map {
            $0.replacingOccurrences(of: "FILE", with: file)
              .replacingOccurrences(of: "OUTPUT", with: output)
          })
      #expect(result.exitCode == 2)
      #expect(result.errors.contains(message))
      #expect(!FileManager.default.fileExists(atPath: output))
    }
  }

  /// botocore, by `service-settings.py`.
  @Test("The settings of the environment and the profile choose the endpoint")
  func settings() throws {
    let records = try VectorTable(named: "service-settings.txt").records
    try records.filter { try !$0.texts("s3").isEmpty || !$0.texts("s3-refused").isEmpty }
      .forEachCase { (record: VectorRecord) in
        let folder = try TemporaryFolder()
        let aws = folder.url.appendingPathComponent(".aws")
        try FileManager.default.createDirectory(at: aws, withIntermediateDirectories: true)
        func lines(_ text: String) -> [String] {
          text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            .map(String.init)
        }
        for file in try record.texts("file").map(lines) {
          try Data(file[1].utf8).write(to: folder.url.appendingPathComponent(file[0]))
        }
        var environment = Self.keys.merging(["HOME": folder.url.path]) { $1 }
        for pair in try record.texts("variable").map(lines) { environment[pair[0]] = pair[1] }
        // A profile that the table's program names has priority over the variables.
        if let profile = try record.optionalText("profile") {
          environment["AWS_PROFILE"] = profile
        }
        let result = try CommandProcess(
          ["sign", "--json", "s3://bucket-name/key"], environment: environment)
        guard let expected = try record.optionalText("s3").map(lines) else {
          #expect(result.exitCode != 0, "\(record)")
          return
        }
        let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
        let signed = try #require(object as? [String: Any], "\(record): \(result.errors)")
        #expect(signed["url"] as? String == expected[0], "\(record)")
        let scope = (signed["credentialScope"] as? String)?.split(separator: "/")
        #expect(scope?.dropFirst().first.map(String.init) == expected[1], "\(record)")
      }
  }

  @Test("A web identity from the environment is rejected, and no profile signs instead")
  func webIdentity() throws {
    let result = try CommandProcess(
      ["credentials"], environment: ["AWS_WEB_IDENTITY_TOKEN_FILE": "/token"])
    #expect(result.exitCode == 3)
    #expect(result.errors.contains("neither AWS_ROLE_ARN nor"))
  }

  /// botocore, by `bucket-requests.py`.
  @Test("An object is presigned as botocore does it, with the endpoint from each of its places")
  func presign() {
    [nil, "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"].forEachCase { (variable: String?) in
      let endpoint = "https://0123456789abcdef0123456789abcdef.r2.cloudflarestorage.com"
      var environment = Self.keys
      if let variable { environment[variable] = endpoint }
      let result = try CommandProcess(
        ["presign", "--at=20240102T030405Z", "--expires-in=3600"]
          + (variable == nil ? ["--endpoint-url", endpoint] : []) + ["s3://photos/été +1.jpg"],
        environment: environment)
      let expected = try VectorTable(named: "bucket-requests.txt").record(
        named: "R2, presigned GET")
      #expect(result.output == (try expected.text("presigned-url")) + "\n")
      #expect(result.errors == "")
    }
  }

  @Test("Without an endpoint, an object is AWS's, and its key is unchanged")
  func regions() throws {
    func target(_ arguments: [String], _ environment: [String: String] = [:]) throws -> String {
      let result = try CommandProcess(
        ["presign"] + arguments, environment: environment.merging(Self.keys) { $1 })
      return String(result.output.prefix { $0 != "?" })
    }
    #expect(
      try target(["s3://bucket/a%20b?c#d"])
        == "https://bucket.s3.us-east-1.amazonaws.com/a%2520b%3Fc%23d")
    #expect(
      try target(["s3://bucket//a"], ["AWS_REGION": "eu-west-1"])
        == "https://bucket.s3.eu-west-1.amazonaws.com//a")
    #expect(
      try target(["--region=cn-north-1", "s3://dotted.bucket/k"], ["AWS_REGION": "eu-west-1"])
        == "https://s3.cn-north-1.amazonaws.com.cn/dotted.bucket/k")
    #expect(
      try target(["--endpoint", "http://127.0.0.1:9000", "s3://bucket/k"])
        == "http://127.0.0.1:9000/bucket/k")
    let warned = try CommandProcess(["presign", "s3://bucket/a/../b"])
    #expect(warned.errors.contains("dotSegments"))
    #expect(warned.exitCode == 0)
  }

  func body(_ upload: VectorRecord) throws -> [UInt8] {
    var generator = Xorshift64(seed: try #require(UInt64(upload.text("seed"), radix: 16)))
    return try generator.bytes(upload.integer("first-length"))
  }

  func options(_ upload: VectorRecord) throws -> [String] {
    // The names of the headers are x-amz-checksum- and the name of the checksum.
    try ["--at=20150830T123600Z", "--chunk-size", upload.text("chunk-length")]
      + upload.texts("trailer").map { "--checksum=\($0.dropFirst(15))" }
      + (upload.text("kind") == "unsigned" ? ["--unsigned-payload"] : [])
  }

  func write(_ bytes: [UInt8], in folder: TemporaryFolder) throws -> String {
    let file = folder.url.appendingPathComponent("file")
    try Data(bytes).write(to: file)
    return file.path
  }

  func digest(_ path: String) throws -> String {
    SHA256.hash(data: try Data(contentsOf: URL(fileURLWithPath: path))).hexString
  }

  /// The words that a shell makes of a curl command.
  func words(ofShell command: String) throws -> [String] {
    let shell = try CommandProcess(
      executable: URL(fileURLWithPath: "/bin/sh"),
      ["-c", "curl() { for word; do printf '%s\\n' \"$word\"; done; }\n" + command],
      environment: [:], input: "")
    return shell.output.split(separator: "\n").map(String.init)
  }
}
