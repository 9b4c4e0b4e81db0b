// SPDX-License-Identifier: Apache-2.0
// Broken hash functions: what they have in common.

/// Hash functions that are broken, spelled as in CryptoKit: for formats that ask for them, such as
/// `Content-MD5` and the checksums of Amazon S3, and never to protect anything.
public enum Insecure {
  /// The output of a broken hash function.
  public protocol Digest: HashDigest {}
}
