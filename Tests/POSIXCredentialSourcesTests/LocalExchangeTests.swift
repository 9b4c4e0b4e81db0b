// SPDX-License-Identifier: Apache-2.0
// HTTP to this machine, with correct and faulty servers.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
import Testing

@testable internal import POSIXCredentialSources
internal import SigningTestSupport

@Suite("HTTP to this machine and its link")
struct LocalExchangeTests {
  private func request(_ steps: [[Any]], timeout: Double = 30) throws -> SigV4.HTTPRequest {
    SigV4.HTTPRequest(
      "GET", try NearServer.url(NearServer.path(steps)), timeout: .seconds(timeout))
  }

  private func failure(
    of request: SigV4.HTTPRequest, location: SourceLocation = #_sourceLocation
  ) async -> CredentialError? {
    await #expect(throws: CredentialError.self, sourceLocation: location) {
      try await LocalExchange.response(to: request)
    }
  }

  private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

  @Test("A request arrives unchanged, on its own connection")
  func request() async throws {
    var request = try request([["echo"]])
    request.url += "?a=b"
    request.method = "PUT"
    request.headers = ["X-One": "1", "Authorization": "a b"]
    let answer = try await LocalExchange.response(to: request)
    let path = try NearServer.path([["echo"]])
    // RFC 9112, 3: the request line, the host first, and the length of a body that may be empty.
    let lines = [
      "PUT \(path)?a=b HTTP/1.1", "Host: 127.0.0.1:\(try NearServer.port())",
      "User-Agent: swift-sigv4/0.1.0", "Connection: close", "Content-Length: 0", "X-One: 1",
      "Authorization: a b", "", "",
    ]
    #expect(String(decoding: answer.body, as: UTF8.self) == lines.joined(separator: "\r\n"))
    request.method = "POST"
    request.body = Array("abc".utf8)
    let posted = try await LocalExchange.response(to: request).body
    #expect(String(decoding: posted, as: UTF8.self).hasSuffix("Authorization: a b\r\n\r\nabc"))
    request.method = "GET"
    request.body = []
    let got = try await LocalExchange.response(to: request).body
    #expect(!String(decoding: got, as: UTF8.self).contains("Content-Length"))
  }

  @Test("A response that arrives slowly is assembled, after responses that aren't final")
  func trickle() async throws {
    let chunks =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n"
    for text in [Self.answer, "HTTP/1.1 100 Continue\r\n\r\n" + Self.answer, chunks] {
      let answer = try await LocalExchange.response(to: try request([["trickle", text, 0.002]]))
      #expect(answer.status == 200)
      #expect(answer.body == Array("hello".utf8))
    }
  }

  @Test("A complete response is accepted even if the connection stays open or has more")
  func openEnd() async throws {
    let start = ContinuousClock.now
    let kept = try request([["send", Self.answer], ["wait", 600]])
    #expect(try await LocalExchange.response(to: kept).body == Array("hello".utf8))
    let flood = try request([["send", Self.answer], ["repeat", "more ", 1_000_000]])
    #expect(try await LocalExchange.response(to: flood).body == Array("hello".utf8))
    #expect(ContinuousClock.now - start < .seconds(590))
  }

  @Test("A connection that ends early is reported as an unreachable server")
  func early() async throws {
    let half = String(Self.answer.dropLast())
    for steps in [[["send", ""]], [["reset"]], [["send", half]], [["send", half], ["reset"]]]
      as [[[Any]]]
    {
      let error = await failure(of: try request(steps))
      #expect(error?.code == .unreachable, "\(steps)")
    }
  }

  @Test("A server that stalls, or sends too slowly, times out")
  func stalls() async throws {
    for steps in [
      [["wait", 600]], [["send", "HTTP/1.1 200 OK\r\n"], ["wait", 600]],
      [["trickle", "HTTP/1.1 200 OK\r\nA: " + String(repeating: "b", count: 1_000), 0.05]],
    ] as [[[Any]]] {
      let start = ContinuousClock.now
      let error = await failure(of: try request(steps, timeout: 0.4))
      #expect(error?.code == .timedOut, "\(steps)")
      #expect(ContinuousClock.now - start < .seconds(590))
    }
  }

  @Test("An address that leads nowhere ends by the time limit", arguments: [0.3, 0, -1])
  func blackHole(seconds: Double) async throws {
    let start = ContinuousClock.now
    let url = "http://127.0.0.1:\(try NearServer.blackHolePort())/"
    let error = await failure(
      of: SigV4.HTTPRequest("GET", url, timeout: .seconds(seconds)))
    #expect(error?.code == .timedOut)
    #expect(ContinuousClock.now - start < .seconds(590))
  }

  @Test("A response that's too large or malformed is rejected before all of it has arrived")
  func floods() async throws {
    let head = "HTTP/1.1 200 OK\r\n"
    for steps in [
      [["send", head + "\r\n"], ["repeat", "0123456789", 1_000_000]],
      [["send", head], ["repeat", "A: 0123456789\r\n", 1_000_000]],
      [["repeat", "HTTP/1.1 103 Early\r\n\r\n", 1_000_000]],
      [["send", head + "Content-Length: 1048577\r\n\r\n"], ["wait", 600]],
      [["send", head + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello!\r\n"], ["wait", 600]],
      [["send", "garbage\r\n"], ["wait", 600]],
    ] as [[[Any]]] {
      #expect(await failure(of: try request(steps))?.code == .invalidResponse, "\(steps)")
    }
  }

  @Test("localhost and ::1 are tried, even if only one of them listens")
  func names() async throws {
    let port = try NearServer.port()
    let path = try NearServer.path([["echo"]])
    for host in ["localhost", "LOCALHOST", "127.0.0.1", "[::1]", "[0:0:0:0:0:0:0:1]"] {
      // A machine may be without IPv6.
      if host.hasPrefix("["), !Self.hasIPv6() { continue }
      let request = SigV4.HTTPRequest(
        "GET", "HTTP://\(host):\(port)\(path)", timeout: .seconds(30))
      let echo = String(decoding: try await LocalExchange.response(to: request).body, as: UTF8.self)
      #expect(echo.contains("\r\nHost: \(host):\(port)\r\n"))
    }
  }

  private static func hasIPv6() -> Bool {
    let addresses = try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8)
    return addresses?.contains("00000000000000000000000000000001") == true
  }

  @Test("A port without a server fails immediately")
  func unreachable() async throws {
    // Port 1 (tcpmux) needs a privilege to listen on.
    for host in ["127.0.0.1", "localhost"] {
      let error = await failure(
        of: SigV4.HTTPRequest("GET", "http://\(host):1/", timeout: .seconds(60)))
      #expect(error?.code == .unreachable)
      // strerror(ECONNREFUSED) of Python's os.strerror.
      #expect(error?.message.contains("Connection refused") == true)
    }
  }

  @Test("A cancelled caller gets its cancellation soon")
  func cancellation() async throws {
    let request = try request([["wait", 600]])
    let start = ContinuousClock.now
    let task = Task { try await LocalExchange.response(to: request) }
    try await Task.sleep(for: .milliseconds(100))
    task.cancel()
    let error = await #expect(throws: CredentialError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(ContinuousClock.now - start < .seconds(590))
  }

  @Test("Stalled requests block no task, even with many more of them than processors")
  func threads() async throws {
    // No response is sent before all requests arrive.
    let gathered = try request([["gather", 40], ["send", Self.answer]], timeout: 500)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<40 {
        group.addTask { try await LocalExchange.response(to: gathered).status }
      }
      for try await status in group { #expect(status == 200) }
    }
  }

  @Test("No descriptor stays open, however the exchange ends")
  func descriptors() async throws {
    func count() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
    try #require(FileManager.default.fileExists(atPath: "/proc/self/fd"))
    let before = try count()
    for _ in 0..<100 {
      _ = try? await LocalExchange.response(to: try request([["reset"]]))
      _ = try? await LocalExchange.response(to: try request([["send", "x\r\n"]]))
      _ = try? await LocalExchange.response(to: try request([["wait", 1]], timeout: 0.01))
    }
    // Other tests run in parallel.
    #expect(try count() < before + 100)
  }
}

