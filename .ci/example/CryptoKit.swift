// SPDX-License-Identifier: Apache-2.0
// A stand-in for Apple's CryptoKit where there is none: its names, to see that they do not clash.

import Foundation

/// A hash function.
public protocol HashFunction {
  /// What it computes.
  associatedtype Digest

  /// The digest of data.
  static func hash(data: some DataProtocol) -> Digest
}

/// As many bytes as a digest has.
public struct SHA256Digest: Sequence {
  /// All zero.
  public func makeIterator() -> IndexingIterator<[UInt8]> {
    [UInt8](repeating: 0, count: 32).makeIterator()
  }
}

/// A name.
public struct SHA256: HashFunction {
  /// Nothing that was computed.
  public static func hash(data: some DataProtocol) -> SHA256Digest { SHA256Digest() }
}

/// A name.
public struct SymmetricKey {
  /// Keeps nothing.
  public init(data: some ContiguousBytes) {}
}

/// A name.
public struct HMAC<H: HashFunction> {
  /// Nothing that was computed.
  public static func authenticationCode(
    for data: some DataProtocol, using key: SymmetricKey
  ) -> Data { Data() }
}
