// SPDX-License-Identifier: Apache-2.0
// The page of MessageSignatures, and its how-to page: their code compiles and works.

internal import DigitalSignatures
internal import Foundation
internal import MessageSignatures
internal import RequestSigningFoundation
internal import SecureHashing
internal import SigningTestSupport
internal import Testing

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

struct OrdersAPI {
  let signer: MessageSigner
  var session = URLSession.shared

  func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
    let signed = try signer.sign(request, nonce: UUID().uuidString)
    let (data, response) = try await session.data(for: signed)
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    return (data, response)
  }
}

/// A server that answers with the nonce and a signature, if the request's one is valid.
private final class OrdersServer: URLProtocol {
  static let key = SymmetricKey(data: Array("a secret of this test".utf8))
  /// Beside other tests, this one took more than five minutes.
  static let maximumAge = Duration.seconds(86_400)

  override static func canInit(with request: URLRequest) -> Bool { true }
  override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func stopLoading() {}

  override func startLoading() {
    do {
      let verifier = MessageVerifier(
        requiring: [.method, .path, .contentDigest], maximumAge: Self.maximumAge
      ) { _ in
        .hmac(Self.key)
      }
      let received = try HTTPMessage(request)
      let verified = try verifier.verify(received, body: Data("order".utf8))
      let reply = Data((verified.nonce ?? "none").utf8)
      let sent = try MessageSigner(
        key: .hmac(Self.key), keyID: "server", covering: [.status, .contentDigest, .path.ofRequest]
      ).sign(HTTPMessage(status: 201, fields: [], to: received), body: reply)
      let headers = Dictionary(uniqueKeysWithValues: sent.fields.map { ($0.name, $0.value) })
      guard let url = request.url,
        let response = HTTPURLResponse(
          url: url, statusCode: 201, httpVersion: nil, headerFields: headers)
      else { throw URLError(.badURL) }
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      client?.urlProtocol(self, didLoad: reply)
      client?.urlProtocolDidFinishLoading(self)
    } catch { client?.urlProtocol(self, didFailWithError: error) }
  }
}

@Suite("Pages: MessageSignatures")
struct MessageSignaturesPagesTests {
  let now = MessageSignature.Time(unixSeconds: 1_700_000_000)

  func sign(
    _ body: [UInt8], with signer: MessageSigner,
    at now: MessageSignature.Time
  ) throws -> HTTPMessage {
    let request = try HTTPMessage(
      method: "POST", url: "https://api.example.com/orders",
      fields: [("Content-Type", "application/json")])
    return try signer.sign(request, body: body, at: now)
  }

  func verify(
    _ request: HTTPMessage, body: [UInt8], at now: MessageSignature.Time,
    with keys: [String: MessageSignature.VerificationKey]
  ) throws -> VerifiedMessage {
    let verifier = MessageVerifier(
      requiring: [.method, .authority, .path, .query]
    ) { keyID in keys[keyID] }
    return try verifier.verify(request, body: body, at: now)
  }

