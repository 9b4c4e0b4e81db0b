// SPDX-License-Identifier: Apache-2.0
// A session that signs: credentials from a provider, requests through URLSession, one second attempt.

@_exported public import CredentialProviders
public import Foundation
@_exported public import RequestSigning
public import SignatureDiagnosis
internal import SigningSupport

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Signs requests for one region and service, and sends them.
///
///     let session = SigningSession(credentials: provider, region: "eu-west-1", service: .s3)
///     let (data, response) = try await session.data(for: bucket.object("été.jpg").getRequest())
///
/// When the server says that the credentials have expired, the provider is asked for new ones; when it
/// says that the time is wrong, as after a wait for the network or with a wrong clock, the request
/// is signed again at the right time. Either way it is sent once more and never a third time.
///
/// Redirects are not followed, since their target would need a signature of its own: a 301 or 307 is
/// an answer. Calls may come from any actor, and hash and read files elsewhere.
public final class SigningSession: Sendable {
  private let provider: any CredentialProvider
  private let region: String
  private let service: SigV4.Service
  private let loader: Loader
  private let additionalHeaders: [SigV4.Header]
  private let clock: SessionClock
  private let keys = SigV4.SigningKeyCache(capacity: 2)

  /// A session with a URLSession of its own.
  ///
  /// - Parameters:
  ///   - configuration: for the URLSession, not one for the background: presign for that. Its
  ///     additional headers are signed with each request.
  ///   - now: the clock of this machine.
  public init(
    credentials provider: any CredentialProvider, region: String, service: SigV4.Service,
    configuration: URLSessionConfiguration = .ephemeral,
    now: @escaping @Sendable () -> Date = { .now }
  ) {
    self.provider = provider
    self.region = region
    self.service = service
    clock = SessionClock(now)
    // Not the caller's own, which is left as it is.
    let configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
    additionalHeaders = (configuration.httpAdditionalHeaders ?? [:]).map {
      SigV4.Header("\($0.key)", "\($0.value)")
    }.sorted { $0.name < $1.name }
    configuration.httpAdditionalHeaders = nil
    loader = Loader(configuration)
  }

  /// How far the server's clock was found to be ahead of ours.
  public var clockOffset: SigV4.ClockOffset { clock.offset }

  /// The request, signed now with the provider's credentials, to be sent by other means.
  ///
  /// Throws `CredentialError`, and what ``SigV4/Signer/signed(_:payload:plus:at:)`` throws.
  @concurrent public func signedURLRequest(
    for request: some SignableRequest, payload: SigV4.Payload? = nil
  ) async throws -> URLRequest {
    try await signed(Exchange(request: request, direction: .plain(payload))).request
  }

  /// The answer to a request, whatever its status.
  ///
  /// - Parameter payload: what is signed of the body; nil for the digest of `httpBody`.
  ///
  /// A `SigV4.Request` keeps no body: use ``upload(_:with:progress:)`` for one that has one.
  ///
  /// Throws `CredentialError`, what signing throws, `URLError`, `CancellationError`, and
  /// `TransferError` with `bodyMissing`, `refusedAgain`, `untrustedClock`, or `bodyNotRepeatable` for
  /// an `httpBodyStream`.
  @concurrent public func data(
    for request: some SignableRequest, payload: SigV4.Payload? = nil
  ) async throws -> (Data, HTTPURLResponse) {
    let answer = try await answer(to: Exchange(request: request, direction: .plain(payload)))
    return (answer.body, answer.response)
  }

  /// Uploads data or a file, and gives the answer, whatever its status. A file is never in memory as a
  /// whole; cancelling the task stops the upload.
  ///
  ///     try await session.upload(.file(file), with: bucket.object("film.mov").putRequest(.empty))
  ///
  /// - Parameters:
  ///   - request: its own body and payload are replaced.
  ///   - progress: called with ever larger numbers on a thread of URLSession's; of a successful
  ///     upload the last one is the total.
  ///
  /// Throws what ``data(for:payload:)`` throws, and `TransferError` with `invalidFile` or
  /// `unprotectedBody`.
  @concurrent public func upload(
    _ body: UploadBody, with request: some SignableRequest,
    progress: (@Sendable (TransferProgress) -> Void)? = nil
  ) async throws -> (Data, HTTPURLResponse) {
    let answer = try await answer(
      to: Exchange(
        request: request, direction: .upload(body.content), meter: progress.map(ProgressMeter.init))
    )
    return (answer.body, answer.response)
  }

