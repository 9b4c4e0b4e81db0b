// SPDX-License-Identifier: Apache-2.0
// Requests to IAM Roles Anywhere for `.ci/check-roles-anywhere`.

import CredentialProviders
import RequestSigning
import SecureHashing

/// CERTIFICATE KEY CHAIN ANCHOR PROFILE ROLE NAME DURATION TIME: the URL, the body, and the headers, each a word in
/// hexadecimal.
func answer(_ words: Words) async throws -> String {
  let text = words.text
  let now = try SigV4.Timestamp(unixSeconds: Int64(text(8)) ?? 0)
  var sources = CredentialSources { now }
  let (requests, continuation) = AsyncStream.makeStream(of: SigV4.HTTPRequest.self)
  sources.http = { request in
    continuation.yield(request)
    throw CredentialError(.cancelled, "The request isn't sent.", fix: "")
  }
  let provider = try SigV4.CredentialProvider.rolesAnywhere(
    .pem(certificate: text(0), privateKey: text(1), intermediates: words[2]),
    trustAnchorARN: text(3), profileARN: text(4), roleARN: text(5), sessionName: words[6],
    duration: words[7].flatMap { Int($0) }.map { .seconds($0) }, sources: sources)
  do {
    _ = try await provider.credentials()
  } catch {
    if error.code != .cancelled { throw error }
  }
  continuation.finish()
  var result: [String] = []
  for await request in requests {
    result += [request.method, request.url, String(decoding: request.body, as: UTF8.self)]
    result += request.headers.flatMap { [$0.name, $0.value] }
  }
  return result.map { Hexadecimal.encode($0.utf8) }.joined(separator: " ")
}

try await Words.answerAll(answer)
