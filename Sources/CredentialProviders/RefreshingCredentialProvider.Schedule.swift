// SPDX-License-Identifier: Apache-2.0
// When credentials that are kept are fetched again: before their end, and after a failure.

extension RefreshingCredentialProvider {
  /// When the source is asked again, in seconds.
  ///
  /// The times before the end are those of botocore's `RefreshableCredentials`. They are shortened for
  /// credentials that live less than half an hour, which would be fetched anew for each request
  /// otherwise. Nothing is random here: where a thousand machines start at once, give each an
  /// `advisory` of its own.
  public struct Schedule: Sendable {
    /// With less left than this, new credentials are fetched while the old ones serve: 900. At most
    /// half of the life that they had when they came.
    public let advisory: Int

    /// With less left than this, callers wait for new credentials: 600, at most `advisory` and a third
    /// of the life that they had when they came.
    public let mandatory: Int

    /// How long the source is left alone after it failed: 1. Each further failure doubles it.
    public let firstPause: Int

    /// How long the source is left alone at most: 60, as botocore leaves the source of its tokens.
    public let longestPause: Int

    /// A schedule; fewer than 0 seconds mean 0. Without pauses a source that is down is asked by every
    /// caller that comes after a failure.
    public init(
      advisory: Int = 900, mandatory: Int = 600, firstPause: Int = 1, longestPause: Int = 60
    ) {
      self.advisory = max(advisory, 0)
      self.mandatory = min(max(mandatory, 0), self.advisory)
      self.longestPause = max(longestPause, 0)
      self.firstPause = min(max(firstPause, 0), self.longestPause)
    }

    /// How long the source is left alone after another failure.
    func pause(after pause: Int64?) -> Int64 {
      guard let pause else { return Int64(firstPause) }
      return pause > Int64(longestPause) / 2 ? Int64(longestPause) : pause * 2
    }
  }
}
