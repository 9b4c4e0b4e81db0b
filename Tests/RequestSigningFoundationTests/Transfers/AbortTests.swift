// SPDX-License-Identifier: Apache-2.0
// Aborts of unfinished uploads: repeated while a part is left, and what a store may respond.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import Testing

@testable internal import RequestSigningFoundation

/// Amazon S3, API Reference, "AbortMultipartUpload": parts that are being uploaded "might or might
/// not succeed. As a result, it might be necessary to abort a given multipart upload multiple times".
@Suite struct AbortTests {
  typealias Reply = (status: Int, body: String)

  static let done: Reply = (204, "")
  static let gone: Reply = (404, "<Error><Code>NoSuchUpload</Code></Error>")
  static let empty: Reply = (
    200, "<ListPartsResult><IsTruncated>false</IsTruncated></ListPartsResult>"
  )
  static let left: Reply = (
    200, "<ListPartsResult><Part><PartNumber>3</PartNumber></Part></ListPartsResult>"
  )
  static let denied: Reply = (403, "<Error><Code>AccessDenied</Code></Error>")

  /// Aborts an upload at a store with these replies, whose last one is repeated. Returns the sent
  /// requests.
  private func abort(_ replies: Reply..., headers: SigV4.Headers = [:]) async throws -> [String] {
    let store = Store(replies)
    let object = try bucket().object("é/film")
    try await session(store).abort(uploadID: "u/1", of: object, headers: headers)
    return store.requests()
  }

  private final class Store: Sendable {
    let replies: [Reply]
    let received = Guarded<[SigV4.HTTPRequest]>([])

    init(_ replies: [Reply]) { self.replies = replies }

    @Sendable func answer(_ request: SigV4.HTTPRequest) -> SigV4.HTTPResponse {
      let index = received.withLock { received in
        received.append(request)
        return min(received.count, replies.count) - 1
      }
      let (status, body) = replies[index]
      return SigV4.HTTPResponse(status: status, headers: [:], body: Array(body.utf8))
    }

    func requests() -> [String] {
      received.withLock { $0.map { $0.method + $0.url.dropFirst("https://store.example".count) } }
    }
  }

  private func bucket(_ name: String = "films") throws -> SigV4.Bucket {
    try SigV4.Bucket(name, endpoint: "https://store.example", region: "r")
  }

  private func session(_ store: Store) throws -> SigningSession {
    var options = SigningSession.Options()
    options.maximumAttempts = 1
    options.pause = .milliseconds(1)
    return try bucket().session(
      credentials: SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      options: options, http: { store.answer($0) })
  }

  static let delete = "DELETE/films/%C3%A9/film?uploadId=u%2F1"
  static let list = "GET/films/%C3%A9/film?max-parts=1&uploadId=u%2F1"

  @Test("An abort ends when the store has no part, or doesn't have the upload")
  func ends() async throws {
    #expect(try await abort(Self.done, Self.gone) == [Self.delete, Self.list])
    #expect(try await abort(Self.done, Self.empty) == [Self.delete, Self.list])
    // OpenStack Swift still lists the parts of a completed upload.
    #expect(try await abort(Self.gone, Self.left) == [Self.delete])
    #expect(try await abort((404, "")) == [Self.delete])
  }

  @Test("An abort is repeated while the store has a part, which was in flight")
  func partInFlight() async throws {
    #expect(
      try await abort(Self.done, Self.left, Self.done, Self.left, Self.done, Self.gone)
        == [Self.delete, Self.list, Self.delete, Self.list, Self.delete, Self.list])
    #expect(
      try await abort(Self.done, Self.left, Self.gone) == [Self.delete, Self.list, Self.delete])
  }

  @Test("An abort that never removes the parts is an error that names the upload and the call")
  func endless() async throws {
    let store = Store(
      [Self.done, Self.left, Self.done, Self.left, Self.done, Self.left].cycled(20))
    let error = await #expect(throws: TransferError.self) {
      try await session(store).abort(uploadID: "u/1", of: bucket().object("é/film"))
    }
    #expect(error?.code == .abortFailed)
    #expect(error?.problem.contains("\"u/1\"") == true)
    #expect(error?.fix.contains("abort(uploadID:of:)") == true)
    #expect(
      store.requests() == [[String]](repeating: [Self.delete, Self.list], count: 5).flatMap(\.self))
  }

  @Test("Without permission to list parts, a confirmed abort is enough")
  func unlisted() async throws {
    for reply in [
      Self.denied, (501, "<Error><Code>NotImplemented</Code></Error>"), (200, "<html/>"),
    ] {
      #expect(try await abort(Self.done, reply) == [Self.delete, Self.list])
    }
  }

  @Test("A rejected abort, a missing bucket and a page in its place are errors")
  func rejected() async throws {
    for (reply, code, server) in [
      (Self.denied, TransferError.Code.unexpectedStatus, "AccessDenied"),
      ((404, "<Error><Code>NoSuchBucket</Code></Error>"), .unexpectedStatus, "NoSuchBucket"),
      ((404, "<html/>"), .unexpectedStatus, nil), ((200, "<html/>"), .invalidResponse, nil),
    ] as [(Reply, TransferError.Code, String?)] {
      let error = await #expect(throws: TransferError.self) { try await abort(reply) }
      #expect(error?.code == code && error?.serverCode == server)
    }
  }

  @Test("A listed upload is aborted in the bucket that was listed, with the headers it needs")
  func listed() async throws {
    let page =
      "<ListMultipartUploadsResult><Upload><Key>a b</Key><UploadId>u/1</UploadId></Upload></ListMultipartUploadsResult>"
    let store = Store([(200, page), Self.done, Self.gone])
    let session = try session(store)
    for try await upload in session.listUploads(try bucket("other")) {
      try await session.abort(upload)
    }
    #expect(
      store.requests().dropFirst() == [
        "DELETE/other/a%20b?uploadId=u%2F1", "GET/other/a%20b?max-parts=1&uploadId=u%2F1",
      ])
    let owned = Store([Self.done, Self.gone])
    try await self.session(owned).abort(
      uploadID: "u", of: bucket().object("k"),
      headers: ["x-amz-expected-bucket-owner": "111122223333"])
    let owners = owned.received.withLock { $0.map { $0.headers["x-amz-expected-bucket-owner"] } }
    #expect(owners == ["111122223333", "111122223333"])
  }

  @Test("A failed upload removes a part that was stored after the first abort")
  func failedUpload() async throws {
    let server = try LoopbackServer(
      MultipartUploadTests.begun, MultipartUploadTests.refused, MultipartUploadTests.removed,
      .init(body: Self.left.body), MultipartUploadTests.removed,
      .init(status: 404, body: Self.gone.body))
    var options = SigningSession.Options()
    options.maximumAttempts = 1
    options.parallelPartCount = 1
    options.pause = .milliseconds(1)
    let bucket = try server.bucket()
    let session = bucket.session(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      options: options)
    let error = await #expect(throws: TransferError.self) {
      try await session.upload(Data(count: 8_388_609), to: bucket.object("film"))
    }
    #expect(error?.serverCode == "AccessDenied")
    #expect(
      try server.received().map(\.method) == ["POST", "PUT", "DELETE", "GET", "DELETE", "GET"])
  }
}

extension Array {
  fileprivate func cycled(_ count: Int) -> [Element] { (0..<count).map { self[$0 % self.count] } }
}
