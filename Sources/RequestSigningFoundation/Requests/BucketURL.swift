// SPDX-License-Identifier: Apache-2.0
// Buckets at an endpoint `URL`, and the `URL` of an object.

public import Foundation
public import RequestSigning
public import S3Signing

/// The URL of an object.
extension SigV4.Bucket.Object {
  /// The URL without a signature, such as for an object that anybody can read.
  ///
  ///     let signed = try signer.sign(URLRequest(url: object.url))
  ///
  /// - Throws: `TransferError` with `requestWouldChange` if the key has a `.` or `..` segment,
  ///   which URL loaders resolve.
  public var url: URL {
    get throws {
      let request = try getRequest()
      let target = String(decoding: request.path.strict, as: UTF8.self)
      return try URL(
        loadable: request.scheme.name + "://" + request.host + target, target: target,
        bucket.endpoint.service)
    }
  }
}

extension URL {
  /// Converts a signed URL, if Foundation and its loader send exactly these bytes.
  ///
  /// - Parameter known: a URL that usually has these bytes, so that they need not be parsed again.
  init(
    loadable text: String, target: String, _ service: SigV4.Service, known: URL? = nil
  ) throws {
    if !service.pathRule.isNormalized && URL.hasDotSegment(target) {
      throw TransferError(
        .requestWouldChange,
        "The path contains a '.' or '..' segment, which \(service.name) signs, but URL loaders "
          + "resolve (RFC 3986, 5.2.4).",
        fix: "Use a different HTTP client, or rename the object.")
    }
    if let known, known.baseURL == nil, known.absoluteString.hasSameBytes(as: text) {
      self = known
      return
    }
    guard let url = URL(string: text), url.absoluteString.utf8.elementsEqual(text.utf8) else {
      throw TransferError(
        .requestWouldChange,
        "Foundation can't represent the signed URL, or encodes it differently.",
        fix: "Use a different HTTP client for this request.")
    }
    self = url
  }

  /// Whether the path has a '.' or '..' segment, which URL loaders resolve (RFC 3986, 5.2.4).
  static func hasDotSegment(_ target: String) -> Bool {
    let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
    var last = UInt8(ascii: "?")
    let mayHaveDots = path.contains { byte in
      defer { last = byte }
      return last == UInt8(ascii: "/") && byte == UInt8(ascii: ".")
    }
    return mayHaveDots
      && path.split(separator: UInt8(ascii: "/")).contains {
        $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8)
      }
  }
}

/// Buckets at an endpoint `URL`, and the `URL` of an object.
extension SigV4.Bucket {
  /// Creates a bucket at a MinIO server, such as `http://127.0.0.1:9000`.
  ///
  /// - Throws: The errors of `minIO(_:endpoint:region:)`.
  public static func minIO(
    _ name: String, endpoint: URL, region: String = "us-east-1"
  ) throws(SigV4.SigningError) -> SigV4.Bucket {
    try minIO(name, endpoint: endpoint.absoluteString, region: region)
  }

  /// Creates a bucket at any other S3-compatible store. By default, URLs contain its name in the
  /// path.
  ///
  /// - Throws: The errors of `S3Endpoint.custom(url:region:)` and `init(_:at:addressing:)`.
  public init(
    _ name: String, endpoint: URL, region: String, addressing: Addressing = .automatic
  ) throws(SigV4.SigningError) {
    try self.init(
      name, at: .custom(url: endpoint.absoluteString, region: region), addressing: addressing)
  }
}
