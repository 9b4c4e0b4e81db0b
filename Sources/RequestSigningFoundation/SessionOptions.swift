// SPDX-License-Identifier: Apache-2.0
// What a session does besides signing: further attempts, and checksums of object storage.

internal import Foundation
public import RequestSigning
public import S3Signing
internal import SigningSupport

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension SigningSession {
  /// What a session does besides signing.
  public struct Options: Hashable, Sendable {
    /// How often a request is sent at most while a server is busy or fails: 3. With 1 or less every answer
    /// is final.
    ///
    /// Retried are responses with a status of 500, 502, 503, 504 or 429, with a code such as `SlowDown`,
    /// or with an S3 error after a status of 200, and requests other than POST and PATCH whose connection
    /// is lost. The pauses before are random, up to 0.5 seconds, 1 second, 2 seconds and so on, at most
    /// 20, and at least the response's Retry-After. After a Retry-After above 60 seconds the response is
    /// final.
    public var maximumAttempts = 3

    /// Which checksums are sent and verified.
    public var checksums = Checksums.automatic

    /// The characters that header values of a URLRequest may have: ASCII.
    public var headerEncoding = SigV4.HeaderEncoding.ascii

    /// The size of the parts of `SigningSession.upload(_:to:)` in bytes: 8 MiB,
    /// 5,242,880 at least.
    public var partByteCount = 8_388_608

    /// The number of parts to upload in parallel: 4, at least 1. Those of a sequence of bytes are in
    /// memory, and so is the next one.
    public var parallelPartCount = 4

    /// The longest pause before the second attempt.
    var pause = Duration.milliseconds(500)

    /// The usual ones.
    public init() {}
  }
}

extension SigningSession.Options {
  /// Which checksums are sent with uploads to object storage, and verified after downloads from it.
  ///
  /// An upload by PUT carries the checksum of what is in memory or hashed as a header, and otherwise as a
  /// trailer, unless its headers have one already. A GET asks for the checksum of the object, and what is
  /// received is compared with it, unless the answer is a part of the object or decoded by URLSession.
  public struct Checksums: Hashable, Sendable {
    private let kind: Kind

    private enum Kind: Hashable {
      case automatic
      case off
      case always(SigV4.Checksum.Algorithm)
    }

    /// CRC-64/NVME at Amazon S3, as its SDKs do since 2025; none at other stores, some of which refuse it.
    public static let automatic = Checksums(kind: .automatic)

    /// None, neither sent nor verified.
    public static let off = Checksums(kind: .off)

    /// Those of one algorithm, at every store. MD5 is no trailer, so that with it files have to be
    /// `.hashed`.
    public static func always(_ algorithm: SigV4.Checksum.Algorithm) -> Checksums {
      Checksums(kind: .always(algorithm))
    }
  }
}

extension SigningSession.Options.Checksums {
  /// The algorithm for an upload; nil when it carries no checksum, or has one.
  func algorithm(
    forUpload request: SigV4.Request, of service: SigV4.Service
  ) -> SigV4.Checksum.Algorithm? {
    let names = ["content-md5", "x-amz-trailer"] + SigV4.Checksum.Algorithm.all.map(\.headerName)
    let hasOne = names.contains { !request.headers.values(named: $0).isEmpty }
    return request.method != "PUT" || hasOne ? nil : algorithm(at: request.host, of: service)
  }

  /// The headers that ask for the checksum of an object.
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

  /// The checksum of the whole object that the answer to a GET tells; nil when there is none to compare
  /// with.
  func expected(in answer: LoadedResponse) -> SigV4.Checksum? {
    let response = answer.response
    let isDecoded = response.value(forHTTPHeaderField: "Content-Encoding") != nil
    if kind == .off || answer.method != "GET" || response.statusCode != 200 || isDecoded {
      return nil
    }
    for algorithm in SigV4.Checksum.Algorithm.all where algorithm != .md5 {
      // "-3" behind it: of the checksums of three parts, which are not known here.
      if let text = response.value(forHTTPHeaderField: algorithm.headerName),
        let checksum = try? SigV4.Checksum(algorithm, base64: text)
      {
        return checksum
      }
    }
    return nil
  }

  /// Compares what was received with the checksum that the server told.
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
