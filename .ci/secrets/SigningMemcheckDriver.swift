// SPDX-License-Identifier: Apache-2.0
// Signs, presigns and verifies with a secret access key that memcheck regards as undefined, so that it reports each
// branch and each address that depends on it. `control` branches on what was computed: that has to be reported.

import ConnectionTokens
import EventStreamSigning
import MultiRegionSigning
import RequestVerification
import S3Signing

@_silgen_name("make_undefined")
func makeUndefined(_ start: UnsafeMutableRawPointer, _ count: Int)

@inline(never)
func control(_ byte: UInt8) { if byte == 0 { print("a zero") } }

func undefinedCredentials() throws -> SigV4.Credentials {
  var secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
  secret.append("!")  // A copy in memory that can be written.
  secret.withUTF8 { bytes in
    UnsafeMutableRawPointer(mutating: bytes.baseAddress).map { makeUndefined($0, bytes.count) }
  }
  return try SigV4.Credentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: secret)
}

struct Steps {
  let now: SigV4.Timestamp
  let request: SigV4.Request
  let bucket: SigV4.Bucket
  let credentials: SigV4.Credentials
  let signer: SigV4.Signer

  init() throws {
    now = try SigV4.Timestamp("20150830T123600Z")
    request = try SigV4.Request("GET", url: "https://examplebucket.s3.amazonaws.com/test.txt")
    bucket = try SigV4.Bucket("examplebucket", at: .aws(region: "us-east-1"))
    credentials = try undefinedCredentials()
    signer = try bucket.signer(credentials: credentials)
  }

  func headers() throws -> [UInt8] {
    try Array(signer.sign(request, at: now).authorization.utf8.suffix(64))
  }

  func url() throws -> [UInt8] {
    try Array(
      signer.presignedURL(for: request, expiresIn: .seconds(900), at: now).url.utf8.suffix(64))
  }

  func batch() throws -> [UInt8] {
    let urls = try signer.presignedURLs(
      for: (0..<20).map { "\($0).jpg" }, in: bucket, at: now)
    return Array(urls[19].utf8.suffix(64))
  }

  func chunks() throws -> [UInt8] {
    let upload = try SigV4.ChunkedUpload.signed(decodedByteCount: 100_000, chunkByteCount: 8_192)
    let request = try SigV4.Request("PUT", url: "https://examplebucket.s3.amazonaws.com/test.txt")
    let signed = try signer.sign(request.uploading(upload), at: now)
    var chunks = try SigV4.ChunkSigner(upload, following: signed, by: signer)
    var body: [UInt8] = []
    try chunks.update([UInt8](repeating: 0, count: 100_000), into: &body)
    try chunks.finish(into: &body)
    return Array(body.dropLast(4).suffix(64))
  }

  func token() throws -> [UInt8] {
    let token = try SigV4.ConnectionToken.rds(
      host: "db.example.com", port: 3306, user: "reader", region: "us-east-1",
      credentials: credentials, at: now)
    return Array(token.text.utf8.suffix(64))
  }

  func events() throws -> [UInt8] {
    let seed = try signer.sign(request, at: now).signature
    var events = SigV4.EventSigner(seed: seed, by: signer)
    return try Array(events.sign(payload: [1, 2, 3], at: now).encoded.dropLast(8).suffix(32))
  }

  func regions() throws -> [UInt8] {
    let signer = try SigV4.Signer(credentials: credentials, regionSet: .all, service: .s3)
    return try signer.sign(request, at: now).signature.bytes
  }

  /// Whether the signature is right is public; how it is found out is not.
  func verification() throws -> [UInt8] {
    let known = try SigV4.Credentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "another secret")
    let signed = try bucket.signer(credentials: known).presignedURL(
      for: request, expiresIn: .seconds(900), at: now)
    let received = SigV4.ReceivedRequest(
      "GET", target: signed.target,
      headers: SigV4.Headers([("host", "examplebucket.s3.amazonaws.com")]))
    let verifier = SigV4.Verifier(region: "us-east-1", service: .s3)
    do {
      _ = try verifier.check(received, at: now).verify(with: credentials)
    } catch {
      return []
    }
    fatalError("a signature of another secret is accepted")
  }
}

let parts: [String: (Steps) -> () throws -> [UInt8]] = [
  "headers": Steps.headers, "url": Steps.url, "batch": Steps.batch, "chunks": Steps.chunks,
  "token": Steps.token, "events": Steps.events, "regions": Steps.regions,
  "verification": Steps.verification,
]
guard let part = parts[CommandLine.arguments[1]] else { fatalError("no such part") }
let result = try part(Steps())()
if CommandLine.arguments.last == "control", let last = result.last { control(last) }
