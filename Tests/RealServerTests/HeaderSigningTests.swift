// SPDX-License-Identifier: Apache-2.0
// A server accepts header-signed requests, and rejects them with one character changed.

internal import Checksums
internal import S3Signing
internal import RequestSigning
internal import SecureHashing
import Testing

@Suite(
  "Real server: signatures in headers", .enabled(if: RealServer.isNamed, RealServer.reason))
struct HeaderSigningTests {
  @Test("Objects are put, headed, got and deleted, and their ETag is the MD5 of their bytes")
  func objects() throws {
    let store = try Store("headers-objects")
    for byteCount in [0, 1, 65_537] {
      let body = pattern(ofSize: byteCount)
      let object = try store.bucket.object("object \(byteCount)")
      let headers: SigV4.Headers = [
        "content-type": "text/x-test", "x-amz-meta-note": "  two   spaces ",
      ]
      let put = try store.send(object.putRequest(.bytes(body), headers: headers), body: body)
      #expect(put.status == 200, "\(put.text)")
      let md5 = Insecure.MD5.hash(data: body).hexString
      #expect(put.header("etag") == "\"\(md5)\"")
      let head = try store.send(object.headRequest())
      #expect(head.status == 200)
      #expect(head.header("content-length") == "\(byteCount)")
      #expect(head.header("content-type") == "text/x-test")
      #expect(head.header("x-amz-meta-note") != nil)
      #expect(try store.contents(of: object.key) == body)
      #expect(try store.send(object.deleteRequest()).status == 204)
      #expect(try store.contents(of: object.key) == nil)
    }
  }

  @Test("An unsigned payload is accepted, and tampering isn't detected")
  func unsignedPayload() throws {
    let store = try Store("headers-unsigned")
    let body = pattern(ofSize: 1_000)
    let request = try store.bucket.object("k").putRequest(.unsigned)
    #expect(try store.send(request, body: body).status == 200)
    #expect(try store.contents(of: "k") == body)
    let changed = try store.signed(request, body: body).flipped(fromEnd: 500)
    #expect(try store.send(changed).status == 200)
    #expect(try store.contents(of: "k") != body)
    try store.expectRefusal(of: store.signed(request, body: body).flipped(after: "Signature="))
  }

  @Test("Keys are listed by prefix and delimiter, page by page, and deleted together")
  func listing() throws {
    let store = try Store("headers-listing")
    let keys = ["2024/a +1", "2024/b&c", "2024/é/d", "2025/e"]
    for key in keys { try store.put(Array(key.utf8), at: key) }
    #expect(try store.keys() == keys)
    #expect(try store.keys(prefix: "2024/a +") == ["2024/a +1"])
    let folders = try store.send(store.bucket.listRequest(prefix: "2024/", delimiter: "/"))
    #expect(folders.texts(of: "Key") == ["2024/a +1", "2024/b&c"])
    #expect(folders.texts(of: "Prefix") == ["2024/", "2024/é/"])
    var listed: [String] = []
    var token: String?
    repeat {
      var query: [(String, String?)] = [("list-type", "2"), ("max-keys", "3")]
      if let token { query.append(("continuation-token", token)) }
      let page = try store.send(store.bucket.request("GET", query: SigV4.Query(query)))
      listed += page.texts(of: "Key")
      token = page.texts(of: "NextContinuationToken").first
    } while token != nil && listed.count < 10
    #expect(listed == keys)
    let escaped = keys.map { "<Object><Key>\($0.replacing("&", with: "&amp;"))</Key></Object>" }
    let list = Array("<Delete>\(escaped.joined())</Delete>".utf8)
    let deletion = try store.bucket.request(
      "POST", query: ["delete": nil],
      headers: ["content-md5": Base64.encode(Insecure.MD5.hash(data: list))],
      payload: .bytes(list))
    #expect(try store.send(deletion, body: list).status == 200)
    #expect(try store.keys() == [])
  }

  @Test("Every character of a signature counts")
  func signature() throws {
    let store = try Store("headers-signature")
    let request = try store.signed(store.bucket.listRequest())
    #expect(try store.send(request).status == 200)
    for offset in 0..<64 {
      try store.expectRefusal(
        of: request.flipped(after: "Signature=", offset: offset), 403, "SignatureDoesNotMatch",
        "character \(offset)")
    }
  }

  @Test("One character changed in path, query, headers or scope is rejected")
  func flips() throws {
    let store = try Store("headers-flips")
    let body = pattern(ofSize: 100)
    try store.put(body, at: "key 1")
    let object = try store.bucket.object("key 1")
    let headers: SigV4.Headers = ["content-type": "text/plain", "x-amz-meta-note": "note"]
    let requests = [
      try store.signed(object.putRequest(.bytes(body), headers: headers), body: body),
      try store.signed(object.getRequest(query: ["response-content-type": "t"], headers: headers)),
      try store.signed(object.deleteRequest(headers: headers)),
    ]
    for request in requests {
      try store.expectRefusal(of: request.flipped(after: "/headers-flips/", offset: 2))
      try store.expectRefusal(of: request.flipped(after: "Host: 127.0.0", offset: 1))
      try store.expectRefusal(of: request.flipped(after: "content-type: "))
      try store.expectRefusal(of: request.flipped(after: "x-amz-meta-note: n"))
      try store.expectRefusal(of: request.flipped(after: "SignedHeaders=conten"))
      // The seconds, and the access key ID.
      try store.expectRefusal(of: request.flipped(after: "x-amz-date: ", offset: 14))
      try store.expectRefusal(of: request.flipped(after: "Credential="))
      try store.expectRefusal(
        of: request.flipped(after: "/us-east-"), 400, "AuthorizationHeaderMalformed")
    }
    try store.expectRefusal(of: requests[1].flipped(after: "response-content-type="))
    #expect(try store.contents(of: "key 1") == body)
  }

  @Test("One changed character of a signed body is rejected, and the object is unchanged")
  func body() throws {
    let store = try Store("headers-body")
    let (old, new) = (pattern(ofSize: 100), pattern(ofSize: 20_000))
    try store.put(old, at: "k")
    let request = try store.signed(store.bucket.object("k").putRequest(.bytes(new)), body: new)
    for offset in [0, 9_999, 19_999] {
      try store.expectRefusal(
        of: request.flipped(fromEnd: offset), 400, "XAmzContentSHA256Mismatch")
    }
    // To change the digest, too, you must change the signature.
    try store.expectRefusal(of: request.flipped(after: "x-amz-content-sha256: "))
    #expect(try store.contents(of: "k") == old)
    #expect(try store.send(request).status == 200)
    #expect(try store.contents(of: "k") == new)
  }

  @Test("A bucket is named in the host as well")
  func virtualHosted() throws {
    let store = try Store("headers-host", addressing: .virtualHosted)
    for key in ["k", "/leading", "a b/é"] {
      try store.put(Array(key.utf8), at: key)
      #expect(try store.contents(of: key) == Array(key.utf8))
    }
    #expect(try store.keys().count == 3)
    let request = try store.signed(store.bucket.object("k").getRequest())
    try store.expectRefusal(of: request.flipped(after: "Host: headers-hos"))
  }
}
