// SPDX-License-Identifier: Apache-2.0
// A cache of credentials, refreshed before they expire.

public import RequestSigning

/// A cache for a provider's credentials, which refreshes them before they expire. Any number of
/// tasks may share one.
///
/// - Concurrent callers share one request to the source.
/// - Some time before the expiration, it refreshes in the background while callers get the current
///   credentials. Shortly before the expiration, callers wait for the new ones (``RefreshPolicy``).
///   Credentials without an expiration stay cached until a server rejects them.
/// - If the source fails, callers get the current credentials until they expire. After that,
///   callers get the source's error, with the time of the next retry. It doesn't query the source
///   before that time.
/// - A cancelled caller stops waiting. The refresh continues, even without callers, and its result
///   is cached for the next one.
/// - If the source doesn't respond within two minutes (``RefreshPolicy/timeout``), that counts as a
///   failure: the refresh is cancelled, and can be retried.
///
/// Apart from that timeout, nothing happens between calls, and all times come from `now`. So a
/// clock that jumps is harmless: it never discards credentials, and at worst it ends a retry delay
/// early.
public actor RefreshingCredentialProvider {
  private let source: any CredentialProvider
  private let policy: RefreshPolicy
  private let now: @Sendable () -> SigV4.Timestamp

  private var kept: Kept?
  /// Credentials that a server rejected after the source's last response.
  private var refused: ResolvedCredentials?
  private var failure: Failure?
  private var waiting: [UInt64: Waiter] = [:]
  private var waiterCount: UInt64 = 0
  /// The current request to the source, and its timeout.
  private var question: (number: UInt64, limit: Task<Void, Never>)?
  private var questionCount: UInt64 = 0
  var isAsking: Bool { question != nil }

  /// Creates a cache for a provider's credentials.
  ///
  /// - Parameters:
  ///   - source: The provider. It's called once at a time, and not in the caller's task.
  ///   - policy: When to refresh, and how soon to retry after a failure.
  ///   - now: The clock. If it's wrong by hours, valid credentials appear expired.
  public init(
    _ source: any CredentialProvider, policy: RefreshPolicy = RefreshPolicy(),
    now: @escaping @Sendable () -> SigV4.Timestamp
  ) {
    self.source = source
    self.policy = policy
    self.now = now
  }

  /// Returns credentials that haven't expired, from the cache or from the source.
  ///
  /// - Throws: The source's error if no credentials are valid, `expired` if the source returned
  ///   expired ones, and `cancelled` if the caller was cancelled while it waited.
  public func credentials() async throws(CredentialError) -> ResolvedCredentials {
    let time = now()
    let need = kept?.need(at: time) ?? .now
    if let kept, need == .none { return kept.provided }
    if !isAsking {
      if let failure, failure.isPause(at: time) {
        if let kept, kept.isAlive(at: time) { return kept.provided }
        throw failure.error
      }
      if need == .now && Task.isCancelled { throw Self.cancelled }
      ask()
    }
    if let kept, need == .soon { return kept.provided }
    return try await answer()
  }

  /// Drops credentials that a server rejected as expired, unless newer ones are cached. Many
  /// rejections of the same credentials cause one refresh.
  ///
  /// If the source then returns the same credentials, they're trusted for a minute.
  public func invalidate(_ provided: ResolvedCredentials) async {
    guard let kept, kept.provided.isSame(as: provided), !kept.isBelieved(at: now()) else { return }
    self.kept = nil
    refused = provided
  }

  /// The error of the last refresh, or nil if it succeeded. Use it for logs: while the current
  /// credentials are valid, callers don't see a failure.
  public var lastError: CredentialError? { failure?.error }
}

extension RefreshingCredentialProvider {
  private typealias Answer = Result<ResolvedCredentials, CredentialError>
  private typealias Waiter = CheckedContinuation<Answer, Never>

  /// Queries the source in a task that belongs to no caller, outside the actor. A source that
  /// blocks its thread must not delay callers that get the current credentials.
  private func ask() {
    questionCount &+= 1
    let number = questionCount
    let asking = Task { @concurrent [source, refused] in
      let answer = await Self.answer(of: source, insteadOf: refused)
      await self.take(answer, to: number, insteadOf: refused)
    }
    let limit = Task { [policy, refused] in
      do { try await Task.sleep(for: policy.timeout) } catch { return }
      asking.cancel()
      self.take(.failure(policy.tooLate), to: number, insteadOf: refused)
    }
    question = (number, limit)
  }

