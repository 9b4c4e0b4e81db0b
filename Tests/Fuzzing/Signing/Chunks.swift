// SPDX-License-Identifier: Apache-2.0
// Bodies in chunks are decoded in any portions, and a changed byte is rejected.

internal import RequestSigning
internal import RequestVerification
internal import S3Signing

enum ChunkTargets {
  /// A kind, two seeds of portions, a place and a change, and the body's pattern.
  static func chunks(_ input: FuzzInput) {
    var input = input
    let (kind, seed, otherSeed) = (input.number(), input.number(), input.number())
    let (place, change) = (input.number(), input.number())
    // More than one chunk, which has 8 KiB at least.
    let body = Array(repeatElement(input.bytes, count: [1, 1, 2, 6][kind / 3 % 4]).joined())
    let (upload, signed, unverified) = announced(kind, ofByteCount: body.count)
    let checksum = SigV4.Checksum(.crc32, of: body)
    let trailers = upload.trailers.isEmpty ? [:] : checksum.headers
    var sent = required("a body is framed") { () throws(SigV4.SigningError) in
      var whole: [UInt8] = []
      var inPortions: [UInt8] = []
      var chunks = try SigV4.ChunkSigner(upload, following: signed, by: signer)
      try chunks.update(body, into: &whole)
      try chunks.finish(trailers: trailers, into: &whole)
      chunks = try SigV4.ChunkSigner(upload, following: signed, by: signer)
      for portion in body.portions(seed) { try chunks.update(portion, into: &inPortions) }
      try chunks.finish(trailers: trailers, into: &inPortions)
      expect(whole == inPortions, "portions do not show")
      expect(whole.count == upload.encodedByteCount, "the length is as announced")
      return whole
    }
    let read = result(of: sent, otherSeed, unverified)
    expect(read.code == nil && read.body == body, "a body comes back")
    // Except the case of digits and names, which has no meaning.
    let index = (place << 8 | change) % sent.count
    sent[index] ^= change & 0x20 == 0 ? 0x01 : 0x80
    expect(
      result(of: sent, otherSeed, unverified).code != nil,
      "a changed byte is refused at \(index)")
  }

  /// Two seeds of portions, a kind, and the received bytes of a five-byte body.
  static func trailers(_ input: FuzzInput) {
    var input = input
    let (seed, otherSeed, kind) = (input.number(), input.number(), input.number())
    let unverified = announced(kind, ofByteCount: 5).unverified
    let one = result(of: input.bytes, seed, unverified)
    let other = result(of: input.bytes, otherSeed, unverified)
    expect(same(one.code, other.code), "portions do not show in errors")
    expect(one.body == other.body, "nor in what is handed out")
    if one.code == nil {
      expect(one.body.count == 5, "so many bytes were announced")
      let checksum = SigV4.Checksum(.crc32, of: one.body)
      expect(one.trailers.allSatisfy { $0 == checksum.text }, "the checksum is right")
    }
  }

  private static let signer = Signing.signer(.s3)
  private static let key = required("it has a key") { try signer.signingKey(at: Signing.now) }

  private typealias Announced = (
    upload: SigV4.ChunkedUpload, signed: SigV4.SignedRequest, unverified: SigV4.UnverifiedRequest
  )
  /// A fifth of the time of a run: made once for each kind and length. libFuzzer has one thread.
  private nonisolated(unsafe) static var announced: [[Int]: Announced] = [:]

  private static func announced(_ kind: Int, ofByteCount count: Int) -> Announced {
    if let made = announced[[kind % 3, count]] { return made }
    let upload = upload(kind, ofByteCount: count)
    let (request, signed) = signed(upload)
    let made = (upload, signed, unverified(request, signed))
    announced[[kind % 3, count]] = made
    return made
  }

  private static func upload(_ kind: Int, ofByteCount count: Int) -> SigV4.ChunkedUpload {
    required("the upload is one") { () throws(SigV4.SigningError) in
      switch kind % 3 {
      case 0:
        try .unsigned(decodedByteCount: count, chunkByteCount: 8_192, trailers: [.checksumCRC32])
      case 1: try .signed(decodedByteCount: count, chunkByteCount: 8_192)
      default:
        try .signed(decodedByteCount: count, chunkByteCount: 8_192, trailers: [.checksumCRC32])
      }
    }
  }

  private static func signed(
    _ upload: SigV4.ChunkedUpload
  ) -> (SigV4.Request, SigV4.SignedRequest) {
    required("the request is signed") { () throws(SigV4.SigningError) in
      let request = try SigV4.Request("PUT", url: "https://examplebucket.s3.amazonaws.com/a")
        .uploading(upload)
      return (request, try signer.sign(request, at: Signing.now))
    }
  }

  private static func unverified(
    _ request: SigV4.Request, _ signed: SigV4.SignedRequest
  ) -> SigV4.UnverifiedRequest {
    required("the request is one of a signer") { () throws(SigV4.VerificationError) in
      var policy = SigV4.Verifier(services: [.s3], regions: ["us-east-1"])
      policy.unsignedPayloads = .allowed
      let received = SigV4.ReceivedRequest(
        "PUT", target: signed.target,
        headers: SigV4.Headers([("Host", signed.host)]) + signed.headers)
      return try policy.check(received, at: Signing.now)
    }
  }

  /// The error's code, the returned bytes, and the trailers.
  private static func result(
    of bytes: [UInt8], _ seed: Int, _ unverified: SigV4.UnverifiedRequest
  ) -> (code: String?, body: [UInt8], trailers: [String]) {
    var body: [UInt8] = []
    do throws(SigV4.VerificationError) {
      var chunks = try unverified.verify(with: key).bodyVerifier()
      for portion in bytes.portions(seed) { try chunks.update(portion, into: &body) }
      return (nil, body, try chunks.finish().map(\.value))
    } catch {
      return (error.code.name, body, [])
    }
  }
}
