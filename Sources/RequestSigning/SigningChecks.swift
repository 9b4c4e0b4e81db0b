// SPDX-License-Identifier: Apache-2.0
// Checks across values, each of which is valid alone. They run before anything is signed.

internal import SigningSupport

extension SigV4.Preparer {
  func check(
    _ request: SigV4.Request, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) {
    try request.checkNotSigned()
    try request.storage.path.check(storage.service.pathRule)
    try checkCredentials(at: timestamp)
  }

  package func checkCredentials(at timestamp: SigV4.Timestamp) throws(SigV4.SigningError) {
    if let expiration = storage.identity.expiration, expiration <= timestamp {
      throw SigV4.SigningError(
        .credentialsExpired,
        """
        the credentials \(identity.accessKeyID) expired at \(expiration.textBytes), and the request is \
        to be signed at \(timestamp.textBytes); get new credentials, or correct the clock
        """)
    }
  }

  /// Refuses a URL that does not say how long it lives, where it has to.
  func checkNoLifetime() throws(SigV4.SigningError) {
    if case .required = service.lifetimeRule {
      throw SigV4.SigningError(
        .lifetimeRequired,
        """
        a presigned URL of \(service.name) has to say how long it lives; presign it with validFor: \
        1 to 604800 seconds
        """)
    }
  }

  /// Refuses a lifetime that the service, or the end of the credentials, does not allow.
  ///
  /// Returns when it ends, in Unix time.
  @discardableResult
  func checkLifetime(
    _ seconds: Int, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Int64 {
    if case .unsupported = service.lifetimeRule {
      throw SigV4.SigningError(
        .lifetimeNotSupported,
        """
        \(service.name) refuses a presigned URL that says how long it lives (X-Amz-Expires); \
        presign without validFor
        """)
    }
    if seconds < 1 || seconds > 604_800 {
      throw SigV4.SigningError(
        .invalidLifetime,
        """
        a presigned URL cannot be valid for \(seconds) seconds; ask for 1 to 604800, which is \
        seven days
        """)
    }
    let end = try timestamp.unixSeconds(after: Int64(seconds))
    if let expiration = storage.identity.expiration, timestamp < expiration,
      expiration.unixSeconds < end
    {
      throw SigV4.SigningError(
        .outlivesCredentials,
        """
        the URL would be valid until \(SigV4.Timestamp(checked: end).text), but the credentials \
        \(identity.accessKeyID) expire at \(expiration.text) and the URL ends with them; ask for \
        \(expiration.unixSeconds &- timestamp.unixSeconds) seconds at most, or use credentials \
        that live longer
        """)
    }
    return end
  }
}

extension SigV4.Request {
  /// Refuses a request that carries a signature, which a second one would only contradict.
  func checkNotSigned() throws(SigV4.SigningError) {
    let reserved = storage.query.sorted.first { storage.query.isReserved($0) }
    let header = storage.canonicalHeaders.line(named: "authorization")
    if reserved == nil && header == nil { return }
    var place: UTF8Text = "an Authorization header"
    if let reserved { place = "the query parameter \(quoted: query.bytes[reserved.name])" }
    throw SigV4.SigningError(
      .alreadySigned,
      """
      the request carries \(place) already, and services refuse what is signed twice; sign the \
      request as it was before, without it
      """)
  }
}

extension SigV4.Query {
  /// Whether a parameter belongs to the signature itself.
  fileprivate func isReserved(_ parameter: SigV4.FieldRange) -> Bool {
    let first = parameter.name.isEmpty ? 0 : bytes[parameter.start]
    if first | 0x20 != 0x78 { return false }
    let names: [StaticString] = [
      "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires",
      "X-Amz-SignedHeaders", "X-Amz-Signature", "X-Amz-Security-Token", "X-Amz-S3session-Token",
    ]
    return names.contains { bytes[parameter.name].spellsIgnoringCase($0) }
  }
}
