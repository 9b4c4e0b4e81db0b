// SPDX-License-Identifier: Apache-2.0
// In what services and algorithms differ, as far as the steps of a signature are concerned.

package import SecureHashing

/// The rules of one signer.
package struct SignatureRules: Sendable {
  /// Whether the path on the wire is encoded again.
  package var encodesPathTwice: Bool

  /// Whether dot segments and empty segments are dropped.
  package var normalizesPath: Bool

  /// Headers that stay unsigned.
  package var unsignedNames: UnsignedNames

  /// The session token. Secret.
  package var token: SymmetricKey?

  /// How the session token travels.
  package var tokenField: SignatureField
  package var isTokenSigned: Bool

  /// What an algorithm adds, behind the date and before the token.
  package var additions: [SignatureAddition]

  package init(
    encodesPathTwice: Bool, normalizesPath: Bool, unsignedNames: UnsignedNames,
    token: SymmetricKey?, tokenField: SignatureField, isTokenSigned: Bool,
    additions: [SignatureAddition]
  ) {
    self.encodesPathTwice = encodesPathTwice
    self.normalizesPath = normalizesPath
    self.unsignedNames = unsignedNames
    self.token = token
    self.tokenField = tokenField
    self.isTokenSigned = isTokenSigned
    self.additions = additions
  }

  /// Whether a header of a request stays unsigned.
  @inline(__always)
  package func leavesUnsigned(_ field: MessageField, in text: TextSpan, inURL: Bool) -> Bool {
    if !isTokenSigned && tokenField.knownHeader == field.header { return true }
    if unsignedNames.includesDefault && field.header.isUnsigned(inURL: inURL) { return true }
    return unsignedNames.hasNames && unsignedNames.lists(text.extracting(field.nameRange))
  }
}

/// A header that an algorithm adds, or the parameter that takes its place in a URL.
package struct SignatureAddition: Sendable {
  package let field: SignatureField
  package let value: String

  package init(_ field: SignatureField, value: String) {
    self.field = field
    self.value = value
  }
}

/// A list of headers that stay unsigned.
package struct UnsignedNames: Hashable, Sendable {
  /// Whether what HTTP stacks, proxies and instrumentation add, drop or rewrite is in the list.
  package let includesDefault: Bool

  /// Names in lowercase; one that ends in '*' stands for all that begin so.
  private let names: [[UInt8]]

  package init(includesDefault: Bool, names: [[UInt8]] = []) {
    self.includesDefault = includesDefault
    self.names = names
  }

  package static var wildcard: UInt8 { 0x2A }

  /// Whether there are names beside the default ones.
  @inline(__always)
  var hasNames: Bool { !names.isEmpty }

  /// These names and those of another list.
  package func union(_ other: UnsignedNames) -> UnsignedNames {
    UnsignedNames(
      includesDefault: includesDefault || other.includesDefault, names: names + other.names)
  }

  /// Whether a name in lowercase is in the list.
  package func contains(_ name: TextSpan, inURL: Bool) -> Bool {
    includesDefault && KnownHeader(name: name).isUnsigned(inURL: inURL) || lists(name)
  }

  /// Whether a name in lowercase is among the names.
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
