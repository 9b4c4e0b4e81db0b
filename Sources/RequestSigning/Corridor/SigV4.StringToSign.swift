// SPDX-License-Identifier: Apache-2.0
// Room 2: the string to sign.

#if canImport(SecureHashing)
  internal import SecureHashing
#endif

nonisolated extension SigV4 {
  /// Room 2: the string to sign (SigV4, step 3).
  public struct StringToSign: Sendable {
    /// The string to sign. It holds no secret.
    public let bytes: [UInt8]

    init(
      algorithm: SignatureAlgorithm, timestamp: Timestamp, scope: CredentialScope,
      canonicalRequest: CanonicalRequest
    ) {
      var bytes = Array(algorithm.name.utf8)
      bytes.append(ASCII.newline)
      bytes.append(contentsOf: timestamp.textBytes)
      bytes.append(ASCII.newline)
      bytes.append(contentsOf: scope.text.utf8)
      bytes.append(ASCII.newline)
      bytes.append(contentsOf: canonicalRequest.digest.hexadecimal.utf8)
      self.bytes = bytes
    }

    /// The string to sign as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
  }
}

nonisolated extension SigV4.StringToSign: CustomStringConvertible {
  /// The string to sign as text.
  public var description: String { text }
}
