// SPDX-License-Identifier: Apache-2.0
// One question at a time, who waits for it, and who leaves.

@testable internal import CredentialProviders
internal import RequestSigning
internal import SigningTestSupport
internal import Testing

@Suite(.endsIfItHangs) struct RefreshingFlightTests {
  @Test("A thousand callers without credentials cause one refresh, and all get its result")
  func thousandWaiters() async throws {
    let (clock, source) = (StandingClock(), GatedSource())
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    let outcomes = await withTaskGroup(of: String.self) { group in
      for _ in 0..<1_000 { group.addTask { await provider.outcome() } }
      await clock.read(times: 1_000)
      await source.open(with: (try? issued("NEW", until: 3_600)) ?? unreachable)
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(outcomes == ["NEW"])
    #expect(await source.askedCount == 1)
  }

  @Test("A thousand callers shortly before the end get the old credentials, and cause one refresh")
  func thousandServed() async throws {
    let clock = StandingClock()
    let source = GatedSource([try issued("OLD", until: 3_600)])
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    #expect(await provider.outcome() == "OLD")
    clock.set(2_800)
    let outcomes = await withTaskGroup(of: String.self) { group in
      for _ in 0..<1_000 { group.addTask { await provider.outcome() } }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(outcomes == ["OLD"])
    await source.asked(times: 2)
    #expect(await source.askedCount == 2)
    // Read by the first call and its answer, by the thousand, and by the second answer.
    await source.open(with: try issued("NEW", until: 7_200))
    await clock.read(times: 1_003)
    #expect(await provider.outcome() == "NEW")
    #expect(await source.askedCount == 2)
  }

  @Test("A source that blocks its thread blocks no caller, because it doesn't run in the actor")
  func isolation() async throws {
    let source = IsolationSource(
      outside: try issued("OUTSIDE", until: nil).get(),
      inside: try issued("INSIDE", until: nil).get())
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: StandingClock().now)
    #expect(await provider.outcome() == "OUTSIDE")
  }

  @Test("A cancelled waiter leaves, and the others get the result")
  func oneLeaves() async throws {
    let (clock, source) = (StandingClock(), GatedSource())
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    let first = Task { await provider.outcome() }
    await clock.read(times: 1)
    let second = Task { await provider.outcome() }
    await clock.read(times: 2)
    first.cancel()
    #expect(await first.value == "cancelled")
    await source.open(with: try issued("NEW", until: 3_600))
    #expect(await second.value == "NEW")
    #expect(await source.askedCount == 1)
    #expect(await !source.wasCancelled)
  }

  @Test("If every waiter has left, the refresh continues, and its result is cached")
  func allLeave() async throws {
    let (clock, source) = (StandingClock(), GatedSource())
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    let waiters = (0..<3).map { _ in Task { await provider.outcome() } }
    await clock.read(times: 3)
    for waiter in waiters { waiter.cancel() }
    for waiter in waiters { #expect(await waiter.value == "cancelled") }
    await source.asked(times: 1)
    await source.open(with: try issued("NEW", until: 3_600))
    await clock.read(times: 4)
    #expect(await provider.outcome() == "NEW")
    #expect(await source.askedCount == 1)
    #expect(await !source.wasCancelled)
  }

  @Test("A caller that's already cancelled doesn't start the source")
  func cancelledBefore() async throws {
    let clock = StandingClock()
    let source = GatedSource(only: try issued("NEW", until: 3_600))
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    #expect(await cancelledOutcome(provider) == "cancelled")
    #expect(await !provider.isAsking)
    #expect(await source.askedCount == 0)
    #expect(await provider.outcome() == "NEW")
  }

  @Test("A cancelled caller still gets cached credentials")
  func cancelledButKept() async throws {
    let source = GatedSource(only: try issued("OLD", until: 3_600))
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: StandingClock().now)
    #expect(await provider.outcome() == "OLD")
    #expect(await cancelledOutcome(provider) == "OLD")
  }

  @Test("Cancellation that races with the result ends in one of them, and doesn't affect others")
  func race() async throws {
    let new = try issued("NEW", until: 3_600)
    for _ in 0..<50 {
      let (clock, source) = (StandingClock(), GatedSource())
      let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
      let staying = (0..<10).map { _ in Task { await provider.outcome() } }
      let leaving = (0..<10).map { _ in Task { await provider.outcome() } }
      await clock.read(times: 20)
      async let answered: Void = source.open(with: new)
      for waiter in leaving { waiter.cancel() }
      await answered
      for waiter in staying { #expect(await waiter.value == "NEW") }
      for waiter in leaving { #expect(["NEW", "cancelled"].contains(await waiter.value)) }
      #expect(await source.askedCount == 1)
    }
  }

  @Test("Signing out drops the cached credentials")
  func signOut() async throws {
    let source = GatedSource(
      only: try issued("OLD", until: 3_600), try issued("NEW", until: 3_600))
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: StandingClock().now)
    #expect(await provider.outcome() == "OLD")
    try await provider.signOut()
    #expect(await provider.outcome() == "NEW")
    #expect(await source.askedCount == 2)
  }

  @Test("Signing out ends a refresh before it removes the identity, and its callers get nothing")
  func signOutInFlight() async throws {
    let source = UserSource()
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: StandingClock().now)
    let waiter = Task { await provider.outcome() }
    while await source.events.isEmpty { await Task.yield() }
    let leaving = Task { try await provider.signOut() }
    #expect(await waiter.value == "signInRequired")
    #expect(await provider.outcome() == "signInRequired")
    await source.open()
    try await leaving.value
    #expect(await source.events == ["asked", "stored", "removed"])
    #expect(await provider.outcome() == "unreachable")
  }

  @Test("Two sign-outs at once both wait for the refresh, and until then there are no credentials")
  func twoSignOuts() async throws {
    let source = UserSource()
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: StandingClock().now)
    let waiter = Task { await provider.outcome() }
    while await source.events.isEmpty { await Task.yield() }
    let leaving = (0..<2).map { _ in Task { try await provider.signOut() } }
    #expect(await waiter.value == "signInRequired")
    for _ in 0..<100 {
      await Task.yield()
      #expect(await provider.outcome() == "signInRequired")
    }
    #expect(await source.events == ["asked"])
    await source.open()
    for each in leaving { try await each.value }
    #expect(await source.events == ["asked", "stored", "removed", "removed"])
  }

