// SPDX-License-Identifier: Apache-2.0
// HMAC-SHA-256 of independent messages under one prepared key, side by side.

nonisolated extension HMAC where H == SHA256 {
  /// The codes of two messages under a prepared key, computed side by side.
  @inlinable
  public static func authenticationCodePair(
    for first: some Collection<UInt8>, _ second: some Collection<UInt8>, using key: PreparedKey
  ) -> (MAC, MAC) {
    // FIPS 198-1, 4, steps 6, 8 and 9, for each of the two.
    // Safety: the key is alive, and nobody writes its memory.
    defer { withExtendedLifetime(key.storage) {} }
    let (digest, otherDigest) = unsafe SHA256.finalizePair(
      key.storage.start.pointee.inner, appending: first,
      key.storage.start.pointee.inner, appending: second)
    let (code, otherCode) = unsafe SHA256.finalizePair(
      key.storage.start.pointee.outer, appending: digest,
      key.storage.start.pointee.outer, appending: otherDigest)
    return (MAC(digest: code), MAC(digest: otherCode))
  }

  /// The codes of many messages under a prepared key, in their order, two at a time.
  ///
  /// The messages may differ in length: as soon as one is done, the next one takes its lane.
  @inlinable
  public static func authenticationCodeBatch<Message: Collection<UInt8>>(
    for messages: [Message], using key: PreparedKey
  ) -> [MAC] {
    let start = HMAC(key: key)
    return SHA256.finalizeBatch(start.inner, appending: messages, outer: start.outer)
      .map { MAC(digest: $0) }
  }
}

nonisolated extension HMAC.PreparedKey where H == SHA256 {
  /// Prepares a key for a certain implementation.
  public init(_ key: SymmetricKey, implementation: SHA256.Implementation) {
    self.init(HMAC(key: key, implementation: implementation))
  }
}
