// SPDX-License-Identifier: Apache-2.0
// sigv4 hmac: HMAC-SHA-256 of files and streams of any size, in constant memory.

internal import SecureHashing

/// `sigv4 hmac --key-file FILE | --key-variable NAME [--key-encoding ENCODING] [FILE...]`
enum HMACCommand {
  static func run(_ arguments: some Sequence<String>) throws(CommandError) {
    let arguments = try Arguments(
      arguments, [.value("--key-file"), .value("--key-variable"), .value("--key-encoding")])
    let key = SymmetricKey(
      data: try decoded(
        try keyBytes(arguments), encoding: arguments.value("--key-encoding") ?? "raw"))
    try FileDigests.write(of: arguments.operands) { path throws(CommandError) in
      var hmac = HMAC<SHA256>(key: key)
      // Safety: the portion is hashed before it is given back.
      try unsafe System.readPortions(of: path) { unsafe hmac.update(bufferPointer: $0) }
      return hmac.finalize().hexadecimal
    }
  }

  /// The key never comes from the arguments, which other users of the machine can see.
  static func keyBytes(_ arguments: Arguments) throws(CommandError) -> [UInt8] {
    switch (arguments.value("--key-file"), arguments.value("--key-variable")) {
    case (let path?, nil):
      return try System.contents(of: path, atMost: 1 << 20)
    case (nil, let name?):
      guard let value = System.environmentVariable(name) else {
        throw CommandError(.credentials, "the environment variable \(name) is not set or empty")
      }
      return Array(value.utf8)
    default:
      throw CommandError.usage("hmac needs a key: either --key-file FILE or --key-variable NAME")
    }
  }

  static func decoded(_ bytes: [UInt8], encoding: String) throws(CommandError) -> [UInt8] {
    if encoding == "raw" { return bytes }
    // A text in a file usually has a line end, which is no part of the key.
    let text = String(decoding: bytes, as: UTF8.self).trimmingLineEnd()
    switch encoding {
    case "hex":
      do { return try Hexadecimal.decode(text) } catch {
        throw CommandError(.credentials, "the key is not readable: \(error.message)")
      }
    case "base64":
      do { return try Base64.decode(text) } catch {
        throw CommandError(.credentials, "the key is not readable: \(error.message)")
      }
    default:
      throw CommandError.usage("--key-encoding takes raw, hex or base64, not \(encoding)")
    }
  }
}

extension String {
  /// The text without one line end at its end.
  fileprivate func trimmingLineEnd() -> String {
    last?.isNewline == true ? String(dropLast()) : self
  }
}
