// SPDX-License-Identifier: Apache-2.0
// KeyMemoryDriver KIND SECRET...: uses keys of one kind, whose inverted bytes are given in hexadecimal, and stops after
// each step, so that another process can look at its memory. What belongs to a caller is wiped here.

import DigitalSignatures
import Glibc
import SecureHashing

/// The bytes of an argument. The memory is the caller's.
@inline(never) func secret(_ position: Int) -> [UInt8] {
  var digits = CommandLine.arguments[position].utf8[...]
  return [UInt8](unsafeUninitializedCapacity: digits.count / 2) { bytes, count in
    while let byte = UInt8(Substring(digits.prefix(2)), radix: 16) {
      bytes[count] = ~byte
      count += 1
      digits = digits.dropFirst(2)
    }
  }
}

@inline(never) func wipe(_ bytes: inout [UInt8]) {
  bytes.withUnsafeMutableBytes { ConstantTime.wipe($0) }
}

/// Calls `body` with the bytes of an argument, and wipes them.
@inline(never) func withBytes<Result>(
  _ position: Int, _ body: ([UInt8]) throws -> Result
) rethrows -> Result {
  var bytes = secret(position)
  defer { wipe(&bytes) }
  return try body(bytes)
}

/// The same for a string.
@inline(never) func withText<Result>(
  _ position: Int, _ body: (String) throws -> Result
) rethrows -> Result {
  var text = withBytes(position) { bytes in
    String(unsafeUninitializedCapacity: bytes.count) { $0.initialize(fromContentsOf: bytes) }
  }
  defer { text.withUTF8 { ConstantTime.wipe(UnsafeMutableRawBufferPointer(mutating: .init($0))) } }
  return try body(text)
}

@inline(never) func step(_ body: () throws -> Void) rethrows {
  try body()
  raise(SIGSTOP)
}

@inline(never) @_optimize(none) func keep<Value>(_ value: Value) {}

// MARK: - HMAC

@inline(never) func authenticate<H: HashFunction>(with _: H.Type, _ keys: [SymmetricKey]) {
  let messages = [Array("message".utf8), [UInt8](repeating: 0x61, count: 5_000)]
  for key in keys {
    for message in messages {
      let code = HMAC<H>.authenticationCode(for: message, using: key)
      guard HMAC<H>.isValidAuthenticationCode(code, authenticating: message, using: key) else {
        abort()
      }
      keep(HMAC<H>.authenticationCode(for: message.span, using: key))
    }
  }
}

@inline(never) func prepare<H: HashFunction>(
  with _: H.Type, _ keys: [SymmetricKey]
) -> [HMAC<H>.PreparedKey] {
  keys.map { HMAC<H>.PreparedKey($0) }
}

@inline(never) func authenticate<H: HashFunction>(_ keys: [HMAC<H>.PreparedKey]) {
  let messages = [Array("message".utf8), [UInt8](repeating: 0x61, count: 5_000)]
  for key in keys {
    for message in messages {
      let code = HMAC<H>.authenticationCode(for: message, using: key)
      guard HMAC<H>.isValidAuthenticationCode(code, authenticating: message, using: key) else {
        abort()
      }
      keep(HMAC<H>.authenticationCode(for: message.span, using: key))
    }
  }
}

@inline(never) func hmac<H: HashFunction>(_: H.Type) {
  // One that fits a block, and one that is hashed.
  let keys = [2, 3].map { withBytes($0) { SymmetricKey(data: $0) } }
  step { authenticate(with: H.self, keys) }
  var prepared: [HMAC<H>.PreparedKey] = []
  step { prepared = prepare(with: H.self, keys) }
  step { authenticate(prepared) }
}

/// The control: a computation is the caller's value, which stays as it is.
@inline(never) func computation<H: HashFunction>(_: H.Type) {
  let computation = withBytes(2) { HMAC<H>(key: SymmetricKey(data: $0)) }
  keep(computation)
  withUnsafeBytes(of: computation) { keep($0.count) }
}

// MARK: - Private keys

@inline(never) func rsa() throws {
  var keys: [RSA.Signing.PrivateKey] = []
  try step { keys.append(try withText(2) { try RSA.Signing.PrivateKey(pemRepresentation: $0) }) }
  try step { keys.append(try withText(3) { try RSA.Signing.PrivateKey(pemRepresentation: $0) }) }
  try step { keys.append(try withBytes(4) { try RSA.Signing.PrivateKey(derRepresentation: $0) }) }
  try step {
    for key in keys {
      keep(try key.signature(for: Array("message".utf8), padding: .insecurePKCS1v1_5))
      keep(try key.signature(for: SHA512.hash(data: Array("message".utf8)), padding: .PSS))
    }
  }
}

@inline(never) func ed25519() throws {
  typealias Key = Curve25519.Signing.PrivateKey
  var keys: [Key] = []
  try step { keys.append(try withText(2) { try Key(pemRepresentation: $0) }) }
  try step { keys.append(try withBytes(3) { try Key(derRepresentation: $0) }) }
  try step { keys.append(try withBytes(4) { try Key(rawRepresentation: $0) }) }
  step { for key in keys { keep(key.signature(for: Array("message".utf8))) } }
  step {
    for key in keys {
      keep(key.signature(for: Array("message".utf8), entropy: Array("noise".utf8)))
    }
  }
}

@inline(never) func p256() throws {
  var keys: [P256.Signing.PrivateKey] = []
  try step { keys.append(try withText(2) { try P256.Signing.PrivateKey(pemRepresentation: $0) }) }
  try step { keys.append(try withText(3) { try P256.Signing.PrivateKey(pemRepresentation: $0) }) }
  try step { keys.append(try withBytes(4) { try P256.Signing.PrivateKey(derRepresentation: $0) }) }
  step { for key in keys { keep(key.signature(for: Array("message".utf8))) } }
  step { for key in keys { keep(key.publicKey) } }
}

switch CommandLine.arguments[1] {
case "hmac-sha512": hmac(SHA512.self)
case "hmac-sha384": hmac(SHA384.self)
case "rsa": try rsa()
case "ed25519": try ed25519()
default: try p256()
}
// Everything is released.
raise(SIGSTOP)

// The control.
switch CommandLine.arguments[1] {
case "hmac-sha512": computation(SHA512.self)
case "hmac-sha384": computation(SHA384.self)
default: keep(secret(4))
}
raise(SIGSTOP)
