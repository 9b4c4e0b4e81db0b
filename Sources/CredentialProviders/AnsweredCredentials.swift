// SPDX-License-Identifier: Apache-2.0
// What services answer, on its way to credentials: texts, times, and what is missing.

internal import RequestSigning

/// Credentials as a service answered them. Secret.
struct AnsweredCredentials {
  var accessKeyID: String?
  var secretAccessKey: String?
  var sessionToken: String?
  var expiration: SigV4.Timestamp?

  /// The credentials of a JSON object, by the names that the service has for them.
  init(
    _ object: SigV4.JSONReader.Value?, id: String, secret: String, token: String,
    expiration: SigV4.Timestamp?
  ) {
    accessKeyID = object?[id]?.text
    secretAccessKey = object?[secret]?.text
    sessionToken = object?[token]?.text
    self.expiration = expiration
  }

  /// The credentials of an answer in XML of the Security Token Service.
  init(_ answer: SigV4.XMLFieldReader) {
    accessKeyID = answer.text(named: "AccessKeyId")
    secretAccessKey = answer.text(named: "SecretAccessKey")
    sessionToken = answer.text(named: "SessionToken")
    expiration = answer.text(named: "Expiration").flatMap(SigV4.Timestamp.init(extended:))
  }

  /// The credentials, which have to be whole and alive.
  ///
  /// Throws `invalidAnswer` and `expired`.
  func provided(
    by service: String, origin: String, at now: SigV4.Timestamp
  ) throws(CredentialError) -> ProvidedCredentials {
    guard let accessKeyID, let secretAccessKey, let sessionToken, let expiration else {
      throw CredentialError(
        .invalidAnswer,
        "the answer of \(service) lacks \(missing.joined(separator: ", ")), without which nothing "
          + "can be signed or kept; look at what answers at this address")
    }
    if expiration <= now {
      throw CredentialError(
        .expired,
        "the credentials that \(service) gave ended at \(expiration.text), and it is \(now.text) "
          + "here, so nothing would accept them; look at the clock of this machine")
    }
    do throws(SigV4.SigningError) {
      return ProvidedCredentials(
        try SigV4.Credentials(
          accessKeyID: accessKeyID, secretAccessKey: secretAccessKey, sessionToken: sessionToken,
          expiration: expiration),
        origin: origin)
    } catch {
      throw CredentialError(.invalidAnswer, "in the answer of \(service), \(error.message)")
    }
  }

  private var missing: [String] {
    var names: [String] = []
    if accessKeyID == nil { names.append("the access key ID") }
    if secretAccessKey == nil { names.append("the secret access key") }
    if sessionToken == nil { names.append("the session token") }
    if expiration == nil { names.append("a readable expiration") }
    return names
  }
}

/// The documents that services answer.
enum ServiceDocument {
  /// An object of JSON. Throws `invalidAnswer`, which tells the place and not what stands there.
  static func json(
    _ body: [UInt8], of service: String
  ) throws(CredentialError) -> SigV4.JSONReader.Value {
    do throws(SigV4.DocumentError) {
      let value = try SigV4.JSONReader.value(of: body)
      if case .object = value { return value }
    } catch {
      throw CredentialError(.invalidAnswer, "in the answer of \(service), \(error.message)")
    }
    throw CredentialError(
      .invalidAnswer,
      "the answer of \(service) is no object of JSON, so it holds no credentials; look at what "
        + "answers at this address")
  }

  /// A document of XML. Throws `invalidAnswer`.
  static func xml(
    _ body: [UInt8], of service: String
  ) throws(CredentialError) -> SigV4.XMLFieldReader {
    do throws(SigV4.DocumentError) {
      return try SigV4.XMLFieldReader(body)
    } catch {
      throw CredentialError(.invalidAnswer, "in the answer of \(service), \(error.message)")
    }
  }
}

extension SigV4.JSONReader.Value {
  /// The number, however it is written; nil for any other kind of value.
  var double: Double? {
    if case .number(let digits) = self { Double(digits) } else { nil }
  }

  /// The moment of so many seconds since 1970, fractions dropped; nil when there is no such moment.
  var secondsSince1970: SigV4.Timestamp? { double.flatMap(SigV4.Timestamp.init(answered:)) }

  /// The moment of so many milliseconds since 1970.
  var millisecondsSince1970: SigV4.Timestamp? {
    double.flatMap { SigV4.Timestamp(answered: $0 / 1000) }
  }

  /// The moment of a text such as `2024-01-29T18:53:01Z`.
  var moment: SigV4.Timestamp? { text.flatMap(SigV4.Timestamp.init(extended:)) }
}

extension SigV4.Timestamp {
  /// The moment of so many seconds since 1970; nil when that is no moment.
  init?(answered seconds: Double) {
    guard seconds.isFinite, abs(seconds) < 1e12,
      let moment = try? SigV4.Timestamp(unixSeconds: Int64(seconds.rounded(.down)))
    else { return nil }
    self = moment
  }
}
