// SPDX-License-Identifier: Apache-2.0
// A store with one object in a separate process, and a download of it.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SecureHashing
internal import Testing

@testable internal import RequestSigningFoundation
internal import SigningTestSupport

/// A store with one object of random bytes (object-server.py). It ends with this value.
final class ObjectServer {
  struct Options: Encodable {
    var byteCount = 1_000_000
    var cuts = 0.0
    var pause = 0.0
    var replaced = 0
    var checksum = false
  }

  /// A request, and the SHA-256 of the object at that time.
  struct Received: Decodable {
    let method: String
    let range: String?
    let status: Int
    let sha256: String

    /// The requested bytes, if it's a request for some of them.
    var bytes: Range<Int64>? {
      let numbers = (range ?? "").dropFirst(6).split(separator: "-").compactMap { Int64($0) }
      return numbers.count == 2 ? numbers[0]..<numbers[1] + 1 : nil
    }
  }

  private let server: PythonServer
  private let folder: TemporaryFolder
  private var log: URL { folder.url.appendingPathComponent("log") }

  init(_ options: Options) throws {
    folder = try TemporaryFolder()
    server = try PythonServer(
      "RequestSigningFoundationTests/object-server.py", folder.file("log", ""),
      String(decoding: try JSONEncoder().encode(options), as: UTF8.self))
  }

  func object() throws -> SigV4.Bucket.Object {
    try SigV4.Bucket(
      "films", at: .custom(url: "http://127.0.0.1:\(server.port)", region: "us-east-1"),
      addressing: .path
    ).object("film.mov")
  }

  func received() throws -> [Received] { try PythonServer.lines(in: log) }
}

/// Responses about an object, by default of ten bytes.
extension LoopbackServer.Answer {
  static func object(
    _ text: String = "0123456789", _ eTag: String = "\"t\"", _ headers: [String: String] = [:]
  ) -> Self {
    Self(headers: ["ETag": eTag].merging(headers) { $1 }, body: text)
  }

  /// - Parameter range: the bytes and the size, such as `0-3/10`.
  static func part(
    _ text: String, _ range: String, _ eTag: String = "\"t\"", _ headers: [String: String] = [:]
  ) -> Self {
    Self(
      status: 206,
      headers: ["Content-Range": "bytes " + range, "ETag": eTag].merging(headers) { $1 },
      body: text)
  }

  /// A part of ten bytes.
  static func part(_ text: String, from first: Int) -> Self {
    part(text, "\(first)-\(first + text.count - 1)/10")
  }
}

/// A folder with a download and its checkpoint.
struct DownloadFolder {
  let folder: TemporaryFolder
  var file: URL { folder.url.appendingPathComponent("film.mov") }
  var checkpoint: URL { folder.url.appendingPathComponent("film.json") }

  init() throws { folder = try TemporaryFolder() }

  func session(
    partByteCount: Int, parallelPartCount: Int = 1, attempts: Int = 1,
    checksums: SigningSession.Options.Checksums = .automatic, timeout: TimeInterval = 30
  ) throws -> SigningSession {
    var options = SigningSession.Options()
    options.partByteCount = partByteCount
    options.parallelPartCount = parallelPartCount
    options.maximumAttempts = attempts
    options.pause = .zero
    options.checksums = checksums
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = timeout
    return SigningSession(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      region: "us-east-1", service: .s3, options: options, configuration: configuration)
  }

  /// The names of all files, also hidden ones.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  /// The partial file of the checkpoint.
  func partial() throws -> URL {
    let number = try CheckpointFile<DownloadCheckpoint>.read(checkpoint).partialNumber
    return folder.url.appendingPathComponent("film.mov.\(number).partial")
  }

  /// The finished ranges in the checkpoint.
  func finished() throws -> ByteRanges {
    guard FileManager.default.fileExists(atPath: checkpoint.path) else { return ByteRanges() }
    return try CheckpointFile<DownloadCheckpoint>.read(checkpoint).finished
  }

  func sha256(of file: URL) throws -> String {
    try SHA256.hash(data: Data(contentsOf: file)).hexString
  }
}
