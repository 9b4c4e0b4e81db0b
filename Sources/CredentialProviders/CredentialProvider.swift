// SPDX-License-Identifier: Apache-2.0
// A provider of credentials: caches those of a source, and refreshes them before they expire.

// `import CredentialProviders` also makes `SigV4` available.
@_exported public import RequestSigning

extension SigV4 {
  /// Credentials from a source, cached and refreshed before they expire. Create one by the name of
  /// its source, and share it: any number of tasks may use it.
  ///
  ///     let provider = SigV4.CredentialProvider.profile("work")
  ///     let session = bucket.session(credentials: provider)
  ///     let expiration = try await provider.credentials().credentials.expiration
  ///
  /// - Concurrent callers share one request to the source.
  /// - Some time before the expiration, it refreshes in the background while callers get the
  ///   current credentials. Shortly before the expiration, callers wait for the new ones
  ///   (``RefreshPolicy``). Credentials without an expiration stay cached until a server rejects
  ///   them.
  /// - If the source fails, callers get the current credentials until they expire. After that,
  ///   callers get the source's error, with the time of the next retry. It doesn't query the source
  ///   before that time.
  /// - A cancelled caller stops waiting. The refresh continues, even without callers, and its
  ///   result is cached for the next one.
  /// - If the source doesn't respond within two minutes (``RefreshPolicy/timeout``), that counts as
  ///   a failure: the refresh is cancelled, and can be retried.
  ///
  /// Apart from that timeout, nothing happens between calls, and all times come from `now`. So a
  /// clock that jumps is harmless: it never discards credentials, and at worst it ends a retry
  /// delay early.
  public actor CredentialProvider {
    let source: any CredentialResolver
    private let policy: RefreshPolicy
    private let now: @Sendable () -> Timestamp

    private var kept: Kept?
    /// Credentials that a server rejected after the source's last response.
    private var refused: ResolvedCredentials?
    private var failure: Failure?
    private var waiting: [UInt64: Waiter] = [:]
    private var waiterCount: UInt64 = 0
    /// The current request to the source, and its timeout.
    private var question: (number: UInt64, limit: Task<Void, Never>)?
    /// The last task that queried the source. After a timeout, it may still be running.
    private var asking: Task<Void, Never>?
    private var questionCount: UInt64 = 0
    var isAsking: Bool { question != nil }
    /// The number of sign-outs in progress.
    private var signOutCount = 0

    /// Creates a provider that caches a source's credentials.
    ///
    /// To change the policy of a named source, pass its provider: the new one has the same source
    /// and its own cache.
    ///
    /// - Parameters:
    ///   - source: The source. It's called once at a time, unless a call that timed out is still
    ///     running, and not in the caller's task.
    ///   - policy: When to refresh, and how soon to retry after a failure.
    ///   - now: The clock. If it's wrong by hours, valid credentials appear expired.
    public init(
      _ source: some CredentialResolver, policy: RefreshPolicy = RefreshPolicy(),
      now: @escaping @Sendable () -> Timestamp
    ) {
      self.source = (source as? CredentialProvider)?.source ?? source
      self.policy = policy
      self.now = now
    }

    /// Returns credentials that haven't expired, from the cache or from the source.
    ///
    /// - Throws: The source's error if no credentials are valid, `expired` if the source returned
    ///   expired ones, `cancelled` if the caller was cancelled while it waited, and
    ///   `signInRequired` during ``signOut()``.
    public func credentials() async throws(CredentialError) -> ResolvedCredentials {
      if signOutCount > 0 { throw Self.signedOut }
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
      guard let kept, kept.provided.credentials.identity == provided.credentials.identity,
        !kept.isBelieved(at: now())
      else { return }
      self.kept = nil
      refused = provided
    }

    /// The error of the last refresh, or nil if it succeeded. Use it for logs: while the current
    /// credentials are valid, callers don't see a failure.
    public var lastError: CredentialError? { failure?.error }

    /// Drops the cached credentials. For Amazon Cognito, it also removes the identity ID from its
    /// store, so that the next guest is a new one. A user who signs in again gets the same identity
    /// back. Other providers with the same identity store keep their cached credentials: call their
    /// `signOut()`. Directory bucket sessions opened with them stay valid for up to five minutes.
    /// Create a new `SigningSession` or `ExpressSessions`, too.
    ///
    /// A refresh in progress is cancelled: its callers, and those until this returns, get
    /// `signInRequired`.
    ///
    /// - Throws: The errors of the identity store.
    public func signOut() async throws(CredentialError) {
      signOutCount += 1
      defer { signOutCount -= 1 }
      kept = nil
      refused = nil
      failure = nil
      question?.limit.cancel()
      question = nil
      resume(with: .failure(Self.signedOut))
      asking?.cancel()
      // Otherwise it could store its identity after the removal.
      await asking?.value
      try await (source as? any SignOutResolver)?.signOut()
    }
  }
}

/// A source that stores the user's identity.
protocol SignOutResolver: CredentialResolver {
  /// Removes the stored identity.
  func signOut() async throws(CredentialError)
}

extension SigV4.CredentialProvider {
  private typealias Answer = Result<ResolvedCredentials, CredentialError>
  private typealias Waiter = CheckedContinuation<Answer, Never>

  /// Queries the source in a task that belongs to no caller, outside the actor. A source that
  /// blocks its thread must not delay callers that get the current credentials.
  private func ask() {
    questionCount &+= 1
    let number = questionCount
    let asking = Task { @concurrent [source, refused, earlier = asking] in
      let answer = await Self.answer(of: source, insteadOf: refused)
      await self.take(answer, to: number, insteadOf: refused)
      // A refresh that timed out may still be running. Waiting for the last one waits for all.
      await earlier?.value
    }
    let limit = Task { [policy, refused] in
      do { try await Task.sleep(for: policy.timeout) } catch { return }
      asking.cancel()
      self.take(.failure(policy.tooLate), to: number, insteadOf: refused)
    }
    self.asking = asking
    question = (number, limit)
  }

  @concurrent private static func answer(
    of source: any CredentialResolver, insteadOf refused: ResolvedCredentials?
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

  private static let signedOut = CredentialError(
    .signInRequired, "The user signed out before the credentials arrived.",
    fix: "Call it again for the next user.")
}

extension SigV4.CredentialProvider {
  /// The error of the last refresh, and the delay before the next.
  struct Failure: Sendable {
    private(set) var error: CredentialError
    private let start: SigV4.Timestamp
    private let pause: Int64

    init(
      _ error: CredentialError, at time: SigV4.Timestamp, after earlier: Failure?,
      policy: RefreshPolicy
    ) {
      start = time
      pause = policy.pause(after: earlier?.pause)
      let end = (try? time.advanced(bySeconds: pause)) ?? time
      self.error = error
      // A source that refreshes itself may wait for longer.
      self.error.retryTime = max(end, error.retryTime ?? end)
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
  /// token. A different expiration doesn't make them new: the source may extend it.
  func isSame(as other: ResolvedCredentials) -> Bool {
    let (own, other) = (credentials.identity, other.credentials.identity)
    return own.accessKeyID == other.accessKeyID && own.sessionToken == other.sessionToken
  }
}

// The actor conforms in an extension. In the single-file version, the compiler (6.3.1) rejects a
// conformance in the declaration to a nonisolated protocol, if another file uses the actor.
extension SigV4.CredentialProvider: CredentialResolver {}
