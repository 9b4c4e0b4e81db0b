// SPDX-License-Identifier: Apache-2.0
// Runs the operations of SecureHashing on secrets that memcheck regards as undefined.
//
// A secret is memory that was allocated and never written. Memcheck reports every branch and every
// address that depends on it, which is what must not happen to a secret. It does not report that
// undefined bytes are computed with or copied, so results are stored and never looked at.
//
// Compiled together with the sources of the module: it also calls what is not public.

@main
enum MemcheckDriver {
  static func main() {
    switch CommandLine.arguments.dropFirst().first {
    case "operations": operations()
    case "control-early-exit": earlyExitControl()
    case "control-table": tableControl()
    case "control-code": codeControl()
    default: fatalError("say which part is to be run")
    }
  }

  static func operations() {
    // The known answers first: a build that computes something else proves nothing.
    precondition(SHA256.selfTest() && HMAC<SHA256>.selfTest())
    for size in [0, 1, 32, 63, 64, 65, 131] {
      let secret = undefinedBytes(size)
      hash(secret)
      authenticate(with: secret)
      compare(secret)
      encode(secret)
    }
    deriveSigningKey()
  }

  static func hash(_ secret: UnsafeRawBufferPointer) {
    keep(SHA256.hash(bufferPointer: secret))
    keep(SHA512.hash(bufferPointer: secret))
    keep(SHA384.hash(bufferPointer: secret))
    var computation = SHA256()
    computation.update(data: secret)
    computation.update(data: secret)
    keep(computation.finalize())
  }

  static func authenticate(with secret: UnsafeRawBufferPointer) {
    let message = "a message is public".utf8
    var computation = HMAC<SHA256>(keyBytes: secret)
    computation.update(data: message)
    keep(computation.finalize())

    let key = SymmetricKey(data: secret)
    keep(HMAC<SHA256>.authenticationCode(for: message, using: key))
    let prepared = HMAC<SHA256>.PreparedKey(key)
    keep(HMAC<SHA256>.authenticationCode(for: message, using: prepared))
    keep(HMAC<SHA512>.authenticationCode(for: message, using: key))
    keep(HMAC<SHA384>.authenticationCode(for: message, using: key))
    keep(HMAC<SHA512>.authenticationCode(for: message, using: HMAC<SHA512>.PreparedKey(key)))
    // The code that was received is public, the one that is expected is not.
    let received = [UInt8](repeating: 0x5A, count: 32)
    keep(
      HMAC<SHA256>.isValidAuthenticationCode(received, authenticating: message, using: prepared))
  }

  /// Whether two secrets are equal is public, but memcheck cannot know: it is stored unseen.
  static func compare(_ secret: UnsafeRawBufferPointer) {
    let known = [UInt8](repeating: 0x5A, count: secret.count)
    keep(ConstantTime.equal(secret, secret))
    keep(ConstantTime.equal(secret, known))
    keep(ConstantTime.equal(known, secret))
    keep(ConstantTime.equal(secret, known + [0]))
    keep(SymmetricKey(data: secret) == SymmetricKey(data: known))
    let digest = SHA256.hash(data: secret)
    keep(digest == SHA256.hash(data: known))
    keep(digest == known)
    let code = HMAC<SHA256>.authenticationCode(for: known, using: SymmetricKey(data: secret))
    keep(code == HMAC<SHA256>.authenticationCode(for: known, using: SymmetricKey(data: known)))
    keep(code == known)
  }

  /// The arithmetic of both encodings, up to where a `String` would be made of the characters.
  static func encode(_ secret: UnsafeRawBufferPointer) {
    for variant in [Base64.Variant.standard, .urlSafe, .urlSafeUnpadded] {
      var characters: [UInt8] = []
      for byte in secret {
        Base64.appendCharacters(of: UInt32(byte) << 16, 4, to: &characters, variant)
        keep(Base64.value(of: byte, variant))
      }
      for character in characters { keep(character) }
    }
    for byte in secret {
      keep(Hexadecimal.digit(byte >> 4))
      keep(Hexadecimal.digit(byte & 15))
      keep(Hexadecimal.nibble(byte))
    }
  }

  /// SigV4, step 4: four codes, each the key of the next.
  static func deriveSigningKey() {
    var key = SymmetricKey(data: undefinedBytes(44))
    for text in ["20150830", "us-east-1", "iam", "aws4_request"] {
      key = SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: text.utf8, using: key))
    }
    keep(HMAC<SHA256>.authenticationCode(for: "string to sign".utf8, using: key))
  }
}

// MARK: - Controls: each of these has to be reported

extension MemcheckDriver {
  /// A comparison that stops at the first difference.
  static func earlyExitControl() {
    let secret = undefinedBytes(32)
    for byte in secret where byte != 0x5A {
      keep(false)
      return
    }
    keep(true)
  }

  /// A table that is looked up by a secret.
  static func tableControl() {
    let digits = Array("0123456789abcdef".utf8)
    digits.withUnsafeBufferPointer { digits in
      // Through a pointer: the array's own check of the index would be a branch.
      guard let first = digits.baseAddress else { return }
      for byte in undefinedBytes(32) { keep((first + Int(byte & 15)).pointee) }
    }
  }

  /// A branch on a code whose key is undefined: shows that secrecy reaches the results.
  static func codeControl() {
    let key = SymmetricKey(data: undefinedBytes(32))
    let prepared = HMAC<SHA256>.PreparedKey(key)
    let code = HMAC<SHA256>.authenticationCode(for: "message".utf8, using: prepared)
    if code[31] == 0 { keep(true) }
  }
}
