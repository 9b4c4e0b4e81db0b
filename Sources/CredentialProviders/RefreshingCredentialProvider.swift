// SPDX-License-Identifier: Apache-2.0
// Credentials that are kept, and fetched again in time.

public import RequestSigning

/// Keeps the credentials of a source and asks it again in time. Any number of tasks may share one.
///
/// - The source is asked once, however many callers wait for its answer.
/// - Some time before the end it is asked in the background, and callers get the old credentials
///   meanwhile; shortly before the end they wait for the new ones (``RefreshPolicy``). Credentials
///   without an expiration are kept until a server refuses them.
/// - When the source fails, the old credentials serve as long as they live; without them callers get
///   the source's error, which says when it is asked again. It is not asked before.
/// - A caller that is cancelled stops waiting. The question goes on, even without callers, and its
///   answer is kept for the next one.
///
/// - A source that does not answer within two minutes (``RefreshPolicy/timeout``) has failed: it is
///   cancelled, and may be asked again.
///
/// Nothing happens between calls, and time is only read from the clock, but for that limit. So a clock
/// that jumps is harmless: credentials are never thrown away because of it, and a pause that it
/// jumped out of is over.
public actor RefreshingCredentialProvider {
  private let source: any CredentialProvider
  private let policy: RefreshPolicy
  private let now: @Sendable () -> SigV4.Timestamp

  private var kept: Kept?
  /// The credentials that a server refused since the source last answered.
  private var refused: ResolvedCredentials?
  private var failure: Failure?
  private var waiting: [UInt64: Waiter] = [:]
  private var waiterCount: UInt64 = 0
  /// The source is being asked, for so long at most.
  private var question: (number: UInt64, limit: Task<Void, Never>)?
  private var questionCount: UInt64 = 0
  var isAsking: Bool { question != nil }

  /// A provider that keeps the credentials of a source.
  ///
  /// - Parameters:
  ///   - source: it is not asked twice at a time, and not in the caller's task.
  ///   - policy: how long before the end it is asked, and how soon after a failure.
  ///   - now: the clock. A clock that is wrong by hours finds good credentials expired.
  public init(
    _ source: any CredentialProvider, policy: RefreshPolicy = RefreshPolicy(),
    now: @escaping @Sendable () -> SigV4.Timestamp
  ) {
    self.source = source
    self.policy = policy
    self.now = now
  }

  /// Credentials that have not expired: those that are kept, or the source's answer.
  ///
  /// Throws the source's error when no credentials live, `expired` when its answer had
  /// expired already, and `cancelled` when the caller was cancelled while it waited.
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

  /// Drops credentials that a server refused as expired, unless other ones are kept by now: many
  /// refusals of the same credentials cause one refresh.
  ///
  /// A source that gives the same once more is believed for a minute.
  public func invalidate(_ provided: ResolvedCredentials) async {
    guard let kept, kept.provided.isSame(as: provided), !kept.isBelieved(at: now()) else { return }
    self.kept = nil
    refused = provided
  }

  /// Why the source could not be used when it was asked last; nil when it could. For logs: credentials
  /// that still live hide a failure from callers.
  public var lastError: CredentialError? { failure?.error }
}

extension RefreshingCredentialProvider {
  private typealias Answer = Result<ResolvedCredentials, CredentialError>
  private typealias Waiter = CheckedContinuation<Answer, Never>

  /// Asks the source, in a task that belongs to no caller, and outside of the actor: a source that
  /// blocks its thread must not hold up callers that get the old credentials.
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
    // What comes after the limit is too late: another question may be on its way.
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

