// SPDX-License-Identifier: Apache-2.0
// The page on defaults: its numbers are those of the sources.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import RequestSigningFoundation
internal import RequestVerification
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@Suite("Explanation: defaults")
struct DefaultsPageTests {
  @Test("Each number on the page is the default of the sources")
  func numbers() throws {
    let bucket = try SigV4.Bucket.minIO("photos", endpoint: "http://localhost:9000")
    let signer = try bucket.signer(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "secret")
    let now = try SigV4.Timestamp("20240102T030405Z")
    let url = try signer.presignedURL(for: bucket.object("a"), at: now).url
    let policy = SigV4.Verifier(services: [.s3], regions: ["us-east-1"])
    let refresh = SigV4.CredentialProvider.RefreshPolicy()
    let options = SigningSession.Options()
    let chunked = try SigV4.ChunkedUpload.signed(decodedByteCount: 65_536)
    let longer = try SigV4.ChunkedUpload.signed(decodedByteCount: 65_536, chunkByteCount: 65_536)

    #expect(chunked == longer)
    #expect(policy.clockTolerance == nil)  // 900 and 300: VerificationHoleTests
    #expect(url.contains("X-Amz-Expires=3600"))
    let form = try SigV4.PostPolicy(bucket: bucket, conditions: [.key("a")])
    let formOfAnHour = try SigV4.PostPolicy(
      bucket: bucket, expiresIn: .seconds(3_600), conditions: [.key("a")])
    #expect(form == formOfAnHour)
    let expected = [
      "signing keys that a signer keeps": try keysOfSigner(),
      "signing keys that a `SigningKeyCache` keeps": SigV4.SigningKeyCache().capacity,
      "size of a chunk": 65_536,
      "lifetime of an object's presigned URL": 3_600, "lifetime of a form": 3_600,
      "clock tolerance of S3's family": 900, "clock tolerance of other services": 300,
      "maximum lifetime of a URL": Int(policy.maximumLifetime.components.seconds),
      "maximum size of a signed chunk": policy.maximumChunkByteCount,
      "method, target and headers together": SigV4.ReceivedRequest.maximumByteCount,
      // RegionSetTests and RequestSizeTests:
      "bytes of a region set": 1_024, "regions of a region set": 64,
      "smallest chunk but the last": 8_192,
      "seconds before expiration: background refresh": Int(
        refresh.backgroundRefresh.components.seconds),
      "seconds before expiration: blocking refresh": Int(
        refresh.blockingRefresh.components.seconds),
      "maximum backoff": Int(refresh.maximumBackoff.components.seconds),
      "timeout of a refresh": Int(refresh.timeout.components.seconds),
      "attempts while a server is busy": options.maximumAttempts,
      "size of a part": options.partByteCount, "parts in parallel": options.parallelPartCount,
      // ContinuedDownloadTests:
      "restarts of a download whose object is replaced": 3,
    ]
    #expect(try numbersOfPage() == expected)
  }

  /// The default argument of the initialiser, which no program can ask for.
  private func keysOfSigner() throws -> Int {
    let source = try HowToPage("../../Sources/RequestSigning/Signer/Signer.swift").lines
    let defaults = source.compactMap { $0.firstMatch(of: /= SigningKeyCache\(capacity: (\d+)\)/) }
    let first = try #require(defaults.first)
    return try #require(Int(first.1))
  }

  /// The settings whose default is a number.
  private func numbersOfPage() throws -> [String: Int] {
    var numbers: [String: Int] = [:]
    for line in try HowToPage("../reference/defaults.md").lines where line.hasPrefix("| ") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      numbers[cells[0]] = Int(cells[1].replacing(",", with: ""))
    }
    return numbers
  }
}