  @concurrent private static func answer(
    of source: any CredentialProvider, insteadOf refused: ResolvedCredentials?
  ) async -> Answer {
    if let refused { await source.invalidate(refused) }
    do throws(CredentialError) {
      return .success(try await source.credentials())
    } catch {
      return .failure(error)
    }
  }

  private func take(
    _ answer: Answer, to number: UInt64, insteadOf refused: ResolvedCredentials?
  ) {
    // A response after the timeout is ignored: another request may be running.
    guard let question, question.number == number else { return }
    question.limit.cancel()
    self.question = nil
    let time = now()
    do throws(CredentialError) {
      let kept = try Kept(
        try answer.get(), insteadOf: refused, at: time, policy: policy)
      self.kept = kept
      self.refused = nil
      failure = nil
      resume(with: .success(kept.provided))
    } catch {
      let failure = Failure(error, at: time, after: failure, policy: policy)
      self.failure = failure
      if let kept, kept.isAlive(at: time) {
        resume(with: .success(kept.provided))
      } else {
        resume(with: .failure(failure.error))
      }
    }
  }

  private func resume(with answer: Answer) {
    let waiters = waiting.values
    waiting = [:]
    for waiter in waiters { waiter.resume(returning: answer) }
  }

  /// Waits for the current request to the source.
  private func answer() async throws(CredentialError) -> ResolvedCredentials {
    waiterCount &+= 1
    let name = waiterCount
    // There's no suspension before the waiter is in the list, so a cancellation finds it there.
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { waiting[name] = $0 }
    } onCancel: {
      Task { await self.cancelWaiter(name) }
    }
    return try answer.get()
  }

  private func cancelWaiter(_ name: UInt64) {
    waiting.removeValue(forKey: name)?.resume(returning: .failure(Self.cancelled))
  }

  private static let cancelled = CredentialError(
    .cancelled, "The task was cancelled while it waited for credentials.",
    fix: "Call it again in a different task.")
}

extension RefreshingCredentialProvider {
  /// When to refresh credentials, and how soon to retry after a failure.
  ///
  /// The defaults before the expiration are those of botocore's `RefreshableCredentials`. They're
  /// shorter for credentials with a lifetime of less than half an hour, which would otherwise be
  /// refreshed on each request. Nothing is random here. If thousands of machines start together,
  /// use a different `backgroundRefresh` on each. The providers of RequestSigningFoundation do so
  /// by default.
  public struct RefreshPolicy: Hashable, Sendable {
    /// The time before the expiration at which a refresh begins in the background: 15 minutes. At
    /// most half of the lifetime that the credentials had on arrival.
    public let backgroundRefresh: Duration

    /// The time before the expiration from which callers wait for new credentials: 10 minutes. At
    /// most `backgroundRefresh`, and a third of the lifetime that the credentials had on arrival.
    public let blockingRefresh: Duration

    /// The delay after a failure: 1 second. Each further failure doubles it.
    public let initialBackoff: Duration

    /// The maximum delay: 60 seconds, as in botocore's token providers.
    public let maximumBackoff: Duration

    /// The maximum duration of one refresh, including its retries: 2 minutes. Use more if a person
    /// has to type a code.
    public let timeout: Duration

    /// Creates a policy. Negative durations become zero, and `timeout` is from 1 second to 1 day.
    /// With a backoff of zero, every caller requests credentials from a source that is down. All
    /// durations except `timeout` are rounded up to whole seconds.
    public init(
      backgroundRefresh: Duration = .seconds(900), blockingRefresh: Duration = .seconds(600),
      initialBackoff: Duration = .seconds(1), maximumBackoff: Duration = .seconds(60),
      timeout: Duration = .seconds(120)
    ) {
      self.backgroundRefresh = max(backgroundRefresh, .zero)
      self.blockingRefresh = min(max(blockingRefresh, .zero), self.backgroundRefresh)
      self.maximumBackoff = max(maximumBackoff, .zero)
      self.initialBackoff = min(max(initialBackoff, .zero), self.maximumBackoff)
      self.timeout = max(timeout.bounded, .seconds(1))
    }

