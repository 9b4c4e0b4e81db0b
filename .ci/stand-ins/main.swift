// SPDX-License-Identifier: Apache-2.0
// Signs with a session over the page's client, verifies with its middleware, and fetches credentials of a
// played service.

import AsyncHTTPClient
import CredentialProviders
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import POSIXCredentialSources
import RequestSigningFoundation
import RequestVerification

struct Context: RequestContext {
  let maxUploadSize = 1_048_576
}

let keys = try SigV4.Credentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "secret")
let verifier = SigV4.Verifier(region: "eu-west-1", service: .executeAPI)
let check = SignatureCheck(
  verifier: verifier, findCredentials: { $0 == "AKIDEXAMPLE" ? keys : nil },
  now: CredentialSources.posix.now)

struct Unexpected: Error {}

extension String {
  func url() throws -> URL {
    guard let url = URL(string: self) else { throw Unexpected() }
    return url
  }
}

/// Hands a request of the client to the middleware, with another body where one is given.
@Sendable func answer(
  _ sent: HTTPClientRequest, insteadOf body: [UInt8]? = nil
) async throws -> HTTPClientResponse {
  let address = sent.url.dropFirst("https://".count)
  let host = String(address.prefix { $0 != "/" })
  guard let method = HTTPRequest.Method(rawValue: sent.method.rawValue) else { throw Unexpected() }
  var head = HTTPRequest(
    method: method, authority: host, path: String(address.dropFirst(host.count)))
  for header in sent.headers {
    guard let name = HTTPField.Name(header.name) else { throw Unexpected() }
    head.headerFields.append(HTTPField(name: name, value: header.value))
  }
  let bytes = body ?? sent.body?.bytes ?? []
  let received = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: bytes)))
  let response = try await SignatureMiddleware<Context>(check: check).handle(
    received, context: Context()
  ) { request, _ in
    var request = request
    let body = try await request.collectBody(upTo: 1_000)
    return Response(status: .ok, body: ResponseBody(byteBuffer: body))
  }
  return HTTPClientResponse(status: response.status.code, body: response.body.bytes)
}

func session(_ answer: @escaping HTTPClient.Answer) -> SigningSession {
  SigningSession(
    credentials: keys, region: "eu-west-1", service: .executeAPI,
    http: HTTPClient(answer: answer).response(to:))
}

var post = URLRequest(
  url: try "https://abc.execute-api.eu-west-1.amazonaws.com/stage/a%20b?x=1".url())
post.httpMethod = "POST"
post.httpBody = Data(#"{"a":1}"#.utf8)
post.setValue("application/json", forHTTPHeaderField: "Content-Type")
let (taken, head) = try await session { try await answer($0) }.send(post)
print("a signed request is taken: \(head.statusCode), \(String(decoding: taken, as: UTF8.self))")
let (_, refused) = try await session { try await answer($0, insteadOf: Array("{}".utf8)) }
  .send(post)
print("a changed one is refused: \(refused.statusCode)")

let link = try makeLink(to: "été +1.jpg", credentials: keys)
print("a link: \(link.prefix { $0 != "?" })")

let service = HTTPClient { request in
  if request.url != "https://credentials.example/" { throw Unexpected() }
  return HTTPClientResponse(
    status: 200,
    body: Array(
      """
      {"AccessKeyId": "ASIAEXAMPLE", "SecretAccessKey": "s", "Token": "t",
       "Expiration": "2999-01-01T00:00:00Z"}
      """.utf8))
}
var sources = CredentialSources.posix(http: service.response(to:))
sources.variable = {
  $0 == "AWS_CONTAINER_CREDENTIALS_FULL_URI" ? "https://credentials.example/" : nil
}
let fetched = try await SigV4.CredentialProvider.container(sources: sources).credentials()
print("credentials over TLS: \(fetched.credentials.accessKeyID)")
