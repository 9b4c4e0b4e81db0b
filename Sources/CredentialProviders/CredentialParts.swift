// SPDX-License-Identifier: Apache-2.0
// Credentials in pieces, as variables, files and programs hold them, put together and checked.

internal import RequestSigning

/// The pieces of credentials, and where they were found. Secret.
struct CredentialParts {
  let accessKeyID: String
  let secretAccessKey: String
  let sessionToken: String?
  let expiration: SigV4.Timestamp?

  /// Where they come from, for people.
  let origin: String

  /// The credentials; an empty token is none.
  ///
  /// Throws `expired`, and the given code when a piece cannot be what it says.
  func provided(
    at now: SigV4.Timestamp, orThrow code: CredentialError.Code, hint: String
  ) throws(CredentialError) -> ProvidedCredentials {
    if let expiration, expiration <= now {
      throw CredentialError(
        .expired,
        "the credentials from \(origin) ended at \(expiration.text), and it is \(now.text); nothing "
          + "that they sign would be accepted: get new ones")
    }
    do throws(SigV4.SigningError) {
      return ProvidedCredentials(
        try SigV4.Credentials(
          accessKeyID: accessKeyID, secretAccessKey: secretAccessKey,
          sessionToken: sessionToken.flatMap { $0.isEmpty ? nil : $0 }, expiration: expiration),
        origin: origin)
    } catch {
      throw CredentialError(code, "in \(origin): \(error)\(hint)")
    }
  }
}
