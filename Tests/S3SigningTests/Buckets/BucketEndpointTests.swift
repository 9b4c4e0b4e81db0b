// SPDX-License-Identifier: Apache-2.0
// Endpoints of S3, R2 and MinIO: the URLs of a bucket and an object, by partition and variant.

internal import SigningTestSupport
internal import S3Signing
internal import RequestSigning
internal import TestSupport
internal import Testing

/// Source of the expected URLs: botocore's endpoint rules for S3, by `bucket-endpoints.py`.
@Suite("Object storage: endpoints")
struct BucketEndpointTests {
  @Test("A bucket and its object have the URLs of the table, or are rejected as there")
  func urls() throws {
    try VectorTable(named: "bucket-endpoints.txt").records.forEachCase { row in
      if try row.optionalText("refused") != nil {
        let isOtherName =
          try row.text("addressing") == "access point" && row.text("variant") == "standard"
        expectRefusal(isOtherName ? .invalidBucketName : .conflictingEndpoint) {
          try makeBucket(of: row)
        }
        return
      }
      let bucket = try makeBucket(of: row)
      if try row.optionalText("signing-region-set") != nil {
        try expectMultiRegion(bucket, row)
        return
      }
      let signer = try bucket.signer(credentials: Example.credentials())
      let moment = try Example.moment()
      let object = try signer.sign(bucket.object("photos/été +1.jpg").getRequest(), at: moment)
      #expect(try object.url == row.text("object-url"), "\(row)")
      #expect(
        try object.credentialScope.text
          == "20150830/\(row.text("signing-region"))/\(row.text("signing-name"))/aws4_request")
      // In the host there is nothing but "/" left for the path.
      let url = try row.text("bucket-url")
      let isInHost = url.split(separator: "/").count == 2
      #expect(
        try signer.sign(bucket.request("GET"), at: moment).url == url + (isInHost ? "/" : ""),
        "\(row)")
    }
  }

  /// Signature Version 4a is tested in MultiRegionSigningTests; the URLs are those of any request.
  private func expectMultiRegion(_ bucket: SigV4.Bucket, _ row: VectorRecord) throws {
    let signer = try Example.signer(bucket.endpoint.service)
    let object = try signer.sign(
      bucket.object("photos/été +1.jpg").getRequest(), at: Example.moment())
    #expect(try object.url == row.text("object-url"), "\(row)")
    let all = try signer.sign(bucket.request("GET"), at: Example.moment())
    #expect(try all.url == row.text("bucket-url") + "/", "\(row)")
    #expect(try bucket.endpoint.service.name == row.text("signing-name"))
    #expect(bucket.endpoint.region.isEmpty && bucket.name == "mfzwi23gnjvgw.mrap")
    expectRefusal(.conflictingEndpoint) { try bucket.signer(credentials: Example.credentials()) }
    expectRefusal(.conflictingEndpoint) { try bucket.endpoint.request("GET") }
  }

  @Test("A zone's endpoint is for its own directory buckets, in the host")
  func zones() throws {
    let photos = try SigV4.Bucket.directory("photos--use1-az4--x-s3", region: "us-east-1")
    #expect(try SigV4.Bucket("films--use1-az4--x-s3", at: photos.endpoint).host.hasPrefix("films"))
    expectRefusal(.conflictingEndpoint, showing: "use1-az4") {
      try SigV4.Bucket("films--use1-az6--x-s3", at: photos.endpoint)
    }
    expectRefusal(.conflictingEndpoint) {
      try SigV4.Bucket(photos.name, at: photos.endpoint, addressing: .path)
    }
  }

  @Test("An access point's region is in its partition, and its name only in the host")
  func accessPoints() throws {
    let arn = "arn:aws:s3:us-west-2:123456789012:accesspoint/films"
    expectRefusal(.invalidRegion, showing: "aws-cn") {
      try SigV4.Bucket.accessPoint(arn.replacing("arn:aws:", with: "arn:aws-cn:"))
    }
    expectRefusal(.invalidRegion, showing: "us_west_2") {
      try SigV4.Bucket.accessPoint(arn.replacing("us-west-2", with: "us_west_2"))
    }
    let films = try SigV4.Bucket.accessPoint(arn)
    #expect(films.name == "films-123456789012")
    expectRefusal(.conflictingEndpoint) { try films.endpoint.request("GET") }
    expectRefusal(.conflictingEndpoint) {
      try SigV4.Bucket(films.name, at: films.endpoint, addressing: .path)
    }
    // Its copies would have the source of the other one.
    expectRefusal(.conflictingEndpoint, showing: "films-123456789012") {
      try SigV4.Bucket("logs-123456789012", at: films.endpoint)
    }
    #expect(try SigV4.Bucket(films.name, at: films.endpoint) == films)
    expectRefusal(.invalidBucketName, showing: "SigV4.Bucket.accessPoint") {
      try SigV4.Bucket.aws(arn, region: "us-west-2")
    }
  }

  /// Source: S3, User Guide, "Access points naming rules, restrictions, and limitations", and those for
  /// directory buckets: names can't begin or end with a hyphen.
  @Test("An access point's name doesn't end with a hyphen, which its host would hide")
  func namesOfAccessPoints() throws {
    for arn in [
      "s3:us-west-2:123456789012:accesspoint/films-",
      "s3:us-west-2:123456789012:accesspoint:films--",
      "s3-object-lambda:us-west-2:123456789012:accesspoint/films-",
      "s3-outposts:us-west-2:123456789012:outpost/op-1/accesspoint/films-",
    ] {
      expectRefusal(.invalidBucketName, showing: "films-") {
        try SigV4.Bucket.accessPoint("arn:aws:" + arn)
      }
    }
    expectRefusal(.invalidBucketName) {
      try SigV4.Bucket.accessPoint("arn:aws:s3:us-west-2:123456789012:accesspoint/-films")
    }
    expectRefusal(.invalidBucketName, showing: "films-") {
      try SigV4.Bucket.directory("films---use1-az4--xa-s3", region: "us-east-1")
    }
    for name in ["films--use1-az4--xa-s3", "my-films--use1-az4--xa-s3", "a--b--use1-az4--xa-s3"] {
      #expect(try SigV4.Bucket.directory(name, region: "us-east-1").name == name)
    }
  }

  @Test("R2 has a host for every jurisdiction, and the region auto")
  func r2() throws {
    // Cloudflare, R2, "S3 API compatibility" and "Data location".
    let account = "0123456789abcdef0123456789abcdef"
    let hosts: [(SigV4.S3Endpoint.Jurisdiction, String)] = [
      (.default, account + ".r2.cloudflarestorage.com"),
      (.eu, account + ".eu.r2.cloudflarestorage.com"),
      (.fedramp, account + ".fedramp.r2.cloudflarestorage.com"),
    ]
    for (jurisdiction, host) in hosts {
      let endpoint = try SigV4.S3Endpoint.r2(account: account, jurisdiction: jurisdiction)
      #expect(endpoint.host == host)
      #expect(endpoint.scheme == .https)
      #expect(endpoint.region == "auto")
      #expect(endpoint.service.name == "s3")
    }
  }

  @Test("Your own store has its scheme, its port and a region")
  func custom() throws {
    let minIO = try SigV4.S3Endpoint.minIO(url: "http://[::1]:9000/")
    #expect(minIO.scheme == .http)
    #expect(minIO.host == "[::1]:9000")
    #expect(minIO.region == "us-east-1")
    let other = try SigV4.S3Endpoint.custom(
      url: "https://storage.googleapis.com:443", region: "auto", service: .s3)
    #expect(other.host == "storage.googleapis.com")
    #expect(other.description == "S3Endpoint(https://storage.googleapis.com, auto, s3)")
  }

  @Test("The list of buckets has an endpoint, but not with S3 Accelerate")
  func endpointRequests() throws {
    let endpoint = try SigV4.S3Endpoint.s3ExpressControl(region: "us-west-2", variant: .fips)
    let signer = try endpoint.signer(credentials: Example.credentials())
    let signed = try signer.sign(
      endpoint.request("GET", query: ["max-directory-buckets": "10"]), at: Example.moment())
    #expect(
      signed.url
        == "https://s3express-control-fips.us-west-2.amazonaws.com/?max-directory-buckets=10")
    let accelerated = try SigV4.S3Endpoint.aws(region: "us-west-2", variant: .accelerate)
    expectRefusal(.conflictingEndpoint) { try accelerated.request("GET") }
  }

  func makeBucket(of row: VectorRecord) throws -> SigV4.Bucket {
    let name = try row.text("bucket")
    let region = try row.text("region")
    let variant = try #require(Self.variants[row.text("variant")])
    let addressing = try row.text("addressing")
    if addressing == "zone" {
      return try .directory(name, region: region, variant: variant)
    }
    if addressing == "control" {
      return try SigV4.Bucket(name, at: .s3ExpressControl(region: region, variant: variant))
    }
    if addressing.hasPrefix("multi-region") {
      return try .multiRegionAccessPoint(
        name, variant: variant, addressing: addressing.hasSuffix("path") ? .path : .automatic)
    }
    if addressing == "access point" { return try .accessPoint(name, variant: variant) }
    let style = try #require(Self.addressings[addressing])
    if let origin = try row.optionalText("origin") {
      return try SigV4.Bucket(
        name, at: .custom(url: origin, region: region), addressing: style)
    }
    return try .aws(name, region: region, variant: variant, addressing: style)
  }

  static let variants: [String: SigV4.S3Endpoint.Variant] = [
    "standard": .standard, "dual-stack": .dualStack, "fips": .fips,
    "fips-dual-stack": .fipsDualStack, "accelerate": .accelerate,
    "accelerate-dual-stack": .accelerateDualStack,
  ]

  static let addressings: [String: SigV4.Bucket.Addressing] = [
    "automatic": .automatic, "path": .path, "virtual-hosted": .virtualHosted,
  ]
}
