// SPDX-License-Identifier: Apache-2.0
// Which headers, parameters and members carry credentials, by their names, and lines without their values.

/// Finds by its name what carries a credential: a secret, a token, or a proof that others could use again.
///
/// A name is read word by word. A word that ends as a credential is called counts (`x-auth-token`,
/// `SessionToken`, `apikey`), unless the last word tells a fact about it (`x-token-count`), or the whole is
/// known to be public (`continuation-token`, `Idempotency-Key`). Names that applications invent are found
/// this way, so there is no list of them.
package enum CredentialNames {
  /// Whether the value that has this name is a credential.
  package static func carriesCredential(_ name: some Collection<UInt8>) -> Bool {
    let words = words(of: name)
    guard let last = words.last else { return false }
    if facts.contains(where: { last.spells($0) }) { return false }
    let joined = ArraySlice(words.joined())
    if publicNames.contains(where: { joined.ends(with: $0) }) { return false }
    return words.contains { word in credentials.contains { word.ends(with: $0) } }
      || lastWords.contains { last.spells($0) } || joined.ends(with: "sessionid")
  }

  /// The words of a name in lowercase, which other characters than letters and digits separate, without
  /// digits at their ends.
  private static func words(of name: some Collection<UInt8>) -> [ArraySlice<UInt8>] {
    name.map(ASCIIByte.lowercased).split { !ASCIIByte.isLetter($0) && !ASCIIByte.isDigit($0) }
      .map { word in word.dropLast(word.reversed().prefix(while: ASCIIByte.isDigit).count) }
      .filter { !$0.isEmpty }
  }

  /// What credentials are called, wherever it stands.
  private static let credentials: [StaticString] = [
    "token", "secret", "password", "passwd", "passphrase", "passcode", "pwd", "cookie", "jwt",
    "bearer", "dpop", "credentials", "csrf", "xsrf", "authorization", "apikey", "accesskey",
    "secretkey", "privatekey", "signature", "otp", "mfa", "oidc", "saml", "assertion",
  ]

  /// What is a credential as the last word only: `x-api-key`, but not `x-amz-...-kms-key-id`.
  private static let lastWords: [StaticString] = [
    "key", "auth", "authentication", "session", "sid", "pin",
  ]

  /// What a last word tells of a credential instead of the credential.
  private static let facts: [StaticString] = [
    "count", "type", "length", "size", "limit", "remaining", "ttl", "seconds", "expiry", "expires",
    "expiration", "algorithm", "version", "mode", "enabled", "required",
  ]

  /// Positions in lists, names of requests that are repeated, and keys that are no secret: RFC 6455, 1.3
  /// (Sec-WebSocket-Key); IETF draft-ietf-httpapi-idempotency-key-header.
  private static let publicNames: [StaticString] = [
    "continuationtoken", "nexttoken", "pagetoken", "paginationtoken", "idempotencykey",
    "websocketkey", "publickey", "partitionkey", "sortkey",
  ]
}

extension CredentialNames {
  /// A line of a canonical request, a header `name:value` or parameters `a=1&b=2`, in which credentials are
  /// told by their size only: those that their names tell, and secrets that are known, wherever they stand.
  package static func hiding(
    _ secrets: [[UInt8]] = [], in line: ArraySlice<UInt8>
  ) -> [UInt8] {
    if let colon = line.firstIndex(of: ASCIIByte.colon),
      line[..<colon].allSatisfy(ASCIIByte.isTokenCharacter), carriesCredential(line[..<colon])
    {
      return line[...colon] + placeholder(line[(colon + 1)...].count)
    }
    // Before the names: a secret can look like a name with its value.
    let text = secrets.reduce(Array(line)) { hiding($1, in: $0) }
    let parameters = text.split(separator: ASCIIByte.ampersand, omittingEmptySubsequences: false)
    return Array(parameters.map(hidingValue).joined(separator: [ASCIIByte.ampersand]))
  }

  private static func hidingValue(of parameter: ArraySlice<UInt8>) -> [UInt8] {
    guard let equals = parameter.firstIndex(of: ASCIIByte.equals),
      carriesCredential(URIEncoding.decode(parameter[..<equals])),
      !parameter[(equals + 1)...].ends(with: ", not shown)")
    else { return Array(parameter) }
    return parameter[...equals] + placeholder(parameter[(equals + 1)...].count)
  }

  private static func hiding(_ secret: [UInt8], in bytes: [UInt8]) -> [UInt8] {
    var hidden: [UInt8] = []
    var rest = bytes[...]
    while let range = BytewiseSearch.range(ofBytes: secret, in: rest) {
      hidden += rest[..<range.lowerBound]
      hidden += placeholder(secret.count)
      rest = rest[range.upperBound...]
    }
    return hidden.isEmpty ? bytes : hidden + rest
  }

  /// What stands in the place of a credential of so many bytes.
  private static func placeholder(_ count: Int) -> [UInt8] {
    Array("(\(count) bytes, not shown)".utf8)
  }
}

extension ArraySlice<UInt8> {
  fileprivate func ends(with end: StaticString) -> Bool {
    suffix(end.utf8CodeUnitCount).spells(end)
  }
}
