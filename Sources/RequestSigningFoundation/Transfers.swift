// SPDX-License-Identifier: Apache-2.0
// What is uploaded, how far a transfer is, and why it failed.

public import Foundation
public import SignatureDiagnosis
internal import SigningSupport

/// What is uploaded, and what is signed of it.
public struct UploadBody: Hashable, Sendable {
  let content: Content

  enum Content: Hashable, Sendable {
    case data(Data)
    case file(URL, FilePayload)
    case range(of: URL, Range<Int>)
  }

  /// Bytes in memory; their digest is signed.
  public static func data(_ data: Data) -> UploadBody { UploadBody(content: .data(data)) }

  /// A file, which is never in memory as a whole and must not change during the upload.
  public static func file(_ file: URL, payload: FilePayload = .hashed) -> UploadBody {
    UploadBody(content: .file(file, payload))
  }
}

/// What is signed of a file.
public struct FilePayload: Hashable, Sendable {
  let kind: Kind

  enum Kind: Hashable, Sendable {
    case hashed
    case unsigned
    case signedChunks(Int)
  }

  /// Its digest: the file is read twice.
  public static var hashed: FilePayload { FilePayload(kind: .hashed) }

  /// Nothing, for use over TLS: the file is read once. Refused without TLS, except to this machine. With a
  /// checksum it is sent in chunks, whose trailer the checksum is.
  public static var unsigned: FilePayload { FilePayload(kind: .unsigned) }

  /// Each chunk of so many bytes, 8,192 or more (`aws-chunked`; S3 only).
  ///
  /// On Apple platforms the chunks are written to a temporary file, about as large as the file itself,
  /// which is removed afterwards: URLSession sends no stream of this kind with its length.
  public static func signedChunks(ofByteCount byteCount: Int = 65_536) -> FilePayload {
    FilePayload(kind: .signedChunks(byteCount))
  }
}

/// How far an upload or a download is.
public struct TransferProgress: Hashable, Sendable {
  /// The bytes that are transferred: it never becomes smaller, also when a request is sent twice.
  public let byteCount: Int64

  /// The bytes altogether; nil when the server does not tell.
  public let totalByteCount: Int64?

  /// The completed fraction, from 0 to 1. It's 0 if the server doesn't send the total size.
  public var fractionCompleted: Double {
    guard let totalByteCount else { return 0 }
    return totalByteCount == 0 ? 1 : Double(byteCount) / Double(totalByteCount)
  }
}

/// Receives the progress of a transfer. It runs in the isolation where it's written, for example on the main
/// actor, one report at a time.
public typealias ProgressHandler = @Sendable @isolated(any) (TransferProgress) -> Void

/// Delivers progress to the handler of the caller.
enum ProgressDelivery {
  /// Runs a transfer, and returns after the last report was handled.
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

/// Reports progress that grows.
final class ProgressMeter: Sendable {
  private let report: @Sendable (TransferProgress) -> Void
  private let last = Guarded<TransferProgress?>(nil)

  init(_ report: @escaping @Sendable (TransferProgress) -> Void) {
    self.report = report
  }

  /// Reports so many bytes, unless as many were reported.
  func advance(to byteCount: Int64, of total: Int64?) {
    note(TransferProgress(byteCount: byteCount, totalByteCount: total)) { last in
      last.byteCount < byteCount
    }
  }

  /// Reports the total, which is known now.
  func finish(at total: Int64) {
    let progress = TransferProgress(byteCount: total, totalByteCount: total)
    note(progress) { $0 != progress }
  }

  /// One report after the other: parts of an upload advance on threads of their own.
  private func note(_ progress: TransferProgress, if isNew: @Sendable (TransferProgress) -> Bool) {
    last.withLock { last in
      if let last, !isNew(last) { return }
      last = progress
      report(progress)
    }
  }
}

/// Why a request was not signed, sent or accepted by its server.
///
/// What URLSession itself reports, such as a lost connection, comes as its own `URLError`, and what
/// the core refuses as `SigV4.SigningError`. The message never holds a secret.
public struct TransferError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public let code: Code

