// SPDX-License-Identifier: Apache-2.0
// The parts of a signature: parameters of a URL, or cookies with a prefix.

internal import RequestSigning

/// The parts in the order of the Developer Guide. Names are case-sensitive.
enum CloudFrontField: String, CaseIterable {
  case expires = "Expires"
  case policy = "Policy"
  case signature = "Signature"
  case keyPairID = "Key-Pair-Id"
  case hashAlgorithm = "Hash-Algorithm"

  /// Creates the field of a parameter, or returns nil for any other name.
  init?(name: ArraySlice<UInt8>) {
    guard let field = Self.allCases.first(where: { name.elementsEqual($0.rawValue.utf8) })
    else { return nil }
    self = field
  }

  var cookieName: String { Self.cookiePrefix + rawValue }

  static var cookiePrefix: String { "CloudFront-" }
}
