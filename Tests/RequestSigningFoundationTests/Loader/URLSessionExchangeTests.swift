// SPDX-License-Identifier: Apache-2.0
// The real transport of credential providers, over the loopback device.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct URLSessionExchangeTests {
  @Test("A request arrives with its method, headers and body, and its response is returned")
  func exchange() async throws {
    let server = try LoopbackServer(
      .init(status: 404, headers: ["X-One": "1"], body: "missing"))
    let request = SigV4.HTTPRequest(
      "PUT", "http://127.0.0.1:\(server.port)/latest/api/token?a=b",
      headers: ["X-aws-ec2-metadata-token-ttl-seconds": "21600"], body: Array("abc".utf8),
      timeout: .seconds(30))
    let answer = try await URLSessionExchange().response(to: request)
    #expect(answer.status == 404)
    #expect(answer.headers.values(named: "x-one") == ["1"])
    #expect(answer.body == Array("missing".utf8))
    let received = try #require(try server.received().first)
    #expect(received.method == "PUT")
    #expect(received.target == "/latest/api/token?a=b")
    #expect(received.values("x-aws-ec2-metadata-token-ttl-seconds") == ["21600"])
    #expect(received.byteCount == 3)
  }

  @Test("A redirect is returned, and no cookie is sent back")
  func nothingKept() async throws {
    let server = try LoopbackServer(
      .init(
        status: 302, headers: ["Location": "/elsewhere", "Set-Cookie": "a=b; Path=/"],
        body: "moved"), .init())
    let exchange = URLSessionExchange()
    let request = SigV4.HTTPRequest(
      "GET", "http://127.0.0.1:\(server.port)/", timeout: .seconds(30))
    let answer = try await exchange.response(to: request)
    #expect(answer.status == 302)
    #expect(answer.body == Array("moved".utf8))
    #expect(try await exchange.response(to: request).status == 200)
    let received = try server.received()
    #expect(received.map(\.target) == ["/", "/"])
    #expect(received.flatMap { $0.values("cookie") } == [])
  }

  @Test("A response of 1 MiB is accepted, and one byte more isn't", arguments: [0, 1])
  func limit(more: Int) async throws {
    let server = try LoopbackServer(.init(zeros: 1_048_576 + more))
    let request = SigV4.HTTPRequest(
      "GET", "http://127.0.0.1:\(server.port)/", timeout: .seconds(30))
    if more == 0 {
      #expect(try await URLSessionExchange().response(to: request).body.count == 1_048_576)
    } else {
      let error = await #expect(throws: CredentialError.self) {
        try await URLSessionExchange().response(to: request)
      }
      #expect(error?.code == .invalidResponse)
    }
  }

  @Test("A server that doesn't respond in time causes a time-out", arguments: [0.2, 0, -1])
  func timeout(seconds: Double) async throws {
    let server = try LoopbackServer(.init(wait: 600))
    let request = SigV4.HTTPRequest(
      "GET", "http://127.0.0.1:\(server.port)/", timeout: .seconds(seconds))
    let error = await #expect(throws: CredentialError.self) {
      try await URLSessionExchange().response(to: request)
    }
    #expect(error?.code == .timedOut)
  }

  @Test("A time limit's fraction counts")
  func fraction() async throws {
    let server = try LoopbackServer(.init(wait: 600))
    let request = SigV4.HTTPRequest(
      "GET", "http://127.0.0.1:\(server.port)/", timeout: .seconds(1.9))
    let start = ContinuousClock.now
    await #expect(throws: CredentialError.self) {
      try await URLSessionExchange().response(to: request)
    }
    #expect(ContinuousClock.now - start >= .seconds(1.9))
  }

  @Test("A cancelled caller gets its cancellation at once")
  func cancellation() async throws {
    let server = try LoopbackServer(.init(wait: 600))
    let request = SigV4.HTTPRequest(
      "GET", "http://127.0.0.1:\(server.port)/", timeout: .seconds(60))
    let task = Task { try await URLSessionExchange().response(to: request) }
    try await Task.sleep(for: .milliseconds(200))
    task.cancel()
    let error = await #expect(throws: CredentialError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  @Test("A port without a server can't be reached, and a string that isn't a URL is rejected")
  func unreachable() async throws {
    // Port 1 (tcpmux) needs a privilege to listen on.
    for (url, code) in [
      ("http://127.0.0.1:1/", CredentialError.Code.unreachable),
      ("file:///etc/hostname", .invalidConfiguration), ("", .invalidConfiguration),
      ("http://", .invalidConfiguration),
    ] {
      let error = await #expect(throws: CredentialError.self) {
        try await URLSessionExchange().response(
          to: SigV4.HTTPRequest("GET", url, timeout: .seconds(30)))
      }
      #expect(error?.code == code)
    }
  }

  @Test(
    "A header with a newline is rejected, and nothing is sent",
    arguments: ["a\n", "a\r\nB: c"])
  func lineEnd(value: String) async throws {
    let server = try LoopbackServer(.init())
    let request = SigV4.HTTPRequest(
      "GET", "http://127.0.0.1:\(server.port)/", headers: ["Authorization": value],
      timeout: .seconds(30))
    let error = await #expect(throws: CredentialError.self) {
      try await URLSessionExchange().response(to: request)
    }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.contains(value) == false)
    #expect(try server.received().isEmpty)
  }

  // The variables: curl(1), "ENVIRONMENT".
  @Test(
    "A proxy is found in the environment, unless NO_PROXY excludes the host",
    arguments: [
      (["http_proxy": "http://proxy:3128"], "http_proxy"), (["ALL_PROXY": "p"], "ALL_PROXY"),
      (["http_proxy": "p", "no_proxy": "example.com, 169.254.169.254"], nil),
      (["all_proxy": "p", "NO_PROXY": "*"], nil), (["https_proxy": "p"], nil),
      (["HTTP_PROXY": "p"], nil), (["http_proxy": ""], nil), ([:], nil),
      (["http_proxy": "p", "no_proxy": "169.254.169.25"], "http_proxy"),
    ] as [([String: String], String?)])
  func proxies(environment: [String: String], name: String?) async {
    let host = "169.254.169.254"
    #expect(
      EnvironmentProxy.variable(for: host, url: "http://\(host)/") { environment[$0] } == name)
    #if canImport(FoundationNetworking)
      if name != nil {
        let exchange = URLSessionExchange { environment[$0] }
        let error = await #expect(throws: CredentialError.self) {
          try await exchange.response(
            to: SigV4.HTTPRequest("GET", "http://\(host)/", timeout: .seconds(1)))
        }
        #expect(error?.code == .unreachable)
        #expect(error?.message.contains("no_proxy") == true)
      }
    #endif
  }
}
