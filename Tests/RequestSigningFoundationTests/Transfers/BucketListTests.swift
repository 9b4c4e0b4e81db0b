// SPDX-License-Identifier: Apache-2.0
// Lists of a bucket: pages that are requested one after the other, and their contents.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import Testing

@testable internal import RequestSigningFoundation

/// The responses are the examples of Amazon S3's API Reference, shortened.
@Suite struct BucketListTests {
  typealias Answer = LoopbackServer.Answer

  func session(_ server: LoopbackServer) throws -> SigningSession {
    var options = SigningSession.Options()
    options.maximumAttempts = 1
    return try server.bucket("bucket").session(
      credentials: SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      options: options)
  }

  func all<Element>(_ list: BucketList<Element>) async throws -> [Element] {
    var elements: [Element] = []
    for try await element in list { elements.append(element) }
    return elements
  }

  static let firstPage = """
    <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
      <Name>bucket</Name><Prefix>photos%2F</Prefix><KeyCount>2</KeyCount><MaxKeys>3</MaxKeys>
      <NextContinuationToken>1ueGcxLPRx1Tr/XYExHnhbYLgveDs2J/wm36Hy4vbOwM=</NextContinuationToken>
      <IsTruncated>true</IsTruncated><EncodingType>url</EncodingType>
      <Contents><ETag>"70ee1738b6b21e2c8a43f3a5ab0eee71"</ETag><Size>11</Size>
        <Key>photos%2Fexample+%2B%C3%A9%01.jpg</Key>
        <LastModified>2014-11-21T19:40:05.000Z</LastModified>
        <Owner><ID>7009a8971cd660687538875e7c86c5b672fe116bd438f46db45460ddcd036c32</ID></Owner>
        <StorageClass>STANDARD</StorageClass></Contents>
      <CommonPrefixes><Prefix>photos%2F2006%2F</Prefix></CommonPrefixes>
    </ListBucketResult>
    """
  static let lastPage = """
    <ListBucketResult><IsTruncated>false</IsTruncated>
      <Contents><Key>photos/100%25+a.jpg</Key><Size>434234</Size></Contents></ListBucketResult>
    """

