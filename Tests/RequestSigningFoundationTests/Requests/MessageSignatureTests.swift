// SPDX-License-Identifier: Apache-2.0
// HTTP Message Signatures of URLRequest and HTTPURLResponse.

internal import DigitalSignatures
internal import Foundation
internal import MessageSignatures
internal import RequestSigningFoundation
internal import SecureHashing
internal import Testing

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

@Suite("Message signatures with Foundation")
struct MessageSignatureTests {
  let key = SymmetricKey(data: Array("a secret of this test".utf8))
  let date = Date(timeIntervalSince1970: 1_700_000_000.9)
  let covered: [MessageSignature.Component] = [.method, .query, .contentDigest]

  private func post(_ url: String) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: url)))
    request.httpMethod = "POST"
    request.httpBody = Data("x".utf8)
    return request
  }

  /// Source of the digest: `hashlib.sha256(b"x")`, in base64. Of the signature: Python's `hmac` of
  /// the base.
  @Test("A URLRequest gets the digest, the input and the signature as headers")
  func signing() throws {
    let signer = MessageSigner(
      key: .hmac(key), keyID: "k", covering: covered, label: "a", tag: "t", lifetime: .seconds(60))
    let request = try signer.sign(post("https://a.example/pay?to=1#part"), at: date, nonce: "n")
    #expect(
      request.value(forHTTPHeaderField: "Content-Digest")
        == "sha-256=:LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=:")
    #expect(
      request.value(forHTTPHeaderField: "Signature")
        == "a=:xkpn2ek8tR7QwcsBOdvh5mTqvuDLw4dhTfVdkNnuUP4=:")
    let verifier = MessageVerifier(requiring: covered, tag: "t") { [key] _ in .hmac(key) }
    let verified = try verifier.verify(HTTPMessage(request), body: Data("x".utf8), at: date)
    #expect(verified[.query] == "?to=1" && verified.created.unixSeconds == 1_700_000_000)
  }

  @Test("A bot's URLRequest gets the agent, and is verified now")
  func bots() throws {
    let key = Curve25519.Signing.PrivateKey()
    let bot = try WebBotAuthSigner(key: key, agent: "https://bot.example")
    let request = try bot.sign(post("https://a.example/pay"))
    #expect(request.value(forHTTPHeaderField: "Signature-Agent") == "\"https://bot.example\"")
    let verifier = WebBotAuthVerifier(requiring: [.contentDigest]) { _, _ in key.publicKey }
    let message = try HTTPMessage(request)
    guard case .verified("https://bot.example", _) = verifier.verify(message, body: Data("x".utf8)),
      case .invalid(let error) = verifier.verify(message, body: Data("x".utf8), at: date)
    else {
      Issue.record("the outcomes are others")
      return
    }
    #expect(error.code.name == "createdInFuture")
    let signed = try bot.sign(
      HTTPMessage(method: "GET", url: "https://a.example/", fields: []), body: [], at: date)
    let input = signed.fields.first { $0.name == "Signature-Input" }
    #expect(input?.value.contains(";created=1700000000;expires=1700000060;") == true)
  }

  @Test("A request can have two signatures")
  func twice() throws {
    let verifier = MessageVerifier(requiring: covered, label: "b") { [key] _ in .hmac(key) }
    var request = try post("https://a.example/")
    for label in ["a", "b"] {
      request = try MessageSigner(key: .hmac(key), keyID: "k", covering: covered, label: label)
        .sign(request)
    }
    #expect(try verifier.verify(HTTPMessage(request), body: Data("x".utf8)).label == "b")
  }

  @Test("A response is verified with its request")
  func response() throws {
    let request = try post("https://a.example/pay")
    let covered: [MessageSignature.Component] = [.status, .contentDigest, .path.ofRequest]
    let signer = MessageSigner(key: .hmac(key), keyID: "k", covering: covered)
    let sent = try signer.sign(
      HTTPMessage(status: 201, fields: [], to: HTTPMessage(request)), body: Data("y".utf8), at: date
    )
    let headers = Dictionary(uniqueKeysWithValues: sent.fields.map { ($0.name, $0.value) })
    let url = try #require(request.url)
    let response = try #require(
      HTTPURLResponse(url: url, statusCode: 201, httpVersion: nil, headerFields: headers))
    let verified = try MessageVerifier(requiring: covered) { [key] _ in .hmac(key) }
      .verify(HTTPMessage(response, to: request), body: Data("y".utf8), at: date)
    #expect(verified[.status] == "201")
  }

  @Test("A stream can't be signed, nor can a URL without a host")
  func refusals() throws {
    let signer = MessageSigner(key: .hmac(key), keyID: "k", covering: covered)
    var request = try post("https://a.example/")
    request.httpBodyStream = InputStream(data: Data())
    #expect(throws: TransferError.self) { try signer.sign(request) }
    #expect(throws: MessageSignatureError.self) { try signer.sign(post("/a")) }
  }

  @Test("Dates that no signature can contain become the nearest times")
  func dates() {
    for (seconds, expected) in [
      (-0.5, -1), (1e300, 999_999_999_999_999), (-1e300, -999_999_999_999_999),
      (.nan, 999_999_999_999_999), (.infinity, 999_999_999_999_999),
    ] as [(Double, Int64)] {
      let time = MessageSignature.Time(Date(timeIntervalSince1970: seconds))
      #expect(time.unixSeconds == expected)
    }
  }
}
