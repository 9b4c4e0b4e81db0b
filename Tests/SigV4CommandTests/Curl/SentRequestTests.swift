// SPDX-License-Identifier: Apache-2.0
// The requests that a server receives from sigv4 curl and from printed curl commands, with a real
// curl.

internal import Foundation
internal import SigningTestSupport
internal import Testing

@Suite(
  "sigv4 curl on the wire",
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")))
struct SentRequestTests {
  /// The server's log.
  struct Received: Decodable {
    let method: String
    let target: String
    let headers: [[String]]
    let byteCount: Int
    let sha256: String

    func values(_ name: String) -> [String] {
      headers.filter { $0[0].lowercased() == name }.map { $0[1] }
    }
  }

  private let folder: TemporaryFolder
  private let log: URL
  private let server: PythonServer

  init() throws {
    folder = try TemporaryFolder()
    log = folder.url.appendingPathComponent("log")
    server = try PythonServer(
      "RequestSigningFoundationTests/loopback-server.py", log.path,
      #"[{"status": 200, "headers": {}, "body": "", "zeros": 0, "wait": 0, "pause": 0}]"#)
  }

  private var origin: String { "http://127.0.0.1:\(server.port)" }

  private static var environment: [String: String] {
    CommandProcess.exampleKeys.merging(["PATH": "/usr/bin:/bin"]) { $1 }
  }

  /// Runs `sigv4 curl`, and returns the received request.
  private func send(_ arguments: [String], input: String = "") throws -> Received {
    let result = try CommandProcess(
      ["curl", "-sS", "--quiet", "--service=s3", "--region=us-east-1"] + arguments,
      environment: Self.environment, input: input)
    try #require(result.exitCode == 0, "\(result.errors)")
    return try last()
  }

  private func last() throws -> Received {
    let lines: [Received] = try PythonServer.lines(in: log)
    return try #require(lines.last)
  }

  private func digest(_ text: String) throws -> String { try SendCommandTests().sha256(text) }

  /// Source: RFC 9110, 8.6: a client should send Content-Length with a method that expects a body; S3
  /// returns 411 MissingContentLength.
  @Test("A PUT, POST or PATCH without a body has a length of 0")
  func noBody() throws {
    for (options, length) in [
      (["-X", "PUT"], ["0"]), (["-X", "POST"], ["0"]), (["-X", "PATCH"], ["0"]),
      (["-X", "DELETE"], []), ([], []), (["-I"], []), (["-X", "PUT", "-d", ""], ["0"]),
      (["-X", "PUT", "-H", "Content-Length: 0"], ["0"]),
    ] {
      let received = try send(options + [origin + "/b/k?acl"])
      #expect(received.values("content-length") == length, "\(options)")
      #expect(received.byteCount == 0)
    }
  }

  @Test("The printed headers and curl commands contain it, too")
  func printed() throws {
    let options = ["--service=s3", "--region=us-east-1", "-X", "PUT", origin + "/b/k"]
    for command in ["sign", "presign"] {
      let printed = try CommandProcess([command, "--curl"] + options)
      _ = try CommandProcess(
        executable: URL(fileURLWithPath: "/bin/sh"), ["-c", printed.output],
        environment: Self.environment, input: "")
      let received = try last()
      #expect(received.method == "PUT" && received.values("content-length") == ["0"], "\(command)")
    }
    let headers = try CommandProcess(["sign"] + options).output
    #expect(headers.contains("\nContent-Length: 0\n"))
    let unsigned = try CommandProcess(["sign", "--unsigned-payload"] + options).output
    #expect(!unsigned.contains("Content-Length"))
    #expect(try !CommandProcess(["sign", "-d", "a"] + options).output.contains("Content-Length"))
  }

  @Test("A file is sent to the signed URL, whatever its last segment is")
  func dots() throws {
    let file = try folder.file("a file", "the bytes of the file\n")
    for target in [
      "/b/k/..", "/b/k/.", "/b/k/...", "/b/..k", "/b/k/..?partNumber=1&uploadId=a", "/b/a/../k",
    ] {
      let received = try send(["-T", file, origin + target])
      #expect(received.target == target && received.method == "PUT")
      #expect(try received.sha256 == digest("the bytes of the file\n"))
      #expect(received.values("content-length") == ["22"])
      #expect(received.values("transfer-encoding").isEmpty)
    }
    let placed = try send(["-T", file, origin + "/b/k/"])
    #expect(placed.target == "/b/k/a%20file")
  }

  @Test("A chunked body is sent to such a URL, too")
  func chunked() throws {
    let file = try folder.file("file", "1")
    let body = folder.url.path + "/body"
    for target in ["/b/k/..", "/b/k/.", "/b/k/"] {
      let printed = try CommandProcess([
        "upload", "--curl", "--quiet", "--region=us-east-1", "--endpoint", origin, "-o", body, file,
        "s3:/" + target,
      ])
      _ = try CommandProcess(
        executable: URL(fileURLWithPath: "/bin/sh"), ["-c", printed.output],
        environment: Self.environment, input: "")
      #expect(try last().target == target, "\(printed.errors)")
    }
  }

  @Test("The user's configuration of curl isn't read, not even for the help")
  func configuration() throws {
    let errors = folder.url.appendingPathComponent("errors")
    _ = try folder.file(".curlrc", "stderr = \(errors.path)\n")
    let environment = Self.environment.merging(["HOME": folder.url.path]) { $1 }
    let result = try CommandProcess(
      ["curl", "-sS", "--service=s3", "--region=us-east-1", origin + "/b/k"],
      environment: environment)
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: errors.path))
  }

  @Test("Standard input is sent with its length, and not in chunks")
  func standardInput() throws {
    let text = String(repeating: "0123456789abcdef", count: 50_000)
    for options in [["-T", "-"], ["-T", "."], ["-T", "-", "-X", "PUT"], ["-d", "@-"]] {
      let received = try send(options + [origin + "/b/k/.."], input: text)
      #expect(received.target == "/b/k/..")
      #expect(received.method == (options[0] == "-T" ? "PUT" : "POST"))
      #expect(try received.sha256 == digest(text), "\(options)")
      #expect(received.values("content-length") == ["800000"])
      #expect(received.values("transfer-encoding").isEmpty)
    }
    let empty = try send(["-T", "-", origin + "/b/k"])
    #expect(empty.method == "PUT" && empty.values("content-length") == ["0"])
    // RFC 9112, 6.2: never both.
    let given = try send(["-T", "-", "-H", "Content-Length: 3", origin + "/b/k"], input: "abc")
    #expect(given.values("content-length") == ["3"] && given.values("transfer-encoding").isEmpty)
    let chunked = try send(
      ["-T", "-", "-H", "Transfer-Encoding: chunked", origin + "/b/k"], input: "abc")
    #expect(chunked.values("transfer-encoding") == ["chunked"] && chunked.byteCount == 3)
  }

  #if os(Linux)
    /// getrusage(2): ru_maxrss of the children is the size of the largest of all processes, in KiB.
    private static let measured = """
      import resource, subprocess, sys
      process = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE)
      for _ in range(64):
          process.stdin.write(bytes(1 << 20))
      process.stdin.close()
      print(process.wait(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
      """

    @Test("A body from standard input is in memory once")
    func memory() throws {
      let result = try CommandProcess(
        executable: URL(fileURLWithPath: "/usr/bin/env"),
        [
          "python3", "-c", Self.measured, CommandProcess.executable.path, "curl", "-sS", "--quiet",
          "--service=s3", "--region=us-east-1", "-T", "-", origin + "/b/k",
        ], environment: Self.environment, input: "")
      let numbers = result.output.split { $0.isWhitespace }.compactMap { Int($0) }
      try #require(numbers.count == 2 && numbers[0] == 0, "\(result.errors)")
      #expect(try last().byteCount == 64 << 20)
      #expect(numbers[1] < 64 + 40, "\(numbers[1]) MiB")
    }
  #endif
}
