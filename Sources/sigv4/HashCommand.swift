// SPDX-License-Identifier: Apache-2.0
// sigv4 hash: SHA-256 of files and streams of any size, in constant memory.

internal import SecureHashing

/// `sigv4 hash [FILE...]`
enum HashCommand {
  static func run(_ arguments: some Sequence<String>) throws(CommandError) {
    let files = try Arguments(arguments, []).operands
    try FileDigests.write(of: files) { path throws(CommandError) in
      var hash = SHA256()
      // Safety: the portion is hashed before it is given back.
      try unsafe System.readPortions(of: path) { unsafe hash.update(bufferPointer: $0) }
      return hash.finalize().hexadecimal
    }
  }
}

/// The output of `hash` and `hmac`.
enum FileDigests {
  /// Prints a line for each file as sha256sum does: the digest, two spaces, the name. No file means
  /// standard input. A file that cannot be read is told on standard error, and the others go on.
  static func write(
    of files: [String], _ digest: (_ path: String) throws(CommandError) -> String
  ) throws(CommandError) {
    var failures = 0
    for file in files.isEmpty ? ["-"] : files {
      do {
        try System.write(line(try digest(file), file), to: .standardOutput)
      } catch {
        try System.write("sigv4: \(error.message)\n", to: .standardError)
        failures += 1
      }
    }
    if failures > 0 {
      throw CommandError(.failure, failures == 1 ? "1 file failed" : "\(failures) files failed")
    }
  }

  /// A name with a line end or a backslash is escaped, and the line begins with a backslash.
  static func line(_ digest: String, _ name: String) -> String {
    let escapes: [Unicode.Scalar: String] = ["\\": "\\\\", "\n": "\\n", "\r": "\\r"]
    let needsEscape = name.unicodeScalars.contains { escapes[$0] != nil }
    let escaped = name.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
    return (needsEscape ? "\\" : "") + digest + "  " + escaped + "\n"
  }
}
