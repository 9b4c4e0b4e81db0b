// SPDX-License-Identifier: Apache-2.0
// The page on signing for one host and connecting to another: its code, against a server on this machine.

internal import Foundation
internal import RequestSigning
internal import RequestVerification
internal import SecureHashing
internal import SigningTestSupport
internal import Testing

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

struct DialedRequest {
  let url: String
  let headers: SigV4.Headers
}

func dialed(
  _ request: SigV4.Request, by signer: SigV4.Signer, at address: String, now: SigV4.Timestamp
) throws -> DialedRequest {
  let signed = try signer.sign(request, at: now)
  return DialedRequest(
    url: signed.scheme.name + "://" + address + signed.target,
    headers: signed.headers + ["Host": signed.host])
}

func urlRequest(_ dialed: DialedRequest) throws -> URLRequest {
  guard let url = URL(string: dialed.url) else { throw URLError(.badURL) }
  var request = URLRequest(url: url)
  for header in dialed.headers {
    request.setValue(header.value, forHTTPHeaderField: header.name)
  }
  return request
}

@Suite("How to send to another address than you sign for")
struct AnotherAddressHowToTests {
  @Test("The server at another address receives the signed host, and the signature verifies")
  func sent() async throws {
    let server = try LoopbackServer(LoopbackServer.Answer())
    let (moment, credentials) = (try Example.moment(), try Example.credentials())
    let host = "vpc-x.eu-west-1.es.amazonaws.com"
    let request = try SigV4.Request(
      "GET", url: "http://\(host)/_cat/indices?v", headers: ["x-a": "1"])
    let signer = try SigV4.Signer(
      credentials: credentials, region: "eu-west-1", service: .named("es"))
    let sent = try dialed(request, by: signer, at: "127.0.0.1:\(server.port)", now: moment)
    _ = try await URLSession.shared.data(for: urlRequest(sent))

    let received = try #require(server.received().first)
    #expect(received.values("host") == [host] && received.target == "/_cat/indices?v")
    let policy = SigV4.Verifier(services: [try .named("es")], regions: ["eu-west-1"])
    let unverified = try policy.check(
      SigV4.ReceivedRequest(
        "GET", target: received.target,
        headers: SigV4.Headers(received.headers.map { ($0[0], $0[1]) })), at: moment)
    _ = try unverified.verify(with: credentials, bodyDigest: SHA256.hash(data: []))
  }

  @Test("Every line of code on the page is in this file")
  func page() throws {
    try HowToPage("send-to-another-address.md").expectCode(in: #filePath, count: 20)
  }
}
