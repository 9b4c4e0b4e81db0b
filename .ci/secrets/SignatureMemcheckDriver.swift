// SPDX-License-Identifier: Apache-2.0
// Runs the operations of DigitalSignatures on keys and nonces that memcheck regards as undefined, as
// MemcheckDriver.swift does for SecureHashing.
//
// Compiled together with the sources of the module: it also calls what is not public. What is left out
// is public: whether a number can be a key or a nonce, whether r or s is zero, and all after r and s.

import Foundation
import SecureHashing

@main
enum SignatureMemcheckDriver {
  static func main() {
    switch CommandLine.arguments.dropFirst().first {
    case "operations": operations()
    case "rsa": rsa()
    case "control-rsa-signature": rsaControl(signs: true)
    case "control-rsa-key": rsaControl(signs: false)
    case "control-digit": digitControl()
    case "control-nonce": nonceControl()
    case "control-signature": signatureControl()
    case "edwards": edwards()
    case "control-edwards-digit": edwardsDigitControl()
    case "control-edwards-signature": edwardsSignatureControl()
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

// MARK: - Ed25519

extension SignatureMemcheckDriver {
  /// Keys, public keys and signatures of seeds and entropy that are undefined.
  static func edwards() {
    // RFC 8032, 7.1, test 2: the signature begins with 92a009a9f0d4cab8.
    let known: [UInt8] = [
      0x4C, 0xCD, 0x08, 0x9B, 0x28, 0xFF, 0x96, 0xDA, 0x9D, 0xB6, 0xC3, 0x46, 0xEC, 0x11, 0x4E,
      0x0F,
      0x5B, 0x8A, 0x31, 0x9F, 0x35, 0xAB, 0xA6, 0x24, 0xDA, 0x8C, 0xF6, 0xED, 0x4F, 0xB8, 0xA6,
      0xFB,
    ]
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    let numbers = sign(0x72, EdDSA.KeySecrets(seed: Secret.Bytes(Words256(known))), nothing)
    precondition(numbers.r.w0 == 0xB8CA_D4F0_A909_A092)
    for _ in 0..<3 {
      let secrets = EdDSA.KeySecrets(seed: Secret.Bytes(undefinedNumber()))
      keep(secrets.point.encoding)
      for entropy in [nothing, undefinedBytes(32)] {
        let numbers = sign(0x72, secrets, entropy)
        keep(numbers.r)
        keep(numbers.s)
      }
    }
  }

  static func sign(
    _ byte: UInt8, _ secrets: EdDSA.KeySecrets, _ entropy: UnsafeRawBufferPointer
  ) -> EdDSA.Numbers {
    var secrets = secrets
    return withUnsafeBytes(of: byte) {
      EdDSA.sign($0, &secrets, publicKey: secrets.point.encoding, entropy: entropy)
    }
  }

  /// A table that is looked up by a digit of a secret.
  static func edwardsDigitControl() {
    let scalar = Edwards25519.Scalar(reducing: undefinedNumber())
    let (index, _) = Comb.entry(scalar.combDigits, 0, 0)
    let table = Edwards25519.BasePoint.comb
    table.withUnsafeBufferPointer { table in
      guard let first = table.baseAddress else { return }
      keep((first + Int(index) * 12).pointee)
    }
  }

  /// A branch on R: secrecy goes through the multiple of the base point.
  static func edwardsSignatureControl() {
    let secrets = EdDSA.KeySecrets(seed: Secret.Bytes(undefinedNumber()))
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    if sign(0x72, secrets, nothing).r.w0 & 1 == 0 { keep(true) }
  }
}

// MARK: - RSA

extension SignatureMemcheckDriver {
  /// Signing and the check of a key: all numbers of the key but the modulus are undefined, and the blinding.
  static func rsa() {
    let number = (0..<2 * half).map { UInt64($0) &* 0x9E37_79B9_7F4A_7C15 & (.max >> 1) }
    var known = number
    // The known answer first: e of the signature is the number, or the mask is zero.
    precondition(withKey(isKnown: true) { $0.sign(&known) { 0x0123_4567_89AB_CDEF } } == .max)
    for _ in 0..<2 {
      var signature = number
      keep(withKey(isKnown: false) { $0.sign(&signature) { undefined(0x0123_4567_89AB_CDEF) } })
      signature.forEach { keep($0) }
      keep(consistency(isKnown: false))
    }
    precondition(consistency(isKnown: true) == .max)
  }

  /// A branch on what was computed.
  static func rsaControl(signs: Bool) {
    var number = [UInt64](repeating: 1, count: 2 * half)
    let mask =
      signs
      ? withKey(isKnown: false) { $0.sign(&number) { undefined(0x0123_4567_89AB_CDEF) } }
      : consistency(isKnown: false)
    if mask == 0 { keep(true) }
  }

  static func withKey<Result>(isKnown: Bool, _ body: (RSASigning) -> Result) -> Result {
    let layout = RSAKeyLayout(half: half)
    let memory = words(layout, isKnown: isKnown)
    return body(RSASigning(words: memory, layout: layout, exponent: 65_537))
  }

  /// The key's memory, with the private exponent and helpers behind it.
  static func words(_ layout: RSAKeyLayout, isKnown: Bool) -> UnsafeMutablePointer<UInt64> {
    let memory = UnsafeMutablePointer<UInt64>.allocate(capacity: layout.wordCount + 7 * half)
    memory.initialize(repeating: 0, count: layout.wordCount + 7 * half)
    var reader = DERReader(key[...])
    guard var inner = reader.sequence(), let numbers = RSAPrivateNumbers(&inner),
      let secrets = numbers.secrets(65_537)
    else { fatalError("the key is not read") }
    let source = UnsafePointer<UInt64>(
      OpaquePointer(UnsafeRawPointer(secrets.start)))
    for index in 0..<layout.wordCount {
      let isPublic = index < layout.p
      memory[index] = isKnown || isPublic ? source[index] : undefined(source[index])
    }
    Limbs.read(memory + layout.wordCount, numbers.privateExponent, 2 * half)
    for index in layout.wordCount..<layout.wordCount + 2 * half where !isKnown {
      memory[index] = undefined(memory[index])
    }
    return memory
  }

  static func consistency(isKnown: Bool) -> UInt64 {
    let layout = RSAKeyLayout(half: half)
    let memory = words(layout, isKnown: isKnown)
    // As it was read: out of Montgomery's form.
    let modulus = MontgomeryModulus(
      memory + layout.p, half, squareOfR: memory + layout.squareOfRForP)
    let coefficient = memory + layout.coefficient
    modulus.leave(coefficient, coefficient, memory + layout.wordCount + 2 * half)
    return RSAPrivateNumbers.consistencyMask(memory, layout, 65_537)
  }

  /// Limbs of half a modulus of so many bits: the third argument.
  static let half = (Int(CommandLine.arguments[3]) ?? 0) / 128

  /// The first key of this size in rsa-keys.txt, which is Project Wycheproof's.
  static let key: [UInt8] = {
    let name = "name: \(half * 128) bits, "
    guard let text = try? String(contentsOfFile: CommandLine.arguments[2], encoding: .utf8),
      let line = text.split(separator: "\n").drop(while: { !$0.hasPrefix(name) })
        .first(where: { $0.hasPrefix("pkcs1: ") }),
      let bytes = try? Hexadecimal.decode(String(line.dropFirst(7)))
    else { fatalError("rsa-keys.txt is not read") }
    return bytes
  }()
}
