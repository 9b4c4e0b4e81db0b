// SPDX-License-Identifier: Apache-2.0
// When the source is called again: before and at the expiration, and if the clock jumps.

@testable internal import CredentialProviders
internal import RequestSigning
internal import SigningTestSupport
internal import Testing

@Suite(.endsIfItHangs) struct RefreshingTimeTests {
  /// `refresh_needed(900)` and `refresh_needed(600)` of botocore 1.43.11's RefreshableCredentials.
  @Test("Credentials of an hour are fetched again when botocore fetches them")
  func hour() async throws {
    for (left, expected) in [
      (3_600, "kept"), (901, "kept"), (900, "kept"), (899, "background"), (601, "background"),
      (600, "background"), (599, "waited for"), (1, "waited for"), (0, "waited for"),
    ] as [(Int64, String)] {
      #expect(try await behaviour(life: 3_600, left: left) == expected, "\(left), \(expected)")
    }
  }

  /// Halves and thirds, which is this library's own rule: botocore would fetch these for each request.
  @Test("Short-lived credentials aren't requested again for each signature")
  func short() async throws {
    for (life, left, expected) in [
      (900, 450, "kept"), (900, 449, "background"), (900, 300, "background"),
      (900, 299, "waited for"), (10, 5, "kept"), (10, 4, "background"), (10, 2, "waited for"),
      (1, 1, "kept"), (1, 0, "waited for"), (1, -1, "waited for"),
    ] as [(Int64, Int64, String)] {
      #expect(
        try await behaviour(life: life, left: left) == expected, "\(life), \(left), \(expected)")
    }
  }

  @Test("A source without newer credentials is tried at shrinking intervals, not in a loop")
  func sameAgain() async throws {
    let clock = StandingClock()
    let source = GatedSource()
    await source.open(with: try issued("SAME", until: 3_600))
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    var askedAt: [Int64] = []
    for second in 0...3_600 as ClosedRange<Int> {
      clock.set(Int64(second))
      #expect(await provider.outcome() == (second < 3_600 ? "SAME" : "expired"))
      if await provider.isAsking {
        // The calls so far, the responses so far, and the pending one.
        await clock.read(times: second + 1 + askedAt.count + 1)
        #expect(await !provider.isAsking)
      }
      if await source.askedCount > askedAt.count { askedAt.append(3_600 - Int64(second)) }
    }
    // Below 900 seconds, then each below half of the one before, rounded down.
    #expect(askedAt == [3_600, 899, 448, 223, 110, 54, 26, 12, 5, 1, 0])
  }

  @Test("Credentials without an expiration are cached forever")
  func forever() async throws {
    let clock = StandingClock()
    let source = GatedSource(only: try issued("ALWAYS", until: nil))
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    for seconds in [0, 1_000_000_000, Self.end, Self.beginning] as [Int64] {
      clock.set(seconds)
      #expect(await provider.outcome() == "ALWAYS")
      #expect(await !provider.isAsking)
    }
    #expect(await source.askedCount == 1)
  }

  @Test("Credentials that are already expired are an error, and aren't requested in a loop")
  func expiredAnswer() async throws {
    let clock = StandingClock(3_600)
    let source = GatedSource(
      only: try issued("LATE", until: 3_600), try issued("NEW", until: 7_200))
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    for _ in 0..<10 { #expect(await provider.outcome() == "expired") }
    #expect(await source.askedCount == 1)
    let message = await provider.lastError?.message ?? ""
    #expect(message.contains("LATE with a session token from a test had already expired when"))
    #expect(message.contains("they expired at 20240102T040405Z (now 20240102T040405Z)"))
    #expect(!message.contains("secret") && !message.contains("token-of"))
    clock.set(3_601)
    #expect(await provider.outcome() == "NEW")
  }

  @Test("Credentials that expire while they travel are an error, and so are old ones that do")
  func expiryRace() async throws {
    let clock = StandingClock()
    let source = GatedSource([try issued("OLD", until: 100)])
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    #expect(await provider.outcome() == "OLD")
    clock.set(99)
    let caller = Task { await provider.outcome() }
    await source.asked(times: 2)
    clock.set(100)
    await source.answer(try issued("NEW", until: 100))
    #expect(await caller.value == "expired")
    clock.set(101)
    let next = Task { await provider.outcome() }
    await source.asked(times: 3)
    await source.answer(unreachable)
    #expect(await next.value == "unreachable")
  }

  @Test("A clock that's set back inside a pause ends it")
  func backInPause() async throws {
    let clock = StandingClock()
    let source = GatedSource(only: unreachable, try issued("NEW", until: 3_600))
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    #expect(await provider.outcome() == "unreachable")
    clock.set(-1)
    #expect(await provider.outcome() == "NEW")
  }

  @Test("A clock that leaps and comes back finds the old credentials, and no pause")
  func leap() async throws {
    let clock = StandingClock()
    let source = GatedSource()
    await source.open(with: try issued("OLD", until: 3_600))
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    #expect(await provider.outcome() == "OLD")
    clock.set(Self.end)
    #expect(await provider.outcome() == "expired")
    clock.set(0)
    #expect(await provider.outcome() == "OLD")
    #expect(await source.askedCount == 2)
    clock.set(Self.beginning)
    #expect(await provider.outcome() == "OLD")
    #expect(await source.askedCount == 2)
    clock.set(3_500)
    #expect(await provider.outcome() == "OLD")
    #expect(await source.askedCount == 3)
  }

  @Test("The calendar's last second has no next one, and a failure in it's still reported")
  func lastSecond() async throws {
    let source = GatedSource(only: unreachable)
    let provider = SigV4.CredentialProvider(
      source, policy: .patient, now: StandingClock(Self.end).now)
    #expect(await provider.outcome() == "unreachable")
    #expect(
      await provider.lastError?.message.contains(" at 99991231T235959Z or later tries again. ")
        == true)
  }

  @Test("A refresh policy of impossible durations becomes the nearest possible one")
  func policy() async throws {
    let negative = SigV4.CredentialProvider.RefreshPolicy(
      backgroundRefresh: .seconds(-1), blockingRefresh: .seconds(5),
      initialBackoff: .seconds(Int64.max),
      maximumBackoff: .seconds(-1), timeout: .zero)
    #expect(negative.backgroundRefresh == .zero && negative.blockingRefresh == .zero)
    #expect(negative.initialBackoff == .zero && negative.maximumBackoff == .zero)
    #expect(negative.timeout == .seconds(1))
    let longest = SigV4.CredentialProvider.RefreshPolicy(
      backgroundRefresh: .seconds(Int64.max), blockingRefresh: .seconds(Int64.max),
      initialBackoff: .seconds(Int64.max), maximumBackoff: .seconds(Int64.max))
    #expect(longest.pause(after: longest.pause(after: nil)) == Int64.max)
    let half = SigV4.CredentialProvider.RefreshPolicy(
      initialBackoff: .milliseconds(500), maximumBackoff: .milliseconds(2_500))
    #expect(half.pause(after: nil) == 1 && half.pause(after: 1) == 2 && half.pause(after: 2) == 3)
    let source = GatedSource([unreachable, try issued("NEW", until: 10)])
    let provider = SigV4.CredentialProvider(
      source, policy: longest, now: StandingClock(Self.beginning).now)
    #expect(await provider.outcome() == "unreachable")
    #expect(await provider.outcome() == "unreachable")
  }

  /// 9999-12-31T23:59:59Z and 0001-01-01T00:00:00Z, from 2024-01-02T03:04:05Z.
  private static let end: Int64 = 253_402_300_799 - 1_704_164_645
  private static let beginning: Int64 = -62_135_596_800 - 1_704_164_645

  /// The effect of a call on credentials with this lifetime and remaining time.
  private func behaviour(life: Int64, left: Int64) async throws -> String {
    let clock = StandingClock()
    let source = GatedSource([try issued("OLD", until: life)])
    let provider = SigV4.CredentialProvider(source, policy: .patient, now: clock.now)
    #expect(await provider.outcome() == "OLD")
    clock.set(life - left)
    let caller = Task { await provider.outcome() }
    // The first call, its result, and this call.
    await clock.read(times: 3)
    // A caller that does not wait has left the actor before this looks into it.
    let isAsking = await provider.isAsking
    if !isAsking { return await caller.value == "OLD" ? "kept" : "lost" }
    await source.asked(times: 2)
    await source.answer(try issued("NEW", until: life * 2 + 10))
    return await caller.value == "OLD" ? "background" : "waited for"
  }
}
