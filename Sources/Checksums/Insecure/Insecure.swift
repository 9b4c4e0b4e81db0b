// SPDX-License-Identifier: Apache-2.0
// The namespace of broken hash functions.

/// Broken hash functions, spelled as in CryptoKit.
///
/// Use them only for formats that require them, such as `Content-MD5`, and never to protect
/// anything.
public enum Insecure {}
