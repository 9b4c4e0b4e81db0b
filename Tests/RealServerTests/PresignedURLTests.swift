// SPDX-License-Identifier: Apache-2.0
// A server accepts presigned URLs, and rejects them with one character changed.

internal import S3Signing
internal import RequestSigning
import Testing

@Suite("Real server: presigned URLs", .enabled(if: RealServer.isNamed, RealServer.reason))
struct PresignedURLTests {
  @Test("Presigned URLs put, head, get, list and delete")
  func objects() throws {
    let store = try Store("presigned-objects")
    let object = try store.bucket.object("photos/été +1.jpg")
    let body = pattern(ofSize: 1_000)
    let put = try object.request("PUT", headers: ["content-type": "image/jpeg"])
    #expect(try store.send(store.presigned(put, body: body)).status == 200)
    let head = try store.send(store.presigned(object.headRequest()))
    #expect(head.status == 200)
    #expect(head.header("content-type") == "image/jpeg")
    let get = try store.send(store.presigned(object.getRequest()))
    #expect(get.status == 200)
    #expect(get.body == body)
    let list = try store.send(store.presigned(store.bucket.listRequest(prefix: "photos/")))
    #expect(list.texts(of: "Key") == ["photos/été +1.jpg"])
    #expect(try store.send(store.presigned(object.deleteRequest())).status == 204)
    #expect(try store.send(store.presigned(object.getRequest())).status == 404)
  }

  @Test("A URL chooses the name under which its object is saved")
  func disposition() throws {
    let store = try Store("presigned-disposition")
    try store.put([1, 2, 3], at: "k")
    let disposition = "attachment; filename=\"a +b&c.txt\""
    let request = try store.bucket.object("k").getRequest(
      query: ["response-content-disposition": disposition, "response-content-type": "text/x+y"])
    let presigned = try store.presigned(request)
    let answer = try store.send(presigned)
    #expect(answer.header("content-disposition") == disposition)
    #expect(answer.header("content-type") == "text/x+y")
    try store.expectRefusal(of: presigned.flipped(after: "response-content-disposition=at"))
  }

  @Test("A file name in any language comes back, from a link and from the object itself")
  func fileName() throws {
    let store = try Store("presigned-file-name")
    let object = try store.bucket.object("k")
    for name in ["Übersicht 2026.pdf", "日本 \"語\" 100%.pdf", "a b.txt", "😀"] {
      let disposition = try SigV4.ContentDisposition.attachment(fileName: name)
      let put = try object.putRequest(.empty, headers: disposition.headers)
      #expect(try store.send(put).status == 200)
      #expect(try store.send(object.getRequest()).header("content-disposition") == disposition.text)
      let shown = try SigV4.ContentDisposition.inline(fileName: name)
      let link = try store.server.signer.presignedURL(
        for: object, query: shown.query, at: RealServer.now())
      let answer = try store.send(WireRequest(link, body: []))
      #expect(answer.header("content-disposition") == shown.text, "\(name)")
    }
  }

  @Test("A part's URL takes a part of its length and number only, and a copy's URL copies")
  func partAndCopy() throws {
    let store = try Store("presigned-part")
    let object = try store.bucket.object("é 1")
    let begun = try store.send(object.request("POST", query: ["uploads": nil]))
    let uploadID = try #require(begun.texts(of: "UploadId").first)
    let body = pattern(ofSize: 500)
    let link = try store.server.signer.presignedURL(
      for: object, partNumber: 2, uploadID: uploadID, contentLength: body.count,
      at: RealServer.now())
    let part = WireRequest(link, body: body)
    for shorter in [[], Array(body.dropLast())] {
      try store.expectRefusal(
        of: WireRequest(link, body: shorter)
          .replacing(text: "content-length: 500", with: "content-length: \(shorter.count)"))
    }
    try store.expectRefusal(of: part.flipped(after: "partNumber="))
    try store.expectRefusal(of: part.flipped(after: "uploadId="))
    let answer = try store.send(part)
    #expect(answer.status == 200)
    let tag = try #require(answer.header("etag"))
    let list = Array(
      "<CompleteMultipartUpload><Part><PartNumber>2</PartNumber><ETag>\(tag)</ETag></Part></CompleteMultipartUpload>"
        .utf8)
    let complete = try object.request(
      "POST", query: ["uploadId": uploadID], payload: .bytes(list))
    #expect(try store.send(complete, body: list).status == 200)
    let copy = try store.server.signer.presignedURL(
      for: store.bucket.object("copy"), copying: object, at: RealServer.now())
    #expect(try store.send(WireRequest(copy, body: [])).status == 200)
    #expect(try store.contents(of: "copy") == body)
    try store.expectRefusal(
      of: WireRequest(copy, body: []).flipped(after: "x-amz-copy-source: /"))
  }

