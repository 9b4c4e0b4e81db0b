// SPDX-License-Identifier: Apache-2.0
// When credentials are refreshed, and how soon after a failure.

public import RequestSigning

extension SigV4.CredentialProvider {
  /// When to refresh credentials, and how soon to retry after a failure.
  ///
  /// The defaults before the expiration are those of botocore's `RefreshableCredentials`. They're
  /// shorter for credentials with a lifetime of less than half an hour, which would otherwise be
  /// refreshed on each request. If thousands of machines start together, use a different
  /// `backgroundRefresh` on each. Providers that are created by name do so: they add up to 5
  /// minutes.
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
    /// enters a code.
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

    /// The default policy, except that the background refresh begins up to 5 minutes earlier.
    package static func spread(by sources: CredentialSources) -> Self {
      Self(backgroundRefresh: .seconds(900 + Int(300 * sources.randomShare)))
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
}

extension Duration {
  /// The duration in seconds, rounded up. It isn't negative.
  var secondsRoundedUp: Int64 {
    let (seconds, attoseconds) = limitedComponents
    return attoseconds > 0 && seconds < .max ? seconds + 1 : seconds
  }
}
