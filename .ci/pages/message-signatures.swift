// SPDX-License-Identifier: Apache-2.0
// What the page leaves to its reader. It never runs.

import DigitalSignatures
import MessageSignatures

nonisolated struct Nonces: Sendable {
  func insert(_ nonce: String) -> Bool { fatalError() }
}
nonisolated var privateKey: Curve25519.Signing.PrivateKey { fatalError() }
nonisolated var serverKey: P256.Signing.PrivateKey { fatalError() }
nonisolated var keys: [String: MessageSignature.VerificationKey] { fatalError() }
nonisolated var nonces: Nonces { fatalError() }
nonisolated var now: MessageSignature.Time { fatalError() }
nonisolated var order: [UInt8] { fatalError() }
nonisolated var reply: [UInt8] { fatalError() }
