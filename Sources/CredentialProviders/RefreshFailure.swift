// SPDX-License-Identifier: Apache-2.0
// What a refreshing provider remembers of a source that failed: why, and how long it is left alone.

internal import RequestSigning

/// Why the source could not be used, and how long it is left alone.
struct RefreshFailure: Sendable {
  let error: CredentialError
  private let start: SigV4.Timestamp
  private let pause: Int64

  init(
    _ error: CredentialError, at time: SigV4.Timestamp, after earlier: RefreshFailure?,
    schedule: RefreshingCredentialProvider.Schedule
  ) {
    start = time
    pause = schedule.pause(after: earlier?.pause)
    let end = (try? time.advanced(bySeconds: pause)) ?? time
    self.error = CredentialError(
      error.code, error.message + "; the source is asked again from \(end) on")
  }

  /// Whether the source is left alone. A time before the failure means that the clock was set back.
  func isPause(at time: SigV4.Timestamp) -> Bool {
    // Two timestamps differ by less than 2^39 seconds.
    (0..<pause).contains(time.unixSeconds - start.unixSeconds)
  }
}