    var tooLate: CredentialError {
      CredentialError(
        .timedOut, "The credential source didn't respond within \(timeout).",
        fix: "Check what it's waiting for, or use a longer timeout in RefreshPolicy.")
    }

    /// Returns the delay after another failure.
    func pause(after pause: Int64?) -> Int64 {
      let maximum = maximumBackoff.secondsRoundedUp
      guard let pause else { return initialBackoff.secondsRoundedUp }
      return pause > maximum / 2 ? maximum : pause * 2
    }
  }

  /// The error of the last refresh, and the delay before the next.
  struct Failure: Sendable {
    let error: CredentialError
    private let start: SigV4.Timestamp
    private let pause: Int64

    init(
      _ error: CredentialError, at time: SigV4.Timestamp, after earlier: Failure?,
      policy: RefreshPolicy
    ) {
      start = time
      pause = policy.pause(after: earlier?.pause)
      let end = (try? time.advanced(bySeconds: pause)) ?? time
      self.error = error.with(error.problem + " A call at \(end) or later tries again.")
    }

    /// Returns whether it's too early to retry. A time before the failure means that the clock was
    /// set back.
    func isPause(at time: SigV4.Timestamp) -> Bool {
      // Two timestamps differ by less than 2^39 seconds.
      (0..<pause).contains(time.unixSeconds - start.unixSeconds)
    }
  }

  /// Credentials that hadn't expired on arrival, and their refresh times.
  struct Kept: Sendable {
    let provided: ResolvedCredentials
    private let arrival: SigV4.Timestamp
    private let advisory: Int64
    private let mandatory: Int64
    /// Whether the source returned them again after a server had rejected them.
    private let isRepeated: Bool

    /// Throws `expired` if they had expired on arrival.
    init(
      _ provided: ResolvedCredentials, insteadOf refused: ResolvedCredentials?,
      at time: SigV4.Timestamp, policy: RefreshPolicy
    ) throws(CredentialError) {
      let life = provided.secondsLeft(at: time) ?? .max
      if let end = provided.credentials.identity.expiration, life <= 0 {
        throw CredentialError(
          .expired,
          "Credentials \(provided) had already expired when they arrived: "
            + "they expired at \(end.text) (now \(time)).",
          fix: "Check your clock, and whether the source still refreshes them.")
      }
      self.provided = provided
      arrival = time
      advisory = min(policy.backgroundRefresh.secondsRoundedUp, life / 2)
      mandatory = min(policy.blockingRefresh.secondsRoundedUp, life / 3)
      isRepeated = refused.map(provided.isSame) ?? false
    }

    enum Need {
      case none
      case soon
      case now
    }

    /// Returns how urgently new credentials are needed.
    func need(at time: SigV4.Timestamp) -> Need {
      guard let left = provided.secondsLeft(at: time) else { return .none }
      if left <= 0 || left < mandatory { return .now }
      return left < advisory ? .soon : .none
    }

    func isAlive(at time: SigV4.Timestamp) -> Bool {
      provided.secondsLeft(at: time) ?? 1 > 0
    }

    /// Returns whether the source returned them less than a minute ago, even though a server had
    /// rejected them.
    func isBelieved(at time: SigV4.Timestamp) -> Bool {
      isRepeated && (0..<60).contains(time.unixSeconds - arrival.unixSeconds)
    }
  }
}

extension ResolvedCredentials {
  /// Returns the seconds until the expiration (0 or less after it), or nil if they never expire.
  fileprivate func secondsLeft(at time: SigV4.Timestamp) -> Int64? {
    // Two timestamps differ by less than 2^39 seconds.
    credentials.identity.expiration.map { $0.unixSeconds - time.unixSeconds }
  }

  /// Returns whether these are the same credentials. New ones have a different access key ID or
  /// token.
  func isSame(as other: ResolvedCredentials) -> Bool {
    credentials.identity == other.credentials.identity
  }
}

// The actor conforms in an extension. In the single-file version, the compiler (6.3.1) rejects a
// conformance in the declaration to a nonisolated protocol, if another file uses the actor.
extension RefreshingCredentialProvider: CredentialProvider {}

extension Duration {
  /// The duration in seconds, rounded up. It isn't negative.
  fileprivate var secondsRoundedUp: Int64 {
    let (seconds, attoseconds) = limitedComponents
    return attoseconds > 0 && seconds < .max ? seconds + 1 : seconds
  }
}
