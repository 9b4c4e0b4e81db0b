// SPDX-License-Identifier: Apache-2.0
// What is filled in on the page, as a request, and as what signs it.

internal import SignatureDiagnosis
internal import RequestSigning

/// The form of the page. Without a secret there are the first three steps.
struct PageForm {
  let accessKeyID: String
  let secret: String
  let token: String
  let region: String
  let service: String
  let time: String
  let lifetime: String
  let method: String
  let url: String
  let payload: SigV4.Payload
  let answer: [UInt8]
  let headers: SigV4.Headers

  init(_ fields: inout PageFields) {
    (accessKeyID, secret, token) = (fields.next(), fields.next(), fields.next())
    (region, service, time) = (fields.next(), fields.next(), fields.next())
    (lifetime, method, url) = (fields.next(), fields.next(), fields.next())
    let isUnsigned = !fields.next().isEmpty
    let body = fields.nextBytes()
    payload = isUnsigned ? .unsigned : body.isEmpty ? .empty : .bytes(body)
    answer = fields.nextBytes()
    var headers = SigV4.Headers()
    while !fields.isAtEnd { headers.append(fields.next(), fields.next()) }
    self.headers = headers
  }

  /// Whether the URL carries a signature already.
  var isSent: Bool {
    BytewiseSearch.range(
      of: "x-amz-signature=", in: url.utf8.map(ASCIIByte.lowercased)[...]) != nil
  }

  /// Who signed. An answer may name the access key ID that the form leaves out.
  func identity(
    of answer: SigV4.ServiceError? = nil
  ) throws(SigV4.SigningError) -> SigV4.Identity {
    try SigV4.Identity(
      accessKeyID: accessKeyID.isEmpty ? answer?.accessKeyID ?? "" : accessKeyID,
      sessionToken: token.isEmpty ? nil : token)
  }

  /// Nil without a secret.
  func credentials(
    of identity: SigV4.Identity
  ) throws(SigV4.SigningError) -> SigV4.Credentials? {
    if secret.isEmpty { return nil }
    return try SigV4.Credentials(
      accessKeyID: identity.accessKeyID, secretAccessKey: secret,
      sessionToken: identity.sessionToken)
  }

  func request() throws(SigV4.SigningError) -> SigV4.Request {
    try SigV4.Request(method, url: url, headers: headers, payload: payload)
  }

  func signer(
    for identity: SigV4.Identity
  ) throws(SigV4.SigningError) -> SigV4.Signer {
    try SigV4.Signer(identity: identity, region: region, service: .named(service))
  }

  /// The time of the form, in either form of ISO 8601.
  func timestamp() throws(SigV4.SigningError) -> SigV4.Timestamp {
    if let extended = SigV4.Timestamp(extended: time) { return extended }
    return try SigV4.Timestamp(time)
  }

  func duration() -> Duration { .seconds(Int64(lifetime) ?? 0) }
}

extension SigV4.PendingSignature {
  /// The finished request or URL; nil without the secret.
  func signed(with credentials: SigV4.Credentials?) -> Signed? {
    credentials.map { credentials in
      let key = SigV4.SigningKey(credentials, scope: credentialScope)
      return signed(with: key.signature(of: stringToSign))
    }
  }
}
