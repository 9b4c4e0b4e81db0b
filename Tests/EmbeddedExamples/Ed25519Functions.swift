// SPDX-License-Identifier: Apache-2.0
// Ed25519 for callers in C and JavaScript.

import DigitalSignatures

/// Writes the 64 bytes of the signature of a message to `signature`. The seed of the private key is
/// 32 bytes long. Returns whether it's a key, which 32 bytes always are.
@c(ed25519_sign)
public func ed25519Sign(
  _ seed: UnsafePointer<UInt8>, _ message: UnsafePointer<UInt8>?, _ byteCount: Int,
  _ signature: UnsafeMutablePointer<UInt8>
) -> Bool {
  let seed = UnsafeBufferPointer(start: seed, count: 32)
  let message = UnsafeBufferPointer(start: message, count: byteCount)
  guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else { return false }
  let bytes = key.signature(for: message)
  for index in 0..<64 { signature[index] = bytes[index] }
  return true
}

/// Returns whether the 64 bytes of a signature belong to a message and the 32 bytes of a public key.
@c(ed25519_verify)
public func ed25519Verify(
  _ key: UnsafePointer<UInt8>, _ message: UnsafePointer<UInt8>?, _ byteCount: Int,
  _ signature: UnsafePointer<UInt8>
) -> Bool {
  let message = UnsafeBufferPointer(start: message, count: byteCount)
  let signature = Array(UnsafeBufferPointer(start: signature, count: 64))
  let key = try? Curve25519.Signing.PublicKey(
    rawRepresentation: UnsafeBufferPointer(start: key, count: 32))
  return key.map { $0.isValidSignature(signature, for: message) } ?? false
}
