// SPDX-License-Identifier: Apache-2.0
// A session that signs requests with a provider's credentials, sends them with URLSession or
// another HTTP client, and retries.

@_exported public import CredentialProviders
public import Foundation
@_exported public import RequestSigning
@_exported public import SignatureDiagnosis
internal import S3Signing

/// Signs requests for one region and service, and sends them.
///
///     let session = bucket.session(credentials: .profile("work"))
///     let photo = try bucket.object("été.jpg")
///     try await session.upload(file, to: photo)
///     let data = try await session.data(for: photo)
///
/// All methods except ``send(_:payload:maximumByteCount:)`` throw if the status isn't 200 to 299.
/// ``head(_:headers:)`` returns nil for a 404.
///
/// If the server rejects expired credentials, the session gets new ones from the provider. If the
/// server rejects the time, because the request waited for the network or the clock is wrong, the
/// session corrects the time. In either case, it retries, but only once per request. If the server
/// is busy, the session retries after a pause (``Options/maximumAttempts``).
///
/// Redirects aren't followed, because their target needs a new signature. A 301 or 307 is returned
/// as the response. You can call a session from any actor. It hashes and reads bodies off that
/// actor.
public final class SigningSession: Sendable {
  let provider: any CredentialResolver
  let regions: SessionRegions
  let service: SigV4.Service
  /// The bucket that created the session.
  let bucket: SigV4.Bucket?
  /// The credentials that create S3 Express sessions and sign requests that don't support them. Nil
  /// unless this session is for a directory bucket.
  let sessionSource: (any CredentialResolver)?
  let options: Options
  let transport: any Transport
  let additionalHeaders: [SigV4.Header]
  let clock: SessionClock
  let keys = SigV4.SigningKeyCache(capacity: 2)

  /// Creates a session with its own URLSession.
  ///
  /// - Parameters:
  ///   - provider: the source of credentials. It's wrapped in a `SigV4.CredentialProvider`
  ///     unless it is one, or is fixed credentials.
  ///   - region: the region to sign for.
  ///   - service: the service to sign for.
  ///   - options: retries, checksums, and the sizes of parts.
  ///   - configuration: the configuration of the URLSession. Its additional headers are signed with
  ///     each request. With a background configuration, calls throw `backgroundConfiguration`:
  ///     sign with `expiresIn:` for those.
  ///   - now: this machine's clock.
  public convenience init(
    credentials provider: some CredentialResolver, region: String, service: SigV4.Service,
    options: Options = Options(), configuration: URLSessionConfiguration = .ephemeral,
    now: @escaping @Sendable () -> Date = { .now }
  ) {
    self.init(
      credentials: provider, openedBy: nil, bucket: nil, regions: .one(region), service: service,
      options: options, transport: URLSessionTransport(configuration), now: now)
  }

  /// Creates a session with an HTTP client of your own, such as AsyncHTTPClient.
  ///
  ///     let session = SigningSession(
  ///       credentials: provider, region: "eu-west-1", service: "execute-api",
  ///       http: client.response(to:))
  ///
  /// All methods work the same way, with these differences: request bodies are in memory, so a file
  /// is best uploaded in parts. Progress advances with each part. Each request contains a timeout
  /// of five minutes, which the client must respect. A `URLRequest`'s options and its
  /// `httpBodyStream` aren't supported.
  ///
  /// - Parameters:
  ///   - provider: the source of credentials. It's wrapped in a `SigV4.CredentialProvider`
  ///     unless it is one, or is fixed credentials.
  ///   - region: the region to sign for.
  ///   - service: the service to sign for.
  ///   - options: retries, checksums, and the sizes of parts.
  ///   - send: sends a request, and returns the response, whatever its status. It must not follow
  ///     redirects. If it throws, the session retries as after a lost connection
  ///     (``Options/maximumAttempts``). The last error is the ``TransferError/underlyingError`` of
  ///     a ``TransferError``. If the calling task is cancelled, the session throws a
  ///     `CancellationError`, whatever this closure throws.
  ///   - now: this machine's clock.
  public convenience init(
    credentials provider: some CredentialResolver, region: String, service: SigV4.Service,
    options: Options = Options(),
    http send: @escaping @Sendable (SigV4.HTTPRequest) async throws -> SigV4.HTTPResponse,
    now: @escaping @Sendable () -> Date = { .now }
  ) {
    self.init(
      credentials: provider, openedBy: nil, bucket: nil, regions: .one(region), service: service,
      options: options, transport: HTTPTransport(send: send), now: now)
  }

  init(
    credentials provider: any CredentialResolver, openedBy sessionSource: (any CredentialResolver)?,
    bucket: SigV4.Bucket?, regions: SessionRegions, service: SigV4.Service, options: Options,
    transport: any Transport, now: @escaping @Sendable () -> Date
  ) {
    self.sessionSource = sessionSource
    self.provider = provider.keepingCredentials(now)
    self.options = options
    self.bucket = bucket
    self.regions = regions
    self.service = service
    clock = SessionClock(now)
    additionalHeaders = transport.additionalHeaders
    self.transport = transport
  }

