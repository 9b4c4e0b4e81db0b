// SPDX-License-Identifier: Apache-2.0
// A program that makes keys, so that the code which erases them can be found in its disassembly.

import SecureHashing

@main
enum WipeDriver {
  static func main() {
    let text = CommandLine.arguments.joined()
    print(code(of: text, under: SymmetricKey(size: .bits256)))
    print(preparedCode(of: text, under: SymmetricKey(size: .bits256)))
  }

  /// The form without heap: the padded key lies on the stack.
  @inline(never)
  static func code(of text: String, under key: SymmetricKey) -> HMAC<SHA256>.MAC {
    key.withUnsafeBytes { bytes in
      var computation = HMAC<SHA256>(keyBytes: bytes)
      computation.update(data: text.utf8)
      return computation.finalize()
    }
  }

  @inline(never)
  static func preparedCode(of text: String, under key: SymmetricKey) -> HMAC<SHA256>.MAC {
    HMAC<SHA256>.authenticationCode(for: text.utf8, using: HMAC<SHA256>.PreparedKey(key))
  }
}
