// SPDX-License-Identifier: Apache-2.0
// Requests to buckets of AWS, R2, MinIO and S3 Express, written as people would write them.

internal import SigningTestSupport
internal import S3Signing
internal import RequestSigning
internal import TestSupport
internal import Testing

/// Source of the expected values: botocore, by `bucket-requests.py`.
@Suite("Object storage: requests")
struct BucketRequestTests {
  let account = "0123456789abcdef0123456789abcdef"
  let accessKeyID = Example.accessKeyID
  let secret = Example.secret

  func now() throws -> SigV4.Timestamp { try SigV4.Timestamp("20240102T030405Z") }

  @Test("Cloudflare R2: a line to sign, and a line for a URL that's good for an hour")
  func r2() throws {
    let now = try now()
    let bucket = try SigV4.Bucket.r2("photos", account: account)
    let signer = try bucket.signer(accessKeyID: accessKeyID, secretAccessKey: secret)

    let signed = try signer.sign(bucket.object("été +1.jpg").getRequest(), at: now)
    let presigned = try signer.presignedURL(for: bucket.object("été +1.jpg"), at: now)
    let upload = try signer.presignedURL(
      for: bucket.object("été +1.jpg"), method: "PUT", headers: ["content-type": "image/jpeg"],
      expiresIn: .seconds(900), at: now)

    try vector("R2, GET").expectSteps(of: signed)
    try expectURL(presigned, "R2, presigned GET")
    #expect(presigned.expiration?.unixSeconds == now.unixSeconds + 3_600)
    try expectURL(upload, "R2, presigned PUT")
    #expect(upload.requiredHeaders.map { $0.name } == ["content-type"])
  }

  @Test("Cloudflare R2: an upload to a jurisdiction, and a page of the list")
  func r2Jurisdiction() throws {
    let european = try SigV4.Bucket.r2("photos", account: account, jurisdiction: .eu)
    let signer = try european.signer(accessKeyID: accessKeyID, secretAccessKey: secret)
    let upload = try european.object("a.txt").putRequest(
      .text("hello"), headers: ["content-type": "text/plain"])
    try vector("R2 in the EU, PUT").expectSteps(of: signer.sign(upload, at: now()))

    let bucket = try SigV4.Bucket.r2("photos", account: account)
    let list = try bucket.listRequest(prefix: "2024/", delimiter: "/", continuationToken: "a/b+c=")
    try vector("R2, list").expectSteps(of: signer.sign(list, at: now()))
  }

  @Test("MinIO: a port, plain HTTP, a version, and the list of buckets")
  func minIO() throws {
    let bucket = try SigV4.Bucket.minIO("photos", endpoint: "http://127.0.0.1:9000")
    let signer = try bucket.signer(accessKeyID: accessKeyID, secretAccessKey: secret)
    let delete = try bucket.object("a.jpg").deleteRequest(query: ["versionId": "1"])
    try vector("MinIO, DELETE").expectSteps(of: signer.sign(delete, at: now()))
    let list = try bucket.endpoint.request("GET")
    try vector("MinIO, list of buckets").expectSteps(of: signer.sign(list, at: now()))
  }

  @Test("AWS: accelerated, with a token and a key of strange segments")
  func accelerated() throws {
    let bucket = try SigV4.Bucket.aws("photos", region: "eu-west-1", variant: .accelerate)
    let signer = try bucket.signer(
      accessKeyID: accessKeyID, secretAccessKey: secret, sessionToken: "FwoG/ZXIv+YXdz==")
    let signed = try signer.sign(bucket.object("a//b/../c").headRequest(), at: now())
    try vector("AWS accelerated, HEAD").expectSteps(of: signed)
    #expect(signed.url == "https://photos.s3-accelerate.amazonaws.com/a//b/../c")
  }

