// SPDX-License-Identifier: Apache-2.0
// A server joins the parts of an upload, each with its checksum, and rejects changed ones.

internal import Checksums
internal import S3Signing
internal import RequestSigning
internal import SecureHashing
import Testing

@Suite("Real server: multipart uploads", .enabled(if: RealServer.isNamed, RealServer.reason))
struct MultipartUploadTests {
  static let parts = [pattern(ofSize: 20_000), pattern(ofSize: 10_001), pattern(ofSize: 3)]

  @Test("Parts with checksums in headers and trailers become one object", arguments: Checksum.all)
  func parts(checksum: Checksum) throws {
    let store = try Store("multipart-parts")
    let object = try store.bucket.object("\(checksum.trailer) é+1")
    let uploadID = try start(object, store)
    let tags = try Self.parts.enumerated().map { index, part in
      let wire =
        switch index {
        case 0: try header(part, checksum, object, uploadID, store)
        case 1: try trailer(part, checksum, object, uploadID, store)
        default: try url(part, object, uploadID, store)
        }
      let answer = try store.send(wire)
      #expect(answer.status == 200, "\(answer.text)")
      return try #require(answer.header("etag"))
    }
    #expect(tags == Self.parts.map { "\"\(Insecure.MD5.hash(data: $0).hexString)\"" })
    let answer = try complete(object, uploadID, tags, store)
    #expect(answer.status == 200 && answer.code == nil, "\(answer.text)")
    #expect(try store.contents(of: object.key) == Self.parts.flatMap { $0 })
    // The MD5 of the parts' MD5s, and how many there are.
    let digests = Self.parts.flatMap { Array(Insecure.MD5.hash(data: $0)) }
    #expect(
      try store.send(object.headRequest()).header("etag")
        == "\"\(Insecure.MD5.hash(data: digests).hexString)-3\"")
    #expect(try store.send(object.deleteRequest()).status == 204)
  }

  /// OpenStack Swift checks the form of the first only, and knows nothing of the second.
  @Test(
    "The whole object's checksum may come with the list of parts, and the composite checksum may not"
  )
  func wholeObject() throws {
    let store = try Store("multipart-checksums")
    let object = try store.bucket.object("k")
    let uploadID = try start(object, store)
    let tag = try #require(
      try store.send(header(Self.parts[0], .crc32c, object, uploadID, store)).header("etag"))
    let name = Checksum.crc32c.trailer.name
    let composite = Base64.encode(
      CRC32C.bigEndianBytes(
        of: CRC32C.checksum(of: CRC32C.bigEndianBytes(of: CRC32C.checksum(of: Self.parts[0])))))
    let refused = try complete(
      object, uploadID, [tag], store,
      headers: SigV4.Headers([(name, composite + "-1"), ("x-amz-checksum-type", "COMPOSITE")]))
    #expect(refused.status == 400)
    #expect(refused.code == "InvalidRequest")
    let taken = try complete(
      object, uploadID, [tag], store,
      headers: SigV4.Headers([
        (name, Checksum.crc32c.value(of: Self.parts[0])), ("x-amz-checksum-type", "FULL_OBJECT"),
      ]))
    #expect(taken.status == 200, "\(taken.text)")
  }

  @Test("One character changed in a part, its checksum or its place is rejected")
  func flips() throws {
    let store = try Store("multipart-flips")
    let object = try store.bucket.object("k")
    let uploadID = try start(object, store)
    let part = Self.parts[0]
    for checksum in Checksum.all {
      // The body is signed, then it is not, so that the checksum is all that finds the change.
      let signed = try header(part, checksum, object, uploadID, store)
      try store.expectRefusal(of: signed.flipped(fromEnd: 0), 400, "XAmzContentSHA256Mismatch")
      try store.expectRefusal(of: signed.flipped(after: "\(checksum.trailer.name): "))
      try store.expectRefusal(of: signed.flipped(after: "partNumber="))
      try store.expectRefusal(of: signed.flipped(after: "uploadId="))
      let unsigned = try header(part, checksum, object, uploadID, store, payload: .unsigned)
      try store.expectRefusal(of: unsigned.flipped(fromEnd: 0), 400, "BadDigest")
      let trailer = try trailer(part, checksum, object, uploadID, store)
      try store.expectRefusal(of: trailer.flipped(after: "chunk-signature=", occurrence: 2))
      try store.expectRefusal(of: trailer.flipped(after: "\r\n\(checksum.trailer.name):"))
    }
    let query: SigV4.Query = ["uploadId": uploadID]
    let listing = try object.request("GET", query: query)
    #expect(try store.send(listing).texts(of: "PartNumber") == [])
    try store.expectRefusal(of: store.signed(listing).flipped(after: "uploadId="))
    try store.expectRefusal(
      of: store.signed(object.deleteRequest(query: query)).flipped(after: "Signature="))
    #expect(try store.send(object.deleteRequest(query: query)).status == 204)
  }

  @Test("One character changed in the list of parts is rejected")
  func flippedList() throws {
    let store = try Store("multipart-list")
    let object = try store.bucket.object("k")
    let uploadID = try start(object, store)
    let tag = try #require(
      try store.send(header(Self.parts[0], .crc32c, object, uploadID, store)).header("etag"))
    let list = Self.list([tag])
    let request = try store.signed(
      object.request("POST", query: ["uploadId": uploadID], payload: .bytes(list)), body: list)
    try store.expectRefusal(
      of: request.flipped(after: "<PartNumber>"), 400, "XAmzContentSHA256Mismatch")
    #expect(try store.contents(of: "k") == nil)
    #expect(try store.send(request).status == 200)
    #expect(try store.contents(of: "k") == Self.parts[0])
  }

  func start(_ object: SigV4.Bucket.Object, _ store: Store) throws -> String {
    let answer = try store.send(object.request("POST", query: ["uploads": nil]))
    return try #require(answer.texts(of: "UploadId").first, "\(answer.text)")
  }

  func header(
    _ part: [UInt8], _ checksum: Checksum, _ object: SigV4.Bucket.Object, _ uploadID: String,
    _ store: Store, payload: SigV4.Payload? = nil
  ) throws -> WireRequest {
    let request = try object.request(
      "PUT", query: ["partNumber": "1", "uploadId": uploadID],
      headers: SigV4.Headers([(checksum.trailer.name, checksum.value(of: part))]),
      payload: payload ?? .bytes(part))
    return try store.signed(request, body: part)
  }

  func trailer(
    _ part: [UInt8], _ checksum: Checksum, _ object: SigV4.Bucket.Object, _ uploadID: String,
    _ store: Store
  ) throws -> WireRequest {
    let upload = try SigV4.ChunkedUpload.signed(
      decodedByteCount: part.count, chunkByteCount: 8_192, trailers: [checksum.trailer])
    let request = try object.request("PUT", query: ["partNumber": "2", "uploadId": uploadID])
    return try store.chunked(upload, part, request, checksum)
  }

  func url(
    _ part: [UInt8], _ object: SigV4.Bucket.Object, _ uploadID: String, _ store: Store
  ) throws -> WireRequest {
    try store.presigned(
      object.request("PUT", query: ["partNumber": "3", "uploadId": uploadID]), body: part)
  }

  func complete(
    _ object: SigV4.Bucket.Object, _ uploadID: String, _ tags: [String], _ store: Store,
    headers: SigV4.Headers = [:]
  ) throws -> WireAnswer {
    let list = Self.list(tags)
    let request = try object.request(
      "POST", query: ["uploadId": uploadID], headers: headers, payload: .bytes(list))
    return try store.send(request, body: list)
  }

  static func list(_ tags: [String]) -> [UInt8] {
    let parts = tags.enumerated().map { index, tag in
      "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(tag)</ETag></Part>"
    }
    return Array(
      "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>".utf8)
  }
}
