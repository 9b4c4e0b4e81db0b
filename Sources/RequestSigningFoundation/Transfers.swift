// SPDX-License-Identifier: Apache-2.0
// Upload bodies, transfer progress, and the errors of a session.

public import Foundation
public import SignatureDiagnosis
internal import SigningSupport

/// The body of an upload, and how it's signed.
public struct UploadBody: Hashable, Sendable {
  let content: Content

  enum Content: Hashable, Sendable {
    case data(Data)
    case file(URL, FilePayload)
    case range(of: URL, Range<Int>)
  }

  /// Bytes in memory. Their digest is signed.
  public static func data(_ data: Data) -> UploadBody { UploadBody(content: .data(data)) }

  /// A file. It's streamed, so it's never in memory as a whole. Don't change it during the upload.
  public static func file(_ file: URL, payload: FilePayload = .hashed) -> UploadBody {
    UploadBody(content: .file(file, payload))
  }
}

/// How a file's bytes are signed.
public struct FilePayload: Hashable, Sendable {
  let kind: Kind

  enum Kind: Hashable, Sendable {
    case hashed
    case unsigned
    case signedChunks(Int)
  }

  /// Sign the digest. The file is read twice.
  public static var hashed: FilePayload { FilePayload(kind: .hashed) }

  /// Sign no bytes, and read the file once. This requires TLS, except for connections to this
  /// machine. If the upload has a checksum, it's sent as a trailer after unsigned chunks.
  public static var unsigned: FilePayload { FilePayload(kind: .unsigned) }

  /// Sign each chunk (`aws-chunked`, S3 only). The minimum chunk size is 8,192 bytes.
  ///
  /// On Apple platforms, the chunks are written to a temporary file about as large as the file
  /// itself, because URLSession can't send a stream like this with its length. The temporary file
  /// is removed after the upload.
  public static func signedChunks(ofByteCount byteCount: Int = 65_536) -> FilePayload {
    FilePayload(kind: .signedChunks(byteCount))
  }
}

/// The progress of an upload or a download.
public struct TransferProgress: Hashable, Sendable {
  /// The number of transferred bytes. It never decreases, even if the request is retried.
  public let byteCount: Int64

  /// The total number of bytes, or nil if the server doesn't send it.
  public let totalByteCount: Int64?

  /// The completed fraction, from 0 to 1. It's 0 if the server doesn't send the total size.
  public var fractionCompleted: Double {
    guard let totalByteCount else { return 0 }
    return totalByteCount == 0 ? 1 : Double(byteCount) / Double(totalByteCount)
  }
}

/// Receives the progress of a transfer, one report at a time. It runs in the isolation where you
/// write it, for example on the main actor.
public typealias ProgressHandler = @Sendable @isolated(any) (TransferProgress) -> Void

/// Delivers progress to the caller's handler.
enum ProgressDelivery {
  /// Runs a transfer, and returns after the handler has received the last report.
  static func run<Result>(
    _ handler: ProgressHandler?,
    _ transfer: (_ report: (@Sendable (TransferProgress) -> Void)?) async throws -> Result
  ) async throws -> Result {
    guard let handler else { return try await transfer(nil) }
    let (reports, continuation) = AsyncStream.makeStream(of: TransferProgress.self)
    let delivery = Task { for await report in reports { await handler(report) } }
    do {
      let result = try await transfer { continuation.yield($0) }
      continuation.finish()
      await delivery.value
      return result
    } catch {
      continuation.finish()
      await delivery.value
      throw error
    }
  }
}

/// Reports increasing progress.
final class ProgressMeter: Sendable {
  private let report: @Sendable (TransferProgress) -> Void
  private let last = Guarded<TransferProgress?>(nil)

  init(_ report: @escaping @Sendable (TransferProgress) -> Void) {
    self.report = report
  }

  /// Reports a byte count if it's larger than the last one.
  func advance(to byteCount: Int64, of total: Int64?) {
    note(TransferProgress(byteCount: byteCount, totalByteCount: total)) { last in
      last.byteCount < byteCount
    }
  }

  /// Reports the total as complete.
  func finish(at total: Int64) {
    let progress = TransferProgress(byteCount: total, totalByteCount: total)
    note(progress) { $0 != progress }
  }

  /// Sends reports one at a time, because parts of an upload advance on different threads.
  private func note(_ progress: TransferProgress, if isNew: @Sendable (TransferProgress) -> Bool) {
    last.withLock { last in
      if let last, !isNew(last) { return }
      last = progress
      report(progress)
    }
  }
}

