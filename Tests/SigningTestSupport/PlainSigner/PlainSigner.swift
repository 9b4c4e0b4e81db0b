// SPDX-License-Identifier: Apache-2.0
// A second, as plain as possible implementation of Signature Version 4, for comparison with the
// library.

internal import RequestSigning
internal import SecureHashing

/// Signs as on AWS's page "Create a signed AWS API request", step by step, without regard to speed.
///
/// Only hashing is the library's. Encoded strings and the names and values of headers are ASCII,
/// for which Swift's order of strings is the order of bytes.
package struct PlainSigner {
  package let request: PlainRequest
  package let caller: PlainCaller
  /// YYYYMMDD'T'HHMMSS'Z'.
  package let date: String

  package init(_ request: PlainRequest, by caller: PlainCaller) {
    self.request = request
    self.caller = caller
    date = Self.date(at: caller.time)
  }

  /// The same without the headers that a URL has as parameters.
  package var ofURL: PlainSigner {
    var request = request
    request.headers.removeAll { header in
      [service.tokenName.lowercased(), "x-amz-date"].contains(header.name.lowercased())
    }
    return PlainSigner(request, by: caller)
  }

  /// A request signed in its headers.
  package func signed() -> SignedSteps {
    var added: [(name: String, value: String)] = [("x-amz-date", date)]
    if service.declaresPayload || isPayloadInWords {
      added.append(("x-amz-content-sha256", payload))
    }
    if let token = caller.token { added.append((service.tokenName.lowercased(), token)) }
    added.removeAll { header in has(header.name) }
    var names = signedNames(
      of: request.headers + added + [("host", host)], but: service.unsignedHeaders)
    if !service.isTokenSigned { names.removeAll { $0 == service.tokenName.lowercased() } }

    let canonicalRequest = canonicalRequest(
      query: parameters, headers: request.headers + added, names, payload)
    let signature = signature(of: stringToSign(canonicalRequest))
    let authorization =
      "AWS4-HMAC-SHA256 Credential=\(caller.accessKeyID)/\(scope), "
      + "SignedHeaders=\(names.joined(separator: ";")), Signature=\(signature)"
    return SignedSteps(
      canonicalRequest: canonicalRequest, stringToSign: stringToSign(canonicalRequest),
      signature: signature, authorization: authorization, url: url(parameters),
      headers: added + [("Authorization", authorization)])
  }

  /// A request signed in its query.
  package func presigned() -> SignedSteps {
    var added: [(name: String, value: String)] = []
    var payload = payload
    if service.leavesPayloadOfURLUnsigned, isPayloadLeftOpen {
      payload = "UNSIGNED-PAYLOAD"
    } else if service.leavesPayloadOfURLUnsigned || isPayloadInWords {
      added.append(("x-amz-content-sha256", payload))
    }
    added.removeAll { header in has(header.name) }
    var names = signedNames(
      of: request.headers + added + [("host", host)], but: service.unsignedHeadersOfURLs)
    if !service.isTokenSigned { names.removeAll { $0 == service.tokenName.lowercased() } }

    var query = parameters
    query.append(("X-Amz-Algorithm", "AWS4-HMAC-SHA256"))
    query.append(("X-Amz-Credential", Self.encoded(caller.accessKeyID + "/" + scope)))
    query.append(("X-Amz-Date", date))
    if service.hasLifetime { query.append(("X-Amz-Expires", String(caller.lifetime))) }
    let token = caller.token.map { (service.tokenName, Self.encoded($0)) }
    if let token, service.isTokenSigned { query.append(token) }
    query.append(("X-Amz-SignedHeaders", Self.encoded(names.joined(separator: ";"))))

    let canonicalRequest = canonicalRequest(
      query: query, headers: request.headers + added, names, payload)
    let signature = signature(of: stringToSign(canonicalRequest))
    query.append(("X-Amz-Signature", signature))
    if let token, !service.isTokenSigned { query.append(token) }
    let required = (request.headers + added).filter { header in
      names.contains(header.name.lowercased()) && header.name.lowercased() != "host"
    }
    return SignedSteps(
      canonicalRequest: canonicalRequest, stringToSign: stringToSign(canonicalRequest),
      signature: signature, authorization: "", url: url(query), headers: required)
  }
}

