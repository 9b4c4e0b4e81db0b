// SPDX-License-Identifier: Apache-2.0
// A program with top-level names of its own, which signs AWS's documented S3 example.

#if canImport(RequestSigning)
  import RequestSigning
#endif

struct Credentials {
  let id: String
  let secret: String
}

struct Request {
  let url: String
  let range: String
}

struct Signer {
  let region: String
  let time: String
}

/// Called from anywhere: what the library offers belongs to no actor.
nonisolated func sign(
  _ url: String, range: String, id: String, secret: String, region: String, time: String
) throws(SigV4.SigningError) -> String {
  let credentials = try SigV4.Credentials(accessKeyID: id, secretAccessKey: secret)
  let signer = try SigV4.Signer(credentials: credentials, region: region, service: .s3)
  let request = try SigV4.Request("GET", url: url, headers: ["range": range])
  return try signer.sign(request, at: SigV4.Timestamp(time)).signature.hexString
}

// "GET Object" of the Amazon S3 API Reference, "Authenticating Requests: Using the Authorization
// Header (AWS Signature Version 4)", with the keys that AWS publishes for it.
let credentials = Credentials(
  id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
let request = Request(
  url: "https://examplebucket.s3.amazonaws.com/test.txt", range: "bytes=0-9")
let signer = Signer(region: "us-east-1", time: "20130524T000000Z")

do {
  let signature = try sign(
    request.url, range: request.range, id: credentials.id, secret: credentials.secret,
    region: signer.region, time: signer.time)
  print(signature)
} catch {
  print(error.message)
}
