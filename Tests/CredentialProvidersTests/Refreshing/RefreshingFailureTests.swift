// SPDX-License-Identifier: Apache-2.0
// A source that fails, and a server that rejects its credentials.

@testable internal import CredentialProviders
internal import RequestSigning
internal import SigningTestSupport
internal import Testing

@Suite(.endsIfItHangs) struct RefreshingFailureTests {
  @Test("A failure is reported until the pause is over, and then forgotten")
  func notSticky() async throws {
    let clock = StandingClock()
    let source = GatedSource(only: unreachable, try issued("NEW", until: 3_600))
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    for _ in 0..<10 { #expect(await provider.outcome() == "unreachable") }
    #expect(await source.askedCount == 1)
    #expect(
      await provider.lastError?.description
        == "unreachable: The server is away. A call at 20240102T030406Z or later tries again. "
        + "Call it again.")
    clock.set(1)
    #expect(await provider.outcome() == "NEW")
    #expect(await provider.lastError == nil)
  }

  /// As a role has a provider of the credentials that assume it.
  private struct Role: CredentialResolver {
    let base: SigV4.CredentialProvider

    func credentials() async throws(CredentialError) -> ResolvedCredentials {
      try await base.credentials()
    }
  }

  @Test("A provider whose source has a provider says once when the next attempt is: the later one")
  func nested() async throws {
    let clock = StandingClock()
    let source = GatedSource()
    await source.open(with: unreachable)
    let base = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    for seconds in [0, 1] as [Int64] {
      clock.set(seconds)
      #expect(await base.outcome() == "unreachable")
    }
    // The base waits for two seconds after its second failure, and the role for one.
    let role = SigV4.CredentialProvider(Role(base: base), policy: .patient, now: clock.now)
    #expect(await role.outcome() == "unreachable")
    let error = await role.lastError
    #expect(error?.retryTime?.text == "20240102T030408Z")
    #expect(
      error?.message
        == "The server is away. A call at 20240102T030408Z or later tries again. Call it again.")
  }

  @Test("The pauses double up to a minute, and start small again after a success")
  func pauses() async throws {
    let clock = StandingClock()
    let source = GatedSource()
    await source.open(with: unreachable)
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    #expect(
      await times(0...250, clock, provider, source) == [0, 1, 3, 7, 15, 31, 63, 123, 183, 243])
    clock.set(303)
    await source.open(with: try issued("NEW", until: 304))
    #expect(await provider.outcome() == "NEW")
    await source.open(with: unreachable)
    #expect(await times(304...310, clock, provider, source) == [304, 305, 307])
  }

  @Test("While the source is down, the old credentials are used until they expire, and no longer")
  func staticStability() async throws {
    let clock = StandingClock()
    let source = GatedSource()
    await source.open(with: try issued("OLD", until: 3_600))
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    #expect(await provider.outcome() == "OLD")
    await source.open(with: unreachable)
    for seconds in 3_001..<3_600 as Range<Int64> {
      clock.set(seconds)
      #expect(await provider.outcome() == "OLD")
    }
    #expect(await provider.lastError?.code == .unreachable)
    // 1, 2, 4 to 32 seconds and then minutes: 15 questions in ten minutes.
    #expect(await source.askedCount == 1 + 15)
    clock.set(3_600)
    #expect(await provider.outcome() == "unreachable")
    clock.set(3_700)
    await source.open(with: try issued("NEW", until: 7_200))
    #expect(await provider.outcome() == "NEW")
  }

  @Test("A failure in the background is seen in the log only")
  func background() async throws {
    let clock = StandingClock()
    let source = GatedSource([try issued("OLD", until: 3_600)])
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    #expect(await provider.outcome() == "OLD")
    clock.set(2_800)
    #expect(await provider.outcome() == "OLD")
    await source.asked(times: 2)
    await source.answer(unreachable)
    // Two calls and two results.
    await clock.read(times: 4)
    #expect(await provider.lastError?.code == .unreachable)
    #expect(await provider.outcome() == "OLD")
    #expect(await !provider.isAsking)
    clock.set(2_801)
    #expect(await provider.outcome() == "OLD")
    #expect(await provider.isAsking)
  }

  @Test("A source that doesn't respond in time is cancelled, fails, and may be tried again")
  func limit() async throws {
    let clock = StandingClock()
    let source = GatedSource()
    let provider = SigV4.CredentialProvider(
      source, policy: .init(timeout: .seconds(4)), now: clock.now)
    #expect(await provider.outcome() == "timedOut")
    #expect(
      await provider.lastError?.message.hasPrefix(
        "The credential source didn't respond within 4.0 seconds.") == true)
    clock.set(1)
    let caller = Task { await provider.outcome() }
    await source.asked(times: 2)
    // The first question comes too late, and the second one in time.
    await source.answer(try issued("NEW", until: 3_600))
    #expect(await caller.value == "NEW")
    // An actor's jobs may run in a different order.
    while await !source.wasCancelled { await Task.yield() }
  }

  @Test("Expired credentials don't replace valid ones")
  func expiredAnswer() async throws {
    let clock = StandingClock()
    let source = GatedSource(
      only: try issued("OLD", until: 3_600), try issued("OLDER", until: 3_000))
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    #expect(await provider.outcome() == "OLD")
    clock.set(3_001)
    for _ in 0..<10 { #expect(await provider.outcome() == "OLD") }
    #expect(await source.askedCount == 2)
    #expect(await provider.lastError?.code == .expired)
  }

  @Test("Ten rejections of the same credentials cause one refresh")
  func tenRefusals() async throws {
    let source = GatedSource(only: try issued("OLD", until: 3_600), try issued("NEW", until: 3_600))
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: StandingClock().now)
    let old = try await provider.credentials()
    let outcomes = await withTaskGroup(of: String.self) { group in
      for _ in 0..<10 {
        group.addTask {
          await provider.invalidate(old)
          return await provider.outcome()
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes == Array(repeating: "NEW", count: 10))
    #expect(await source.askedCount == 2)
    #expect(await source.refused == ["OLD"], "a source that keeps them too is told once")
  }

  @Test("A rejection during a refresh waits for that refresh")
  func refusalInFlight() async throws {
    let clock = StandingClock()
    let source = GatedSource([try issued("OLD", until: 3_600)])
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    let old = try await provider.credentials()
    clock.set(2_800)
    #expect(await provider.outcome() == "OLD")
    await source.asked(times: 2)
    await provider.invalidate(old)
    let caller = Task { await provider.outcome() }
    // Three calls, one result and one rejection.
    await clock.read(times: 5)
    await source.answer(try issued("NEW", until: 7_200))
    #expect(await caller.value == "NEW")
    #expect(await source.askedCount == 2)
  }

  @Test("Rejected credentials aren't used again, even if the source is down")
  func refusedAndDown() async throws {
    let source = GatedSource(only: try issued("OLD", until: 3_600), unreachable)
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: StandingClock().now)
    await provider.invalidate(try await provider.credentials())
    #expect(await provider.outcome() == "unreachable")
  }

  @Test("A source that returns rejected credentials again is trusted for a minute")
  func sameAgain() async throws {
    let clock = StandingClock()
    let source = GatedSource()
    await source.open(with: try issued("SAME", until: 3_600))
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    for seconds in 0..<180 as Range<Int64> {
      clock.set(seconds)
      await provider.invalidate(try await provider.credentials())
    }
    #expect(await provider.outcome() == "SAME")
    // The first, the first refusal's, and those of the refusals a minute after it each.
    #expect(await source.askedCount == 1 + 3)
  }

  /// The metadata service extends the expiration while it can't be reached.
  @Test("Rejected credentials that come back with a later end are trusted for a minute, too")
  func extended() async throws {
    let clock = StandingClock()
    let source = GatedSource()
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    for seconds in 0..<180 as Range<Int64> {
      await source.open(with: try issued("SAME", until: 3_600 + seconds))
      clock.set(seconds)
      await provider.invalidate(try await provider.credentials())
    }
    #expect(await source.askedCount == 1 + 3)
  }

  @Test("Only the very same credentials are thrown away: key ID, token and end")
  func others() async throws {
    let clock = StandingClock()
    let source = GatedSource(only: try issued("NEW", until: 3_600))
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    #expect(await provider.outcome() == "NEW")
    await provider.invalidate(try issued("OLD", until: 3_600).get())
    await provider.invalidate(try issued("NEW", until: 3_599).get())
    await provider.invalidate(
      ResolvedCredentials(
        try SigV4.Credentials(
          accessKeyID: "NEW", secretAccessKey: "secret", sessionToken: "another",
          expiration: moment(3_600)),
        source: "a test"))
    #expect(await provider.outcome() == "NEW")
    #expect(await source.askedCount == 1)
  }

  /// The times at which a caller who comes each second makes the provider ask.
  private func times(
    _ range: ClosedRange<Int64>, _ clock: StandingClock, _ provider: SigV4.CredentialProvider,
    _ source: GatedSource
  ) async -> [Int64] {
    var times: [Int64] = []
    for seconds in range {
      let before = await source.askedCount
      clock.set(seconds)
      #expect(await provider.outcome() == "unreachable")
      if await source.askedCount > before { times.append(seconds) }
    }
    return times
  }
}