  @Test("Every character of a signature counts")
  func signature() throws {
    let store = try Store("presigned-signature")
    let request = try store.presigned(store.bucket.listRequest())
    #expect(try store.send(request).status == 200)
    for offset in 0..<64 {
      try store.expectRefusal(
        of: request.flipped(after: "X-Amz-Signature=", offset: offset), 403,
        "SignatureDoesNotMatch", "character \(offset)")
    }
  }

  @Test("One character changed in path, query or signed headers is rejected")
  func flips() throws {
    let store = try Store("presigned-flips")
    let old = pattern(ofSize: 100)
    try store.put(old, at: "key 1")
    let object = try store.bucket.object("key 1")
    let requests = [
      try store.presigned(
        object.request("PUT", headers: ["content-type": "text/plain"]), body: old),
      try store.presigned(object.getRequest(headers: ["content-type": "text/plain"])),
      try store.presigned(object.deleteRequest(headers: ["content-type": "text/plain"])),
    ]
    for request in requests {
      try store.expectRefusal(of: request.flipped(after: "/presigned-flips/", offset: 2))
      try store.expectRefusal(of: request.flipped(after: "Host: 127.0.0", offset: 1))
      try store.expectRefusal(of: request.flipped(after: "content-type: "))
      try store.expectRefusal(of: request.flipped(after: "X-Amz-Expires=90"))
      try store.expectRefusal(of: request.flipped(after: "X-Amz-Date=", offset: 14))
      try store.expectRefusal(of: request.flipped(after: "X-Amz-SignedHeaders=conten"))
      try store.expectRefusal(of: request.flipped(after: "X-Amz-Credential="))
      try store.expectRefusal(
        of: request.flipped(after: "%2Fus-east-"), 400, "AuthorizationQueryParametersError")
    }
    #expect(try store.contents(of: "key 1") == old)
  }

  @Test("A URL for one method is rejected with another")
  func method() throws {
    let store = try Store("presigned-method")
    let object = try store.bucket.object("k")
    let head = try store.presigned(object.headRequest())
    // HEAD becomes HAAD, which no server knows.
    #expect(try store.send(head).status == 404)
    #expect([403, 405].contains(try store.send(head.flipped(after: "H")).status))
    let get = try store.presigned(object.getRequest())
    try store.expectRefusal(of: get.replacing("GET", with: "PUT"))
    try store.expectRefusal(of: get.replacing("GET", with: "DELETE"))
    try store.expectRefusal(of: get.replacing("GET", with: "HEAD"), 403, nil)
  }

  @Test("A URL that names its payload accepts no other")
  func payload() throws {
    let store = try Store("presigned-payload")
    let body = pattern(ofSize: 1_000)
    let request = try store.presigned(store.bucket.object("k").putRequest(.bytes(body)), body: body)
    try store.expectRefusal(of: request.flipped(fromEnd: 0), 400, "XAmzContentSHA256Mismatch")
    try store.expectRefusal(of: request.flipped(after: "x-amz-content-sha256: "))
    #expect(try store.contents(of: "k") == nil)
    #expect(try store.send(request).status == 200)
    #expect(try store.contents(of: "k") == body)
  }

  @Test("A URL works until it expires")
  func expiry() throws {
    let store = try Store("presigned-expiry")
    try store.put([1], at: "k")
    let get = try store.bucket.object("k").getRequest()
    #expect(
      try store.send(store.presigned(get, expiresIn: .seconds(7_200), secondsAgo: 3_600)).status
        == 200)
    try store.expectRefusal(
      of: store.presigned(get, expiresIn: .seconds(60), secondsAgo: 3_600), 403, "AccessDenied")
  }
}
