// SPDX-License-Identifier: Apache-2.0
// Received chunks and trailers of Signature Version 4a.

internal import MultiRegionSigning
internal import MultiRegionVerification
internal import S3Signing
internal import SigningTestSupport
internal import TestSupport
internal import Testing

@Suite("Verification of chunks of Signature Version 4a")
struct MultiRegionChunkVerificationTests {
  private func sent(_ body: [UInt8], hasTrailer: Bool, chunkByteCount: Int = 8_192) throws
    -> SentRequest
  {
    let upload = try SigV4.ChunkedUpload.multiRegionSigned(
      decodedByteCount: body.count, chunkByteCount: chunkByteCount,
      trailers: hasTrailer ? [.checksumCRC32C] : [])
    let signer = try SentToRegions.signer()
    let request = try SentToRegions.request("PUT").uploading(upload)
    let signed = try signer.sign(request, at: Example.moment())
    var chunks = try SigV4.ChunkSigner(upload, following: signed, by: signer)
    var sent = SentRequest(signed, request.headers)
    try chunks.update(body, into: &sent.body)
    let checksum = SigV4.Checksum(.crc32c, of: body)
    try chunks.finish(
      trailers: hasTrailer ? ["x-amz-checksum-crc32c": checksum.text] : [:], into: &sent.body)
    return sent
  }

  @Test(
    "Encoded chunks are decoded, with a cached key and a prepared one",
    arguments: [0, 1, 8_191, 8_192, 8_193, 40_000], [false, true])
  func thereAndBack(byteCount: Int, hasTrailer: Bool) throws {
    var server = try MultiRegionServer()
    var generator = Xorshift64(seed: 4)
    let body = generator.bytes(byteCount)
    let sent = try sent(body, hasTrailer: hasTrailer)
    #expect(try server.verify(sent) == body)
    server.key = server.key.prepared()
    #expect(try server.verify(sent) == body)
  }

  @Test("Every byte of chunks and trailers that's changed is rejected", arguments: [false, true])
  func everyByte(hasTrailer: Bool) throws {
    let server = try MultiRegionServer()
    let sent = try sent(Array("hello, world".utf8), hasTrailer: hasTrailer)
    var accepted: [Int] = []
    for index in sent.body.indices {
      var changed = sent
      changed.body[index] ^= 0x01
      do throws(SigV4.VerificationError) {
        try server.verify(changed)
        accepted.append(index)
      } catch {}
    }
    #expect(accepted == [])
    for count in sent.body.indices {
      var cut = sent
      cut.body = Array(sent.body.prefix(count))
      expectRefused(.bodyLengthMismatch) { try server.verify(cut) }
    }
  }

  @Test("A chunk of another place, and other fillings, are rejected")
  func moved() throws {
    let server = try MultiRegionServer()
    let sent = try sent([UInt8](repeating: 7, count: 16_384), hasTrailer: false)
    let head = sent.body.prefix { $0 != 0x0D }.count + 2
    var swapped = sent
    let chunk = head + 8_192 + 2
    let (first, second) = (sent.body[..<chunk], sent.body[chunk..<(2 * chunk)])
    swapped.body = Array(second + first + sent.body[(2 * chunk)...])
    expectRefused(.chunkSignatureMismatch) { try server.verify(swapped) }

    let line = String(decoding: sent.body[..<(head - 2)], as: UTF8.self)
    let digits = line.prefix { $0 != "*" }
    for other in [
      String(digits), line + "*", String(line.dropLast()),
      digits + String(repeating: "0", count: 300),
      line.replacing("*", with: "0"), "2000",
      "2000;chunk-signature=" + String(repeating: "*", count: 144),
      line.replacing("chunk-signature", with: "chunk-signatura"), line.uppercased(),
    ] where other != line {
      var changed = sent
      changed.body = Array(other.utf8) + sent.body[(head - 2)...]
      expectRefused(
        other.utf8.count > 178 ? .malformedChunk : .chunkSignatureMismatch
      ) { try server.verify(changed) }
    }
  }

  @Test("The algorithms have different keywords, and unsigned chunks have none")
  func words() throws {
    var server = try MultiRegionServer()
    server.verifier.algorithms = [.hmacSHA256, .ecdsaP256SHA256]
    for (word, isECDSA) in [
      ("STREAMING-AWS4-HMAC-SHA256-PAYLOAD", true),
      ("STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD", false),
      ("STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER", true),
      ("STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD-TRAILER", false),
    ] {
      let request = try SentToRegions.request(
        "PUT", headers: ["x-amz-decoded-content-length": "1"], payload: .literal(word))
      let signed =
        try isECDSA
        ? SentToRegions.signer().sign(request, at: Example.moment())
        : Example.signer(.s3).sign(request, at: Example.moment())
      expectRefused(.invalidPayloadDeclaration) {
        try server.check(SentRequest(signed, request.headers))
      }
    }
    let upload = try SigV4.ChunkedUpload.unsigned(decodedByteCount: 1, trailers: [.checksumCRC32C])
    let request = try SentToRegions.request("PUT").uploading(upload)
    let signer = try SentToRegions.signer()
    let signed = try signer.sign(request, at: Example.moment())
    var sent = SentRequest(signed, request.headers)
    var chunks = try SigV4.ChunkSigner(upload, following: signed, by: signer)
    try chunks.update([1], into: &sent.body)
    let checksum = SigV4.Checksum(.crc32c, of: [1])
    try chunks.finish(trailers: ["x-amz-checksum-crc32c": checksum.text], into: &sent.body)
    expectRefused(.unsignedPayload) { try server.verify(sent) }
    server.verifier.unsignedPayloads = .allowed
    #expect(try server.verify(sent) == [1])
  }
}