@Suite("Local addresses")
struct NearTargetTests {
  @Test(
    "Addresses of this machine and its link are known",
    arguments: [
      ("169.254.169.254", true), ("169.254.170.2", true), ("127.0.0.1", true), ("LOCALHOST", true),
      ("[fd00:ec2::254]", true), ("fd00:ec2::23", true), ("::1", true), ("fe80::1", false),
      ("169.254.example.com", false), ("127.0.0.1.example.com", false), ("10.0.0.1", false),
      ("example.com", false), ("fd00::1", false), ("febf::1", false), ("fec0::1", false),
      ("[0:0:0:0:0:0:0:1]", true), ("fd00:ec3::1", false), ("", false), ("127.1", false),
      ("0177.0.0.1", false), ("2130706433", false), ("[127.0.0.1", false), ("::", false),
    ])
  func addresses(host: String, isLocal: Bool) {
    #expect(NearAddress.addresses(of: host).isEmpty == !isLocal)
  }

  private func request(_ url: String) -> SigV4.HTTPRequest {
    SigV4.HTTPRequest("GET", url, timeout: .seconds(1))
  }

  @Test("A URL is near when it's one of http at such an address")
  func urls() async {
    for url in [
      "http://127.0.0.1", "http://127.0.0.1/a", "http://localhost:8080?a", "HTTP://[::1]:80/",
      "http://169.254.169.254:65535/latest",
    ] {
      #expect(request(url).isLocal, "\(url)")
    }
    for url in [
      "https://127.0.0.1/", "http://example.com/", "http://127.0.0.1@example.com/", "http://", "",
      "http://127.0.0.1:/", "http://127.0.0.1:65536/", "http://127.0.0.1:-1/",
      "http://127.0.0.1:+1/", "http://user@127.0.0.1/", "http://127.0.0.1/a b",
      "http://127.0.0.1/a\r\nX: y", "http://127.0.0.1/#a", "http://[::1/", "http://[::1]x/",
      "file:///etc/hostname", "127.0.0.1",
    ] {
      #expect(!request(url).isLocal, "\(url)")
      let error = await #expect(throws: CredentialError.self) {
        try await LocalExchange.response(to: request(url))
      }
      #expect(error?.code == .invalidConfiguration)
    }
  }

  @Test("The path is sent unchanged, and an empty one as '/'")
  func paths() throws {
    for (url, path) in [
      ("http://[::1]", "/"), ("http://[::1]?a=b", "/?a=b"), ("http://[::1]/a/../b?c", "/a/../b?c"),
    ] {
      #expect(try NearTarget(request(url)).path == path)
    }
    let target = try NearTarget(request("http://localhost:8080/"))
    #expect(target.port == 8080)
    #expect(target.addresses.map(\.bytes.count) == [4, 16])
  }

  @Test("A header with a newline is rejected, without its value", arguments: ["a\n", "a\r\nB: c"])
  func lineEnd(value: String) async throws {
    var request = request(try NearServer.url("/container"))
    request.headers.append("Authorization", value)
    let error = await #expect(throws: CredentialError.self) {
      try await LocalExchange.response(to: request)
    }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.contains(value) == false)
  }
}
