// SPDX-License-Identifier: Apache-2.0
// Options of a session: retries, checksums of object storage, and the sizes of parts.

internal import Foundation
public import RequestSigning
public import S3Signing

extension SigningSession {
  /// The options of a session.
  public struct Options: Hashable, Sendable {
    /// The maximum number of attempts while a server is busy or fails. The default is 3. 1 or less
    /// disables retries.
    ///
    /// The session retries a response with a status of 500, 502, 503, 504 or 429, with a code such
    /// as `SlowDown`, or with an S3 error after a status of 200. If the connection is lost, it
    /// retries all requests except your own POST and PATCH requests. On Linux, URLSession reports
    /// some other failures, such as an untrusted certificate, with the same code as a lost
    /// connection, so they're also retried. An error of your own HTTP client counts as a lost
    /// connection, too, unless the calling task is cancelled. The session pauses before each retry,
    /// for a random time of up to 0.5 seconds, then 1 second, 2 seconds and so on, at most 20
    /// seconds, and at least the response's Retry-After. It doesn't retry after a Retry-After above
    /// 60 seconds.
    public var maximumAttempts = 3

    /// The checksums to send and verify.
    public var checksums = Checksums.automatic

    /// How header values of a URLRequest may be encoded. The default is ASCII.
    public var headerEncoding = SigV4.HeaderEncoding.ascii

    /// The size of an upload's parts in bytes. The default is 8 MiB. The minimum is the store's:
    /// 5,242,880 at Amazon S3. All parts except the last have this size. It's larger if a file, or
    /// the `contentLength` of a sequence, would have too many parts.
    public var partByteCount = 8_388_608

    /// The maximum number of parts of an upload, for a store without a name in `SigV4.Bucket` that
    /// allows fewer than Amazon S3, such as OpenStack Swift with 1,000 by default. If it's nil, it
    /// is 1,000 at Scaleway, and 10,000 at other stores.
    public var maximumPartCount: Int?

    /// The minimum size of a part in bytes, except for the last one, for a store without a name
    /// that has its own. If it's nil, it is 5,000,000 at Backblaze B2, and 5,242,880 at other
    /// stores.
    public var minimumPartByteCount: Int?

    /// The number of parts to upload in parallel, or to download with a checkpoint. The default is
    /// 4, the minimum 1. With URLSession, the configuration's `httpMaximumConnectionsPerHost`
    /// limits it, too. When you upload a sequence, these parts and the next one are in memory.
    public var parallelPartCount = 4

    /// The maximum pause before the second attempt.
    var pause = Duration.milliseconds(500)

    /// Creates the default options.
    public init() {}
  }
}

extension SigningSession.Options {
  /// The checksums sent with uploads to object storage, and verified after downloads from it.
  ///
  /// A PUT sends the checksum as a header if the body is in memory or hashed, else as a trailer,
  /// unless its headers already have a checksum. The header `x-amz-checksum-algorithm` replaces the
  /// algorithm. A GET requests the object's checksum and verifies it, unless the response is a part
  /// of the object or URLSession decodes it.
  public struct Checksums: Hashable, Sendable {
    private let kind: Kind

    private enum Kind: Hashable {
      case automatic
      case off
      case always(SigV4.Checksum.Algorithm)
    }

    /// CRC-64/NVME for Amazon S3, as in its SDKs since 2025. None for other stores, because some
    /// reject it.
    public static let automatic = Checksums(kind: .automatic)

    /// No checksums.
    public static let off = Checksums(kind: .off)

    /// Checksums of one algorithm, for all stores. `contentMD5` can't be a trailer, so it requires
    /// `.hashed` for files.
    public static func always(_ algorithm: SigV4.Checksum.Algorithm) -> Checksums {
      Checksums(kind: .always(algorithm))
    }
  }
}

extension SigningSession.Options.Checksums {
  /// The algorithm for an upload. Nil if it needs no checksum or already has one. Throws
  /// `conflictingHeader` if the request names an algorithm that isn't supported.
  func algorithm(
    forUpload request: SigV4.Request, of service: SigV4.Service
  ) throws(TransferError) -> SigV4.Checksum.Algorithm? {
    let names = ["x-amz-trailer"] + SigV4.Checksum.Algorithm.all.map(\.headerName)
    let hasOne = names.contains { !request.headers.values(named: $0).isEmpty }
    if request.method != "PUT" || hasOne || !service.isObjectStorage { return nil }
    return try .named(in: request.headers) ?? algorithm(at: request.host, of: service)
  }

  /// The headers that request an object's checksum.
  func headers(forDownload request: SigV4.Request, of service: SigV4.Service) -> [SigV4.Header] {
    let isPart = !request.headers.values(named: "range").isEmpty
    if request.method != "GET" || isPart { return [] }
    return algorithm(at: request.host, of: service) == nil
      ? [] : [SigV4.Header("x-amz-checksum-mode", "ENABLED")]
  }

  private func algorithm(
    at host: String, of service: SigV4.Service
  ) -> SigV4.Checksum.Algorithm? {
    if !["s3", "s3express"].contains(service.name) { return nil }
    switch kind {
    case .off: return nil
    case .always(let algorithm): return algorithm
    case .automatic: return SigV4.AWSPartition.isAWS(host: host) ? .crc64NVME : nil
    }
  }

  /// The checksum of the whole object in the response to a GET. Nil if there is none to compare
  /// with.
  func expected(in answer: LoadedResponse) -> SigV4.Checksum? {
    guard answer.method == "GET", answer.response.statusCode == 200 else { return nil }
    return ofObject(answer.response)
  }

  /// The checksum of the whole object in the headers of a response.
  func ofObject(_ response: HTTPURLResponse) -> SigV4.Checksum? {
    if kind == .off || response.isDecoded { return nil }
    for algorithm in SigV4.Checksum.Algorithm.named {
      // A suffix such as "-3" marks a checksum of three parts' checksums, which can't be verified
      // here.
      if let text = response.value(forHTTPHeaderField: algorithm.headerName),
        let checksum = try? SigV4.Checksum(algorithm, base64: text)
      {
        return checksum
      }
    }
    return nil
  }

  /// Compares the checksum of the received bytes with the server's.
  static func check(
    _ received: SigV4.Checksum, against expected: SigV4.Checksum
  ) throws(TransferError) {
    if received == expected { return }
    throw TransferError(
      .checksumMismatch,
      "The server sent \(expected), but the received bytes have \(received.text). They changed in "
        + "transit or in storage.",
      fix: "Get the object again, and check for a proxy that rewrites responses.")
  }
}