  @Test("AWS: a name with dots is in the path, and a key may begin with a slash")
  func dots() throws {
    let bucket = try SigV4.Bucket.aws("www.example.com", region: "eu-west-1", variant: .dualStack)
    let signer = try bucket.signer(credentials: Example.credentials())
    let signed = try signer.sign(bucket.object("/index.html").getRequest(), at: now())
    try vector("AWS with dots, GET").expectSteps(of: signed)
    #expect(
      signed.url == "https://s3.dualstack.eu-west-1.amazonaws.com/www.example.com//index.html")
  }

  // urllib.parse.quote(bucket + "/" + key) and quote(version, safe=""). botocore 1.43.11 encodes
  // the key alike (handlers.handle_copy_source_param), and leaves the version as it is.
  @Test("The source of a copy is percent-encoded, with or without a version")
  func copySource() throws {
    let bucket = try SigV4.Bucket.aws("films", region: "eu-west-1")
    let object = try bucket.object("é +&?/a~%41")
    #expect(try object.copySource() == "/films/%C3%A9%20%2B%26%3F/a~%2541")
    #expect(
      try object.copySource(versionID: "a+/=_.-b") == "/films/%C3%A9%20%2B%26%3F/a~%2541"
        + "?versionId=a%2B%2F%3D_.-b")
    let request = try bucket.object("b").putRequest(
      .empty, headers: ["x-amz-copy-source": object.copySource(versionID: "null")])
    #expect(request.objectStorageWarnings.isEmpty)
    let inPath = try SigV4.Bucket.minIO("films", endpoint: "http://127.0.0.1:9000")
    #expect(try inPath.object("a").copySource() == "/films/a")
    // botocore 1.43.11, handlers._quote_source_header_from_dict, of the ARN with a slash. S3's API
    // Reference has this form only.
    for arn in ["accesspoint/films", "accesspoint:films"] {
      let point = try SigV4.Bucket.accessPoint("arn:aws:s3:us-west-2:123456789012:" + arn)
      #expect(
        try point.object("é +&?/a~%41").copySource()
          == "arn%3Aaws%3As3%3Aus-west-2%3A123456789012%3Aaccesspoint/films/object"
          + "/%C3%A9%20%2B%26%3F/a~%2541")
    }
    for bucket in [
      try SigV4.Bucket.accessPoint("arn:aws:s3-object-lambda:us-west-2:123456789012:accesspoint/f"),
      try .accessPoint("arn:aws:s3-outposts:us-west-2:123456789012:outpost/op-1/accesspoint/f"),
      try .multiRegionAccessPoint("mfzwi23gnjvgw.mrap"),
    ] {
      let error = #expect(throws: SigV4.SigningError.self) {
        try bucket.object("a").copySource()
      }
      #expect(error?.code == .conflictingEndpoint)
    }
  }

  @Test("S3 Express: CreateSession with ordinary credentials, and then objects with the session's")
  func s3Express() throws {
    let bucket = try SigV4.Bucket.directory("b--use1-az4--x-s3", region: "us-east-1")
    let opener = try bucket.signer(
      credentials: Example.credentials(sessionToken: "FwoG/ZXIv+YXdz=="))
    let opening = try opener.sign(
      bucket.createSessionRequest(
        headers: ["x-amz-create-session-mode": "ReadOnly"]), at: now())
    try vector("S3 Express, CreateSession").expectSteps(of: opening)
    #expect(opening.target == "/?session")
    let head = try opener.sign(bucket.request("HEAD"), at: now())
    try vector("S3 Express, HEAD of the bucket").expectSteps(of: head)

    let signer = try bucket.signer(session: session(token: "sess-token"))
    let signed = try signer.sign(bucket.object("k").getRequest(), at: now())
    try vector("S3 Express, GET").expectSteps(of: signed)
    #expect(signed.addedHeaders.values(named: "x-amz-s3session-token") == ["sess-token"])
    let presigner = try bucket.signer(session: session(token: "sess/t+=="))
    let presigned = try presigner.presignedURL(
      for: bucket.object("k"), expiresIn: .seconds(300), at: now())
    try expectURL(presigned, "S3 Express, presigned GET")
    #expect(presigned.url.contains("X-Amz-S3session-Token=sess%2Ft%2B%3D%3D"))
  }

  @Test("S3 Express: the control plane has the bucket in its path")
  func s3ExpressControl() throws {
    let bucket = try SigV4.Bucket(
      "b--use1-az4--x-s3", at: .s3ExpressControl(region: "us-east-1"))
    let signer = try bucket.signer(
      credentials: Example.credentials(sessionToken: "FwoG/ZXIv+YXdz=="))
    let signed = try signer.sign(bucket.request("DELETE"), at: now())
    try vector("S3 Express, DELETE of the bucket").expectSteps(of: signed)
    expectRefusal(.conflictingEndpoint) {
      try SigV4.Bucket(
        "b--use1-az4--x-s3", at: .s3ExpressControl(region: "us-east-1"),
        addressing: .virtualHosted)
    }
  }

  @Test("S3 Express: each operation finds the preset of its credentials")
  func s3ExpressPresets() throws {
    let rows = try VectorTable(named: "bucket-requests.txt").records.filter {
      try $0.text("name").hasPrefix("S3 Express") && $0.optionalText("authorization") != nil
    }
    #expect(rows.count == 14)
    for row in rows {
      let text = try row.text("canonical-request")
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let fields = lines[3...].prefix { !$0.isEmpty }.map { line in
        (String(line.prefix { $0 != ":" }), String(line.drop { $0 != ":" }.dropFirst()))
      }
      let host = try #require(fields.first { $0.0 == "host" }?.1)
      let request = try SigV4.Request(
        lines[0], url: "https://" + host + lines[1] + "?" + lines[2],
        headers: SigV4.Headers(fields.filter { $0.0 == "x-amz-copy-source" }))
      let hasSession = fields.contains { $0.0 == "x-amz-s3session-token" }
      #expect(
        SigV4.Service.s3Express(for: request) == (hasSession ? .s3Express : .s3ExpressControl),
        "\(row)")
    }
    // Neither a key of this name nor another method opens a session, and a GET of a bucket lists it.
    let zone = "https://b--use1-az4--x-s3.s3express-use1-az4.us-east-1.amazonaws.com"
    for (method, target) in [("GET", "/session"), ("PUT", "/k?session"), ("GET", "/")] {
      let request = try SigV4.Request(method, url: zone + target)
      #expect(SigV4.Service.s3Express(for: request) == .s3Express, "\(method) \(target)")
    }
  }

  @Test("An S3 Express session expires when the response says, and a URL doesn't outlive it")
  func sessionEnds() throws {
    let bucket = try SigV4.Bucket.directory("b--use1-az4--x-s3", region: "us-east-1")
    let signer = try bucket.signer(session: session(token: "sess-token"))
    let object = try bucket.object("k")
    let later = try now().advanced(bySeconds: 300)
    expectRefusal(.credentialsExpired) { try signer.sign(object.getRequest(), at: later) }
    expectRefusal(.lifetimeExceedsCredentials) { try signer.presignedURL(for: object, at: now()) }
    #expect(String(describing: try session(token: "sess-token")).contains("sess-token") == false)
  }

  @Test("Only a directory bucket has sessions")
  func otherBuckets() throws {
    let bucket = try SigV4.Bucket.aws("photos", region: "us-east-1")
    expectRefusal(.conflictingEndpoint, showing: "photos") { try bucket.createSessionRequest() }
    expectRefusal(.conflictingEndpoint, showing: "photos") {
      try bucket.signer(session: session(token: "sess-token"))
    }
  }

  @Test("Credentials without a token aren't those of a session")
  func tokenless() throws {
    let bucket = try SigV4.Bucket.directory("b--use1-az4--x-s3", region: "us-east-1")
    expectRefusal(.invalidSessionToken) { try bucket.signer(session: Example.credentials()) }
  }

  /// Five minutes from these tests' time, with the fraction that some responses have.
  func session(token: String) throws -> SigV4.Credentials {
    try SigV4.Credentials(
      accessKeyID: accessKeyID, secretAccessKey: secret, sessionToken: token,
      expiration: "2024-01-02T03:09:05.000Z")
  }

  func vector(_ name: String) throws -> VectorRecord {
    try VectorTable(named: "bucket-requests.txt").record(named: name)
  }

  /// The steps of a presigned URL; its parameters are those of botocore, in another order.
  func expectURL(_ presigned: SigV4.PresignedURL, _ name: String) throws {
    let vector = try vector(name)
    #expect(try presigned.canonicalRequest.text == vector.text("canonical-request"))
    #expect(try presigned.stringToSign.text == vector.text("string-to-sign"))
    #expect(try presigned.signature.hexString == vector.text("signature"))
    let sorted = { (url: String) in url.split { "?&".contains($0) }.sorted() }
    #expect(try sorted(presigned.url) == sorted(vector.text("presigned-url")))
  }
}