  /// Downloads into a file, which is replaced if it exists, and only by an answer from 200 to 299.
  ///
  /// - Parameter progress: called with ever larger numbers on a thread of URLSession's; the last one
  ///   is the total.
  ///
  /// Throws what ``data(for:payload:)`` throws, and `TransferError` with `unexpectedStatus` for any
  /// other answer, or `invalidFile`.
  @concurrent @discardableResult public func download(
    _ request: some SignableRequest, to file: URL,
    progress: (@Sendable (TransferProgress) -> Void)? = nil
  ) async throws -> HTTPURLResponse {
    let meter = progress.map(ProgressMeter.init)
    let answer = try await answer(
      to: Exchange(request: request, direction: .download(file), meter: meter))
    guard answer.isSuccess else {
      let status = answer.response.statusCode
      let code = answer.errorCode(SigV4.Mismatch.Answer(answer.body))
      throw TransferError(
        .unexpectedStatus,
        "the server answered with status \(status) (\(code ?? "no code")) and not with what was asked "
          + "for, so no file was written; see what the code says",
        status: status, serverCode: code)
    }
    meter?.finish(at: Int64(try FileReader.byteCount(of: file)))
    return answer.response
  }
}

extension SigningSession {
  /// The answer to a request, or to the second one.
  private func answer(to exchange: Exchange) async throws -> LoadedAnswer {
    let first = try await attempt(exchange)
    guard let refusal = first.refusal else { return first.answer }
    if !exchange.isRepeatable { throw refusal.error(.bodyNotRepeatable, Self.notRepeatable) }
    try await remedy(refusal, first.signed)
    let second = try await attempt(exchange)
    if let refusal = second.refusal { throw refusal.error(.refusedAgain, Self.refusedAgain) }
    return second.answer
  }

  private struct Attempt {
    let signed: SignedExchange
    let answer: LoadedAnswer
    let refusal: Refusal?
  }

  private func attempt(_ exchange: Exchange) async throws -> Attempt {
    let signed = try await signed(exchange)
    defer { signed.removeTemporaryFile() }
    try signed.checkBody()
    let answer = try await loader.answer(
      to: signed.request, signed.kind, progress: exchange.meter)
    if answer.isSuccess, let byteCount = signed.byteCount {
      exchange.meter?.finish(at: Int64(byteCount))
    }
    let refusal = Refusal(answer, to: signed.provided, signedAt: signed.timestamp)
    return Attempt(signed: signed, answer: answer, refusal: refusal)
  }

  private func signed(_ exchange: Exchange) async throws -> SignedExchange {
    let provided = try await provider.credentials()
    let signer = try SigV4.Signer(
      credentials: provided.credentials, region: region, service: service, keys: keys)
    let (core, upload) = try await exchange.signable(adding: additionalHeaders)
    // After the file was hashed, which may take a while.
    return try SignedExchange(
      exchange, core, upload, provided, signer, at: clock.timestamp())
  }

  private func remedy(_ refusal: Refusal, _ signed: SignedExchange) async throws {
    switch refusal.remedy {
    case .newCredentials:
      if let provider = provider as? any InvalidatableCredentialProvider {
        await provider.invalidate(signed.provided)
      }
    case .rightTime(let serverTime?):
      // Without TLS a third party could have requests signed for a later day.
      if !signed.isTrusted { throw refusal.error(.untrustedClock, Self.untrustedClock) }
      try clock.correct(to: serverTime)
    case .rightTime(nil):
      break
    }
  }

  private static let notRepeatable =
    "the body is a stream, which cannot be sent a second time; send the request again with a new stream, "
    + "or upload data or a file"
  private static let refusedAgain =
    "it was signed again, with new credentials or at the server's time, and refused again; check the "
    + "source of the credentials, and the clock"
  private static let untrustedClock =
    "the server's clock cannot be trusted without TLS; use https, or correct the clock of this machine"
}

extension Refusal {
  /// Why there is no second or no further request.
  fileprivate func error(_ kind: TransferError.Code, _ reason: String) -> TransferError {
    TransferError(
      kind, "the server refused the request with \(code ?? "status \(status)"): " + reason,
      status: status, serverCode: code)
  }
}

/// This machine's clock, corrected by what a server said.
private final class SessionClock: Sendable {
  private let now: @Sendable () -> Date
  private let known = Guarded(SigV4.ClockOffset(seconds: 0))

  init(_ now: @escaping @Sendable () -> Date) { self.now = now }

  var offset: SigV4.ClockOffset { known.withLock { $0 } }

  func timestamp() throws -> SigV4.Timestamp {
    try SigV4.Timestamp(now()).corrected(by: offset)
  }

  /// Notes the server's time at this moment.
  ///
  /// A request that waited was refused for its age, and then our clock is right.
  func correct(to serverTime: SigV4.Timestamp) throws {
    let offset = SigV4.ClockOffset(serverTime: serverTime, ourTime: try SigV4.Timestamp(now()))
    let isRight = abs(offset.seconds) < 60
    known.withLock { $0 = isRight ? SigV4.ClockOffset(seconds: 0) : offset }
  }
}
