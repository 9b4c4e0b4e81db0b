// SPDX-License-Identifier: Apache-2.0
// Transfers to a store whose endpoint has a path: every request of a session goes below it.

internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

/// Source of the targets: botocore's client, `endpoint-paths.txt`: the path, the bucket, the key.
@Suite("Transfers to an endpoint with a path")
struct EndpointPathTransferTests {
  @Test("Requests, downloads, uploads in one and in many parts, and links have the path")
  func targets() async throws {
    let (empty, part) = (LoopbackServer.Answer(), MultipartUploadTests.part)
    let server = try LoopbackServer(
      empty, empty, empty, empty,
      .init(
        body:
          "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>"
      ), part, part, MultipartUploadTests.completed, empty)
    let folder = try TemporaryFolder()
    let bucket = try SigV4.Bucket(
      "films",
      at: .custom(
        url: "http://127.0.0.1:\(server.port)/storage/v1/s3/", region: "eu-central-1"))
    let session = bucket.session(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"))
    let object = try bucket.object("été 1.mov")

    _ = try await session.send(bucket.endpoint.request("GET"))
    _ = try await session.send(bucket.listRequest(prefix: "a/"))
    _ = try await session.send(object.putRequest(.text("a")), body: .data(Data("a".utf8)))
    try await session.download(
      object.getRequest(), to: folder.url.appendingPathComponent("film"))
    try await session.upload(folder.zeros(5_242_880 * 3), to: object)
    _ = try await session.send(object.deleteRequest())

    let films = "/storage/v1/s3/films"
    let targets = try server.received().map { $0.method + " " + $0.target }
    #expect(targets.first == "GET /storage/v1/s3/")
    #expect(targets.dropFirst().first == "GET \(films)?list-type=2&prefix=a%2F")
    let others = targets.dropFirst(2)
    #expect(others.count > 5)
    for target in others {
      let path = target.split(separator: " ")[1].prefix { $0 != "?" }
      #expect(path == "\(films)/%C3%A9t%C3%A9%201.mov", "\(target)")
    }
    #expect(others.contains { $0.hasPrefix("POST ") && $0.hasSuffix("?uploads") })
    #expect(others.contains { $0.contains("partNumber=2&uploadId=u") })
    #expect(others.contains { $0.hasPrefix("POST ") && $0.hasSuffix("?uploadId=u") })
  }
}
