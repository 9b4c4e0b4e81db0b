// SPDX-License-Identifier: Apache-2.0
// The signed request of the measurements: a download from S3, in headers and in a URL, with its
// key.

internal import S3Signing
internal import BenchmarkSupport
internal import RequestSigning
internal import SecureHashing

enum MeasuredRequests {
  /// The keys, the moment and the region of AWS's examples of Amazon S3.
  static let accessKeyID = "AKIAIOSFODNN7EXAMPLE"
  static let secretAccessKey = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
  static let region = "us-east-1"
  static let moment = "20130524T000000Z"

  /// Four signed headers, two parameters: a canonical request of 453 bytes.
  static var download: SigningTask {
    get throws(BenchmarkError) {
      try task(
        "the download",
        query: "partNumber=1&" + version, headers: ["range": "bytes=0-1048575"],
        // Computed by botocore 1.43.
        signature: "211c35928a862fc40e1e0bb902414772ff1530c6e0b62781466812054948ecf2")
    }
  }

  /// Twenty signed headers, ten parameters, neither in order.
  static var wideDownload: SigningTask {
    get throws(BenchmarkError) {
      let headers = (0..<17).map { number in
        let letter = String(UnicodeScalar(UInt8(ascii: "q") - UInt8(number)))
        return ("x-amz-meta-note-" + letter, "note \(number) on a picture of the hills")
      }
      return try task(
        "the wide download",
        query: (0..<10).map { "parameter-\(9 - $0)=a%20value%2F\($0)" }.joined(separator: "&"),
        headers: SigV4.Headers(headers),
        // Computed by botocore 1.43.
        signature: "06ed062804bb920b4296546ee5a3e4d53168fcf8ae01f34b3ec67da1780d12eb")
    }
  }

  /// One signed header, and two parameters in addition to the signature's: 471 bytes.
  static var presignedDownload: SigningTask {
    get throws(BenchmarkError) {
      try task(
        "the presigned download",
        query: presignedQuery, expiresIn: .seconds(3600),
        // Computed by botocore 1.43.
        signature: "72f5dcdafdeae7f6a613903033c28642b64dc00585843c9e552260243a9ed2ca")
    }
  }

  /// A request of S3 for a URL's path and query, with the keys above.
  static func task(
    _ name: String, path: String = path, query: String = "", headers: SigV4.Headers = [:],
    host: String = "examplebucket.s3.us-east-1.amazonaws.com", expiresIn lifetime: Duration? = nil,
    signature: String
  ) throws(BenchmarkError) -> SigningTask {
    let url = "https://" + host + path + (query.isEmpty ? "" : "?" + query)
    do {
      return try SigningTask(
        name, signer: signer(), at: SigV4.Timestamp(moment), expiresIn: lifetime,
        signature: SigV4.Signature(hexString: signature).bytes
      ) { () throws(SigV4.SigningError) in
        try SigV4.Request("GET", url: url, headers: headers)
      }
    } catch {
      throw .failure("\(name) cannot be signed: \(error)")
    }
  }

  /// A signer that derives the signing key in every call.
  static func signer() throws(SigV4.SigningError) -> SigV4.Signer {
    try SigV4.Signer(
      credentials: credentials(), region: region, service: .s3,
      keys: SigV4.SigningKeyCache(capacity: 0))
  }

  static func credentials() throws(SigV4.SigningError) -> SigV4.Credentials {
    try SigV4.Credentials(accessKeyID: accessKeyID, secretAccessKey: secretAccessKey)
  }

  /// The signing key of the day.
  static var signingKey: [UInt8] {
    // Computed by Python's hmac.
    (try? Hexadecimal.decode("dbb893acc010964918f1fd433add87c70e8b0db6be30c1fbeafefa5ec6ba8378"))
      ?? []
  }

  /// The bucket and the parameters of the presigned download.
  static func bucketAndQuery() throws(BenchmarkError) -> (SigV4.Bucket, SigV4.Query) {
    do throws(SigV4.SigningError) {
      return (try .aws("examplebucket", region: region), try .encoded(presignedQuery))
    } catch {
      throw .failure("the bucket and its parameters are invalid: \(error)")
    }
  }

  /// The key that the path names.
  static let key = "holidays/photos/2013/05/24/a long walk in the hills.jpg"

  static let presignedQuery =
    "response-content-disposition=attachment%3B%20filename%3Da-walk.jpg&" + version

  private static let path = "/holidays/photos/2013/05/24/a%20long%20walk%20in%20the%20hills.jpg"

  private static let version =
    "versionId=3HL4kqtJlcpXroDTDmJ%2BrmSpXd3dIbrHY%2BMTRCxf3vjVBH40Nr8X8gdRQBpUMLUo"
}
