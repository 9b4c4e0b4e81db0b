// SPDX-License-Identifier: Apache-2.0
// Credentials in environment variables, as botocore reads them.

internal import DocumentSupport
internal import RequestSigning

/// Credentials in `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, and related variables.
///
/// The session token is in `AWS_SECURITY_TOKEN` or, if that's empty, in `AWS_SESSION_TOKEN`.
/// `AWS_CREDENTIAL_EXPIRATION` is optional. An empty variable counts as not set.
package struct EnvironmentCredentialProvider: CredentialResolver {
  private let sources: CredentialSources

  /// Creates a provider that reads these variables on each call.
  package init(sources: CredentialSources) { self.sources = sources }

  /// Returns the credentials in the environment variables.
  ///
  /// - Throws: `notConfigured` without an access key ID, `invalidConfiguration` if the secret is
  ///   missing or a value isn't valid, and `expired`.
  package func credentials() throws(CredentialError) -> ResolvedCredentials {
    guard let accessKeyID = sources.setVariable("AWS_ACCESS_KEY_ID") else {
      let other = ["AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"].first {
        sources.setVariable($0) != nil
      }
      throw CredentialError(
        .notConfigured, "AWS_ACCESS_KEY_ID isn't set\(other.map { ", but \($0) is" } ?? "").",
        fix: "Set it and AWS_SECRET_ACCESS_KEY. For temporary credentials, add AWS_SESSION_TOKEN.")
    }
    guard let secretAccessKey = sources.setVariable("AWS_SECRET_ACCESS_KEY") else {
      throw CredentialError(
        .invalidConfiguration, "AWS_ACCESS_KEY_ID is set but AWS_SECRET_ACCESS_KEY isn't.",
        fix: "Use both or neither.")
    }
    let end = sources.setVariable("AWS_CREDENTIAL_EXPIRATION")
    let expiration = end.flatMap(SigV4.Timestamp.init(expiration:))
    if let end, expiration == nil {
      throw CredentialError(
        .invalidConfiguration,
        "AWS_CREDENTIAL_EXPIRATION (\(end.shown)) isn't a time with a UTC offset.",
        fix: "Use the form 2024-01-29T18:53:01Z, or unset it.")
    }
    return try CredentialParts(
      accessKeyID: accessKeyID, secretAccessKey: secretAccessKey,
      sessionToken: sources.setVariable("AWS_SECURITY_TOKEN")
        ?? sources.setVariable("AWS_SESSION_TOKEN"), expiration: expiration,
      accountID: sources.setVariable("AWS_ACCOUNT_ID")
    ).provided(from: "environment variables", at: sources.now(), orThrow: .invalidConfiguration)
  }
}

extension CredentialSources {
  /// Returns the value of a variable, or nil if it isn't set or is empty.
  func setVariable(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
}

/// The parts of credentials that were found. Secret.
struct CredentialParts {
  var accessKeyID: String?
  var secretAccessKey: String?
  var sessionToken: String?
  var expiration: SigV4.Timestamp?
  /// Not a secret. An empty string counts as nil.
  var accountID: String?

  /// Returns the credentials, with a printable source. An empty token counts as nil. A service's
  /// credentials are temporary, so they need a token and an expiration.
  ///
  /// - Throws: `expired`, and `code` if a part is missing or isn't valid.
  func provided(
    from source: String, by service: String? = nil, at now: SigV4.Timestamp,
    orThrow code: CredentialError.Code = .invalidResponse, hint: String = ""
  ) throws(CredentialError) -> ResolvedCredentials {
    var missing: [String] = []
    if accessKeyID == nil { missing.append("no access key ID") }
    if secretAccessKey == nil { missing.append("no secret access key") }
    if service != nil && (sessionToken ?? "").isEmpty { missing.append("no session token") }
    if service != nil && expiration == nil { missing.append("no valid expiration") }
    guard missing.isEmpty, let accessKeyID, let secretAccessKey else {
      throw CredentialError(
        code,
        "The response from \(service ?? source) has \(missing.joined(separator: " and ")).",
        fix: "Check the endpoint URL.")
    }
    if let expiration, expiration <= now {
      throw CredentialError(
        .expired, "Credentials from \(source) expired at \(expiration.text) (now \(now.text)).",
        fix: "Get new ones, or correct your clock.")
    }
    do throws(SigV4.SigningError) {
      return ResolvedCredentials(
        try SigV4.Credentials(
          accessKeyID: accessKeyID, secretAccessKey: secretAccessKey,
          sessionToken: sessionToken == "" ? nil : sessionToken, expiration: expiration),
        source: source, accountID: accountID == "" ? nil : accountID)
    } catch {
      throw CredentialError(
        code, "Credentials from \(source) aren't valid. \(error.problem)", fix: error.fix + hint)
    }
  }
}

extension CredentialParts {
  /// Reads the parts from a JSON object, by the service's names for them.
  init(
    _ object: JSONReader.Value?, id: String, secret: String, token: String,
    expiration: SigV4.Timestamp?, accountID: String? = nil
  ) {
    self.init(
      accessKeyID: object?[id]?.text, secretAccessKey: object?[secret]?.text,
      sessionToken: object?[token]?.text, expiration: expiration,
      accountID: accountID ?? object?["AccountId"]?.text)
  }

  /// Reads the parts from an XML response of AWS STS.
  init(_ answer: XMLFieldReader) {
    self.init(
      accessKeyID: answer.text(named: "AccessKeyId"),
      secretAccessKey: answer.text(named: "SecretAccessKey"),
      sessionToken: answer.text(named: "SessionToken"),
      expiration: answer.text(named: "Expiration").flatMap(SigV4.Timestamp.init(expiration:)),
      accountID: answer.text(named: "Arn").flatMap(Self.accountID(ofARN:)))
  }

  /// Returns the account in an ARN: `arn:aws:sts::123456789012:assumed-role/name/session`.
  static func accountID(ofARN arn: String) -> String? {
    let parts = arn.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count > 5 ? String(parts[4]) : nil
  }
}