/// An error of a request that couldn't be signed or sent, or that the server didn't accept.
///
/// Errors of URLSession itself, such as a lost connection, are thrown as `URLError`. Invalid
/// requests are thrown as `SigV4.SigningError`. The message never contains a secret.
public struct TransferError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public let code: Code

  /// What's wrong, in one or two sentences.
  public let problem: String

  /// How to fix it.
  public let fix: String

  /// The problem and its fix.
  public var message: String { problem + " " + fix }

  /// The status of the response, or nil if there is no response.
  public let status: Int?

  /// The server's error code, such as `NoSuchKey`, or nil if the response has none or it isn't a
  /// name.
  public let serverCode: String?

  /// Why the server may have rejected the signature, from a comparison of the sent request with the
  /// response. Nil if the signature isn't the problem.
  public let diagnosis: SigV4.Diagnosis?

  /// The code and the message.
  public var description: String { code.name + ": " + message }

  init(
    _ code: Code, _ problem: String, fix: String, status: Int? = nil,
    serverCode: String? = nil, diagnosis: SigV4.Diagnosis? = nil
  ) {
    self.code = code
    self.problem = problem
    self.fix = fix
    self.status = status
    self.serverCode = serverCode
    self.diagnosis = diagnosis
  }

  /// The kind of failure. New codes may be added. Include a default in a switch.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, spelled as in Swift.
    public let name: String

    /// The name of the code.
    public var description: String { name }

    /// The request has no absolute URL. Pass a URLRequest with an absolute URL.
    public static let missingURL = Code(name: "missingURL")
    /// Foundation or URLSession changes the signed URL or method, or sends no body with the method.
    /// Rename an object whose key has a `.` or `..` segment, or use a different HTTP client.
    public static let requestWouldChange = Code(name: "requestWouldChange")
    /// URLSession can't open the URL. Use a host name instead of an IPv6 address, or a different
    /// HTTP client.
    public static let unsupportedURL = Code(name: "unsupportedURL")
    /// Content-Length, Transfer-Encoding or Connection conflicts with what URLSession sends. Remove
    /// the header.
    public static let conflictingHeader = Code(name: "conflictingHeader")
    /// The body is a stream, but the call has no payload. Pass `payload:` (`.digest`, or
    /// `.unsigned` over https), or upload a file.
    public static let streamWithoutPayload = Code(name: "streamWithoutPayload")
    /// The request has a body hash but no body. Pass `body:` to `send`, or set the `httpBody` of a
    /// URLRequest.
    public static let bodyMissing = Code(name: "bodyMissing")
    /// The presigned URL works only with an additional header. Presign a URLRequest to get the URL
    /// and its headers.
    public static let headersRequired = Code(name: "headersRequired")
    /// A file can't be read or written, or it changed during the upload. Use a readable file, or a
    /// writable directory. Don't change a file until its upload finishes.
    public static let invalidFile = Code(name: "invalidFile")
    /// An unsigned body requires TLS. Use https, or sign the digest of the body or its chunks.
    public static let tlsRequired = Code(name: "tlsRequired")
    /// The server rejected the credentials or the time, and the body stream can't be sent again.
    /// Call again with a new stream, or use data or a file.
    public static let bodyNotReplayable = Code(name: "bodyNotReplayable")
    /// The server rejected the credentials or the time, and the retry with new ones failed, too.
    /// Check the credentials and the clocks of both machines.
    public static let retryFailed = Code(name: "retryFailed")
    /// The server rejected the time, but without TLS its clock can't be trusted. Use https, or
    /// correct this machine's clock.
    public static let untrustedClock = Code(name: "untrustedClock")
    /// The response status isn't a success. Check `status`, `serverCode` and `diagnosis`.
    public static let unexpectedStatus = Code(name: "unexpectedStatus")
    /// The session wasn't created by a bucket. Create it with `bucket.session(credentials:)`.
    public static let bucketMissing = Code(name: "bucketMissing")
    /// The received bytes don't match the checksum in the response. Download again, and check for a
    /// proxy that rewrites responses.
    public static let checksumMismatch = Code(name: "checksumMismatch")
    /// The parts of an upload are too small, or there are too many. Set the option `partByteCount`
    /// to at least 5 MiB, and large enough for at most 10,000 parts.
    public static let invalidPartSize = Code(name: "invalidPartSize")
    /// A multipart upload failed, and its parts couldn't be removed from the server. Abort the
    /// upload in the message, or add a lifecycle rule to the bucket that removes incomplete
    /// uploads.
    public static let abortFailed = Code(name: "abortFailed")
    /// The response is invalid, incomplete or too large. Check the URL, its scheme and the server
    /// at this address.
    public static let invalidResponse = Code(name: "invalidResponse")
  }
}
