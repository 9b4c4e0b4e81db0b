// SPDX-License-Identifier: Apache-2.0
// Credentials in environment variables, as botocore reads them.

internal import RequestSigning

/// Credentials in `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, with those that belong to them.
///
/// A token is in `AWS_SECURITY_TOKEN` or, when that is empty, in `AWS_SESSION_TOKEN`; their end may
/// be in `AWS_CREDENTIAL_EXPIRATION`. An empty variable counts as not set.
public struct EnvironmentCredentialProvider: CredentialProvider {
  private let sources: CredentialSources

  /// A provider that reads the variables of these sources, each time it is asked.
  public init(sources: CredentialSources) {
    self.sources = sources
  }

  /// The credentials in the variables.
  ///
  /// Throws `notConfigured` without an access key ID, `invalidConfiguration` when the secret is
  /// missing or a value cannot be right, and `expired`.
  public func credentials() throws(CredentialError) -> ProvidedCredentials {
    guard let accessKeyID = sources.setVariable("AWS_ACCESS_KEY_ID") else {
      throw CredentialError(
        .notConfigured,
        "AWS_ACCESS_KEY_ID is not set; set it and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN for "
          + "temporary credentials)")
    }
    guard let secretAccessKey = sources.setVariable("AWS_SECRET_ACCESS_KEY") else {
      throw CredentialError(
        .invalidConfiguration,
        "AWS_ACCESS_KEY_ID is set and AWS_SECRET_ACCESS_KEY is not; nothing can be signed with one "
          + "of them: set both, or unset both")
    }
    let end = sources.setVariable("AWS_CREDENTIAL_EXPIRATION")
    let expiration = end.flatMap(SigV4.Timestamp.init(expiration:))
    if let end, expiration == nil {
      throw CredentialError(
        .invalidConfiguration,
        "AWS_CREDENTIAL_EXPIRATION is \(end.shown), which is not a time with an offset from UTC; "
          + "write it as 2024-01-29T18:53:01Z, or unset it")
    }
    return try CredentialParts(
      accessKeyID: accessKeyID, secretAccessKey: secretAccessKey,
      sessionToken: sources.setVariable("AWS_SECURITY_TOKEN")
        ?? sources.setVariable("AWS_SESSION_TOKEN"), expiration: expiration
    ).provided(from: "environment variables", at: sources.now(), orThrow: .invalidConfiguration)
  }
}

extension CredentialSources {
  /// The value of a variable; nil when it is not set, or empty.
  func setVariable(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
}
