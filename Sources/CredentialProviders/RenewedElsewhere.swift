// SPDX-License-Identifier: Apache-2.0
// Several processes renew one sign-in: those that come too late take what the first one wrote.

/// A sign-in that another process has renewed.
///
/// A refresh token is good once. When several processes send it, the service refuses all but the first, and
/// some of them before the first one has written its answer to the file that they share.
enum RenewedElsewhere {
  /// How long to wait between looks at the file, 3.1 seconds together.
  private static let pauses = [100, 200, 400, 800, 1_600].map(Duration.milliseconds)

  /// What a look at the file finds after a renewal failed; nil when there is nothing new.
  ///
  /// After a refusal it looks again a few times, unless there is something to use meanwhile. Throws
  /// `cancelled`.
  static func signIn<SignIn>(
    after failure: CredentialError, orUsing old: SignIn?, _ sources: CredentialSources,
    look: () -> SignIn?
  ) async throws(CredentialError) -> SignIn? {
    if let found = look() { return found }
    if old != nil || ![.accessDenied, .signInRequired].contains(failure.code) { return nil }
    for pause in pauses {
      try await sources.pause(for: pause)
      if let found = look() { return found }
    }
    return nil
  }
}
