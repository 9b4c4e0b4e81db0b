// SPDX-License-Identifier: Apache-2.0
// Presigned URLs of parts and copies, with dates and from sessions: those of the core.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct PresignedPartDateTests {
  private let bucket: SigV4.Bucket
  private let signer: SigV4.Signer
  private let credentials: SigV4.Credentials
  private let now: SigV4.Timestamp

  init() throws {
    bucket = try .aws("films", region: "eu-west-1")
    credentials = try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret")
    signer = try bucket.signer(credentials: credentials)
    now = try SigV4.Timestamp("20240102T030405Z")
  }

  private func session() -> SigningSession {
    SigningSession(
      credentials: credentials, region: "eu-west-1", service: .s3, now: { [now] in Date(now) })
  }

  @Test("A part's URL is the core's, as a URL or with its headers")
  func part() async throws {
    let film = try bucket.object("é film")
    let expected: SigV4.PresignedURL = try signer.presignedURL(
      for: film, partNumber: 3, uploadID: "u+1", contentLength: 8_388_608, at: now)
    let url: URL = try signer.presignedURL(
      for: film, partNumber: 3, uploadID: "u+1", contentLength: 8_388_608, at: Date(now))
    let link: SigV4.PresignedURL = try signer.presignedURL(
      for: film, partNumber: 3, uploadID: "u+1", contentLength: 8_388_608, at: Date(now))
    #expect(url.absoluteString == expected.url && link.url == expected.url)
    let session = session()
    let slot: SigV4.PresignedURL = try await session.presignedURL(
      for: film, partNumber: 3, uploadID: "u+1", contentLength: 8_388_608)
    #expect(slot.url == expected.url)
    #expect(slot.requiredHeaders.map(\.name) == ["content-length"])
    let slotURL: URL = try await session.presignedURL(
      for: film, partNumber: 3, uploadID: "u+1", contentLength: 8_388_608)
    #expect(slotURL == url)
    await #expect(throws: SigV4.SigningError.self) {
      let _: URL = try await session.presignedURL(for: film, partNumber: 0, uploadID: "u")
    }
  }

  @Test("A copy's URL is the core's, with the header that names the source")
  func copy() async throws {
    let (target, source) = (try bucket.object("b"), try bucket.object("a"))
    let expected = try signer.presignedURL(for: target, copying: source, versionID: "v", at: now)
    let link = try signer.presignedURL(
      for: target, copying: source, versionID: "v", at: Date(now))
    let slot = try await session().presignedURL(for: target, copying: source, versionID: "v")
    #expect(link.url == expected.url && slot.url == expected.url)
    #expect(slot.requiredHeaders["x-amz-copy-source"] == "/films/a?versionId=v")
    let request = try URLRequest(slot)
    #expect(request.httpMethod == "PUT")
    #expect(request.value(forHTTPHeaderField: "x-amz-copy-source") == "/films/a?versionId=v")
    let other: SigV4.Headers = ["X-Amz-Copy-Source": "/other/a"]
    let error = await #expect(throws: SigV4.SigningError.self) {
      try await session().presignedURL(for: target, copying: source, headers: other)
    }
    #expect(error?.code == .conflictingHeader)
  }
}
