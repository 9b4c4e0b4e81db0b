// SPDX-License-Identifier: Apache-2.0
// The settings of a URLSessionConfiguration, and what each of them does in a session.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct ConfigurationTests {
  func session(_ configuration: URLSessionConfiguration) throws -> SigningSession {
    SigningSession(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      region: "us-east-1", service: .s3, configuration: configuration)
  }

  #if canImport(FoundationNetworking)
    /// Settings that have an effect, each with a test in this suite or the named one.
    static let effective: Set = [
      "httpAdditionalHeaders", "httpCookieStorage", "httpShouldSetCookies",
      "httpCookieAcceptPolicy", "protocolClasses",
      "identifier",  // ConnectionTests.background
      "httpMaximumConnectionsPerHost",  // ConnectionSlotTests
      "timeoutIntervalForRequest", "timeoutIntervalForResource",  // TimeoutTests
    ]
    /// Settings that a session replaces everywhere, because it never caches or sends passwords
    /// (ConnectionTests.cache, password).
    static let replaced: Set = ["requestCachePolicy", "urlCache", "urlCredentialStorage"]

    @Test("Each setting has an effect, or the page says that it has none on Linux")
    func settings() throws {
      let page = try HowToPage("urlsession-on-linux.md").lines
      let row = try #require(page.first { $0.hasPrefix("| ignores `") })
      let settings = Mirror(reflecting: URLSessionConfiguration.ephemeral).children
        .compactMap(\.label).filter { !Self.effective.union(Self.replaced).contains($0) }
      #expect(settings.count == 6, "\(settings)")
      for setting in settings { #expect(row.contains("`\(setting)`"), "\(setting)") }
    }

    // libcurl(3), CURLOPT_PROXY: the environment's proxies are used.
    @Test("Settings without an effect change nothing")
    func ineffective() async throws {
      let server = try LoopbackServer(.init(body: "fine"))
      let other = try LoopbackServer(.init(body: "from a proxy"))
      let configuration = URLSessionConfiguration.ephemeral
      configuration.connectionProxyDictionary = [
        "HTTPEnable": true, "HTTPProxy": "127.0.0.1", "HTTPPort": Int(other.port),
      ]
      configuration.networkServiceType = .background
      configuration.allowsCellularAccess = false
      configuration.isDiscretionary = true
      let session = try session(configuration)
      #expect(try await session.data(for: URLRequest(url: server.url())) == Data("fine".utf8))
      #expect(try server.received().count == 1)
      #expect(try other.received().isEmpty)
    }
  #endif

  @Test("Additional headers are signed and sent, and the request's own replace them")
  func additionalHeaders() async throws {
    let server = try LoopbackServer(.init())
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Amz-Meta-A": "one", "X-Amz-Meta-N": 5]
    let session = try session(configuration)
    var request = URLRequest(url: try server.url("/a"))
    _ = try await session.data(for: request)
    request.setValue("two", forHTTPHeaderField: "x-amz-meta-a")
    _ = try await session.data(for: request)
    let received = try server.received()
    #expect(received.map { $0.values("x-amz-meta-a") } == [["one"], ["two"]])
    #expect(received.map { $0.values("x-amz-meta-n") } == [["5"], ["5"]])
    #expect(received.allSatisfy { $0.signedNames.contains("x-amz-meta-n") })
    #expect(received.allSatisfy { $0.isSignatureRight })
  }

  /// What changes the cookies of a session.
  enum Cookies: CaseIterable {
    case handled, notStored, notSet, notAccepted, notHandledByRequest
  }

  // RFC 6265, 4.2: a cookie comes back with the next request.
  @Test("Cookies come back only if they are accepted, stored and set", arguments: Cookies.allCases)
  func cookies(_ cookies: Cookies) async throws {
    let server = try LoopbackServer(.init(headers: ["Set-Cookie": "id=42; Path=/"]))
    let configuration = URLSessionConfiguration.ephemeral
    var request = URLRequest(url: try server.url("/a"))
    switch cookies {
    case .handled: break
    case .notStored: configuration.httpCookieStorage = nil
    case .notSet: configuration.httpShouldSetCookies = false
    case .notAccepted: configuration.httpCookieAcceptPolicy = .never
    case .notHandledByRequest: request.httpShouldHandleCookies = false
    }
    let session = try session(configuration)
    for _ in 0..<2 { _ = try await session.data(for: request) }
    let received = try server.received()
    let expected = cookies == .handled ? ["id=42"] : []
    #expect(received.map { $0.values("cookie") } == [[], expected])
    #expect(received.allSatisfy { $0.isSignatureRight })
  }

  @Test("A signed cookie isn't replaced by a stored one")
  func signedCookie() async throws {
    let server = try LoopbackServer(.init(headers: ["Set-Cookie": "id=42; Path=/"]))
    let session = try session(.ephemeral)
    var request = URLRequest(url: try server.url("/a"))
    _ = try await session.data(for: request)
    request.httpShouldHandleCookies = false
    request.setValue("mine=1", forHTTPHeaderField: "Cookie")
    _ = try await session.data(for: request)
    let last = try #require(try server.received().last)
    #expect(last.values("cookie") == ["mine=1"])
    #expect(last.signedNames.contains("cookie"))
    #expect(last.isSignatureRight)
  }

  @Test("A protocol of the configuration's own gets the signed request")
  func protocolClasses() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [EchoProtocol.self]
    let url = try #require(URL(string: "http://example.invalid/a"))
    let data = try await session(configuration).data(for: URLRequest(url: url))
    #expect(String(decoding: data, as: UTF8.self).hasPrefix("AWS4-HMAC-SHA256 Credential=KEY/"))
  }
}

/// Responds with the Authorization header.
private final class EchoProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    guard let url = request.url,
      let response = HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: nil)
    else { return }
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    let authorization = request.value(forHTTPHeaderField: "Authorization") ?? ""
    client?.urlProtocol(self, didLoad: Data(authorization.utf8))
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}
