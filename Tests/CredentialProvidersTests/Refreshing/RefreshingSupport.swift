// SPDX-License-Identifier: Apache-2.0
// A clock and a source that a test controls, so no test of refreshing sleeps.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning

extension SigV4.CredentialProvider.RefreshPolicy {
  /// While all tests run at once, one can wait for its turn for longer than a source may take.
  static let patient = Self(timeout: .seconds(3_600))
}

/// A clock that stops until it's set. A test can wait until it was read a number of times: a
/// provider reads it once per call, before anything can keep it from joining the waiting calls.
final class StandingClock: @unchecked Sendable {
  private let lock = NSLock()
  private var seconds: Int64
  private var readCount = 0
  private var readers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  init(_ seconds: Int64 = 0) {
    self.seconds = seconds
  }

  func set(_ seconds: Int64) {
    lock.withLock { self.seconds = seconds }
  }

  /// The time in seconds since 2024-01-02T03:04:05Z.
  func now() -> SigV4.Timestamp {
    let (seconds, ready) = lock.withLock {
      readCount += 1
      let ready = readers.filter { $0.count <= readCount }
      readers.removeAll { $0.count <= readCount }
      return (self.seconds, ready)
    }
    for reader in ready { reader.continuation.resume() }
    return moment(seconds)
  }

  /// Waits until the clock was read this many times.
  func read(times count: Int) async {
    await withCheckedContinuation { continuation in
      let isReady = lock.withLock {
        if readCount < count { readers.append((count, continuation)) }
        return readCount >= count
      }
      if isReady { continuation.resume() }
    }
  }
}

/// A source with a gate: a call waits for the test, or gets its result from a list.
actor GatedSource {
  private(set) var askedCount = 0
  private(set) var wasCancelled = false
  private(set) var refused: [String] = []
  private var answers: [Result<ResolvedCredentials, CredentialError>]
  private let surplus: CredentialError?
  private var isOpen = false
  private var questions:
    [CheckedContinuation<Result<ResolvedCredentials, CredentialError>, Never>] = []
  private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  /// A source that returns these results immediately, and then waits at a gate.
  init(_ answers: [Result<ResolvedCredentials, CredentialError>] = []) {
    self.answers = answers
    surplus = nil
  }

  /// A source that returns these results immediately, and rejects further calls.
  init(only answers: Result<ResolvedCredentials, CredentialError>...) {
    self.answers = answers
    surplus = CredentialError(
      .accessDenied, "The source was asked too often.", fix: "Call it less often.")
  }

  func credentials() async throws(CredentialError) -> ResolvedCredentials {
    askedCount += 1
    let ready = watchers.filter { $0.count <= askedCount }
    watchers.removeAll { $0.count <= askedCount }
    for watcher in ready { watcher.continuation.resume() }
    if isOpen, let last = answers.last { return try last.get() }
    if !answers.isEmpty { return try answers.removeFirst().get() }
    if let surplus { throw surplus }
    let answer = await withCheckedContinuation { questions.append($0) }
    wasCancelled = wasCancelled || Task.isCancelled
    return try answer.get()
  }

  func invalidate(_ provided: ResolvedCredentials) {
    refused.append(provided.credentials.identity.accessKeyID)
  }

  /// Waits until the source was called this many times.
  func asked(times count: Int) async {
    if askedCount >= count { return }
    await withCheckedContinuation { watchers.append((count, $0)) }
  }

  /// Answers all questions, those to come too, so that a provider that asks too often is counted.
  func open(with answer: Result<ResolvedCredentials, CredentialError>) {
    answers = [answer]
    isOpen = true
    for question in questions { question.resume(returning: answer) }
    questions = []
  }

  /// Answers the questions that wait; the next one waits again.
  func answer(_ answer: Result<ResolvedCredentials, CredentialError>) {
    for question in questions { question.resume(returning: answer) }
    questions = []
  }
}

extension GatedSource: CredentialResolver {}

/// The time a number of seconds after 2024-01-02T03:04:05Z.
func moment(_ seconds: Int64) -> SigV4.Timestamp {
  do {
    return try SigV4.Timestamp(unixSeconds: 1_704_164_645 + seconds)
  } catch {
    preconditionFailure("a test asks for a moment that does not exist")
  }
}

/// Credentials with this name, which expire a number of seconds after 2024-01-02T03:04:05Z.
func issued(
  _ name: String, until end: Int64?
) throws -> Result<ResolvedCredentials, CredentialError> {
  .success(
    ResolvedCredentials(
      try SigV4.Credentials(
        accessKeyID: name, secretAccessKey: "secret", sessionToken: "token-of-\(name)",
        expiration: end.map(moment)),
      source: "a test"))
}

let unreachable: Result<ResolvedCredentials, CredentialError> = .failure(
  CredentialError(.unreachable, "The server is away.", fix: "Call it again."))

extension CredentialResolver {
  /// The access key ID of the credentials, or the code of the failure.
  func outcome() async -> String {
    do throws(CredentialError) {
      return try await credentials().credentials.identity.accessKeyID
    } catch {
      return error.code.name
    }
  }
}
