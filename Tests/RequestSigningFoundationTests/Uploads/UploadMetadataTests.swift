// SPDX-License-Identifier: Apache-2.0
// Text and metadata of an upload, as they arrive, and whether an object exists.

internal import Foundation
internal import RequestSigningFoundation
internal import Testing

@Suite("Text and metadata of an upload")
struct UploadMetadataTests {
  typealias Answer = LoopbackServer.Answer

  func session(_ server: LoopbackServer) throws -> SigningSession {
    try server.bucket().session(
      credentials: SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"))
  }

  // The name of the header: Amazon S3, User Guide, "Working with object metadata".
  @Test("Metadata is signed and sent with its prefix, and text as UTF-8")
  func text() async throws {
    let server = try LoopbackServer(Answer(headers: ["ETag": "\"e\""]))
    try await session(server).upload(
      "été", to: server.bucket().object("a.txt"), metadata: ["owner": "42"])
    let received = try #require(try server.received().first)
    #expect(received.isSignatureRight && received.byteCount == 5)
    #expect(received.values("x-amz-meta-owner") == ["42"])
    #expect(received.values("content-type") == ["text/plain; charset=utf-8"])
    #expect(received.signedNames.contains("x-amz-meta-owner"))
  }

  @Test(
    "A name that's empty, there twice or invalid is rejected before anything is sent",
    arguments: [
      (["": "a"], [:], SigV4.SigningError.Code.invalidHeaderName),
      (["two words": "a"], [:], .invalidHeaderName),
      (["owner": "a", "Owner": "b"], [:], .conflictingHeader),
      (["owner": "a"], ["X-Amz-Meta-Owner": "b"], .conflictingHeader),
    ] as [([String: String], SigV4.Headers, SigV4.SigningError.Code)])
  func names(
    metadata: [String: String], headers: SigV4.Headers, code: SigV4.SigningError.Code
  ) async throws {
    let server = try LoopbackServer(Answer())
    let error = await #expect(throws: SigV4.SigningError.self) {
      try await session(server).upload(
        Data(), to: server.bucket().object("a"), metadata: metadata, headers: headers)
    }
    #expect(error?.code == code)
    #expect(try server.received().isEmpty)
  }

  @Test("An object exists unless the response is a 404", arguments: [(200, true), (404, false)])
  func exists(status: Int, exists: Bool) async throws {
    let server = try LoopbackServer(Answer(status: status))
    #expect(try await session(server).exists(server.bucket().object("a")) == exists)
    #expect(try server.received().map(\.method) == ["HEAD"])
  }
}
