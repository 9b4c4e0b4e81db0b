// SPDX-License-Identifier: Apache-2.0
// Runs the operations of DigitalSignatures on keys and nonces that memcheck regards as undefined, as
// MemcheckDriver.swift does for SecureHashing.
//
// Compiled together with the sources of the module: it also calls what is not public. What is left out
// is public: whether a number can be a key or a nonce, whether r or s is zero, and all after r and s.

import SecureHashing

@main
enum SignatureMemcheckDriver {
  static func main() {
    switch CommandLine.arguments.dropFirst().first {
    case "operations": operations()
    case "control-digit": digitControl()
    case "control-nonce": nonceControl()
    case "control-signature": signatureControl()
    default: fatalError("say which part is to be run")
    }
  }

  static func operations() {
    // The known answer first: a build that computes something else proves nothing.
    precondition(knownAnswer())
    let hash = Scalar(reducing: Words256(1, 2, 3, 4))
    for _ in 0..<3 {
      let key = undefinedNumber()
      keep(Scalar.isReducedMask(key) & ~key.isZeroMask)
      let point = BasePoint.times(Scalar(reduced: key)).affine
      keep(point.x.number)
      keep(point.y.number)
      var secrets = KeySecrets(key)
      let entropy = UnsafeRawBufferPointer(start: undefinedBytes(32).baseAddress, count: 32)
      var nonces = Nonces(hash, &secrets, entropy: entropy)
      keep(nonces.next())
      let numbers = ECDSA.sign(hash, secrets.scalar, nonce: nonces.next())
      keep(numbers.r)
      keep(numbers.s)
      keep(ECDSA.sign(hash, secrets.scalar, nonce: undefinedNumber()).s)
      keep(Scalar(reduced: key).inverted().words)
      keep(FieldElement(key).inverted().number)
    }
  }

  /// RFC 6979, A.2.5, with SHA-256 and the message "test": r begins with F1ABB023518351CD.
  static func knownAnswer() -> Bool {
    let key = Words256(
      0x7B8A_622B_120F_6721, 0x4E50_C3DB_36E8_9B12, 0x6B5C_2157_67B1_D693, 0xC9AF_A9D8_45BA_7516)
    var secrets = KeySecrets(key)
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    let numbers = ECDSA.sign(SHA256.hash(data: "test".utf8), &secrets, entropy: nothing)
    return numbers.r.w3 == 0xF1AB_B023_5183_51CD
  }

  static func undefinedNumber() -> Words256 { Words256(bigEndian: undefinedBytes(32)) }
}

// MARK: - Controls: each of these has to be reported

extension SignatureMemcheckDriver {
  /// A table that is looked up by a digit of a secret, as a verification does.
  static func digitControl() {
    let (index, _) = Comb.entry(Comb.digits(of: Scalar(reduced: undefinedNumber())), 0, 0)
    let table = BasePoint.comb
    table.withUnsafeBufferPointer { table in
      // Through a pointer: the array's own check of the index would be a branch.
      guard let first = table.baseAddress else { return }
      keep((first + Int(index) * 8).pointee)
    }
  }

  /// A branch on a nonce whose key is undefined: shows that secrecy reaches it.
  static func nonceControl() {
    var secrets = KeySecrets(undefinedNumber())
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    var nonces = Nonces(Scalar(reduced: Words256(1, 0, 0, 0)), &secrets, entropy: nothing)
    if nonces.next().w0 & 1 == 0 { keep(true) }
  }

  /// A branch on r of an undefined nonce: secrecy goes through the multiple of the base point.
  static func signatureControl() {
    let one = Scalar(reduced: Words256(1, 0, 0, 0))
    if ECDSA.sign(one, one, nonce: undefinedNumber()).r.w0 & 1 == 0 { keep(true) }
  }
}
