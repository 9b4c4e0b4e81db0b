// SPDX-License-Identifier: Apache-2.0
// A body in signed chunks after a signed request, with the values that others computed.

internal import S3Signing
internal import BenchmarkSupport
internal import RequestSigning
internal import SecureHashing
internal import TestSupport

struct ChunkedBody {
  let bytes: ByteBuffer
  let upload: SigV4.ChunkedUpload
  let signed: SigV4.SignedRequest
  let key: SigV4.SigningKey

  /// The signature of the empty chunk at the end, which covers all previous ones.
  var lastSignature: [UInt8]
  /// The digest of the body as one message.
  var digest: [UInt8]
  /// The digest of the digests of all chunks, the empty one included.
  var digestOfDigests: [UInt8]

  /// 1 MiB: byte i is 31 i + i / 256 + i / 65,536, modulo 256, so that no two chunks are equal.
  static var measured: ChunkedBody {
    get throws(BenchmarkError) {
      try ChunkedBody(
        (0..<1 << 20).map { UInt8(truncatingIfNeeded: 31 &* $0 &+ $0 >> 8 &+ $0 >> 16) },
        // Computed by Python's hmac and hashlib.
        lastSignature: "3a484ac910b59511295f6434c0d03662bf32170aa12ab48b07753a101c171483",
        // Computed by Python's hashlib.
        digest: "ac84f1aaeb78935518306171e9335963319467355dfd28fb19d9b94c81ecb2d3",
        digestOfDigests: "f9d70252edf556801e4425747f57727a9fe5bed0c1743bdec64d3689610dfdb2")
    }
  }

  /// Amazon S3 API Reference, "Signature Calculations for the Authorization Header: Transferring
  /// Payload in Multiple Chunks": 65 KiB, all of them the letter a.
  static var published: ChunkedBody {
    get throws(BenchmarkError) {
      try ChunkedBody(
        [UInt8](repeating: UInt8(ascii: "a"), count: 66_560),
        lastSignature: "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9",
        // Computed by Python's hashlib.
        digest: "cd69d3887c6af9264b100d7b7602331335d9aa7e3bd7c30cdc6d6f4bfbb3c888",
        digestOfDigests: "9e82930f2f6aa6861be8b1feac0b03f9adb46bda1ba0e1b3df4016eb07a0e917")
    }
  }

  /// A body in chunks of 64 KiB, after the request of AWS's example.
  private init(
    _ body: [UInt8], lastSignature: String, digest: String, digestOfDigests: String
  ) throws(BenchmarkError) {
    do {
      let timestamp = try SigV4.Timestamp(MeasuredRequests.moment)
      let signer = try SigV4.Signer(
        credentials: SigV4.Credentials(
          accessKeyID: MeasuredRequests.accessKeyID,
          secretAccessKey: MeasuredRequests.secretAccessKey),
        region: MeasuredRequests.region, service: .s3.with(\.unsignedHeaders, .none))
      bytes = ByteBuffer(body)
      upload = try .signed(decodedByteCount: body.count)
      signed = try signer.sign(
        SigV4.Request(
          "PUT", host: "s3.amazonaws.com", path: .key("examplebucket/chunkObject.txt"),
          headers: ["x-amz-storage-class": "REDUCED_REDUNDANCY"]
        ).uploading(upload), at: timestamp)
      key = try signer.signingKey(at: timestamp)
      self.lastSignature = try Hexadecimal.decode(lastSignature)
      self.digest = try Hexadecimal.decode(digest)
      self.digestOfDigests = try Hexadecimal.decode(digestOfDigests)
    } catch {
      throw .failure("a body in chunks cannot be signed: \(error)")
    }
  }

  /// The hashed bytes: the chunks, and the empty one.
  var chunks: [[UInt8]] {
    let body = bytes.array
    return stride(from: 0, to: body.count, by: upload.chunkByteCount).map {
      Array(body[$0...].prefix(upload.chunkByteCount))
    } + [[]]
  }
}
