// SPDX-License-Identifier: Apache-2.0
// SHA-256 and HMAC by an implementation that a test names, in the forms that tests use most.

@testable internal import SecureHashing

extension SHA256 {
  /// The digest of a whole message by a certain implementation.
  static func hash(_ message: some Collection<UInt8>, by implementation: Implementation) -> Digest {
    SHA256(implementation: implementation).finalize(appending: message)
  }
}

extension HMAC where H == SHA256 {
  /// The code of a whole message by a certain implementation.
  static func code(
    for message: some Collection<UInt8>, using key: SymmetricKey,
    by implementation: SHA256.Implementation
  ) -> MAC {
    HMAC(key: key, implementation: implementation).finalize(appending: message)
  }
}
