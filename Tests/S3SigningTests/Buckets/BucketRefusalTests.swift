// SPDX-License-Identifier: Apache-2.0
// Invalid names, accounts, regions and origins are rejected immediately, with advice.

internal import SigningTestSupport
internal import S3Signing
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Object storage: rejections")
struct BucketRefusalTests {
  @Test("A wrong input is rejected")
  func input() throws {
    try VectorTable(named: "bucket-refusals.txt").records.forEachCase { row in
      let input = try row.text("input")
      let open = try #require(entries[row.text("entry")])
      let code = try #require(codes.first { $0.name == (try? row.text("code")) })
      expectRefusal(code, showing: try row.optionalText("shows") ?? input) { try open(input) }
    }
  }

  @Test("Names that AWS's rules allow are accepted, as are aliases and documented buckets")
  func goodNames() throws {
    for name in [
      "abc", "a-b.c-d", "123", "1.2.3", "my-bucket.example.com", "192.168.5.4a",
      "amzn-s3-demo-bucket", "ap-abc123def456-s3alias", "olap-abc--ol-s3",
      String(repeating: "a", count: 63),
    ] {
      #expect(try SigV4.Bucket.aws(name, region: "us-east-1").name == name)
    }
  }

  @Test("Old buckets of AWS can be reached in the path, and other stores have their own rules")
  func oldNames() throws {
    for name in ["Old_Bucket", "a..b", "-a-", String(repeating: "A", count: 255)] {
      let bucket = try SigV4.Bucket.aws(name, region: "us-east-1", addressing: .path)
      let signer = try bucket.signer(credentials: Example.credentials())
      let signed = try signer.sign(bucket.object("k").getRequest(), at: Example.moment())
      #expect(signed.url == "https://s3.us-east-1.amazonaws.com/\(name)/k")
      #expect(try SigV4.Bucket.minIO(name, endpoint: "http://localhost:9000").name == name)
    }
  }

  @Test("A link for an upload with a negative size is rejected")
  func negativeSize() throws {
    let bucket = try SigV4.Bucket.aws("photos", region: "us-east-1")
    let signer = try bucket.signer(credentials: Example.credentials())
    let now = try Example.moment()
    expectRefusal(.invalidHeaderValue, showing: "-1") {
      try signer.presignedURL(for: bucket.object("k"), method: .put, contentLength: -1, at: now)
    }
    expectRefusal(.invalidHeaderValue, showing: "-1") {
      try signer.presignedURLs(for: ["k"], in: bucket, method: .put, contentLength: -1, at: now)
    }
  }

  @Test("Your own store can use any bucket name")
  func anyName() throws {
    let bucket = try SigV4.Bucket.minIO("é 1", endpoint: "http://localhost:9000")
    let signer = try bucket.signer(credentials: Example.credentials())
    let signed = try signer.sign(bucket.object("k").getRequest(), at: Example.moment())
    #expect(signed.target == "/%C3%A9%201/k")
  }

  @Test("Garbage in every argument causes a bucket with a valid URL, or an error")
  func garbage() throws {
    var generator = Xorshift64(seed: 0x6275_636B_6574_0001)
    let seeds = [
      "photos", "b--use1-az4--x-s3", "http://127.0.0.1:9000", "us-east-1", "a.b.c", "a.mrap",
      "arn:aws:s3::123456789012:accesspoint/a.mrap",
    ]
    var given = 0
    let count = sampleSize(200, of: 2_000)
    for _ in 0..<count {
      var bytes = Array(seeds[generator.size(upTo: UInt64(seeds.count - 1))].utf8)
      for _ in 0...generator.size(upTo: 2) {
        let position = generator.size(upTo: UInt64(bytes.count - 1))
        switch generator.size(upTo: 2) {
        case 0: bytes[position] = UInt8(truncatingIfNeeded: generator.next())
        case 1: bytes.insert(Array("-./:_@?#%A ".utf8)[generator.size(upTo: 10)], at: position)
        default: bytes += bytes[position...]
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      for (name, open) in entries {
        do {
          try open(text)
          given += 1
        } catch let error as SigV4.SigningError {
          #expect(
            problems(of: error.problem, error.fix, showing: nil, hiding: []).isEmpty,
            "\(name): \(error)")
        }
      }
    }
    #expect(given > count / 2)
  }

  typealias Entry = (String) throws -> Void

  var entries: [String: Entry] {
    [
      "AWS": { try expectClean(.aws($0, region: "us-east-1")) },
      "AWS, in the host": {
        try expectClean(.aws($0, region: "us-east-1", addressing: .virtualHosted))
      },
      "AWS, in the path": { try expectClean(.aws($0, region: "us-east-1", addressing: .path)) },
      "AWS, accelerated": {
        try expectClean(.aws($0, region: "us-east-1", variant: .accelerate))
      },
      "AWS, region": { try expectClean(.aws("photos", region: $0)) },
      "AWS, region with FIPS": { try expectClean(.aws("photos", region: $0, variant: .fips)) },
      "R2, account": { try expectClean(.r2("photos", account: $0)) },
      "MinIO": { try expectClean(.minIO($0, endpoint: "http://localhost:9000")) },
      "MinIO, URL": { try expectClean(.minIO("photos", endpoint: $0)) },
      "MinIO, region": {
        try expectClean(.minIO("photos", endpoint: "http://localhost:9000", region: $0))
      },
      "store, in the host": {
        try expectClean(
          SigV4.Bucket(
            $0, at: .custom(url: "https://example.com", region: "auto"), addressing: .virtualHosted)
        )
      },
      "store at a URL, in the host": {
        try expectClean(
          SigV4.Bucket(
            "photos", at: .custom(url: $0, region: "auto"), addressing: .virtualHosted))
      },
      "multi-region": { try expectClean(.multiRegionAccessPoint($0)) },
      "multi-region, partition": {
        _ = try SigV4.S3Endpoint.multiRegionAccessPoints(partition: $0)
      },
      "S3 Express": {
        try expectClean(SigV4.Bucket.directory($0, region: "us-east-1"))
      },
      "S3 Express, control": {
        try expectClean(SigV4.Bucket($0, at: .s3ExpressControl(region: "us-east-1")))
      },
      "session, expiration": {
        _ = try SigV4.Credentials(
          accessKeyID: Example.accessKeyID, secretAccessKey: Example.secret,
          sessionToken: Example.token, expiration: $0)
      },
    ]
  }

  /// The bucket's URLs consist of visible ASCII, and the name is what was given.
  func expectClean(_ bucket: SigV4.Bucket) throws {
    let region = bucket.endpoint.region.isEmpty ? "us-east-1" : bucket.endpoint.region
    let signer = try SigV4.Signer(
      credentials: Example.credentials(), region: region, service: bucket.endpoint.service)
    let signed = try signer.sign(bucket.object("k").getRequest(), at: Example.moment())
    #expect(signed.url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(signed.url)")
    // A host is lowercased, which doesn't change a bucket name in it.
    #expect(signed.host == bucket.host, "\(signed.url)")
    _ = try signer.sign(bucket.request("GET"), at: Example.moment())
  }

  var codes: [SigV4.SigningError.Code] {
    [
      .invalidBucketName, .conflictingEndpoint, .invalidEndpoint, .invalidURL, .invalidHost,
      .invalidRegion, .invalidTimestamp, .invalidPath, .invalidPercentEncoding,
    ]
  }
}
