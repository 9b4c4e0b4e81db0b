// SPDX-License-Identifier: Apache-2.0
// Requests that were sent more than once: an earlier attempt may be the cause of the last response.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct RepeatedRequestTests {
  let bucket: SigV4.Bucket
  let credentials: SigV4.Credentials

  init() throws {
    bucket = try .aws("films", region: "eu-west-1")
    credentials = try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret")
  }

  func session(_ store: SampleStore) -> SigningSession {
    var options = SigningSession.Options()
    options.partByteCount = MultipartUploadTests.partByteCount
    options.pause = .zero
    return bucket.session(
      credentials: credentials, options: options, http: { try store.response(to: $0) })
  }

  static func failed(_ status: Int, _ code: String) -> SampleStore.Fault {
    .response(SampleStore.response(status: status, "<Error><Code>\(code)</Code></Error>"))
  }

  /// Uploads an object whose step fails like this. Returns the error.
  func upload(
    _ step: SampleStore.Step, _ faults: [SampleStore.Fault], _ headers: SigV4.Headers
  ) async throws -> TransferError? {
    let store = SampleStore()
    store.faults = faults
    store.faultyStep = step
    let byteCount = step == .put ? 3 : MultipartUploadTests.partByteCount + 1
    return await #expect(throws: TransferError.self) {
      if step == .copy {
        try await session(store).copy(
          bucket.object("b"), to: bucket.object("a"), headers: headers)
      } else {
        try await session(store).upload(
          Data(count: byteCount), to: bucket.object("a"), headers: headers)
      }
    }
  }

  static let hint = "an earlier attempt of this call"

  // Amazon S3, User Guide, "How to prevent object overwrites with conditional writes": 412
  // Precondition Failed, or 409 Conflict with a concurrent request.
  @Test(
    "A condition that fails after a retry may be met by the call itself, and the error says so",
    arguments: [SampleStore.Step.put, .complete, .copy])
  func conditions(step: SampleStore.Step) async throws {
    let results = [Self.failed(412, "PreconditionFailed"), Self.failed(409, "Conflict")]
    let causes = [
      .lostConnection, Self.failed(500, "InternalError"),
      .response(SampleStore.response("<Error><Code>InternalError</Code></Error>")),
    ]
    for headers in [["If-None-Match": "*"], ["if-match": "\"e\""]] as [SigV4.Headers] {
      for result in results {
        for cause in causes {
          let error = try await upload(step, [cause, result], headers)
          #expect(error?.code == .unexpectedStatus)
          #expect(error?.message.lowercased().contains(Self.hint) == true)
          #expect(error?.fix.contains("metadata") == true)
        }
        // Without a retry, the condition was met by someone else.
        let first = try await upload(step, [result], headers)
        #expect(first?.message.lowercased().contains(Self.hint) == false)
      }
    }
    // Without a condition, it has a different cause. So has a different status.
    let causeless = try await upload(step, [.lostConnection, results[0]], [:])
    #expect(causeless?.message.lowercased().contains(Self.hint) == false)
    let other = try await upload(
      step, [.lostConnection, Self.failed(403, "AccessDenied")], ["If-None-Match": "*"])
    #expect(other?.message.lowercased().contains(Self.hint) == false)
  }

  // MinIO: the second completion is a 404 (minio/minio#13318).
  @Test("An upload that's gone after a retry may be complete, and the error says so")
  func completion() async throws {
    let gone = Self.failed(404, "NoSuchUpload")
    let error = try await upload(.complete, [.lostConnection, gone], [:])
    #expect(error?.serverCode == "NoSuchUpload" && error?.status == 404)
    #expect(error?.message.lowercased().contains(Self.hint) == true)
    let first = try await upload(.complete, [gone], [:])
    #expect(first?.message.lowercased().contains(Self.hint) == false)
  }

  // Amazon S3 responds with 204 if there's no object, but not all stores do.
  @Test("An object that's gone after a retry may have been deleted, and the error says so")
  func deletion() async throws {
    for (faults, isRetried) in [
      ([.lostConnection, Self.failed(404, "NoSuchKey")], true),
      ([Self.failed(404, "NoSuchKey")], false),
    ] as [([SampleStore.Fault], Bool)] {
      let store = SampleStore()
      store.faults = faults
      store.faultyStep = .delete
      let error = await #expect(throws: TransferError.self) {
        try await session(store).delete(bucket.object("a"))
      }
      #expect(error?.status == 404)
      #expect(error?.message.lowercased().contains(Self.hint) == isRetried)
    }
  }

  @Test("A request that a different time or different credentials made right isn't a retry")
  func remedied() async throws {
    let expired = Self.failed(400, "ExpiredToken")
    let error = try await upload(
      .put, [expired, Self.failed(412, "PreconditionFailed")], ["If-None-Match": "*"])
    #expect(error?.status == 412)
    #expect(error?.message.lowercased().contains(Self.hint) == false)
  }
}
