// SPDX-License-Identifier: Apache-2.0
// Recognizes an access key ID and a secret access key that were swapped, and hides the secret.

/// What tells an access key ID from a secret access key.
package enum AccessKeyID {
  /// Returns whether bytes have the form of AWS's access key IDs: AKIA or ASIA (IAM User Guide,
  /// "Understanding unique ID prefixes"), and 16 uppercase letters and digits.
  package static func isAWS(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if bytes.count != 20 { return false }
    let start = unsafe [bytes[0], bytes[2], bytes[3]]
    let isKnown = unsafe bytes[1] == 0x4B || bytes[1] == 0x53
    return isKnown && start == [0x41, 0x49, 0x41]
      && (unsafe bytes.allSatisfy { ASCIIByte.isDigit($0) || (0x41...0x5A).contains($0) })
  }

  /// Returns whether bytes have a character of base64 that no access key ID of AWS has.
  package static func hasSecretCharacter(_ id: some Sequence<UInt8>) -> Bool {
    id.contains { $0 == ASCIIByte.slash || $0 == ASCIIByte.plus || $0 == ASCIIByte.equals }
  }

  /// Returns whether an ID may be a secret, which isn't shown. Secrets of AWS are 40 characters of
  /// base64, nearly all of them with letters of both cases. Some stores have IDs of 40 hexadecimal
  /// digits.
  package static func mayBeSecret(_ id: some Collection<UInt8>) -> Bool {
    if hasSecretCharacter(id) { return true }
    return id.count == 40 && id.contains { (0x41...0x5A).contains($0) }
      && id.contains { (0x61...0x7A).contains($0) }
  }

  /// Returns an ID for messages and descriptions, or its size if it may be a secret.
  package static func shown(_ id: String) -> String {
    let bytes = id.bytesInUTF8
    return mayBeSecret(bytes) ? UTF8Text("(\(bytes.count) bytes, not shown)").string : id
  }
}
