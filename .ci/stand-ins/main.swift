// SPDX-License-Identifier: Apache-2.0
// Signs with the page's client, verifies with its middleware, and fetches credentials of a played service.

import AsyncHTTPClient
import CredentialProviders
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import POSIXCredentialSources
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
  let received = Request(head: head, body: body ?? sent.body?.bytes ?? [])
  let response = try await SignatureMiddleware<Context>(check: check).handle(
    received, context: Context()
  ) { request, _ in
    var request = request
    let body = try await request.collectBody(upTo: 1_000)
    return Response(status: .ok, body: ResponseBody(byteBuffer: body))
  }
  return HTTPClientResponse(status: response.status.code, body: response.body.bytes)
}

func client(_ answer: @escaping HTTPClient.Answer) -> SigningClient {
  SigningClient(
    client: HTTPClient(answer: answer),
    credentials: RefreshingCredentialProvider(keys, now: CredentialSources.posix.now),
    region: "eu-west-1", service: .executeAPI)
}

let url = "https://abc.execute-api.eu-west-1.amazonaws.com/stage/a%20b?x=1"
let body = Array(#"{"a":1}"#.utf8)
let json: HTTPHeaders = ["Content-Type": "application/json"]
let taken = try await client { try await answer($0) }.execute(.POST, url, headers: json, body: body)
let text = String(decoding: try await taken.body.collect(upTo: 99).readableBytesView, as: UTF8.self)
print("a signed request is taken: \(taken.status.code), \(text)")
let refused = try await client { try await answer($0, insteadOf: Array("{}".utf8)) }
  .execute(.POST, url, headers: json, body: body)
print("a changed one is refused: \(refused.status.code)")

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
var sources = CredentialSources.posix(with: service)
sources.variable = {
  $0 == "AWS_CONTAINER_CREDENTIALS_FULL_URI" ? "https://credentials.example/" : nil
}
let fetched = try await ContainerProvider(sources: sources).credentials()
print("credentials over TLS: \(fetched.credentials.accessKeyID)")
