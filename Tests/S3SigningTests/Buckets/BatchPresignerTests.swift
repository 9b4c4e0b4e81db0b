// SPDX-License-Identifier: Apache-2.0
// Batches of presigned URLs: the same bytes as presigning one by one.

internal import SigningTestSupport
@testable internal import S3Signing
internal import RequestSigning
internal import TestSupport
internal import Testing

/// The expected URLs are those of `presign`, which the other suites compare with vectors.
@Suite("Batch presigner")
struct BatchPresignerTests {
  @Test("Batches of 0 to 9 keys have the same URLs as presigning one by one")
  func sameURLs() throws {
    for addressing in [SigV4.Bucket.Addressing.virtualHosted, .path] {
      let bucket = try SigV4.Bucket.aws(
        "examplebucket", region: "us-east-1", addressing: addressing)
      for service in [SigV4.Service.s3, .s3Express] {
        let signer = try Example.signer(service, sessionToken: Example.token)
        for count in 0..<10 {
          let keys = Array(Self.keys.prefix(count))
          let urls = try signer.presignedURLs(
            for: keys, in: bucket, query: ["versionId": "a b", "X-Amz-Meta": nil, "A": "1"],
            headers: ["x-amz-acl": "private"], at: Example.moment())
          #expect(urls.count == count)
          for (key, url) in zip(keys, urls) {
            let request = try bucket.object(key).getRequest(
              query: ["versionId": "a b", "X-Amz-Meta": nil, "A": "1"],
              headers: ["x-amz-acl": "private"])
            let single = try signer.presignedURL(
              for: request, expiresIn: .seconds(3_600), at: Example.moment())
            expect("URL of \(key.count) characters", url, is: single.url)
          }
        }
      }
    }
  }

  @Test("Generated keys of every byte have the same URLs as presigning one by one")
  func generatedKeys() throws {
    let bucket = try SigV4.Bucket.aws("examplebucket", region: "us-east-1")
    let signer = try Example.signer(.s3)
    var generator = Xorshift64(seed: 4)
    let keys = (0..<sampleSize(500, of: 5_000)).map { _ in
      let count = Int(generator.next() % 90) + 1
      // Every scalar below U+0250: one and two bytes of UTF-8.
      return String(
        String.UnicodeScalarView(
          (0..<count).compactMap { _ in Unicode.Scalar(UInt32(generator.next() % 0x250)) }))
    }
    let urls = try signer.presignedURLs(for: keys, in: bucket, at: Example.moment())
    #expect(urls.count == keys.count)
    for (key, url) in zip(keys, urls) {
      let single = try signer.presignedURL(for: bucket.object(key), at: Example.moment())
      expect("URL", url, is: single.url)
    }
    #expect(try signer.presignedURLs(for: [], in: bucket, at: Example.moment()).isEmpty)
    expectRefusal(.invalidPath) {
      try signer.presignedURLs(for: ["a", ""], in: bucket, at: Example.moment())
    }
    let put = try signer.presignedURLs(
      for: ["a"], in: bucket, method: "PUT", query: ["partNumber": "1"],
      headers: ["content-type": "image/png"], expiresIn: .seconds(60), at: Example.moment())
    let request = try bucket.object("a").request(
      "PUT", query: ["partNumber": "1"], headers: ["content-type": "image/png"])
    let single = try signer.presignedURL(
      for: request, expiresIn: .seconds(60), at: Example.moment())
    #expect(put == [single.url])
  }

  @Test("Times, lifetimes and tokens added after signing match the single URL's")
  func templates() throws {
    let service = SigV4.Service.s3.with(\.sessionTokenRule, .appendedAfterSigning)
    let signer = try Example.signer(service, sessionToken: Example.token)
    let request = try SigV4.Request("PUT", host: "example.com:8080", path: .key("bucket/"))
    for (seconds, time) in [(1, "19700101T000000Z"), (604_800, "99991224T000000Z")] {
      let moment = try SigV4.Timestamp(time)
      var batch = try BatchPresigner(
        request, expiresIn: .seconds(seconds), at: moment, by: signer)
      let urls = try batch.urls(of: ["a key"])
      let single = try signer.presignedURL(
        for: SigV4.Request("PUT", host: "example.com:8080", path: .key("bucket/a key")),
        expiresIn: .seconds(seconds), at: moment)
      expect("URL", urls[0], is: single.url)
    }
  }

  @Test("Memory is used again, and nothing of longer URLs is left in shorter ones")
  func memoryIsUsedAgain() throws {
    let request = try SigV4.Request("GET", host: "example.com", path: .key("bucket/"))
    var batch = try BatchPresigner(
      request, expiresIn: .seconds(60), at: Example.moment(), by: Example.signer(.s3))
    let long = try batch.urls(of: [String(repeating: "long", count: 200), "b"])
    #expect(try batch.urls(of: ["b"]) == [long[1]])
  }

  @Test("An empty key is rejected wherever it is")
  func emptyKey() throws {
    let bucket = try SigV4.Bucket.aws("examplebucket", region: "us-east-1")
    for position in 0..<4 {
      let keys = Array(Self.keys.prefix(position) + [""] + Self.keys.suffix(2))
      expectRefusal(.invalidPath) {
        try Example.signer(.s3).presignedURLs(for: keys, in: bucket, at: Example.moment())
      }
    }
  }

  @Test("A service without objects, and a lifetime that's too long, are rejected")
  func refusals() throws {
    let bucket = try SigV4.Bucket.aws("examplebucket", region: "us-east-1")
    expectRefusal(.objectKeyNotSupported) {
      try Example.signer(Example.standardService()).presignedURLs(
        for: ["a"], in: bucket, at: Example.moment())
    }
    expectRefusal(.invalidLifetime) {
      try Example.signer(.s3).presignedURLs(
        for: ["a"], in: bucket, expiresIn: .seconds(604_801), at: Example.moment())
    }
  }

  @Test("A presigner doesn't print a URL or a secret")
  func redaction() throws {
    let request = try SigV4.Request("GET", host: "example.com", path: .key("bucket/"))
    let signer = try Example.signer(.s3, sessionToken: Example.token)
    var batch = try BatchPresigner(
      request, expiresIn: .seconds(60), at: Example.moment(), by: signer)
    _ = try batch.urls(of: ["secret-name"])
    var dumped = ""
    dump(batch, to: &dumped)
    for text in [dumped, "\(batch)", String(reflecting: batch)] {
      #expect(!text.contains("secret-name") && !text.contains("FwoG") && !text.contains("X-Amz"))
    }
  }

  static let keys = [
    "a", "photos/été +1.jpg", "//b", "../c", "%25", "", "日本", "a/b/c",
    String(repeating: "x", count: 999),
    "last",
  ].filter { !$0.isEmpty }
}