  @Test(
    "A refresh that timed out can't store its identity after the user signed out",
    arguments: [false, true])
  func signOutAfterTimeout(hasLater: Bool) async throws {
    let source = UserSource()
    let clock = StandingClock()
    let provider = SigV4.CredentialProvider(
      source, policy: .init(timeout: .seconds(1)), now: clock.now)
    #expect(await provider.outcome() == "timedOut")
    if hasLater {
      clock.set(3_600)
      #expect(await provider.outcome() == "unreachable")
    }
    let leaving = Task { try await provider.signOut() }
    for _ in 0..<100 { await Task.yield() }
    #expect(await source.events == ["asked"])
    await source.open()
    try await leaving.value
    #expect(await source.events == ["asked", "stored", "removed"])
  }

  @Test("Signing out of a chain removes the identities of its sources")
  func signOutOfChain() async throws {
    let source = UserSource()
    let first = try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret")
    let chain = CredentialProviderChain([first, source])
    try await SigV4.CredentialProvider(chain, now: StandingClock().now).signOut()
    #expect(await source.events == ["removed"])
  }

  /// A source that stores an identity before it responds, as Amazon Cognito's does.
  private actor UserSource: SignOutResolver {
    private(set) var events: [String] = []
    private var gate: CheckedContinuation<Void, Never>?

    func open() { gate?.resume() }

    func credentials() async throws(CredentialError) -> ResolvedCredentials {
      if events.isEmpty {
        await withCheckedContinuation { continuation in
          gate = continuation
          events.append("asked")
        }
        events.append("stored")
      }
      return try unreachable.get()
    }

    func signOut() { events.append("removed") }
  }

  @Test("Every waiter of a question that fails gets the failure, and the next one starts afresh")
  func failureForAll() async throws {
    let (clock, source) = (StandingClock(), GatedSource())
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    let waiters = (0..<10).map { _ in Task { await provider.outcome() } }
    await clock.read(times: 10)
    await source.asked(times: 1)
    await source.answer(unreachable)
    for waiter in waiters { #expect(await waiter.value == "unreachable") }
    clock.set(1)
    let next = Task { await provider.outcome() }
    await source.asked(times: 2)
    await source.answer(try issued("NEW", until: 3_600))
    #expect(await next.value == "NEW")
  }

  /// The result of a caller that's cancelled before it calls.
  private func cancelledOutcome(_ provider: SigV4.CredentialProvider) async -> String? {
    await withTaskGroup(of: String.self) { group in
      group.cancelAll()
      group.addTask { await provider.outcome() }
      return await group.next()
    }
  }
}

/// A source that reports whether it's called in an actor.
private struct IsolationSource: CredentialResolver {
  let outside: ResolvedCredentials
  let inside: ResolvedCredentials

  func credentials() async throws(CredentialError) -> ResolvedCredentials {
    isInsideActor() ? inside : outside
  }

  private func isInsideActor(_ actor: isolated (any Actor)? = #isolation) -> Bool { actor != nil }
}