  @Test("A signed request is verified")
  func landing() throws {
    let key = P256.Signing.PrivateKey()
    let signer = MessageSigner(
      key: .p256(key), keyID: "k",
      covering: [.method, .authority, .path, .query, .contentDigest])
    let signed = try sign([1], with: signer, at: now)
    #expect(
      try verify(signed, body: [1], at: now, with: ["k": .p256(key.publicKey)]).keyID == "k")
  }

  @Test("The how-to page: sign in an app, verify on a server, once, and a response")
  func howTo() throws {
    let privateKey = Curve25519.Signing.PrivateKey()
    let keys: [String: MessageSignature.VerificationKey] = [
      "app-1": .ed25519(privateKey.publicKey)
    ]
    let signer = MessageSigner(
      key: .ed25519(privateKey), keyID: "app-1",
      covering: [.method, .authority, .path, .query, .contentDigest])

    func signedOrder(_ order: Data) throws -> URLRequest {
      var request = URLRequest(url: URL(string: "https://api.example.com/orders")!)
      request.httpMethod = "POST"
      request.httpBody = order
      return try signer.sign(request)
    }

    let order = Array(#"{"item":1}"#.utf8)
    let message = try HTTPMessage(
      method: "POST", url: "https://api.example.com/orders",
      fields: [("Content-Type", "application/json")])
    let signed = try signer.sign(message, body: order, at: now)

    let verifier = MessageVerifier(requiring: [.method, .authority, .path, .query]) { keyID in
      keys[keyID]
    }

    func handle(
      method: String, target: String, fields: [(name: String, value: String)], body: [UInt8]
    ) throws -> VerifiedMessage {
      let request = try HTTPMessage(
        method: method, scheme: "https", authority: "api.example.com", target: target,
        fields: fields)
      return try verifier.verify(request, body: body, at: now)
    }
    let verified = try handle(
      method: "POST", target: "/orders", fields: signed.fields, body: order)
    #expect(verified.keyID == "app-1" && verified[.field("content-type")] == nil)
    let sent = try HTTPMessage(signedOrder(Data(order)))
    #expect(sent.fields.count == 3)
    #expect(try verifier.verify(sent, body: order)[.query] == "?")

    let nonces = Nonces()
    let once = MessageVerifier(
      requiring: [.method, .authority, .path, .query],
      isFirstUse: { verified in
        guard let nonce = verified.nonce else { return false }
        return nonces.insert(verified.keyID + " " + nonce)
      }
    ) { keyID in keys[keyID] }
    let nonce = UUID().uuidString
    let request = try signer.sign(message, body: order, at: now, nonce: nonce)
    #expect(try once.verify(request, body: order, at: now).nonce == nonce)
    #expect(throws: MessageSignatureError.self) {
      try once.verify(request, body: order, at: now)
    }
    let base = try MessageSignature.base(of: request, label: "sig1")
    print(String(decoding: base, as: UTF8.self))
    try respond(to: request)
  }

  private func respond(to request: HTTPMessage) throws {
    let (serverKey, reply) = (P256.Signing.PrivateKey(), Array("done".utf8))
    let responder = MessageSigner(
      key: .p256(serverKey), keyID: "server-1",
      covering: [
        .status, .contentDigest, .method.ofRequest, .authority.ofRequest, .path.ofRequest,
        .query.ofRequest,
      ])
    let response = try responder.sign(
      HTTPMessage(status: 200, fields: [], to: request), body: reply, at: now)
    let trusted = try MessageVerifier(
      requiring: [
        .status, .method.ofRequest, .authority.ofRequest, .path.ofRequest, .query.ofRequest,
      ]
    ) { _ in .p256(serverKey.publicKey) }
    .verify(response, body: reply, at: now)
    #expect(trusted[.path.ofRequest] == "/orders")
  }

  @Test("The call that signs and sends: each request has its own nonce, and the response is valid")
  func sending() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [OrdersServer.self]
    let signer = MessageSigner(
      key: .hmac(OrdersServer.key), keyID: "app",
      covering: [.method, .authority, .path, .query, .contentDigest])
    let api = OrdersAPI(signer: signer, session: URLSession(configuration: configuration))
    var request = URLRequest(url: try #require(URL(string: "https://api.example.com/orders?a")))
    request.httpMethod = "POST"
    request.httpBody = Data("order".utf8)
    let verifier = MessageVerifier(
      requiring: [.status, .path.ofRequest], maximumAge: OrdersServer.maximumAge
    ) { _ in
      .hmac(OrdersServer.key)
    }
    var nonces: Set<Data> = []
    for _ in 0..<2 {
      let (data, response) = try await api.data(for: request)
      let verified = try verifier.verify(HTTPMessage(response, to: request), body: data)
      #expect(verified[.status] == "201" && verified[.path.ofRequest] == "/orders")
      nonces.insert(data)
    }
    #expect(nonces.count == 2)
  }

  @Test("Every line of code on the how-to page is in this file")
  func page() throws {
    try HowToPage("message-signatures.md").expectCode(in: #filePath, count: 50)
  }

  /// A store of nonces, for one thread.
  private final class Nonces: @unchecked Sendable {
    private var all: Set<String> = []

    func insert(_ nonce: String) -> Bool { all.insert(nonce).inserted }
  }
}
