// SPDX-License-Identifier: Apache-2.0
// How a session gets a response: it signs and sends a request, and retries if that may help.

internal import CredentialProviders
internal import DocumentSupport
internal import Foundation
internal import RequestSigning
internal import SignatureDiagnosis

extension SigningSession {
  /// Sends a request, and retries rejected credentials or times, lost connections and busy servers.
  /// Returns the first response that can't be improved by a retry.
  func answer(to exchange: Exchange) async throws -> LoadedResponse {
    var pauses = RetryPauses(options, for: exchange)
    var isRemedied = false
    while true {
      do {
        var attempt = try await attempt(exchange)
        attempt.answer.isRepeated = pauses.isRepeated
        guard let refusal = attempt.refusal else {
          let asked = attempt.answer.retryAfter
          if attempt.answer.isBusy, try await pauses.wait(atLeast: asked) { continue }
          return attempt.answer
        }
        if isRemedied {
          throw refusal.error(
            .retryFailed, Self.retryFailed, attempt.answer.diagnosis(of: attempt.answer.error))
        }
        try await remedy(
          refusal, attempt.signed.provided, isTrusted: attempt.signed.isTrusted)
        isRemedied = true
        if !exchange.isRepeatable {
          throw refusal.error(
            .bodyNotReplayable, Self.notRepeatable,
            attempt.answer.diagnosis(of: attempt.answer.error))
        }
      } catch {
        // A cancelled transfer may fail in different ways, such as with URLError -999.
        try Task.checkCancellation()
        guard error.isLostConnection, exchange.isIdempotent, try await pauses.wait()
        else { throw error }
      }
    }
  }

  private struct Attempt {
    let signed: SignedExchange
    var answer: LoadedResponse
    let refusal: Rejection?
  }

  private func attempt(_ exchange: Exchange) async throws -> Attempt {
    // Wait before the body is read and the time is signed.
    let slot = try await transport.slot(for: exchange)
    defer { if case .download(let file) = exchange.direction { file.close() } }
    let signed = try await signed(exchange, options.checksums)
    try signed.checkBody()
    var sent = signed
    sent.slot = slot
    var answer = try await transport.answer(
      to: sent, upTo: exchange.maximumByteCount, progress: exchange.meter)
    answer.signed = signed.signed
    answer.expected = exchange.expected
    if answer.isSuccess, let byteCount = signed.uploadByteCount {
      exchange.meter?.finish(at: Int64(byteCount))
    }
    let refusal = Rejection(answer, to: signed.provided, signedAt: signed.timestamp)
    return Attempt(signed: signed, answer: answer, refusal: refusal)
  }

  func signed(
    _ exchange: Exchange, _ checksums: Options.Checksums
  ) async throws -> SignedExchange {
    var exchange = exchange
    exchange.headerEncoding = options.headerEncoding
    let (provider, service) = try signing(of: exchange)
    let core = try exchange.signable(
      adding: additionalHeaders, checksums, for: service, in: regions)
    // Get the credentials and the time after the body was hashed, because hashing may take a while.
    let (provided, signer) = try await signer(provider, service)
    return try SignedExchange(
      exchange, core, provided, signer, at: clock.timestamp())
  }

  /// Creates a signer with current credentials for a request.
  func signer(for exchange: Exchange) async throws -> SigV4.Signer {
    let (provider, service) = try signing(of: exchange)
    return try await signer(provider, service).1
  }

  private func signer(
    _ provider: any CredentialResolver, _ service: SigV4.Service
  ) async throws -> (ResolvedCredentials, SigV4.Signer) {
    var provided = try await credentials(of: provider)
    // The provider's clock isn't corrected by responses, so it may not notice.
    if let end = provided.credentials.identity.expiration, try end <= clock.timestamp() {
      await provider.invalidate(provided)
      provided = try await credentials(of: provider)
    }
    return (provided, try regions.signer(provided.credentials, service, keys))
  }

  /// Returns the provider and the service to sign a request with.
  private func signing(
    of exchange: Exchange
  ) throws -> (any CredentialResolver, SigV4.Service) {
    // The headers don't matter here.
    try sessionSource == nil
      ? (provider, service)
      : signing(of: exchange.request.signable(payload: .empty, headerEncoding: .utf8))
  }

  func signing(of request: SigV4.Request) -> (any CredentialResolver, SigV4.Service) {
    guard let sessionSource else { return (provider, service) }
    let service = SigV4.Service.s3Express(for: request)
    return (service == .s3Express ? provider : sessionSource, service)
  }

