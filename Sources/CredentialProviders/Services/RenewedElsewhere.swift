// SPDX-License-Identifier: Apache-2.0
// Sign-ins that several processes refresh: a process that's too late uses the first one's result.

internal import DocumentSupport

/// A sign-in that another process has refreshed.
///
/// A refresh token is valid once. If several processes send it, the service rejects all except the
/// first, perhaps before that one has written its response to the shared file.
enum RenewedElsewhere {
  /// The delays between reads of the file, 3.1 seconds in total.
  private static let pauses = [100, 200, 400, 800, 1_600].map(Duration.milliseconds)

  /// Returns the sign-in in the file after a refresh failed, or nil if it hasn't changed.
  ///
  /// After a rejection it rereads the file a few times, unless the old sign-in is still valid.
  ///
  /// - Throws: `cancelled`.
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

extension CredentialSources {
  /// Returns the JSON of a sign-in in the AWS CLI's cache. Throws `signInRequired` if there's none,
  /// and `invalidFile`.
  func signIn(at path: String, fix: String) throws(CredentialError) -> JSONReader.Value {
    guard let file = try contents(of: path) else {
      throw CredentialError(
        .signInRequired, "You aren't signed in: \(path.shown) doesn't exist or is a directory.",
        fix: fix)
    }
    do throws(DocumentError) {
      return try JSONReader.value(of: file)
    } catch {
      throw CredentialError(
        .invalidFile, "The cached sign-in \(path.shown) isn't valid. \(error.problem)", fix: fix)
    }
  }
}
