// SPDX-License-Identifier: Apache-2.0
// Batches of presigned URLs: the same bytes as presigning one by one.

@testable internal import SigningTestSupport
internal import S3Signing
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
        var batch = try signer.batchPresigner(
          for: bucket, query: ["versionId": "a b", "X-Amz-Meta": nil, "A": "1"],
          headers: ["x-amz-acl": "private"], at: Example.moment())
        for count in 0..<10 {
          let keys = Array(Self.keys.prefix(count))
          var urls = SigV4.PresignedURLs()
          try batch.append(keys, to: &urls)
          #expect(urls.count == count)
          for (key, url) in zip(keys, urls) {
            let request = try bucket.object(key).getRequest(
              query: ["versionId": "a b", "X-Amz-Meta": nil, "A": "1"],
              headers: ["x-amz-acl": "private"])
            let single = try signer.presign(
              request, expiresIn: .seconds(3_600), at: Example.moment())
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
    var batch = try signer.batchPresigner(for: bucket, at: Example.moment())
    var urls = SigV4.PresignedURLs()
    try batch.append(keys, to: &urls)
    #expect(urls.count == keys.count)
    for (key, url) in zip(keys, urls) {
      let single = try signer.presign(bucket.object(key), at: Example.moment())
      expect("URL", url, is: single.url)
    }
    #expect(try signer.presignedURLs(for: keys, in: bucket, at: Example.moment()) == Array(urls))
    #expect(try signer.presignedURLs(for: [], in: bucket, at: Example.moment()).isEmpty)
    expectRefusal(.invalidPath) {
      try signer.presignedURLs(for: ["a", ""], in: bucket, at: Example.moment())
    }
    let put = try signer.presignedURLs(
      for: ["a"], in: bucket, method: "PUT", query: ["partNumber": "1"],
      headers: ["content-type": "image/png"], expiresIn: .seconds(60), at: Example.moment())
    let request = try bucket.object("a").request(
      "PUT", query: ["partNumber": "1"], headers: ["content-type": "image/png"])
    let single = try signer.presign(request, expiresIn: .seconds(60), at: Example.moment())
    #expect(put == [single.url])
  }

  @Test("Times, lifetimes and tokens added after signing match the single URL's")
  func templates() throws {
    let service = SigV4.Service.s3.with(\.sessionTokenRule, .appendedAfterSigning)
    let signer = try Example.signer(service, sessionToken: Example.token)
    let request = try SigV4.Request("PUT", host: "example.com:8080", path: .key("bucket/"))
    var urls = SigV4.PresignedURLs()
    for (seconds, time) in [(1, "19700101T000000Z"), (604_800, "99991224T000000Z")] {
      let moment = try SigV4.Timestamp(time)
      var batch = try SigV4.BatchPresigner(
        request, expiresIn: .seconds(seconds), at: moment, by: signer)
      urls.removeAll()
      try batch.append(["a key"], to: &urls)
      let single = try signer.presign(
        SigV4.Request("PUT", host: "example.com:8080", path: .key("bucket/a key")),
        expiresIn: .seconds(seconds), at: moment)
      expect("URL", urls[0], is: single.url)
    }
  }

  @Test("The memory of a list is used again, and nothing of the old URLs is left")
  func listIsUsedAgain() throws {
    let bucket = try SigV4.Bucket.aws("examplebucket", region: "us-east-1")
    var batch = try Example.signer(.s3).batchPresigner(for: bucket, at: Example.moment())
    var urls = SigV4.PresignedURLs()
    try batch.append([String(repeating: "long", count: 200), "b"], to: &urls)
    let second = urls[1]
    urls.removeAll()
    #expect(urls.isEmpty)
    try batch.append(["b"], to: &urls)
    #expect(Array(urls) == [second])
    // Safety: the text is copied before the closure ends.
    let bytes = unsafe urls.withUnsafeBytes(at: 0) { unsafe Array($0) }
    #expect(bytes == Array(second.utf8))
  }

  @Test("An empty key is rejected, and the URLs before it are returned")
  func emptyKey() throws {
    for position in 0..<4 {
      let bucket = try SigV4.Bucket.aws("examplebucket", region: "us-east-1")
      var batch = try Example.signer(.s3).batchPresigner(for: bucket, at: Example.moment())
      var urls = SigV4.PresignedURLs()
      let keys = Array(Self.keys.prefix(position) + [""] + Self.keys.suffix(2))
      let error = #expect(throws: SigV4.SigningError.self) { try batch.append(keys, to: &urls) }
      #expect(error?.code == .invalidPath)
      #expect(urls.count == position)
    }
  }

  @Test("A path that can't be followed by a key, and a service without objects, are rejected")
  func refusals() throws {
    let time = try Example.moment()
    let noSlash = try SigV4.Request("GET", host: "example.com", path: .key("bucket"))
    let error = try #require(
      throws: SigV4.SigningError.self
    ) {
      try SigV4.BatchPresigner(noSlash, expiresIn: .seconds(60), at: time, by: Example.signer(.s3))
    }
    #expect(error.code == .invalidPath)
    let root = try SigV4.Request("GET", host: "example.com")
    let other = try #require(
      throws: SigV4.SigningError.self
    ) {
      try SigV4.BatchPresigner(
        root, expiresIn: .seconds(60), at: time, by: Example.signer(Example.standardService()))
    }
    #expect(other.code == .objectKeyNotSupported)
    let tooLong = try #require(
      throws: SigV4.SigningError.self
    ) {
      try SigV4.BatchPresigner(
        root, expiresIn: .seconds(604_801), at: time, by: Example.signer(.s3))
    }
    #expect(tooLong.code == .invalidLifetime)
  }

  @Test("Neither presigner nor list prints a URL or a secret")
  func redaction() throws {
    let bucket = try SigV4.Bucket.aws("examplebucket", region: "us-east-1")
    let signer = try Example.signer(.s3, sessionToken: Example.token)
    var batch = try signer.batchPresigner(for: bucket, at: Example.moment())
    var urls = SigV4.PresignedURLs()
    try batch.append(["secret-name"], to: &urls)
    var dumped = ""
    dump((batch, urls), to: &dumped)
    for text in [dumped, "\(batch) \(urls)", String(reflecting: batch), String(reflecting: urls)] {
      #expect(!text.contains("secret-name") && !text.contains("FwoG") && !text.contains("X-Amz"))
    }
  }

  static let keys = [
    "a", "photos/été +1.jpg", "//b", "../c", "%25", "", "日本", "a/b/c",
    String(repeating: "x", count: 999),
    "last",
  ].filter { !$0.isEmpty }
}