  /// Returns a provider's current credentials. Throws a `CancellationError` if the caller was
  /// cancelled.
  func credentials(of provider: any CredentialResolver) async throws -> ResolvedCredentials {
    do throws(CredentialError) {
      return try await provider.credentials()
    } catch {
      // A provider may use the code `cancelled` for a different task.
      if error.code == .cancelled && Task.isCancelled { throw CancellationError() }
      throw error
    }
  }

  /// Invalidates the rejected credentials, or corrects the clock.
  func remedy(
    _ refusal: Rejection, _ refused: ResolvedCredentials?, isTrusted: Bool
  ) async throws {
    switch refusal.remedy {
    case .newCredentials:
      guard let refused else { break }
      for provider in [provider, sessionSource] {
        await provider?.invalidate(refused)
      }
    case .rightTime(let serverTime?):
      // Without TLS, an attacker could get requests signed for a later day.
      if !isTrusted { throw refusal.error(.untrustedClock, Self.untrustedClock) }
      try clock.correct(to: serverTime)
    case .rightTime(nil):
      break
    }
  }

  private typealias Reason = (problem: String, fix: String)

  private static let notRepeatable: Reason = (
    "Its body is a stream, which can't be sent again.",
    "Send the request with a new stream, or use data or a file."
  )
  private static let retryFailed: Reason = (
    "The retry with fresh credentials or a corrected clock also failed.",
    "Check the credentials and the clock."
  )
  private static let untrustedClock: Reason = (
    "The server's clock can't be trusted without TLS.",
    "Use https, or correct this machine's clock."
  )
}

extension Rejection {
  /// Returns the error for a request that can't be retried.
  fileprivate func error(
    _ kind: TransferError.Code, _ reason: (problem: String, fix: String),
    _ diagnosis: SigV4.Diagnosis? = nil
  ) -> TransferError {
    TransferError(
      kind, "The server rejected the request with \(code ?? "status \(status)"). " + reason.problem,
      fix: reason.fix, status: status, serverCode: code, diagnosis: diagnosis)
  }
}

/// The pauses before retries: random, up to a maximum that doubles (full jitter), so that many
/// machines that failed together don't retry together.
private struct RetryPauses {
  private var leftCount: Int
  private var longest: Duration
  /// Whether the result of an earlier attempt is unknown: its response was an error, or lost.
  private(set) var isRepeated = false

  /// The maximum Retry-After. A longer one is left to the caller.
  private static let longestAsked = Duration.seconds(60)

  init(_ options: SigningSession.Options, for exchange: Exchange) {
    leftCount = exchange.isRepeatable ? max(options.maximumAttempts, 1) - 1 : 0
    longest = options.pause
  }

  /// Waits for the next attempt, at least as long as the server requested. Returns false if no
  /// attempt is left.
  mutating func wait(atLeast asked: Duration = .zero) async throws -> Bool {
    if leftCount <= 0 || asked > Self.longestAsked { return false }
    leftCount -= 1
    isRepeated = true
    try await Task.sleep(for: max(asked, longest * Double.random(in: 0...1)))
    longest = min(longest * 2, .seconds(20))
    return true
  }
}

extension LoadedResponse {
  /// Whether the same request may succeed soon: the statuses and codes of botocore's standard mode.
  var isBusy: Bool {
    let status = response.statusCode
    if [429, 500, 502, 503, 504].contains(status) || isFailedSuccess { return true }
    if !(400..<500).contains(status) { return false }
    return error.plainCode.map(TransientFailure.codes.contains) ?? false
  }

  /// The server's Retry-After (RFC 9110, 10.2.3): seconds, or a date.
  var retryAfter: Duration {
    let text = response.value(forHTTPHeaderField: "Retry-After") ?? ""
    if let seconds = Int64(text) { return .seconds(max(seconds, 0)) }
    let dates = [text, response.value(forHTTPHeaderField: "Date") ?? ""].map {
      try? SigV4.Timestamp(httpDate: $0).unixSeconds
    }
    guard let then = dates[0], let now = dates[1] else { return .zero }
    return .seconds(max(then - now, 0))
  }
}

extension Exchange {
  /// Whether to retry after a lost connection. Not for a caller's POST and PATCH requests, because
  /// the server may have processed them. The session's own are safe to repeat.
  fileprivate var isIdempotent: Bool {
    if !expected.isAnything { return true }
    let signed = try? request.signable(payload: .empty, headerEncoding: .utf8)
    return signed.map { !["POST", "PATCH"].contains($0.method.uppercased()) } ?? false
  }
}

extension Error {
  /// Whether the connection was lost, or the caller's HTTP client failed.
  fileprivate var isLostConnection: Bool {
    if let error = self as? URLError {
      return URLError.lostConnections.contains(error.code)
    }
    return (self as? TransferError)?.code == .clientFailed
  }
}
