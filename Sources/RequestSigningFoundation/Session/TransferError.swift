// SPDX-License-Identifier: Apache-2.0
// The errors of a session.

public import SignatureDiagnosis

/// The error that a session throws if it couldn't send a request, or if the server rejected it.
///
/// Errors of URLSession itself, such as a lost connection, are thrown as `URLError`. Errors of an
/// HTTP client that you pass to the session have the code `clientFailed`. Invalid requests are
/// thrown as `SigV4.SigningError`. The message never contains a secret.
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

  /// The error of the HTTP client that you passed to the session, or the error of an upload whose
  /// parts couldn't be removed. Nil for all other errors. Its text isn't part of the message, since
  /// it may contain secrets.
  public let underlyingError: (any Error)?

  /// The code and the message.
  public var description: String { code.name + ": " + message }

  init(
    _ code: Code, _ problem: String, fix: String, status: Int? = nil,
    serverCode: String? = nil, diagnosis: SigV4.Diagnosis? = nil,
    underlyingError: (any Error)? = nil
  ) {
    self.code = code
    self.problem = problem
    self.fix = fix
    self.status = status
    self.serverCode = serverCode
    self.diagnosis = diagnosis
    self.underlyingError = underlyingError
  }

  /// Returns whether two errors are equal, apart from their underlying errors.
  public static func == (left: Self, right: Self) -> Bool {
    left.code == right.code && left.message == right.message && left.status == right.status
      && left.serverCode == right.serverCode && left.diagnosis == right.diagnosis
  }

  /// Hashes the code, the message and the status.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
    hasher.combine(status)
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
    /// Content-Length, Transfer-Encoding or Connection conflicts with what the HTTP client sends,
    /// or a checksum header with the upload. Remove the header.
    public static let conflictingHeader = Code(name: "conflictingHeader")
    /// The body is a stream, but the call has no payload. Pass `payload:` (`.digest`, or
    /// `.unsigned` over https), or upload a file.
    public static let streamWithoutPayload = Code(name: "streamWithoutPayload")
    /// The request has a body hash but no body. Pass `body:` to `send`, or set the `httpBody` of a
    /// URLRequest.
    public static let bodyMissing = Code(name: "bodyMissing")
    /// The presigned URL works only with an additional header. Sign a URLRequest with `expiresIn:`
    /// to get the URL and its headers.
    public static let headersRequired = Code(name: "headersRequired")
    /// A file can't be read or written, or it changed during the upload, or a sequence doesn't have
    /// its `contentLength`. Use a readable file, or a writable directory. Don't change a file until
    /// its upload finishes.
    public static let invalidFile = Code(name: "invalidFile")
    /// The checkpoint is empty, truncated, from a later version, or for a different transfer. Pass
    /// the checkpoint of this transfer, or remove the file to start over.
    public static let invalidCheckpoint = Code(name: "invalidCheckpoint")
    /// Another transfer uses the checkpoint, possibly in another process. Wait until it ends, or
    /// use one file for each transfer.
    public static let checkpointInUse = Code(name: "checkpointInUse")
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
    /// The session's configuration is for background transfers, which outlive the credentials and
    /// the retries of a session. Use a different configuration, or sign a URLRequest with
    /// `expiresIn:` and send it with your own background session.
    public static let backgroundConfiguration = Code(name: "backgroundConfiguration")
    /// The HTTP client that you passed to the session failed. Check `underlyingError`.
    public static let clientFailed = Code(name: "clientFailed")
    /// The response status isn't a success. Check `status`, `serverCode` and `diagnosis`.
    public static let unexpectedStatus = Code(name: "unexpectedStatus")
    /// The session wasn't created by a bucket. Create it with `bucket.session(credentials:)`, or
    /// pass the bucket or its objects.
    public static let bucketMissing = Code(name: "bucketMissing")
    /// The object was replaced during a download. Download it again from the beginning.
    public static let objectReplaced = Code(name: "objectReplaced")
    /// You passed a common prefix, which isn't an object. Skip common prefixes (`isPrefix`), or
    /// list without a delimiter.
    public static let commonPrefix = Code(name: "commonPrefix")
    /// The received bytes don't match the checksum in the response. Download again, and check for a
    /// proxy that rewrites responses.
    public static let checksumMismatch = Code(name: "checksumMismatch")
    /// The parts of an upload are too small or too large for the store, or there are too many. Set
    /// the option `partByteCount`, which is at least 5 MiB at most stores, or pass the
    /// `contentLength` of a sequence.
    public static let invalidPartSize = Code(name: "invalidPartSize")
    /// The store doesn't have all parts of an upload. Send those of `missingParts(of:)`, then
    /// finish the upload.
    public static let partsMissing = Code(name: "partsMissing")
    /// The object is larger than the store accepts. Split it into several objects.
    public static let objectTooLarge = Code(name: "objectTooLarge")
    /// A multipart upload failed (`underlyingError`), and its parts couldn't be removed from the
    /// server. Abort the upload in the message with the session's `abort(uploadID:of:)`, or add a
    /// lifecycle rule to the bucket that removes incomplete uploads.
    public static let abortFailed = Code(name: "abortFailed")
    /// The response is invalid, incomplete or too large. Check the URL, its scheme and the server
    /// at this address.
    public static let invalidResponse = Code(name: "invalidResponse")
  }
}
