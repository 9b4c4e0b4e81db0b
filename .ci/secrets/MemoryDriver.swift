// SPDX-License-Identifier: Apache-2.0
// MemoryDriver SECRET: signs with the secret access key whose inverted bytes are given in hexadecimal, and stops
// after each step, so that another process can look at its memory.

import Glibc
import RequestSigning
import RequestVerification
import S3Signing
import SecureHashing

/// A text that stands neither in the program nor in its arguments.
@inline(never) func secret(_ digits: String) -> String {
  var rest = digits[...]
  var text = ""
  while let byte = UInt8(rest.prefix(2), radix: 16) {
    text.unicodeScalars.append(Unicode.Scalar(~byte))
    rest = rest.dropFirst(2)
  }
  return text
}

struct Steps {
  let now: SigV4.Timestamp
  let request: SigV4.Request
  let credentials: SigV4.Credentials
  let signer: SigV4.Signer
  var buffer = SigV4.SigningBuffer()

  @inline(never) init() throws {
    now = try SigV4.Timestamp("20150830T123600Z")
    request = try SigV4.Request("GET", url: "https://examplebucket.s3.amazonaws.com/test.txt")
    credentials = try Self.credentials()
    signer = try SigV4.Signer(credentials: credentials, region: "us-east-1", service: .s3)
  }

  @inline(never) static func credentials() throws -> SigV4.Credentials {
    try SigV4.Credentials(
      accessKeyID: "AKIDEXAMPLE", secretAccessKey: secret(CommandLine.arguments[1]))
  }

  @inline(never) func derive() throws { _ = try signer.signingKey(at: now) }

  /// A key that was derived elsewhere.
  @inline(never) func ship() throws {
    let key = try signer.signingKey(at: now)
    _ = try SigV4.SigningKey(key: key.key, accessKeyID: "AKIDEXAMPLE", scope: key.scope)
  }

  @inline(never) mutating func sign() throws { try signer.sign(request, at: now, into: &buffer) }

  @inline(never) func presign() throws {
    _ = try signer.presignedURL(for: request, expiresIn: .seconds(900), at: now)
  }

  @inline(never) func presignMany() throws {
    let bucket = try SigV4.Bucket("examplebucket", at: .aws(region: "us-east-1"))
    _ = try bucket.signer(credentials: credentials).presignedURLs(
      for: (0..<20).map { "\($0).jpg" }, in: bucket, at: now)
  }

  @inline(never) func upload() throws {
    let upload = try SigV4.ChunkedUpload.signed(decodedByteCount: 100_000, chunkByteCount: 8_192)
    let request = try SigV4.Request("PUT", url: "https://examplebucket.s3.amazonaws.com/test.txt")
    let signed = try signer.sign(request.uploading(upload), at: now)
    var chunks = try SigV4.ChunkSigner(upload, following: signed, by: signer)
    var body: [UInt8] = []
    try chunks.update([UInt8](repeating: 0, count: 100_000), into: &body)
    try chunks.finish(into: &body)
  }

  @inline(never) func claim() throws -> SigV4.UnverifiedRequest {
    let url = try signer.presignedURL(for: request, expiresIn: .seconds(900), at: now).url
    let target = url.drop { $0 != "?" }
    let received = SigV4.ReceivedRequest(
      "GET", target: "/test.txt" + target,
      headers: SigV4.Headers([("host", "examplebucket.s3.amazonaws.com")]))
    let verifier = SigV4.Verifier(region: "us-east-1", service: .s3)
    return try verifier.check(received, at: now)
  }

  @inline(never) func verify() throws { _ = try claim().verify(with: credentials) }
}

@inline(never) func work() throws {
  var steps = try Steps()
  raise(SIGSTOP)
  try steps.derive()
  raise(SIGSTOP)
  try steps.ship()
  raise(SIGSTOP)
  try steps.sign()
  raise(SIGSTOP)
  try steps.presign()
  raise(SIGSTOP)
  try steps.upload()
  raise(SIGSTOP)
  try steps.presignMany()
  raise(SIGSTOP)
  try steps.verify()
  raise(SIGSTOP)
}

try work()
raise(SIGSTOP)

/// The control: a code under the same key, of which the stack is not wiped.
@inline(never) func authenticate() {
  let key = SymmetricKey(data: ("AWS4" + secret(CommandLine.arguments[1])).utf8)
  var computation = HMAC<SHA256>(key: key)
  computation.update(data: "message".utf8)
  print(computation.finalize().hexString.utf8.count)
}

authenticate()
raise(SIGSTOP)
