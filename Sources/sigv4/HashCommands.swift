// SPDX-License-Identifier: Apache-2.0
// sigv4 hash and hmac: digests of files and streams of any size, in constant memory. SHA-256 of small files is
// computed side by side.

internal import SecureHashing

/// `sigv4 hash [--algorithm NAME] [FILE...]`
enum HashCommand {
  static var specifications: [OptionSpecification] { .named("--algorithm") }

  /// Files of up to so many bytes are hashed side by side, so many at a time.
  static let sideBySide = (byteCount: 1 << 18, fileCount: 16)

  static func run(_ arguments: [String]) throws {
    let arguments = try Arguments(arguments, specifications)
    let files = arguments.operands
    let algorithm = try HashAlgorithm.named(arguments.value("--algorithm") ?? "sha256")
    if algorithm.name != "sha256" {
      return try FileDigests.write(of: files, atOnce: 1) { paths in
        paths.map { path in Result { try algorithm.digest(path) } }
      }
    }
    try FileDigests.write(of: files, atOnce: sideBySide.fileCount) { paths in
      let read = paths.map { path in Result { try Message(of: path) } }
      let digests = SHA256.hashBatch(read.map { (try? $0.get().rest) ?? [] })
      return zip(read, digests).map { message, digest in
        message.map { ($0.digest ?? digest).hexString }
      }
    }
  }

  /// A file: all of it where it is small, its digest where it is not.
  private struct Message {
    var rest: [UInt8]? = []
    var digest: SHA256.Digest?

    init(of path: String) throws {
      var hash = SHA256()
      try System.readPortions(of: path) { portion in
        if let begun = rest {
          if begun.count + portion.count <= sideBySide.byteCount {
            rest?.append(contentsOf: portion)
            return
          }
          hash.update(data: begun)
          rest = nil
        }
        hash.update(data: portion)
      }
      if rest == nil { digest = hash.finalize() }
    }
  }
}

/// `sigv4 hmac --key-file FILE | --key-variable NAME [--key-encoding ENCODING] [FILE...]`
enum HMACCommand {
  static var specifications: [OptionSpecification] {
    .named("--key-file", "--key-variable", "--key-encoding")
  }

  static func run(_ arguments: [String]) throws {
    let arguments = try Arguments(arguments, specifications)
    let key = SymmetricKey(
      data: try decoded(
        try keyBytes(arguments), encoding: arguments.value("--key-encoding") ?? "raw"))
    try FileDigests.write(of: arguments.operands, atOnce: 1) { paths in
      paths.map { path in
        Result {
          var hmac = HMAC<SHA256>(key: key)
          try System.readPortions(of: path) { hmac.update(data: $0) }
          return hmac.finalize().hexString
        }
      }
    }
  }

  /// The key never comes from the arguments, which other users of the machine can see.
  static func keyBytes(_ arguments: Arguments) throws -> [UInt8] {
    switch (arguments.value("--key-file"), arguments.value("--key-variable")) {
    case (let path?, nil):
      return try System.contents(of: path, atMost: 1 << 20)
    case (nil, let name?):
      guard let value = System.environmentVariable(name) else {
        throw CommandError(.credentials, "the environment variable \(name) is empty or not set")
      }
      return Array(value.utf8)
    default:
      throw CommandError.usage("hmac needs a key: either --key-file FILE or --key-variable NAME")
    }
  }

  static func decoded(_ bytes: [UInt8], encoding: String) throws -> [UInt8] {
    if encoding == "raw" { return bytes }
    // A text in a file usually has a line end, which is not part of the key.
    var text = String(decoding: bytes, as: UTF8.self)
    if text.last?.isNewline == true { text.removeLast() }
    switch encoding {
    case "hex":
      do { return try Hexadecimal.decode(text) } catch { throw unreadable(error.message) }
    case "base64":
      do { return try Base64.decode(text) } catch { throw unreadable(error.message) }
    default:
      throw CommandError.usage("--key-encoding takes raw, hex or base64, not \(encoding)")
    }
  }

  private static func unreadable(_ reason: String) -> CommandError {
    CommandError(.credentials, "the key cannot be decoded: \(reason)")
  }
}

/// The output of `hash` and `hmac`.
enum FileDigests {
  /// Prints a line for each file as sha256sum does: the digest, two spaces, the name. Without files it
  /// reads standard input. A file that cannot be read is told on standard error, and the others go on.
  static func write(
    of files: [String], atOnce count: Int,
    _ digests: (_ paths: [String]) -> [Result<String, any Error>]
  ) throws {
    var failures = 0
    var rest = (files.isEmpty ? ["-"] : files)[...]
    while !rest.isEmpty {
      let paths = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
      for (path, digest) in zip(paths, digests(paths)) {
        do {
          try System.write(line(try digest.get(), path), to: .standardOutput)
        } catch {
          try System.write("sigv4: \(CommandError(error).message)\n", to: .standardError)
          failures += 1
        }
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
