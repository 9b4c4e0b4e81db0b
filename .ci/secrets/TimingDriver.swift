// SPDX-License-Identifier: Apache-2.0
// Times an operation on secrets of two classes, in an order drawn by lot: one class has always the same secret, the
// other one a new one each time. Writes the class and the nanoseconds of each call; `.ci/check-timing` compares them.

import DigitalSignatures
import Foundation
import SecureHashing

/// Keeps a result, so that the optimiser cannot leave the operation out.
@inline(never) @_optimize(none) func keep<Value>(_ value: Value) {}

/// Runs `operation` on inputs that are all made before the first one is timed.
func time<Input>(
  _ count: Int, _ make: (_ isFixed: Bool) throws -> Input, _ operation: (Input) throws -> Void
) rethrows {
  var generator = SystemRandomNumberGenerator()
  var results: [UInt32] = []
  let clock = ContinuousClock()
  while results.count < 2 * count {
    let classes = (0..<1_000).map { _ in generator.next() & 1 == 0 }
    let inputs = try classes.map(make)
    for (isFixed, input) in zip(classes, inputs) {
      let start = clock.now
      try operation(input)
      let duration = clock.now - start
      results += [
        isFixed ? 1 : 0, UInt32(clamping: duration.components.attoseconds / 1_000_000_000),
      ]
    }
  }
  FileHandle.standardOutput.write(results.withUnsafeBytes { Data($0) })
}

/// Always the same bytes, in memory of their own, or new ones.
func secret(_ isFixed: Bool, _ fixed: [UInt8] = zeros) -> [UInt8] {
  fixed.map { isFixed ? $0 : .random(in: 0...255) }
}

/// Several calls, since one takes less than the clock does.
@inline(__always) func repeated(_ operation: () throws -> Void) rethrows {
  for _ in 0..<32 { try operation() }
}

let zeros = [UInt8](repeating: 0, count: 32)
let message = Array("what is signed".utf8)
let count = Int(CommandLine.arguments[2]) ?? 0
switch CommandLine.arguments[1] {
case "hmac":
  time(count) {
    SymmetricKey(data: secret($0))
  } _: { key in
    repeated { keep(HMAC<SHA256>.authenticationCode(for: message, using: key)) }
  }
case "hmac-sha512":
  time(count) {
    SymmetricKey(data: secret($0))
  } _: { key in
    repeated { keep(HMAC<SHA512>.authenticationCode(for: message, using: key)) }
  }
case "comparison":
  let expected = secret(false)
  time(count) {
    secret($0, expected)
  } _: { bytes in
    repeated { keep(ConstantTime.equal(bytes, expected)) }
  }
case "hexadecimal":
  time(count) {
    secret($0)
  } _: { bytes in
    repeated { keep(Hexadecimal.encode(bytes)) }
  }
case "hexadecimal-decoding":
  try time(count) {
    Hexadecimal.encode(secret($0))
  } _: { text in
    try repeated { keep(try Hexadecimal.decode(text)) }
  }
case "base64":
  time(count) {
    secret($0)
  } _: { bytes in
    repeated { keep(Base64.encode(bytes)) }
  }
case "p256":
  // The smallest key, whose digits are zero but for one, against any.
  let one = zeros.dropLast() + [1]
  try time(count) { isFixed in
    try P256.Signing.PrivateKey(rawRepresentation: isFixed ? one : [0] + secret(false).dropFirst())
  } _: { key in
    keep(key.signature(for: message))
  }
case "ed25519":
  // One key against any other one.
  try time(count) {
    try Curve25519.Signing.PrivateKey(rawRepresentation: secret($0))
  } _: { key in
    keep(key.signature(for: message))
  }
case "rsa", "rsa-pss":
  // The first key against any other one.
  let padding: RSA.Signing.Padding =
    CommandLine.arguments[1] == "rsa" ? .insecurePKCS1v1_5 : .PSS
  let pem = ProcessInfo.processInfo.environment["RSA_KEYS"] ?? ""
  let keys = try pem.components(separatedBy: "-----BEGIN").dropFirst().map {
    try RSA.Signing.PrivateKey(pemRepresentation: "-----BEGIN" + $0)
  }
  try time(count) { isFixed in
    keys[isFixed ? 0 : Int.random(in: 1..<keys.count)]
  } _: { key in
    try keep(key.signature(for: message, padding: padding))
  }
case "rsa-message":
  // One key, one message against any other one of its length. Blinding must hide which.
  let pem = ProcessInfo.processInfo.environment["RSA_KEYS"] ?? ""
  let first = pem.components(separatedBy: "-----BEGIN").dropFirst().prefix(1).joined()
  let key = try RSA.Signing.PrivateKey(pemRepresentation: "-----BEGIN" + first)
  try time(count) {
    secret($0)
  } _: { bytes in
    try keep(key.signature(for: bytes, padding: .insecurePKCS1v1_5))
  }
case "control-early-exit":
  let expected = secret(false)
  time(count) {
    secret($0, expected)
  } _: { bytes in
    repeated { keep(bytes.elementsEqual(expected)) }
  }
case "control-length":
  time(count) {
    $0 ? message : message + message
  } _: { bytes in
    keep(SHA256.hash(data: bytes + bytes + bytes + bytes))
  }
default:
  fatalError("an operation and a count are needed")
}