  /// What is wrong, in one sentence.
  public let problem: String

  /// How to fix it.
  public let fix: String

  /// The problem and its fix.
  public var message: String { problem + " " + fix }

  /// The status of the server's answer; nil when there is none.
  public let status: Int?

  /// The server's own code of the error, such as `NoSuchKey`; nil when it gave none, or not a name.
  public let serverCode: String?

  /// Why the server may have rejected the signature: compares the sent request with the response. Nil if
  /// the signature isn't the problem.
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

  /// What kind of failure it is. More codes may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, as it is spelled here.
    public let name: String

    /// The name of the code.
    public var description: String { name }

    /// The request has no absolute URL. Give the URLRequest a URL.
    public static let missingURL = Code(name: "missingURL")
    /// Foundation or URLSession changes the signed URL or method, or sends no body with the method.
    /// Rename an object whose key has a `.` or `..` segment, or use another HTTP client.
    public static let requestWouldChange = Code(name: "requestWouldChange")
    /// URLSession can't open the URL. Use a host name instead of an IPv6 address, or another HTTP client.
    public static let unsupportedURL = Code(name: "unsupportedURL")
    /// Content-Length, Transfer-Encoding or Connection conflicts with what URLSession sends. Remove the
    /// header.
    public static let conflictingHeader = Code(name: "conflictingHeader")
    /// The body is a stream, and nothing says what is to be signed of it. Say with `payload:` what
    /// is signed (`.digest`, or `.unsigned` over https), or upload a file.
    public static let streamWithoutPayload = Code(name: "streamWithoutPayload")
    /// The digest of a body is signed, and the body is missing. Pass the body to
    /// `send(request, body: .data(body))`, or as httpBody of a URLRequest.
    public static let bodyMissing = Code(name: "bodyMissing")
    /// A URL alone is not enough: a header has to be sent too. Presign a URLRequest, which carries
    /// URL and headers.
    public static let headersRequired = Code(name: "headersRequired")
    /// A file cannot be read or written. Name a file that exists and can be read, or a folder that
    /// can be written to; leave a file as it is until it is sent.
    public static let invalidFile = Code(name: "invalidFile")
    /// A body that is not signed was to be sent without TLS. Use https, or sign the digest of the
    /// body or its chunks.
    public static let tlsRequired = Code(name: "tlsRequired")
    /// The server refused credentials or time, and the body cannot be sent a second time. Call
    /// again with a new body, or give it as data or as a file.
    public static let bodyNotReplayable = Code(name: "bodyNotReplayable")
    /// The server refused credentials or time, and again with new ones. Look at the credentials, or
    /// at the clocks of both machines.
    public static let retryFailed = Code(name: "retryFailed")
    /// A server without TLS says that our clock is wrong, which cannot be trusted. Use https, or
    /// set the clock of this machine.
    public static let untrustedClock = Code(name: "untrustedClock")
    /// The response status isn't a success. Check `status`, `serverCode` and `diagnosis`.
    public static let unexpectedStatus = Code(name: "unexpectedStatus")
    /// The session wasn't created by a bucket. Create it with `bucket.session(credentials:)`.
    public static let bucketMissing = Code(name: "bucketMissing")
    /// What was received has another checksum than the one that the server told. Download it again,
    /// and look for a proxy that rewrites answers.
    public static let checksumMismatch = Code(name: "checksumMismatch")
    /// The parts of an upload are too small, or too many. Set `partByteCount` of the options: 5 MiB
    /// at least, and 10,000 parts at most.
    public static let invalidPartSize = Code(name: "invalidPartSize")
    /// An upload in parts failed, and its parts could not be removed from the server. Abort the
    /// upload that the message names, or set a rule of the bucket that removes incomplete uploads.
    public static let abortFailed = Code(name: "abortFailed")
    /// The answer is not a valid HTTP response, or too large. Look at the URL and its scheme, and
    /// at what answers there.
    public static let invalidResponse = Code(name: "invalidResponse")
  }
}
