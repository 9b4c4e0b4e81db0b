// SPDX-License-Identifier: Apache-2.0
// The pages of S3Signing: their code compiles and works.

internal import S3Signing
internal import SigningTestSupport
internal import Testing

@Suite("Pages: S3Signing")
struct S3SigningPagesTests {
  func link(
    to key: String, for credentials: SigV4.Credentials,
    at now: SigV4.Timestamp
  ) throws -> String {
    let bucket = try SigV4.Bucket.r2(
      "photos", account: "0123456789abcdef0123456789abcdef")
    let signer = try bucket.signer(credentials: credentials)
    // a GET, valid for an hour
    return try signer.presignedURL(for: bucket.object(key), at: now).url
  }

  @Test("A link is valid for an hour")
  func landing() throws {
    let url = try link(to: "a.jpg", for: Example.credentials(), at: Example.moment())
    #expect(url.contains("/photos/a.jpg?") && url.contains("X-Amz-Expires=3600"))
  }

  func upload(
    _ size: Int, to object: SigV4.Bucket.Object, with signer: SigV4.Signer,
    at now: SigV4.Timestamp, read: () -> [UInt8]?, send: ([UInt8]) -> Void
  ) throws -> SigV4.SignedRequest {
    let upload = try SigV4.ChunkedUpload.signed(decodedByteCount: size)
    let request = try object.putRequest(.empty).uploading(upload)
    let signed = try signer.sign(request, at: now)
    var chunks = try SigV4.ChunkSigner(upload, following: signed, by: signer)
    var output: [UInt8] = []
    while let portion = read() {
      try chunks.update(portion, into: &output)
      send(output)
      output.removeAll(keepingCapacity: true)
    }
    try chunks.finish(into: &output)
    send(output)
    return signed
  }

  @Test("A body is uploaded in chunks of the announced length")
  func chunks() throws {
    let object = try SigV4.Bucket.aws("films", region: "us-east-1").object("film.mov")
    var portions = [[UInt8](repeating: 1, count: 70_000), [2, 3]]
    var sent: [UInt8] = []
    _ = try upload(
      70_002, to: object, with: Example.signer(.s3), at: Example.moment(),
      read: { portions.isEmpty ? nil : portions.removeFirst() }, send: { sent += $0 })
    let upload = try SigV4.ChunkedUpload.signed(decodedByteCount: 70_002)
    #expect(sent.count == upload.encodedByteCount)
  }
}
