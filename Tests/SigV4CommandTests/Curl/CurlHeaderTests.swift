// SPDX-License-Identifier: Apache-2.0
// Every way in which a header reaches the server through sigv4 curl, with a real curl.

internal import Foundation
internal import SigningTestSupport
internal import Testing

/// Sources: RFC 9110, 5.6.2 (a name is a token) and 5.5 (only spaces and tabs surround a value);
/// curl(1), --header: "@filename", "name:" and "name;". curl 7.88 sends each unsigned header of
/// these tests if it gets the option unchanged.
@Suite(
  "Headers of sigv4 curl",
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")))
struct CurlHeaderTests {
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

  private func run(_ arguments: [String]) throws -> CommandProcess {
    try CommandProcess(
      ["curl", "-sS", "--quiet", "--service=s3", "--region=us-east-1"] + arguments
        + ["http://127.0.0.1:\(server.port)/b/k"],
      environment: CommandProcess.exampleKeys.merging(["PATH": "/usr/bin:/bin"]) { $1 })
  }

  /// The requests that the server has received.
  private func received() throws -> [SentRequestTests.Received] {
    FileManager.default.fileExists(atPath: log.path) ? try PythonServer.lines(in: log) : []
  }

  /// A file with a secret, and a file of headers whose line would make curl read it.
  private func headerFile(_ line: String) throws -> String {
    let secret = try folder.file("secret", "X-Secret: hush-hush\n")
    return try folder.file("headers", line.replacing("FILE", with: secret))
  }

  @Test(
    "A line of a header file never names another file",
    arguments: ["@FILE:", "@FILE: ", "@FILE:\t\r", " @FILE:", "@FILE;", "@FILE", "@FILE: a"])
  func nestedFile(_ line: String) throws {
    let result = try run(["-H", "@" + headerFile("X-A: 1\n\(line)\n")])
    #expect(result.exitCode == 1 || result.exitCode == 2, "\(result.errors)")
    #expect(!result.errors.contains("hush-hush") && result.output == "")
    #expect(try received().isEmpty)
  }

  @Test("A file of headers is signed line by line")
  func file() throws {
    let lines = "X-Amz-Acl: private\r\n\r\nX-Amz-Meta-Empty;\nAccept:\n"
    let result = try run(["-H", "@" + folder.file("headers", lines)])
    #expect(result.exitCode == 0, "\(result.errors)")
    let request = try #require(try received().last)
    #expect(request.values("x-amz-acl") == ["private"])
    #expect(request.values("x-amz-meta-empty") == [""] && request.values("accept") == [])
    let signed = ";x-amz-acl;x-amz-content-sha256;x-amz-date;x-amz-meta-empty,"
    #expect(request.values("authorization")[0].contains(signed))
  }

  @Test(
    "Only spaces and tabs make a value empty",
    arguments: [
      "\u{A0}", "\u{85}", "\u{2028}", "\u{3000}", "\u{FEFF}", "\u{0B}", "\u{0C}", "\r", "\n",
      " \u{A0} ",
    ])
  func whitespace(_ value: String) throws {
    for options in [[], ["--utf8-headers"]] {
      let result = try run(options + ["-H", "X-Amz-Acl:" + value])
      let requests = try received()
      // The library accepts characters beyond ASCII on request. They're then signed.
      #expect((result.exitCode == 0) == !requests.isEmpty, "\(result.errors)")
      #expect(options == [] ? requests.isEmpty : true)
      for request in requests {
        #expect(request.values("authorization")[0].contains(";x-amz-acl;"))
      }
    }
  }

  @Test("A value of spaces and tabs removes a header that curl adds")
  func removal() throws {
    for value in ["", " ", "\t", " \t "] {
      #expect(try run(["-H", "Accept:" + value, "-H", "user-agent:" + value]).exitCode == 0)
      let request = try #require(try received().last)
      #expect(request.values("accept") == [] && request.values("user-agent") == [])
    }
  }

  @Test(
    "A name that isn't a token is rejected",
    arguments: [
      "X-Amz-Acl : a", " X-Amz-Acl: a", "X-Amz-Acl :", " X-Amz-Acl:", "Host :", "X Amz: 1",
      "X-Amz-Acl ;", "X;Y;", ":", ": a", ";", "@a:", "X-\u{130}: a", "\u{FEFF}X-A: 1", "X-A\u{A0}:",
      "X-A\r\nX-B:", "(a): 1", "",
    ])
  func names(_ header: String) throws {
    for option in ["-H", "--proxy-header"] {
      let result = try run([option, header])
      #expect(result.exitCode == 1 || result.exitCode == 2, "\(option): \(result.errors)")
      #expect(try received().isEmpty, "\(option)")
    }
    for command in ["sign", "presign"] {
      let result = try CommandProcess([command, "-H", header, "https://b.s3.amazonaws.com/k"])
      #expect(result.exitCode == 1 || result.exitCode == 2, "\(command): \(result.errors)")
    }
  }

  @Test(
    "A line break in an option doesn't add a header",
    arguments: [
      ["-A", "x"], ["-e", "x"], ["-b", "a=x"], ["-r", "0-1"], ["--proxy-header", "X-A: 1"],
      ["-z", "x"], ["-X", "GET / HTTP/1.1"], ["-H", "X-A: 1"],
    ])
  func lineBreaks(_ option: [String]) throws {
    for lineBreak in ["\r\n", "\n", "\r"] {
      let value = option[1] + lineBreak + "X-Amz-Acl: public-read"
      let proxy = option[0] == "--proxy-header" ? ["-x", "http://127.0.0.1:\(server.port)"] : []
      let result = try run(proxy + [option[0], value])
      #expect(result.exitCode == 1 || result.exitCode == 2, "\(result.errors)")
      #expect(try received().isEmpty)
    }
    // A format of output may have several lines.
    #expect(try run(["-w", "\n%{http_code}\n"]).output == "\n200\n")
  }

  /// A proxy passes its headers on with a request to an http URL.
  @Test("A header for a proxy isn't one that the request must sign")
  func proxyHeaders() throws {
    let proxy = ["-x", "http://127.0.0.1:\(server.port)", "--proxy-header"]
    let file = try folder.file("proxy", "X-A: 1\nX-Amz-Acl: public-read\n")
    for header in [
      "X-Amz-Acl: public-read", "x-amz-acl;", "Host: a", "authorization: b", "Content-Type: c",
      "@" + file,
    ] {
      let result = try run(proxy + [header])
      #expect(result.exitCode == 2 && result.errors.contains("unsigned"), "\(result.errors)")
      #expect(try received().isEmpty)
    }
    #expect(try run(proxy + ["@" + folder.file("proxy", "Proxy-A: 1\n\nproxy-b;")]).exitCode == 0)
    #expect(try run(proxy + ["@" + headerFile("@FILE:\n")]).exitCode == 1)
    let requests = try received()
    #expect(requests.count == 1 && requests.first?.values("proxy-a") == ["1"])
    #expect(requests.first?.values("proxy-b") == [""])
  }
}
