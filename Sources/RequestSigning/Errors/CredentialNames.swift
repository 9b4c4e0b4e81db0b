// SPDX-License-Identifier: Apache-2.0
// Detects headers, parameters and members that contain credentials by their names, and hides their
// values.

/// Detects credentials by name: secrets, tokens, and proofs that others could reuse.
///
/// It checks each word of a name. A word that ends like a credential counts (`x-auth-token`,
/// `SessionToken`, `apikey`), unless the last word describes it (`x-token-count`) or the whole name
/// is known to be public (`continuation-token`, `Idempotency-Key`). This also detects names that
/// applications invent, which no list could contain.
package enum CredentialNames {
  /// Returns whether a value with this name is a credential.
  package static func carriesCredential(_ name: some Collection<UInt8>) -> Bool {
    let words = words(of: name)
    guard let last = words.last else { return false }
    if facts.contains(where: { last.spells($0) }) { return false }
    let joined = ArraySlice(words.joined())
    if publicNames.contains(where: { joined.ends(with: $0) }) { return false }
    return words.contains { word in credentials.contains { word.ends(with: $0) } }
      || lastWords.contains { last.spells($0) } || otherNames.contains { joined.ends(with: $0) }
  }

  /// Returns the lowercase words of a name, separated by characters other than letters and digits,
  /// without trailing digits.
  private static func words(of name: some Collection<UInt8>) -> [ArraySlice<UInt8>] {
    name.map(ASCIIByte.lowercased).split { !ASCIIByte.isLetter($0) && !ASCIIByte.isDigit($0) }
      .map { word in word.dropLast(word.reversed().prefix(while: ASCIIByte.isDigit).count) }
      .filter { !$0.isEmpty }
  }

  /// Endings of words for credentials, anywhere in a name.
  private static let credentials: [StaticString] = [
    "token", "secret", "password", "passwd", "passphrase", "passcode", "pwd", "cookie", "jwt",
    "bearer", "dpop", "credentials", "csrf", "xsrf", "authorization", "apikey", "accesskey",
    "secretkey", "privatekey", "signature", "otp", "mfa", "oidc", "saml", "assertion",
  ]

  /// Words for credentials as the last word only: `x-api-key`, but not `x-amz-...-kms-key-id`.
  private static let lastWords: [StaticString] = [
    "key", "auth", "authentication", "session", "sid", "pin", "pass", "sig",
  ]

  /// Ends of other names. Browsers can't set headers of a WebSocket, so bearer tokens are sent as
  /// its subprotocol (Kubernetes, AWS AppSync).
  private static let otherNames: [StaticString] = ["sessionid", "websocketprotocol"]

  /// Last words that describe a credential without containing it.
  private static let facts: [StaticString] = [
    "count", "type", "length", "size", "limit", "remaining", "ttl", "seconds", "expiry", "expires",
    "expiration", "algorithm", "version", "mode", "enabled", "required",
  ]

  /// List positions, identifiers of repeated requests, and keys that aren't secret: RFC 6455, 1.3
  /// (Sec-WebSocket-Key); IETF draft-ietf-httpapi-idempotency-key-header.
  private static let publicNames: [StaticString] = [
    "continuationtoken", "nexttoken", "pagetoken", "paginationtoken", "idempotencykey",
    "websocketkey", "publickey", "partitionkey", "sortkey",
  ]
}

extension CredentialNames {
  /// Replaces the credentials in a line of a canonical request (a header `name:value` or parameters
  /// `a=1&b=2`) with their sizes. It hides values with the name of a credential, and known secrets
  /// anywhere in the line.
  package static func hiding(
    _ secrets: [[UInt8]] = [], in line: ArraySlice<UInt8>
  ) -> [UInt8] {
    if let colon = line.firstIndex(of: ASCIIByte.colon),
      line[..<colon].allSatisfy(ASCIIByte.isTokenCharacter), carriesCredential(line[..<colon])
    {
      return line[...colon] + placeholder(line[(colon + 1)...].count)
    }
    // Before the names, because a secret can look like a name with its value.
    let text = secrets.reduce(hidingUsers(in: Array(line)[...])) { hiding($1, in: $0) }
    let parameters = text.split(separator: ASCIIByte.ampersand, omittingEmptySubsequences: false)
    return Array(parameters.map(hidingValue).joined(separator: [ASCIIByte.ampersand]))
  }

  /// Replaces the user name and password of each URL in a text (RFC 3986, 3.2.1) with their size.
  package static func hidingUsers(in text: ArraySlice<UInt8>) -> [UInt8] {
    var hidden: [UInt8] = []
    var rest = text
    while let mark = BytewiseSearch.range(of: "://", in: rest) {
      hidden += rest[..<mark.upperBound]
      rest = rest[mark.upperBound...]
      // Passwords may contain a '/', although it must be encoded.
      let beginning = rest.prefix { ![ASCIIByte.questionMark, ASCIIByte.space].contains($0) }
      if let at = beginning.lastIndex(of: ASCIIByte.at) {
        hidden += placeholder(at - beginning.startIndex)
        rest = rest[at...]
      }
    }
    return hidden + rest
  }

  private static func hidingValue(of parameter: ArraySlice<UInt8>) -> [UInt8] {
    guard let equals = parameter.firstIndex(of: ASCIIByte.equals),
      carriesCredential(URIEncoding.decode(parameter[..<equals]))
        || namesSecret(parameter[..<equals], parameter[(equals + 1)...]),
      !parameter[(equals + 1)...].ends(with: ", not shown)")
    else { return Array(parameter) }
    return parameter[...equals] + placeholder(parameter[(equals + 1)...].count)
  }

  /// Whether a parameter is X-Amz-Credential or its equivalent, with an ID that may be a secret.
  private static func namesSecret(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Bool {
    if words(of: name).last?.spells("credential") != true { return false }
    let parts = URIEncoding.decode(value).split(
      separator: ASCIIByte.slash, omittingEmptySubsequences: false)
    // The scope: day, region, service and terminator.
    let id = parts.dropLast(4).joined(separator: [ASCIIByte.slash])
    return AccessKeyID.mayBeSecret(Array(id))
  }

  static func hiding(_ secret: [UInt8], in bytes: [UInt8]) -> [UInt8] {
    var hidden: [UInt8] = []
    var rest = bytes[...]
    while let range = BytewiseSearch.range(ofBytes: secret, in: rest) {
      hidden += rest[..<range.lowerBound]
      hidden += placeholder(secret.count)
      rest = rest[range.upperBound...]
    }
    return hidden.isEmpty ? bytes : hidden + rest
  }

  /// Returns the replacement for a credential of `count` bytes.
  static func placeholder(_ count: Int) -> [UInt8] {
    Array("(\(count) bytes, not shown)".utf8)
  }
}

extension ArraySlice<UInt8> {
  fileprivate func ends(with end: StaticString) -> Bool {
    suffix(end.utf8CodeUnitCount).spells(end)
  }
}
