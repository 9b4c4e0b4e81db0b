// SPDX-License-Identifier: Apache-2.0
// The how-to page on uploads in chunks: its code compiles, and does what the page says.

internal import S3Signing
internal import SigningTestSupport
internal import Testing

/// The lines of the page are here, and a test compares the two.
@Suite("How-to: upload in chunks")
struct UploadInChunksHowToTests {
  @Test("A body in portions")
  func portions() throws {
    func upload(
      _ size: Int, with signer: SigV4.Signer, at now: SigV4.Timestamp,
      read: () -> [UInt8]?, send: ([UInt8]) -> Void
    ) throws {
      let upload = try SigV4.ChunkedUpload.signed(decodedByteCount: size)
      let bucket = try SigV4.Bucket.aws("films", region: "us-east-1")
      let request = try bucket.object("film.mov").putRequest(.empty).uploading(upload)
      let signed = try signer.sign(request, at: now)

      // Send signed.method, signed.url and signed.headers, and then the body:
      var chunks = try SigV4.ChunkSigner(upload, following: signed, by: signer)
      var output: [UInt8] = []
      while let portion = read() {
        try chunks.update(portion, into: &output)
        send(output)
        output.removeAll(keepingCapacity: true)
      }
      try chunks.finish(into: &output)
      send(output)
    }

    var portions = [[UInt8](repeating: 1, count: 70_000), [2, 3]]
    var sent: [UInt8] = []
    try upload(
      70_002, with: Example.signer(.s3), at: Example.moment(),
      read: { portions.isEmpty ? nil : portions.removeFirst() }, send: { sent += $0 })
    #expect(
      try sent.count == SigV4.ChunkedUpload.signed(decodedByteCount: 70_002).encodedByteCount)
  }

  @Test("A checksum after the body")
  func trailer() throws {
    let (size, checksum) = (5, SigV4.Checksum(.crc32c, of: "hello".utf8).text)
    let signer = try Example.signer(.s3)
    var output: [UInt8] = []
    let upload = try SigV4.ChunkedUpload.signed(decodedByteCount: size, trailers: [.checksumCRC32C])
    // as above, and then
    let request = try SigV4.Request("PUT", host: "example.com").uploading(upload)
    let signed = try signer.sign(request, at: Example.moment())
    var chunks = try SigV4.ChunkSigner(upload, following: signed, by: signer)
    try chunks.update("hello".utf8, into: &output)
    try chunks.finish(trailers: ["x-amz-checksum-crc32c": checksum], into: &output)
    #expect(output.count == upload.encodedByteCount)
  }

  @Test("Every line of code on the page is in this file")
  func page() throws {
    try HowToPage("upload-in-chunks.md").expectCode(in: #filePath, count: 20)
  }
}
