// SPDX-License-Identifier: Apache-2.0
// Credentials in pieces, as variables, files, programs and services hold them, put together and checked.

internal import DocumentSupport
internal import RequestSigning

/// The pieces of credentials that were found. Secret.
struct CredentialParts {
  var accessKeyID: String?
  var secretAccessKey: String?
  var sessionToken: String?
  var expiration: SigV4.Timestamp?

  /// The credentials, from an origin that is printed; an empty token counts as none.
  ///
  /// Throws `expired`, and the given code when a piece is missing or cannot be right.
  func provided(
    from origin: String, at now: SigV4.Timestamp, orThrow code: CredentialError.Code,
    hint: String = ""
  ) throws(CredentialError) -> ProvidedCredentials {
    guard let accessKeyID, let secretAccessKey else { throw incomplete(origin, code, missingKeys) }
    if let expiration, expiration <= now {
      throw CredentialError(
        .expired,
        "the credentials from \(origin) ended at \(expiration.text), and it is \(now.text) here, so "
          + "no server would accept their signatures; get new ones, or look at the clock of this "
          + "machine")
    }
    do throws(SigV4.SigningError) {
      return ProvidedCredentials(
        try SigV4.Credentials(
          accessKeyID: accessKeyID, secretAccessKey: secretAccessKey,
          sessionToken: sessionToken == "" ? nil : sessionToken, expiration: expiration),
        origin: origin)
    } catch {
      throw CredentialError(code, "in the credentials from \(origin), \(error.message)\(hint)")
    }
  }

  private var missingKeys: [String] {
    (accessKeyID == nil ? ["the access key ID"] : [])
      + (secretAccessKey == nil ? ["the secret access key"] : [])
  }

  private func incomplete(
    _ origin: String, _ code: CredentialError.Code, _ missing: [String]
  ) -> CredentialError {
    CredentialError(
      code,
      "the answer of \(origin) lacks \(missing.joined(separator: ", ")), so it cannot be used; look at "
        + "what answers there")
  }
}

extension CredentialParts {
  /// The pieces in a JSON object, by the names that the service has for them.
  init(
    _ object: JSONReader.Value?, id: String, secret: String, token: String,
    expiration: SigV4.Timestamp?
  ) {
    self.init(
      accessKeyID: object?[id]?.text, secretAccessKey: object?[secret]?.text,
      sessionToken: object?[token]?.text, expiration: expiration)
  }

  /// The pieces in an answer in XML of the Security Token Service.
  init(_ answer: XMLFieldReader) {
    self.init(
      accessKeyID: answer.text(named: "AccessKeyId"),
      secretAccessKey: answer.text(named: "SecretAccessKey"),
      sessionToken: answer.text(named: "SessionToken"),
      expiration: answer.text(named: "Expiration").flatMap(SigV4.Timestamp.init(expiration:)))
  }

  /// The credentials of a service, which are temporary: they need a token and an end, too.
  ///
  /// Throws `invalidAnswer` and `expired`.
  func provided(
    by service: String, origin: String, at now: SigV4.Timestamp
  ) throws(CredentialError) -> ProvidedCredentials {
    let missing =
      missingKeys + (sessionToken?.isEmpty == false ? [] : ["the session token"])
      + (expiration == nil ? ["a readable expiration"] : [])
    if !missing.isEmpty { throw incomplete(service, .invalidAnswer, missing) }
    return try provided(from: origin, at: now, orThrow: .invalidAnswer)
  }
}
