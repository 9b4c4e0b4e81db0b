// SPDX-License-Identifier: Apache-2.0
// What is equal among the values of object storage: what makes the same bytes, and nothing else.

internal import S3Signing
internal import SigningTestSupport
internal import Testing
internal import TestSupport

@Suite("Object storage: values")
struct ObjectStorageValueTests {
  // One name in two forms of Unicode (UAX #15): Swift's strings are equal, their bytes are not.
  let composed = "\u{E9}"
  let decomposed = "e\u{301}"

  @Test("Buckets and objects are equal when their requests are, byte for byte")
  func buckets() throws {
    let bucket = { (name: String) in try SigV4.Bucket.minIO(name, endpoint: "http://localhost:9000")
    }
    #expect(composed == decomposed)
    #expect(try bucket("photos") == bucket("photos"))
    #expect(try bucket(composed) != bucket(decomposed))
    #expect(try Set([bucket("a"), bucket("b"), bucket("a")]).count == 2)
    let photos = try bucket("photos")
    #expect(try photos.object("a") == photos.object("a"))
    #expect(try photos.object(composed) != photos.object(decomposed))
    #expect(try photos.object("a") != bucket("other").object("a"))
    let aws = { (variant: SigV4.S3Endpoint.Variant) in
      try SigV4.S3Endpoint.aws(region: "eu-west-1", variant: variant)
    }
    #expect(try aws(.fips) == aws(.fips) && aws(.fips) != aws(.fipsDualStack))
    let custom = { (service: SigV4.Service) in
      try SigV4.S3Endpoint.custom(url: "https://example.com", region: "auto", service: service)
    }
    #expect(
      try custom(.s3) == custom(.s3) && custom(.s3) != custom(.s3.with(\.pathRule, .encodedTwice)))
  }

  @Test("Policies are equal when they allow the same, byte for byte")
  func policies() throws {
    let bucket = try SigV4.Bucket.aws("photos", region: "eu-west-1")
    let policy = { (conditions: [SigV4.PostPolicy.Condition]) in
      try SigV4.PostPolicy(bucket: bucket, conditions: conditions)
    }
    #expect(try policy([.key("a")]) == policy([.field("key", "a")]))
    #expect(try policy([.key("a")]) != policy([.key(startsWith: "a")]))
    #expect(try policy([.key(composed)]) != policy([.key(decomposed)]))
    #expect(
      try policy([.key("a")])
        != SigV4.PostPolicy(bucket: bucket, expiresIn: .seconds(60), conditions: [.key("a")]))
  }

  @Test("Uploads and trailers are equal when they announce the same")
  func uploads() throws {
    let upload = { (trailers: [SigV4.ChunkTrailer]) in
      try SigV4.ChunkedUpload.signed(decodedByteCount: 5, trailers: trailers)
    }
    #expect(
      try upload([.checksumCRC32, .checksumSHA1]) == upload([.checksumSHA1, .checksumCRC32]))
    #expect(try upload([]) != .unsigned(decodedByteCount: 5, trailers: []))
    #expect(
      try SigV4.ChunkTrailer(named: "X-Amz-Checksum-SHA256", valueByteCount: 44) == .checksumSHA256)
  }

  @Test("Every algorithm but Content-MD5 has a trailer of its header's name")
  func trailers() {
    #expect(
      SigV4.Checksum.Algorithm.all.map(\.name) == [
        "CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256", "SHA512", "MD5", "XXHASH64", "XXHASH3",
        "XXHASH128", "Content-MD5",
      ])
    for algorithm in SigV4.Checksum.Algorithm.all {
      let text = SigV4.Checksum(algorithm, of: []).text
      let trailer = SigV4.ChunkTrailer(algorithm)
      #expect(trailer?.name == (algorithm == .contentMD5 ? nil : algorithm.headerName))
      #expect(trailer == nil || trailer?.valueByteCount == text.utf8.count, "\(algorithm)")
    }
  }
}