  /// The answer of the source that is being asked.
  private func answer() async throws(CredentialError) -> ResolvedCredentials {
    waiterCount &+= 1
    let name = waiterCount
    // Nothing is awaited before the waiter is in the list, so a cancellation finds it there.
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
  /// When the source is asked again, in seconds.
  ///
  /// The times before the end are those of botocore's `RefreshableCredentials`. They are shortened for
  /// credentials that live less than half an hour, which would be fetched anew for each request
  /// otherwise. Nothing is random here: where a thousand machines start at once, give each an
  /// `advisory` of its own, as the providers of RequestSigningFoundation have it by themselves.
  public struct RefreshPolicy: Hashable, Sendable {
    /// The time before the expiration at which a refresh begins in the background: 15 minutes. At most half of
    /// the lifetime that the credentials had on arrival.
    public let backgroundRefresh: Duration

    /// The time before the expiration from which callers wait for new credentials: 10 minutes. At most
    /// `backgroundRefresh`, and a third of the lifetime that the credentials had on arrival.
    public let blockingRefresh: Duration

    /// The delay after a failure: 1 second. Each further failure doubles it.
    public let initialBackoff: Duration

    /// The maximum delay: 60 seconds, as in botocore's token providers.
    public let maximumBackoff: Duration

    /// The maximum duration of one refresh, including its retries: 2 minutes. Use more if a person has to type a
    /// code.
    public let timeout: Duration

    /// A policy. Negative durations become zero, and `timeout` is from 1 second to 1 day. With a backoff of zero,
    /// every caller requests credentials from a source that is down.
    public init(
      backgroundRefresh: Duration = .seconds(900), blockingRefresh: Duration = .seconds(600),
      initialBackoff: Duration = .seconds(1), maximumBackoff: Duration = .seconds(60),
      timeout: Duration = .seconds(120)
    ) {
      self.backgroundRefresh = max(backgroundRefresh, .zero)
      self.blockingRefresh = min(max(blockingRefresh, .zero), self.backgroundRefresh)
      self.maximumBackoff = max(maximumBackoff, .zero)
      self.initialBackoff = min(max(initialBackoff, .zero), self.maximumBackoff)
      // The instants of a clock overflow with durations of centuries.
      self.timeout = min(max(timeout, .seconds(1)), .seconds(86_400))
    }

    var tooLate: CredentialError {
      .timedOut(
        "The credential source didn't respond within \(timeout.components.seconds) s.",
        fix: "Check what it's waiting for, or use a longer timeout in RefreshPolicy.")
    }

    /// The pause after another failure.
    func pause(after pause: Int64?) -> Int64 {
      let maximum = maximumBackoff.components.seconds
      guard let pause else { return initialBackoff.components.seconds }
      return pause > maximum / 2 ? maximum : pause * 2
    }
  }

  /// Why the source could not be used, and the pause until it is asked again.
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
      self.error = error.with(error.problem + " The next retry is at \(end) or later.")
    }

    /// Whether the source is not asked. A time before the failure means that the clock was set back.
    func isPause(at time: SigV4.Timestamp) -> Bool {
      // Two timestamps differ by less than 2^39 seconds.
      (0..<pause).contains(time.unixSeconds - start.unixSeconds)
    }
  }

  /// Credentials that had not expired when they came, and when others are needed.
  struct Kept: Sendable {
    let provided: ResolvedCredentials
    private let arrival: SigV4.Timestamp
    private let advisory: Int64
    private let mandatory: Int64
    /// The source gave them again after a server had refused them.
    private let isRepeated: Bool

    /// Throws `expired` when they had expired when they came.
    init(
      _ provided: ResolvedCredentials, insteadOf refused: ResolvedCredentials?,
      at time: SigV4.Timestamp, policy: RefreshPolicy
    ) throws(CredentialError) {
      let life = provided.secondsLeft(at: time) ?? .max
      if let end = provided.credentials.identity.expiration, life <= 0 {
        throw .expired(
          "Credentials \(provided) had already expired when they arrived: "
            + "they expired at \(end.text) (now \(time)).",
          fix: "Check your clock, and whether the source still refreshes them.")
      }
      self.provided = provided
      arrival = time
      advisory = min(policy.backgroundRefresh.components.seconds, life / 2)
      mandatory = min(policy.blockingRefresh.components.seconds, life / 3)
      isRepeated = refused.map(provided.isSame) ?? false
    }

    enum Need {
      case none
      case soon
      case now
    }

    /// How urgently other credentials are needed.
    func need(at time: SigV4.Timestamp) -> Need {
      guard let left = provided.secondsLeft(at: time) else { return .none }
      if left <= 0 || left < mandatory { return .now }
      return left < advisory ? .soon : .none
    }

    func isAlive(at time: SigV4.Timestamp) -> Bool {
      provided.secondsLeft(at: time) ?? 1 > 0
    }

    /// Whether the source gave them less than a minute ago although a server had refused them.
    func isBelieved(at time: SigV4.Timestamp) -> Bool {
      isRepeated && (0..<60).contains(time.unixSeconds - arrival.unixSeconds)
    }
  }
}

extension ResolvedCredentials {
  /// Seconds until the credentials expire, 0 or less when they have; nil when they never do.
  fileprivate func secondsLeft(at time: SigV4.Timestamp) -> Int64? {
    // Two timestamps differ by less than 2^39 seconds.
    credentials.identity.expiration.map { $0.unixSeconds - time.unixSeconds }
  }

  /// Whether these are the same credentials; new ones have a key ID or a token of their own.
  func isSame(as other: ResolvedCredentials) -> Bool {
    credentials.identity == other.credentials.identity
  }
}

// An actor conforms in an extension: in its declaration, a conformance to a protocol that the one file
// makes nonisolated is refused by the compiler (6.3.1) where another file uses the actor.
extension RefreshingCredentialProvider: CredentialProvider {}
