// SPDX-License-Identifier: Apache-2.0
// Signed requests are accepted, nothing else is, and any client can parse an error response.

internal import DocumentSupport
internal import RequestSigning
internal import RequestVerification
internal import SecureHashing

enum RequestTargets {
  private static let services: [SigV4.Service] = [
    .s3, required("the name is good") { try .standard("service") },
  ]
  /// One of each service for credentials, and for those with a session token.
  private static let signers = services.map { service in
    [Signing.credentials, Signing.temporary].map { Signing.signer(service, $0) }
  }
  private static let verifiers = services.map { service in
    var policy = SigV4.Verifier(services: [service], regions: ["us-east-1"])
    policy.unsignedPayloads = .allowed
    policy.unsignedContentTypes = .allowed
    policy.dotSegments = .allowed
    return policy
  }

  /// A choice, METHOD, URL, headers, an empty line, the body.
  static func requests(_ input: FuzzInput) {
    var input = input
    let choice = input.number()
    let (method, url, pairs) = (input.line(), input.line(), input.pairs())
    let headers = SigV4.Headers(pairs.map { ($0.name.text, $0.value.text) })
    let body = input.bytes
    let (signer, verifier) = (signers[choice & 1][choice >> 1 & 1], verifiers[choice & 1])
    guard
      let request = try? SigV4.Request(method, url: url, headers: headers, payload: .bytes(body))
    else { return }
    if let signed = try? signer.sign(request, at: Signing.now) {
      let received = SigV4.ReceivedRequest(
        method, target: signed.target,
        headers: SigV4.Headers([("Host", signed.host)]) + signed.headers)
      accept(received, verifier, body, signed.stringToSign)
    }
    if let url: SigV4.PresignedURL = try? signer.presignedURL(
      for: request, expiresIn: .seconds(60), at: Signing.now)
    {
      let received = SigV4.ReceivedRequest(
        method, target: url.target,
        headers: SigV4.Headers([("Host", url.host)]) + url.requiredHeaders)
      accept(received, verifier, body, url.stringToSign)
    }
  }

  private static func accept(
    _ received: SigV4.ReceivedRequest, _ verifier: SigV4.Verifier, _ body: [UInt8],
    _ expected: SigV4.StringToSign
  ) {
    required("what is signed is accepted") { () throws(SigV4.VerificationError) in
      let unverified = try verifier.check(received, at: Signing.now)
      let token = unverified.sessionToken
      let credentials = token == nil ? Signing.credentials : Signing.temporary
      let verified = try unverified.verify(with: credentials, bodyDigest: SHA256.hash(data: body))
      expect(verified.stringToSign.bytes == expected.bytes, "both sign the same string")
      expect(try verified.body(body) == body, "the body comes back")
    }
  }

  /// METHOD, target, headers, an empty line, the body. The seeds contain a published signature:
  /// only that request is accepted.
  static func received(_ input: FuzzInput) {
    var input = input
    let (method, target, pairs) = (input.line(), input.field(), input.pairs())
    var request = SigV4.ReceivedRequest(method, target: target)
    var inUppercase = request
    for pair in pairs {
      request.append(pair.name, pair.value)
      inUppercase.append(pair.name.text.uppercased().utf8, pair.value)
    }
    let (code, other) = (result(of: request, input.bytes), result(of: inUppercase, input.bytes))
    expect(
      same(code, other) || !pairs.allSatisfy { $0.name.allSatisfy { $0 < 0x80 } },
      "names have no case: \(code), \(other)")
  }

  /// The digests of the canonical requests of the seeds' signatures. Source: S3 API Reference,
  /// "Authenticating Requests", the examples of a header and of query parameters, GET Object.
  private static let published = [
    "7344ae5b7ee6c3e7e6b0fe0640412a37625d1fbfff95c48bbb2dc43964946972",
    "3bfa292879f6447bbcda7001decf97f4a54dc650c8942174ae0a9121cf58ad04",
  ]

  private static func result(of request: SigV4.ReceivedRequest, _ body: [UInt8]) -> String {
    do throws(SigV4.VerificationError) {
      let unverified = try verifiers[0].check(request, at: Signing.now)
      let digest = SHA256.hash(data: body)
      let verified = try unverified.verify(with: Signing.credentials, bodyDigest: digest)
      let last = String(verified.stringToSign.text.suffix(64))
      expect(published.contains(last), "nothing is forged: \(verified.stringToSign.text)")
      expect(try verified.pathSegments == ["test.txt"], "nor another path")
      expect(
        try verified.headerValue(named: "host") == "examplebucket.s3.amazonaws.com", "nor host")
      let range = last == published[0] ? "bytes=0-9" : nil
      expect(try verified.headerValue(named: "range") == range, "nor another header")
      return try verified.body(body).isEmpty ? "accepted" : "accepted, with a body"
    } catch {
      let xml = required("an answer in XML is XML") {
        try XMLFieldReader(ofAnyRoot: error.xmlResponse(requestID: "<1>").body.utf8)
      }
      expect(xml.text(named: "RequestId") == "<1>", "each of its fields is one")
      let json = required("an answer in JSON is JSON") {
        try JSONReader.value(of: error.jsonResponse().body.utf8)
      }
      expect(json["message"]?.text != nil, "it has a message")
      return error.code.name
    }
  }

  /// The sent URL has the same signature as the passed one.
  static func urls(_ input: FuzzInput) {
    for signer in signers.map(\.[0]) {
      guard let request = try? SigV4.Request("GET", url: input.text),
        let signed = try? signer.sign(request, at: Signing.now)
      else { return }
      let again = required("the URL that is sent is one") {
        try signer.sign(SigV4.Request("GET", url: signed.url), at: Signing.now)
      }
      expect(again.canonicalRequest == signed.canonicalRequest, "and is signed alike")
      expect(same(again.url, signed.url), "and is sent alike")
      expect(signed.url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "in visible ASCII")
    }
  }
}