  /// How far the server's clock is ahead of this machine's, from the last response that corrected
  /// it.
  public var clockOffset: Duration { clock.offset }

  /// Signs a request with the provider's credentials, for use with a different HTTP client.
  ///
  /// - Parameters:
  ///   - request: the request to sign.
  ///   - payload: how the body is signed. If it's nil, a signature in the headers covers the digest
  ///     of `httpBody`, and one in the URL what the service does by default.
  ///   - lifetime: how long the request is valid, 1 second to 7 days, with a signature in its URL:
  ///     for a background session. The configuration's additional headers aren't added then. If
  ///     it's nil, the signature is in the headers, and valid for minutes.
  ///
  /// - Throws: `CredentialError`, and the errors of `SigV4.Signer` when it signs the request.
  @concurrent public func sign(
    _ request: URLRequest, payload: SigV4.Payload? = nil, expiresIn lifetime: Duration? = nil
  ) async throws -> URLRequest {
    let exchange = Exchange(request: request, direction: .plain(payload))
    guard let lifetime else { return try await signed(exchange, .off).urlRequest() }
    return try await signer(for: exchange).sign(
      request, payload: payload, headerEncoding: options.headerEncoding, expiresIn: lifetime,
      at: clock.timestamp())
  }

  /// Signs and sends a request. Returns the response, whatever its status.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - payload: how the body is signed, or nil for the digest of `httpBody`.
  ///   - maximumByteCount: the maximum size of a successful response's body in bytes. An error
  ///     response may have 1 MiB.
  ///
  /// A `SigV4.Request` doesn't contain its body, so use ``send(_:body:progress:)`` to send one.
  ///
  /// - Throws: `CredentialError`, the errors of signing, `URLError`, `CancellationError`, and
  ///   `TransferError` with `bodyMissing`, `retryFailed`, `untrustedClock`, `bodyNotReplayable` for
  ///   an `httpBodyStream`, `invalidResponse` if the response is too large, or `checksumMismatch`.
  @concurrent public func send(
    _ request: some SignableRequest, payload: SigV4.Payload? = nil, maximumByteCount: Int = .max
  ) async throws -> (Data, HTTPURLResponse) {
    let answer = try await checkedAnswer(to: request, payload, maximumByteCount)
    return (answer.body, answer.response)
  }

  /// Signs a request and sends it with a body. Returns the response, whatever its status. Files are
  /// streamed. Cancelling the task stops the upload.
  ///
  ///     try await session.send(bucket.object("film.mov").putRequest(.empty), body: .file(file))
  ///
  /// - Parameters:
  ///   - request: the request. The body replaces its body and payload.
  ///   - body: data, or a file.
  ///   - progress: receives increasing byte counts. After a successful upload, the last one is the
  ///     total.
  ///
  /// - Throws: The errors of ``send(_:payload:maximumByteCount:)``, and `TransferError` with
  ///   `invalidFile` or `tlsRequired`.
  @concurrent public func send(
    _ request: some SignableRequest, body: UploadBody,
    @_inheritActorContext progress: ProgressHandler? = nil
  ) async throws -> (Data, HTTPURLResponse) {
    try await ProgressDelivery.run(progress) { report in
      let answer = try await answer(
        to: Exchange(
          request: request, direction: .upload(Body(body), body.payload),
          meter: report.map(ProgressMeter.init)))
      return (answer.body, answer.response)
    }
  }

  /// Downloads an object, or the response to a request, into memory.
  ///
  ///     let data = try await session.data(for: bucket.object("été.jpg"))
  ///
  /// - Throws: The errors of ``send(_:payload:maximumByteCount:)``, and `TransferError` with
  ///   `unexpectedStatus` if the status isn't 200 to 299.
  @concurrent public func data(
    for request: some SignableRequest, payload: SigV4.Payload? = nil, maximumByteCount: Int = .max
  ) async throws -> Data {
    let answer = try await checkedAnswer(to: request, payload, maximumByteCount)
    try answer.expectSuccess("the requested data")
    return answer.body
  }

  /// Sends a request and verifies the checksum of the response.
  private func checkedAnswer(
    to request: some SignableRequest, _ payload: SigV4.Payload?, _ maximumByteCount: Int
  ) async throws -> LoadedResponse {
    let answer = try await answer(
      to: Exchange(
        request: request, direction: .plain(payload), maximumByteCount: maximumByteCount))
    if let expected = options.checksums.expected(in: answer) {
      let received = SigV4.Checksum(expected.algorithm, of: answer.body)
      try Options.Checksums.check(received, against: expected)
    }
    return answer
  }
}
