// SPDX-License-Identifier: Apache-2.0
// s3://bucket/key: an object as the command lines of object storage name it.

internal import S3Signing
internal import RequestSigning

/// `s3://bucket/key`, in which everything after the bucket is the key, unchanged.
struct ObjectLocation {
  let bucket: String
  let key: String

  /// The origin of a store that is not Amazon S3.
  let endpoint: String?

  /// An object. Nil when the text is another URL.
  init?(_ text: String, endpoint: String?) throws {
    try self.init(bucketOrObject: text, endpoint: endpoint)
    if key.isEmpty {
      throw CommandError.usage("\(text) has no key; write s3://bucket/key")
    }
  }

  /// A bucket, with a key or without one. Nil when the text is another URL. Without an endpoint in
  /// the arguments that of the environment counts, as for other command lines.
  init?(bucketOrObject text: String, endpoint: String?) throws {
    let scheme = "s3://"
    guard text.utf8.starts(with: scheme.utf8) else { return nil }
    let rest = text.utf8.dropFirst(scheme.utf8.count)
    let bucket = rest.prefix { $0 != UInt8(ascii: "/") }
    let key = rest.dropFirst(bucket.count + 1)
    if bucket.isEmpty {
      throw CommandError.usage("\(text) has no bucket; write s3://bucket/key")
    }
    self.bucket = String(decoding: bucket, as: UTF8.self)
    self.key = String(decoding: key, as: UTF8.self)
    self.endpoint =
      endpoint ?? System.environmentVariable("AWS_ENDPOINT_URL_S3")
      ?? System.environmentVariable("AWS_ENDPOINT_URL")
  }

  /// S3, and the region that the host of the endpoint tells.
  var guess: ServiceGuess {
    let origin = endpoint.flatMap { try? SigV4.Request("GET", url: $0) }
    let host = origin.map { String($0.host.prefix { $0 != ":" }) }
    return ServiceGuess(service: "s3", region: host.flatMap { ServiceGuess(host: $0).region })
  }

  /// The object in its bucket.
  func object(in region: String) throws -> SigV4.Bucket.Object {
    try bucket(in: region).object(key)
  }

  /// The bucket: of the endpoint, or of Amazon S3.
  func bucket(in region: String) throws -> SigV4.Bucket {
    if let endpoint {
      return try SigV4.Bucket(bucket, at: .custom(url: endpoint, region: region))
    }
    return try .aws(bucket, region: region)
  }
}
