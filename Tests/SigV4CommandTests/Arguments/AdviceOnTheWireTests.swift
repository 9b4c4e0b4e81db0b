// SPDX-License-Identifier: Apache-2.0
// The commands that error messages name, with a real curl: they do what they're named for.

internal import Foundation
internal import SigningTestSupport
internal import Testing

@testable import sigv4

@Suite(
  "Commands in advice on the wire",
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")))
struct AdviceOnTheWireTests {
  @Test("Each command in the advice for another tool's command sends its request")
  func sent() throws {
    let folder = try TemporaryFolder()
    let log = folder.url.appendingPathComponent("log")
    let server = try PythonServer(
      "RequestSigningFoundationTests/loopback-server.py", log.path,
      #"[{"status": 200, "headers": {}, "body": "found", "zeros": 0, "wait": 0, "pause": 0}]"#)
    let file = try folder.file("FILE", "the bytes")
    let endpoint = "http://127.0.0.1:\(server.port)"
    func run(_ command: String) throws -> SentRequestTests.Received {
      let script = command.replacing("sigv4 curl", with: "\"$SIGV4\" curl -sS --quiet")
        .replacing("https://HOST", with: endpoint)
      let result = try CommandProcess(
        script: "cd '\(folder.url.path)' && " + script,
        environment: CommandProcess.exampleKeys.merging([
          "AWS_ENDPOINT_URL": endpoint, "AWS_REGION": "us-east-1",
        ]) { $1 })
      #expect(result.exitCode == 0, "\(command): \(result.errors)")
      let requests: [SentRequestTests.Received] = try PythonServer.lines(in: log)
      return try #require(requests.last)
    }
    for (name, method, target) in [
      ("ls", "GET", "/bucket?list-type=2"), ("put", "PUT", "/bucket/key"),
      ("get", "GET", "/bucket/key"), ("rm", "DELETE", "/bucket/key"),
      ("head", "HEAD", "/bucket/key"), ("mb", "PUT", "/bucket"), ("mv", "PUT", "/bucket/new"),
      ("cp", "PUT", "/bucket/key"), ("sync", "PUT", "/bucket/key"), ("rb", "DELETE", "/bucket"),
    ] {
      let advice = try #require(OtherWords.command(name))
      let quoted = advice.split(separator: "'sigv4 ").dropFirst().first ?? ""
      let command = "sigv4 " + quoted.prefix { $0 != "'" }
      // The apostrophes of a header would end the quotation, so its advice uses double quotes.
      let received = try run(command)
      #expect(received.method == method && received.target == target, "\(command)")
      #expect(received.values("authorization").count == 1)
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "found")
  }
}
