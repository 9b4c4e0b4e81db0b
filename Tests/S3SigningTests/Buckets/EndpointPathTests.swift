// SPDX-License-Identifier: Apache-2.0
// Endpoints that have a path, as Supabase Storage and gateways do: everywhere that buckets are.

internal import SigningTestSupport
internal import S3Signing
internal import RequestSigning
internal import TestSupport
internal import Testing

/// Source of the expected URLs: botocore's client for S3, by `endpoint-paths.py`.
@Suite("Object storage: endpoints with a path")
struct EndpointPathTests {
  static let keys = ["photos/été +1.jpg", "a//b", "/k"]

  @Test("Every request, presigned URL and form has the path of its endpoint")
  func urls() throws {
    try VectorTable(named: "endpoint-paths.txt").records.forEachCase { (row: VectorRecord) in
      let bucket = try bucket(of: row)
      let signer = try bucket.signer(credentials: Example.credentials())
      let now = try SigV4.Timestamp("20240102T030405Z")
      for (operation, request) in try requests(bucket) {
        let presigned = try signer.presignedURL(for: request, expiresIn: .seconds(900), at: now)
        #expect(try presigned.url == row.text(operation), "\(operation)")
        // Signed in its headers it goes to the same path.
        let signed = try signer.sign(request, at: now)
        #expect(signed.url.prefix { $0 != "?" } == presigned.url.prefix { $0 != "?" })
      }
      let urls = try signer.presignedURLs(
        for: Self.keys, in: bucket, expiresIn: .seconds(900), at: now)
      for (index, url) in urls.enumerated() {
        #expect(try url == row.text("get_object \(index)"))
      }
      let policy = try SigV4.PostPolicy(
        bucket: bucket, expiresIn: .seconds(60), conditions: [.key("k")])
      #expect(try signer.sign(policy, at: now).url == row.text("form"))
    }
  }

  private func requests(_ bucket: SigV4.Bucket) throws -> [(String, SigV4.Request)] {
    let object = try bucket.object(Self.keys[0])
    let upload: SigV4.Query = ["uploadId": "id/1+"]
    let gets = try Self.keys.enumerated().map { index, key in
      ("get_object \(index)", try bucket.object(key).getRequest())
    }
    return try [
      ("list_buckets", bucket.endpoint.request("GET")),
      ("list_objects_v2", bucket.listRequest(prefix: "a b/")),
      ("head_bucket", bucket.request("HEAD")), ("put_object", object.putRequest(.empty)),
      ("head_object", object.headRequest()), ("delete_object", object.deleteRequest()),
      ("create_multipart_upload", object.request("POST", query: ["uploads": ""])),
      ("upload_part", object.putRequest(.empty, query: upload.appending("partNumber", "2"))),
      ("complete_multipart_upload", object.request("POST", query: upload)),
      ("abort_multipart_upload", object.deleteRequest(query: upload)),
    ] + gets
  }

  private func bucket(of row: VectorRecord) throws -> SigV4.Bucket {
    let endpoint = try SigV4.S3Endpoint.custom(
      url: row.text("endpoint"), region: row.text("region"))
    let addressing: SigV4.Bucket.Addressing =
      try row.text("addressing") == "path" ? .path : .virtualHosted
    return try SigV4.Bucket("photos", at: endpoint, addressing: addressing)
  }

  @Test("The path is part of the endpoint and its description, and is encoded once")
  func values() throws {
    let plain = try SigV4.S3Endpoint.minIO(url: "http://localhost:9000")
    let slash = try SigV4.S3Endpoint.minIO(url: "http://localhost:9000/")
    let path = try SigV4.S3Endpoint.minIO(url: "http://localhost:9000/s3")
    #expect(plain == slash && plain.path == "" && plain != path && path.path == "/s3")
    #expect(path.description == "S3Endpoint(http://localhost:9000/s3, us-east-1, s3)")
    let bucket = try SigV4.Bucket("photos", at: path)
    #expect(bucket.description == "Bucket(http://localhost:9000/s3/photos, us-east-1)")
    #expect(try bucket.object("k") != SigV4.Bucket("photos", at: plain).object("k"))
    // RFC 3986, 2.3: unreserved characters mean the same, encoded or not.
    let encoded = try SigV4.S3Endpoint.minIO(url: "http://localhost:9000/%7Eme/a+b%20c")
    #expect(encoded.path == "/~me/a%2Bb%20c")
    let object = try SigV4.Bucket("photos", at: encoded).object("k").getRequest()
    let signed = try Example.signed(object, .s3)
    #expect(signed.url == "http://localhost:9000/~me/a%2Bb%20c/photos/k")
    #expect(signed.canonicalRequest.text.hasPrefix("GET\n/~me/a%2Bb%20c/photos/k\n"))
  }

  @Test("Warnings are about the key, and not about the path before it")
  func warnings() throws {
    let bucket = try SigV4.Bucket.minIO("b", endpoint: "http://localhost:9000/s3")
    #expect(try bucket.object("k").warnings.isEmpty)
    #expect(try bucket.object("/k").warnings == [.emptySegments])
    #expect(try bucket.object(String(repeating: "k", count: 1_024)).warnings.isEmpty)
  }
}
