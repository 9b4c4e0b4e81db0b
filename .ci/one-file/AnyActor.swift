// SPDX-License-Identifier: Apache-2.0
// An app whose code belongs to the main actor calls the library from no actor and from another one.

/// An actor of its own, far from the main one.
actor Courier {
  private let cache = SigV4.SigningKeyCache(capacity: 4)

  func signature() throws -> String { try example(cache) }
}

/// What a signature needs, from no actor: every entry belongs to none.
nonisolated func example(_ cache: SigV4.SigningKeyCache) throws -> String {
  let credentials = try SigV4.Credentials(
    accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
  )
  let signer = try SigV4.Signer(
    credentials: credentials, region: "us-east-1", service: .s3, keys: cache)
  let request = try SigV4.Request(
    "GET", url: "https://examplebucket.s3.amazonaws.com/test.txt", headers: ["range": "bytes=0-9"])
  return try signer.sign(request, at: SigV4.Timestamp("20130524T000000Z")).signature.hexString
}

/// The other entries, by their types: each is used from no actor.
nonisolated func others() throws -> Int {
  let now = try SigV4.Timestamp(unixSeconds: 1_369_353_600)
  let bucket = try SigV4.Bucket.r2("photos", account: "0123456789abcdef0123456789abcdef")
  let signer = try bucket.signer(
    credentials: SigV4.Credentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "secret"))
  let url = try signer.presignedURL(for: bucket.object("1.jpg"), at: now).url
  var buffer = SigV4.SigningBuffer()
  try signer.sign(bucket.object("1.jpg").getRequest(), at: now, into: &buffer)
  let urls = try signer.presignedURLs(for: ["1.jpg", "2.jpg"], in: bucket, at: now)
  let digest = SHA256.hash(data: url.utf8)
  let code = HMAC<SHA256>.authenticationCode(for: digest, using: SymmetricKey(data: "key".utf8))
  let text = Base64.encode(code) + Hexadecimal.encode(digest)
  return ConstantTime.equal(code, Array(code)) ? urls.count : text.utf8.count
}

let fromMain = try example(SigV4.SigningKeyCache())
let fromTask = try await Task.detached { try example(SigV4.SigningKeyCache()) }.value
let fromActor = try await Courier().signature()
let count = try others()
print(fromMain == fromTask && fromTask == fromActor && count == 2 ? fromActor : "they differ")
