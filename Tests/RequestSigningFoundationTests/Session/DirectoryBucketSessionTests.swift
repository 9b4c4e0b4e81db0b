// SPDX-License-Identifier: Apache-2.0
// Which credentials sign which request for a bucket of S3 Express. Amazon S3 User Guide, "Regional and
// Zonal endpoints for directory buckets API operations" and "CreateSession": sessions authorize
// object operations. CopyObject, HeadBucket and UploadPartCopy require IAM credentials.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import RequestSigningFoundation
internal import S3Signing
internal import Testing

@Suite struct DirectoryBucketSessionTests {
  private static let host = "bucket--use1-az4--x-s3.s3express-use1-az4.us-east-1.amazonaws.com"
  private let sessionRequests = Guarded(0)

  @Sendable private func answer(_ request: SigV4.HTTPRequest) -> SigV4.HTTPResponse {
    sessionRequests.withLock { $0 += 1 }
    // Amazon S3 API Reference, CreateSession, Response Syntax.
    let answer = """
      <CreateSessionResult><Credentials><AccessKeyId>SESSIONKEY</AccessKeyId>
      <SecretAccessKey>secret</SecretAccessKey><SessionToken>session-token</SessionToken>
      <Expiration>2100-01-01T00:00:00Z</Expiration></Credentials></CreateSessionResult>
      """
    return SigV4.HTTPResponse(status: 200, body: Array(answer.utf8))
  }

  private static let requests: [(method: String, target: String, copies: Bool, session: Bool)] = [
    ("GET", "/a", false, true), ("PUT", "/a", false, true), ("HEAD", "/a", false, true),
    ("GET", "/?list-type=2", false, true),
    ("HEAD", "/", false, false), ("PUT", "/a", true, false),
    ("PUT", "/a?partNumber=1&uploadId=u", true, false),
  ]

  @Test(
    "A session of a directory bucket signs objects with a session, and the rest with its provider")
  func credentials() async throws {
    let provider = try SigV4.Credentials(
      accessKeyID: "KEY", secretAccessKey: "secret", sessionToken: "token")
    let session = try SigV4.Bucket.directory("bucket--use1-az4--x-s3", region: "us-east-1")
      .session(credentials: provider, http: answer)
    for (method, target, copies, takesSession) in Self.requests {
      var request = URLRequest(url: try #require(URL(string: "https://\(Self.host)\(target)")))
      request.httpMethod = method
      if copies { request.setValue("/b/c", forHTTPHeaderField: "x-amz-copy-source") }
      let signed = try await session.sign(request)
      let header = signed.value(forHTTPHeaderField: "Authorization")
      let comment: Comment = "\(method) \(target) \(copies)"
      #expect(
        header?.contains(takesSession ? "Credential=SESSIONKEY/" : "Credential=KEY/") == true,
        comment)
      #expect(header?.contains("/us-east-1/s3express/aws4_request") == true, comment)
      let tokens = ["x-amz-s3session-token", "x-amz-security-token"]
        .map { signed.value(forHTTPHeaderField: $0) }
      #expect(tokens == (takesSession ? ["session-token", nil] : [nil, "token"]), comment)
    }
    #expect(sessionRequests.withLock { $0 } == 1)
  }
  @Test("A session that allows UTF-8 in headers signs it in a URL")
  func utf8() async throws {
    let provider = try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret")
    var options = SigningSession.Options()
    options.headerEncoding = .utf8
    let session = try SigV4.Bucket.directory("bucket--use1-az4--x-s3", region: "us-east-1")
      .session(credentials: provider, options: options, http: answer)
    var request = URLRequest(url: try #require(URL(string: "https://\(Self.host)/a")))
    request.httpMethod = "PUT"
    request.setValue("été", forHTTPHeaderField: "x-amz-meta-name")
    let signed = try await session.sign(request, expiresIn: .seconds(60))
    #expect(signed.url?.absoluteString.contains("x-amz-meta-name") == true)
  }
}
