// SPDX-License-Identifier: Apache-2.0
// The rules that differ between services and algorithms, for the steps of a signature.

package import SecureHashing

/// The rules of one signer.
package struct SignatureRules: Sendable {
  package let names: SignatureNames

  package var path: CanonicalPath

  /// The headers to leave unsigned.
  package var unsignedNames: UnsignedNames

  /// The session token. Secret.
  package let token: SymmetricKey?
  let tokenByteCount: Int

  /// The field that contains the session token, and whether it's signed.
  package var tokenField: SignatureField
  package var isTokenSigned: Bool

  /// The fields that an algorithm adds, after the date and before the token.
  package var additions: [SignatureAddition]

  package init(
    names: SignatureNames, path: CanonicalPath, unsignedNames: UnsignedNames, token: SymmetricKey?,
    tokenField: SignatureField, isTokenSigned: Bool, additions: [SignatureAddition]
  ) {
    self.names = names
    self.path = path
    self.unsignedNames = unsignedNames
    self.token = token
    tokenByteCount = token?.byteCount ?? 0
    self.tokenField = tokenField
    self.isTokenSigned = isTokenSigned
    self.additions = additions
  }

  /// Returns whether a request's header stays unsigned.
  @inline(__always)
  package func leavesUnsigned(_ field: MessageField, in text: TextSpan, inURL: Bool) -> Bool {
    if !isTokenSigned && tokenField.knownHeader == field.header { return true }
    if unsignedNames.includesDefault && field.header.isUnsigned(inURL: inURL) { return true }
    return unsignedNames.hasNames && unsignedNames.lists(text.extracting(field.nameRange))
  }
}

/// How the canonical path follows from the path as sent.
package struct CanonicalPath: Hashable, Sendable {
  /// Whether the path, as sent, is encoded again.
  package let encodesTwice: Bool

  /// Whether dot segments and empty segments are removed.
  package let isNormalized: Bool

  package init(encodesTwice: Bool, isNormalized: Bool) {
    (self.encodesTwice, self.isNormalized) = (encodesTwice, isNormalized)
  }
}

/// A header that an algorithm adds, or the equivalent parameter in a URL.
package struct SignatureAddition: Sendable {
  package let field: SignatureField
  package let value: String

  package init(_ field: SignatureField, value: String) {
    self.field = field
    self.value = value
  }
}

/// A list of headers to leave unsigned.
package struct UnsignedNames: Hashable, Sendable {
  /// Whether the list includes the headers that HTTP stacks, proxies and instrumentation add,
  /// remove or rewrite.
  package let includesDefault: Bool

  /// Lowercase names. A name that ends in '*' matches all names with that prefix.
  private let names: [[UInt8]]

  package init(includesDefault: Bool, names: [[UInt8]] = []) {
    self.includesDefault = includesDefault
    self.names = names
  }

  package static var wildcard: UInt8 { 0x2A }

  /// Whether there are names other than the default ones.
  @inline(__always)
  var hasNames: Bool { !names.isEmpty }

  /// Returns these names combined with those of another list.
  package func union(_ other: UnsignedNames) -> UnsignedNames {
    UnsignedNames(
      includesDefault: includesDefault || other.includesDefault, names: names + other.names)
  }

  /// Returns whether a lowercase name is in the list.
  package func contains(_ name: TextSpan, inURL: Bool) -> Bool {
    includesDefault && KnownHeader(name: name).isUnsigned(inURL: inURL) || lists(name)
  }

  /// Returns whether a lowercase name matches one of the names.
  func lists(_ name: TextSpan) -> Bool {
    for pattern in names {
      let isPrefix = pattern.last == Self.wildcard
      let count = isPrefix ? pattern.count &- 1 : pattern.count
      if name.count < count || !isPrefix && name.count > count { continue }
      var isSame = true
      for index in 0..<count where name[index] != pattern[index] { isSame = false }
      if isSame { return true }
    }
    return false
  }
}