  @Test("Objects and common prefixes of all pages, decoded where the server encoded them")
  func objects() async throws {
    let server = try LoopbackServer(
      Answer(body: Self.firstPage),
      Answer(
        body:
          "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>2</NextContinuationToken></ListBucketResult>"
      ),
      Answer(body: Self.lastPage))
    let objects = try await all(session(server).list(prefix: "photos/", delimiter: "/"))
    #expect(
      objects.map(\.key)
        == ["photos/example +é\u{1}.jpg", "photos/2006/", "photos/100%25+a.jpg"])
    #expect(objects.map(\.isPrefix) == [false, true, false])
    #expect(objects.map(\.size) == [11, 0, 434_234])
    #expect(objects[0].eTag == "\"70ee1738b6b21e2c8a43f3a5ab0eee71\"")
    #expect(objects[0].storageClass == "STANDARD")
    #expect(objects[0].lastModified == Date(timeIntervalSince1970: 1_416_598_805))
    #expect(objects[2].lastModified == nil)
    let query = "/bucket?list-type=2&prefix=photos%2F&delimiter=%2F&encoding-type=url"
    #expect(
      try server.received().map(\.target) == [
        query,
        query + "&continuation-token=1ueGcxLPRx1Tr%2FXYExHnhbYLgveDs2J%2Fwm36Hy4vbOwM%3D",
        query + "&continuation-token=2",
      ])
    #expect(try server.received().allSatisfy { $0.isSignatureRight })
  }

  @Test("Listed objects go where objects go, with their decoded keys; common prefixes don't")
  func listedObjects() async throws {
    let server = try LoopbackServer(
      Answer(body: Self.firstPage), Answer(body: Self.lastPage), Answer(body: "content"),
      Answer(status: 204), Answer(body: "<DeleteResult></DeleteResult>"))
    let session = try session(server)
    let listed = try await all(session.list(prefix: "photos/", delimiter: "/"))
    #expect(try await session.data(for: listed[2]) == Data("content".utf8))
    try await session.delete(listed[2])
    let prefix = await #expect(throws: TransferError.self) { try await session.delete(listed) }
    #expect(prefix?.code == .commonPrefix)
    try await session.delete([listed[2]])
    #expect(
      try server.received().dropFirst(2).map { $0.method + " " + $0.target } == [
        "GET /bucket/photos/100%2525%2Ba.jpg", "DELETE /bucket/photos/100%2525%2Ba.jpg",
        "POST /bucket?delete",
      ])
  }

  @Test("A page is requested only after the previous one is used")
  func lazily() async throws {
    let server = try LoopbackServer(Answer(body: Self.firstPage))
    for try await object in try session(server).list() {
      #expect(!object.isPrefix)
      break
    }
    #expect(try server.received().count == 1)
  }

  @Test("Versions and delete markers")
  func versions() async throws {
    let server = try LoopbackServer(
      Answer(
        body: """
          <ListVersionsResult><IsTruncated>true</IsTruncated><EncodingType>url</EncodingType>
            <NextKeyMarker>my+key</NextKeyMarker><NextVersionIdMarker>v+2</NextVersionIdMarker>
            <Version><Key>my-image.jpg</Key><VersionId>3/L4kqtJl40Nr8X8gdRQBpUMLUo</VersionId>
              <IsLatest>true</IsLatest><LastModified>2009-10-12T17:50:30.000Z</LastModified>
              <Size>434234</Size></Version>
            <DeleteMarker><Key>my-second-image.jpg</Key><VersionId>03jpff543dhffds434rfdsFDN943fdsFkdmqnh892</VersionId>
              <IsLatest>false</IsLatest></DeleteMarker></ListVersionsResult>
          """),
      Answer(body: "<ListVersionsResult><IsTruncated>false</IsTruncated></ListVersionsResult>"))
    let versions = try await all(session(server).listVersions(prefix: "my"))
    #expect(versions.map(\.key) == ["my-image.jpg", "my-second-image.jpg"])
    #expect(versions.map(\.versionID)[0] == "3/L4kqtJl40Nr8X8gdRQBpUMLUo")
    #expect(versions.map(\.isLatest) == [true, false])
    #expect(versions.map(\.isDeleteMarker) == [false, true])
    #expect(versions.map(\.size) == [434_234, 0])
    #expect(versions[0].lastModified == Date(timeIntervalSince1970: 1_255_369_830))
    #expect(
      try server.received().map(\.target) == [
        "/bucket?versions&prefix=my&encoding-type=url",
        "/bucket?versions&prefix=my&encoding-type=url&key-marker=my%20key&version-id-marker=v%2B2",
      ])
  }

  /// Source: OpenStack Swift 2.38.3, `GET /bucket?versions&max-keys=1&encoding-type=url`.
  @Test("A marker that the server didn't encode is the key that it names")
  func plainMarkers() async throws {
    for (key, marker, next) in [
      ("p%2Bq%20%C3%A9%2541%3B", "p+q é%41;", "p%2Bq%20%C3%A9%2541%3B"),
      ("%257Aa", "%7Aa", "%257Aa"), ("a%2520b", "a%20b", "a%2520b"),
      // Amazon S3 encodes both.
      ("p%2Bq+%C3%A9%2541%3B", "p%2Bq+%C3%A9%2541%3B", "p%2Bq%20%C3%A9%2541%3B"),
      ("a+b", "a+b", "a%20b"), ("a", "b%2Fc", "b%2Fc"),
    ] {
      let server = try LoopbackServer(
        Answer(
          body: """
            <ListVersionsResult><IsTruncated>true</IsTruncated><EncodingType>url</EncodingType>
            <NextKeyMarker>\(marker)</NextKeyMarker><NextVersionIdMarker>null</NextVersionIdMarker>
            <Version><Key>\(key)</Key><VersionId>null</VersionId></Version></ListVersionsResult>
            """),
        Answer(body: "<ListVersionsResult><IsTruncated>false</IsTruncated></ListVersionsResult>"))
      #expect(try await all(session(server).listVersions()).count == 1)
      #expect(
        try server.received().last?.target
          == "/bucket?versions&encoding-type=url&key-marker=\(next)&version-id-marker=null")
    }
  }

  @Test("Unfinished multipart uploads")
  func uploads() async throws {
    let server = try LoopbackServer(
      Answer(
        body: """
          <ListMultipartUploadsResult><Bucket>bucket</Bucket><KeyMarker/><UploadIdMarker/>
            <IsTruncated>false</IsTruncated>
            <Upload><Key>my-divisor</Key><UploadId>XMgbGlrZSBlbHZpbmcncyBub3QgaGF2aW5nIG11Y2ggbHVjaw</UploadId>
              <Initiator><ID>arn:aws:iam::111122223333:user/some-user</ID></Initiator>
              <Initiated>2010-11-10T20:48:33.000Z</Initiated></Upload></ListMultipartUploadsResult>
          """))
    let uploads = try await all(session(server).listUploads())
    #expect(uploads.map(\.key) == ["my-divisor"])
    #expect(uploads[0].uploadID == "XMgbGlrZSBlbHZpbmcncyBub3QgaGF2aW5nIG11Y2ggbHVjaw")
    #expect(uploads[0].initiated == Date(timeIntervalSince1970: 1_289_422_113))
    #expect(try server.received().map(\.target) == ["/bucket?uploads&encoding-type=url"])
  }

  @Test(
    "A list that would end too early, or never, is an error",
    arguments: [
      "<IsTruncated>true</IsTruncated>", "<IsTruncated>True</IsTruncated>",
      "<IsTruncated>1</IsTruncated>", "<IsTruncated>maybe</IsTruncated>",
      "<IsTruncated>true</IsTruncated><NextContinuationToken/>",
      "<IsTruncated>true</IsTruncated><NextContinuationToken>1</NextContinuationToken>",
      "<Contents><Size>1</Size></Contents>", "<CommonPrefixes><Key>a</Key></CommonPrefixes>",
    ])
  func endless(body: String) async throws {
    let server = try LoopbackServer(
      Answer(body: "<ListBucketResult>\(body)</ListBucketResult>"))
    let error = await #expect(throws: TransferError.self) { try await all(session(server).list()) }
    #expect(error?.code == .invalidResponse)
    #expect(try server.received().count <= 2)
  }

  @Test("A version or an upload without its key or its ID is an error, not missing")
  func incomplete() async throws {
    for (kind, id) in [("Version", "VersionId"), ("DeleteMarker", "VersionId")] {
      for field in ["<Key>a</Key>", "<\(id)>v</\(id)>"] {
        let server = try LoopbackServer(
          Answer(body: "<ListVersionsResult><\(kind)>\(field)</\(kind)></ListVersionsResult>"))
        let error = await #expect(throws: TransferError.self) {
          try await all(session(server).listVersions())
        }
        #expect(error?.code == .invalidResponse && error?.message.contains(kind) == true)
      }
    }
    for field in ["<Key>a</Key>", "<UploadId>u</UploadId>"] {
      let page =
        "<ListMultipartUploadsResult><Upload>\(field)</Upload></ListMultipartUploadsResult>"
      let server = try LoopbackServer(Answer(body: page))
      let error = await #expect(throws: TransferError.self) {
        try await all(session(server).listUploads())
      }
      #expect(error?.code == .invalidResponse)
    }
  }

  @Test(
    "An empty list is one",
    arguments: [
      "", "<IsTruncated>false</IsTruncated>", "<IsTruncated/><Contents/>", "<Name>b</Name>",
    ])
  func empty(content: String) async throws {
    for root in ["ListBucketResult", "ListVersionsResult", "ListMultipartUploadsResult"] {
      let server = try LoopbackServer(
        Answer(body: content.isEmpty ? "<\(root)/>" : "<\(root)>\(content)</\(root)>"))
      let session = try session(server)
      switch root {
      case "ListBucketResult": #expect(try await all(session.list()).isEmpty)
      case "ListVersionsResult": #expect(try await all(session.listVersions()).isEmpty)
      default: #expect(try await all(session.listUploads()).isEmpty)
      }
    }
  }

  @Test("A rejection is an error with the server's code")
  func refused() async throws {
    let server = try LoopbackServer(
      Answer(status: 404, body: "<Error><Code>NoSuchBucket</Code></Error>"))
    let error = await #expect(throws: TransferError.self) { try await all(session(server).list()) }
    #expect(error?.code == .unexpectedStatus && error?.serverCode == "NoSuchBucket")
  }
}