// Steps 1 to 5.
extension PlainSigner {
  /// Step 1. The query and the path are encoded already.
  package func canonicalRequest(
    query: [(name: String, value: String?)], headers: [(name: String, value: String)],
    _ signedNames: [String], _ payload: String
  ) -> String {
    let sortedQuery = query.map { ($0.name, $0.value ?? "") }.sorted(by: <)
    var values: [String: [String]] = ["host": [host]]
    for header in headers where header.name.lowercased() != "host" {
      values[header.name.lowercased(), default: []].append(Self.folded(header.value))
    }
    let lines = signedNames.map { name in
      name + ":" + values[name, default: []].joined(separator: ",") + "\n"
    }
    return [
      request.method, canonicalPath,
      sortedQuery.map { $0.0 + "=" + $0.1 }.joined(separator: "&"),
      lines.joined(), signedNames.joined(separator: ";"), payload,
    ].joined(separator: "\n")
  }

  /// Steps 2 and 3.
  package func stringToSign(_ canonicalRequest: String) -> String {
    let digest = SHA256.hash(data: canonicalRequest.utf8).hexString
    return ["AWS4-HMAC-SHA256", date, scope, digest].joined(separator: "\n")
  }

  /// Steps 4 and 5.
  package func signature(of stringToSign: String) -> String {
    var key = Array("AWS4\(caller.secret)".utf8)
    for text in [String(date.prefix(8)), caller.region, service.name, "aws4_request", stringToSign]
    {
      key = Array(HMAC<SHA256>.authenticationCode(for: text.utf8, using: SymmetricKey(data: key)))
    }
    return Hexadecimal.encode(key)
  }

  package var service: PlainService { caller.service }

  package var scope: String { "\(date.prefix(8))/\(caller.region)/\(service.name)/aws4_request" }
}

// Headers and payload.
extension PlainSigner {
  /// Without user information and without the port that the scheme has anyway.
  package var host: String {
    let host = String(request.host.split(separator: "@").last ?? "").lowercased()
    let defaultPort = [.https, .wss].contains(request.scheme) ? ":443" : ":80"
    return host.hasSuffix(defaultPort) ? String(host.dropLast(defaultPort.count)) : host
  }

  package func has(_ name: String) -> Bool {
    request.headers.contains { $0.name.lowercased() == name }
  }

  /// Each name once, in lowercase and sorted, but those that stay unsigned.
  package func signedNames(
    of headers: [(name: String, value: String)], but unsigned: [String]
  ) -> [String] {
    Set(headers.map { $0.name.lowercased() }).filter { name in
      !unsigned.contains { pattern in
        pattern.hasSuffix("*") ? name.hasPrefix(pattern.dropLast()) : name == pattern
      }
    }.sorted()
  }

  /// A value without spaces and tabs at its ends, each run of them inside being one space.
  package static func folded(_ value: String) -> String {
    value.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      .map { String(Substring($0)) }.joined(separator: " ")
  }

  package var payload: String {
    switch request.payload {
    case .empty: Example.digestOfNothing
    case .bytes(let body), .digest(let body): SHA256.hash(data: body).hexString
    case .unsigned: "UNSIGNED-PAYLOAD"
    case .literal(let words): words
    }
  }

  /// Whether a keyword replaces the digest, which the server can't know unless it's told.
  package var isPayloadInWords: Bool {
    switch request.payload {
    case .empty, .bytes, .digest: false
    case .unsigned, .literal: true
    }
  }

  /// Whether the request names no payload that the holder of a URL would be bound to.
  package var isPayloadLeftOpen: Bool {
    switch request.payload {
    case .empty, .unsigned: true
    case .bytes, .digest, .literal: false
    }
  }
}
