// SPDX-License-Identifier: Apache-2.0
// Chunked uploads that are signed with Signature Version 4a: each chunk is taken apart as a server
// does.

internal import DigitalSignatures
internal import MultiRegionSigning
internal import SecureHashing
internal import SigningTestSupport
internal import TestSupport
internal import Testing

/// Source of the format: Amazon S3 API Reference, "Transferring Payload in Multiple Chunks" and the
/// page about trailing headers; aws-c-auth for the padding, which the next chunk doesn't sign.
@Suite("Chunks of Signature Version 4a")
struct MultiRegionChunkTests {
  let time: SigV4.Timestamp
  let key: SigV4.MultiRegionKey
  let signer: SigV4.Signer
  let request: SigV4.Request

  init() throws {
    time = try SigV4.Timestamp("20150830T123600Z")
    let credentials = try VectorTable(named: "official-suite-v4a.txt").records[0].credentials()
    key = SigV4.MultiRegionKey(credentials)
    signer = try SigV4.Signer(credentials: credentials, regionSet: .all, service: .s3)
    request = try SigV4.Request(
      "PUT", url: "https://mfzwi23gnjvgw.mrap.accesspoint.s3-global.amazonaws.com/a")
  }

  @Test(
    "Every signature covers the one before, and the body has the announced length",
    arguments: [0, 1, 8_191, 8_192, 8_193, 40_000], [false, true])
  func chunks(byteCount: Int, hasTrailer: Bool) throws {
    let upload = try SigV4.ChunkedUpload.multiRegionSigned(
      decodedByteCount: byteCount, chunkByteCount: 8_192,
      trailers: hasTrailer ? [.checksumCRC32C] : [])
    let ending = hasTrailer ? "-TRAILER" : ""
    #expect(upload.declaration == "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD" + ending)
    let signed = try signer.sign(request.uploading(upload), at: time)
    #expect(signed.canonicalRequest.text.hasSuffix(upload.declaration))
    var chunks = try SigV4.ChunkSigner(upload, following: signed, by: signer)
    var generator = Xorshift64(seed: 11)
    let body = generator.bytes(byteCount)
    var sent: [UInt8] = []
    try chunks.update(body, into: &sent)
    try chunks.finish(
      trailers: hasTrailer ? ["x-amz-checksum-crc32c": "sOO8/Q=="] : [:], into: &sent)
    #expect(sent.count == upload.encodedByteCount)
    #expect(try decode(sent, after: signed.signature.hexString, hasTrailer) == body)
  }

  @Test("A signer and an upload with different algorithms are rejected")
  func mixed() throws {
    let upload = try SigV4.ChunkedUpload.multiRegionSigned(decodedByteCount: 1)
    let other = try SigV4.ChunkedUpload.signed(decodedByteCount: 1)
    let vector = try VectorTable(named: "official-suite-v4a.txt").records[0]
    let plain = try SigV4.Signer(
      credentials: vector.credentials(), region: "us-east-1", service: .s3)
    let signedByBoth = try (
      signer.sign(request.uploading(upload), at: time),
      plain.sign(request.uploading(upload), at: time)
    )
    expectRefusal(.requestMismatch) {
      _ = try SigV4.ChunkSigner(upload, following: signedByBoth.1, by: plain)
    }
    expectRefusal(.scopeMismatch) {
      _ = try SigV4.ChunkSigner(upload, following: signedByBoth.1, by: signer)
    }
    expectRefusal(.requestMismatch) {
      _ = try SigV4.ChunkSigner(other, following: signedByBoth.0, by: signer)
    }
  }

  /// Takes chunks apart and verifies every signature with the public key alone.
  private func decode(
    _ sent: [UInt8], after seed: String, _ hasTrailer: Bool
  ) throws -> [UInt8] {
    var rest = sent[...]
    var (body, previous) = ([UInt8](), seed)
    while true {
      let head = line(&rest).split(separator: ";")
      let count = try #require(Int(head[0], radix: 16))
      let signature = try #require(head.last?.dropFirst("chunk-signature=".count))
      let chunk = Array(rest.prefix(count))
      let digests = Hexadecimal.encode(SHA256.hash(data: "".utf8)) + "\n"
      previous = try verified(
        signature, "-PAYLOAD", previous, digests + Hexadecimal.encode(SHA256.hash(data: chunk)))
      if count == 0 { break }
      body += chunk
      rest = rest.dropFirst(count)
      #expect(line(&rest).isEmpty)
    }
    if hasTrailer {
      let trailer = line(&rest)
      #expect(trailer == "x-amz-checksum-crc32c:sOO8/Q==")
      let signature = line(&rest).dropFirst("x-amz-trailer-signature:".count)
      let digest = Hexadecimal.encode(SHA256.hash(data: (trailer + "\n").utf8))
      _ = try verified(signature, "-TRAILER", previous, digest)
    }
    #expect(line(&rest).isEmpty)
    #expect(rest.isEmpty)
    return body
  }

  private func line(_ rest: inout ArraySlice<UInt8>) -> String {
    let line = rest.prefix { $0 != 0x0D }
    rest = rest.dropFirst(line.count + 2)
    return String(decoding: line, as: UTF8.self)
  }

  /// The signature without its padding.
  private func verified(
    _ padded: Substring, _ kind: String, _ previous: String, _ digests: String
  ) throws -> String {
    #expect(padded.count == 144)
    let digits = String(padded.prefix { $0 != "*" })
    #expect(padded.dropFirst(digits.count).allSatisfy { $0 == "*" })
    let text = """
      AWS4-ECDSA-P256-SHA256\(kind)
      20150830T123600Z
      20150830/s3/aws4_request
      \(previous)
      \(digests)
      """
    let signature = try P256.Signing.ECDSASignature(
      derRepresentation: Hexadecimal.decode(digits))
    #expect(key.privateKey.publicKey.isValidSignature(signature, for: text.utf8))
    return digits
  }
}
