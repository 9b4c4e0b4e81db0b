// SPDX-License-Identifier: Apache-2.0
// Does one thing that users do; .ci/measure-sources counts the files and functions that it enters.

import CredentialProviders
import RequestSigning

#if canImport(RequestVerification)
  import RequestVerification
  typealias Question = SigV4.HTTPRequest
  typealias Answer = SigV4.HTTPResponse
#else
  typealias Question = HTTPRequest
  typealias Answer = HTTPResponse
  extension SecurityTokenService: HTTPExchange {}
#endif

/// Forgets what was entered so far (LLVM's compiler-rt).
@_silgen_name("__llvm_profile_reset_counters") func resetCounters()

// "GET Object" of the Amazon S3 API Reference, "Authenticating Requests: Using the Authorization
// Header (AWS Signature Version 4)".
let now = try SigV4.Timestamp("20130524T000000Z")

func credentials() throws -> SigV4.Credentials {
  try SigV4.Credentials(
    accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
  )
}

func signer() throws -> SigV4.Signer {
  try SigV4.Signer(credentials: credentials(), region: "us-east-1", service: .s3)
}

func request() throws -> SigV4.Request {
  try SigV4.Request(
    "GET", url: "https://examplebucket.s3.amazonaws.com/test.txt", headers: ["range": "bytes=0-9"])
}

/// The example of the page "Signature Calculations for the Authorization Header: Transferring Payload
/// in Multiple Chunks (Chunked Upload)", as it arrives.
func verifyChunkedUpload() throws {
  let signedHeaders =
    "content-encoding;content-length;host;x-amz-content-sha256;x-amz-date;"
    + "x-amz-decoded-content-length;x-amz-storage-class"
  let authorization =
    "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
    + "SignedHeaders=\(signedHeaders),"
    + "Signature=4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9"
  let chunks = [
    ("10000", 65_536, "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648"),
    ("400", 1_024, "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497"),
    ("0", 0, "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9"),
  ]
  let body = chunks.map { size, count, signature in
    "\(size);chunk-signature=\(signature)\r\n\(String(repeating: "a", count: count))\r\n"
  }.joined()
  let headers: [(String, String)] = [
    ("Host", "s3.amazonaws.com"), ("x-amz-date", "20130524T000000Z"),
    ("x-amz-storage-class", "REDUCED_REDUNDANCY"), ("Authorization", authorization),
    ("x-amz-content-sha256", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"),
    ("Content-Encoding", "aws-chunked"), ("x-amz-decoded-content-length", "66560"),
    ("Content-Length", "66824"),
  ]
  let credentials = try credentials()
  let bytes = Array(body.utf8)
  resetCounters()
  let received = SigV4.ReceivedRequest(
    "PUT", target: "/examplebucket/chunkObject.txt", headers: SigV4.Headers(headers))
  let verifier = SigV4.Verifier(region: "us-east-1", service: .s3)
  let unverified = try verifier.check(received, at: now)
  let decoded = try unverified.verify(with: credentials).body(bytes)
  precondition(decoded.count == 66_560)
}

/// AWS STS, which answers as its API Reference shows.
struct SecurityTokenService {
  func response(to request: Question) async throws(CredentialError) -> Answer {
    let body = """
      <AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>ASIAIOSFODNN7EXAMPLE\
      </AccessKeyId><SecretAccessKey>wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY</SecretAccessKey>\
      <SessionToken>token</SessionToken><Expiration>2013-05-24T01:00:00Z</Expiration>\
      </Credentials></AssumeRoleResult></AssumeRoleResponse>
      """
    return Answer(status: 200, body: Array(body.utf8))
  }
}

func takeRoleFromProfile() async throws {
  let files = [
    "/home/me/.aws/config": """
    [profile work]
    role_arn = arn:aws:iam::123456789012:role/demo
    source_profile = base
    region = eu-west-1
    """,
    "/home/me/.aws/credentials": """
    [base]
    aws_access_key_id = AKIAIOSFODNN7EXAMPLE
    aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
    """,
  ]
  var sources = CredentialSources(now: { now })
  sources.variable = { $0 == "HOME" ? "/home/me" : nil }
  sources.file = { (path) throws(CredentialError) in files[path].map { Array($0.utf8) } }
  #if canImport(RequestVerification)
    sources.http = { (request) async throws(CredentialError) in
      try await SecurityTokenService().response(to: request)
    }
  #else
    sources.http = SecurityTokenService()
  #endif
  resetCounters()
  let provided = try await SigV4.CredentialProvider.profile("work", sources: sources)
    .credentials()
  precondition(provided.credentials.identity.accessKeyID == "ASIAIOSFODNN7EXAMPLE")
}

switch CommandLine.arguments[1] {
case "sign":
  let (signer, request) = (try signer(), try request())
  resetCounters()
  _ = try signer.sign(request, at: now)
case "sign-with-request":
  resetCounters()
  _ = try signer().sign(request(), at: now)
case "presign":
  let (signer, request) = (try signer(), try request())
  resetCounters()
  _ = try signer.presignedURL(for: request, expiresIn: .seconds(3600), at: now)
case "verify-chunked-upload": try verifyChunkedUpload()
default: try await takeRoleFromProfile()
}
