// SPDX-License-Identifier: Apache-2.0
// sigv4 hash and hmac: hash files and streams of any size in constant memory. Small files are
// hashed with SHA-256 in batches.

internal import POSIXCredentialSources
internal import SecureHashing

/// `sigv4 hash [--algorithm NAME] [FILE...]`
enum HashCommand {
  static var specifications: [OptionSpecification] { .named("--algorithm") }

  /// The maximum size of a file that is hashed in a batch, and the maximum batch size.
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

  /// The content of a small file, or the digest of a larger one.
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
    let bytes = try decoded(
      try keyBytes(arguments), encoding: arguments.value("--key-encoding") ?? "raw")
    if bytes.isEmpty { throw emptyKey }
    let key = SymmetricKey(data: bytes)
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

  static var emptyKey: CommandError {
    CommandError(
      .credentials, "The key is empty.", fix: "Check the file or the variable of the key.")
  }

  /// Reads the key. It never comes from the arguments, because other users of the machine can see
  /// them.
  static func keyBytes(_ arguments: Arguments) throws -> [UInt8] {
    switch (arguments.value("--key-file"), arguments.value("--key-variable")) {
    case (let path?, nil)
    where System.isStandardInput(path)
      && (arguments.operands.isEmpty || arguments.operands.contains(where: System.isStandardInput)):
      throw CommandError(
        .usage, "Standard input can't be both the key and the message.",
        fix: "Use --key-variable NAME, or pass the message as a file.")
    case (let path?, nil):
      return try System.contents(of: path, atMost: 1 << 20)
    case (nil, let name?):
      if let key = SystemFacts.variableBytes(name), !key.isEmpty { return key }
      throw CommandError(
        .credentials, "The environment variable \(name) is empty or not set.",
        fix: "Set it to the key, or use --key-file FILE.")
    default:
      throw CommandError(
        .usage, "hmac needs exactly one key.", fix: "Use --key-file FILE or --key-variable NAME.")
    }
  }

  static func decoded(_ bytes: [UInt8], encoding: String) throws -> [UInt8] {
    if encoding == "raw" { return bytes }
    // A trailing newline isn't part of the key.
    var text = String(decoding: bytes, as: UTF8.self)
    if text.last?.isNewline == true { text.removeLast() }
    switch encoding {
    case "hex":
      do { return try Hexadecimal.decode(text) } catch { throw invalid(error) }
    case "base64":
      do { return try Base64.decode(text) } catch { throw invalid(error) }
    default:
      throw CommandError(
        .usage, "--key-encoding doesn't support \(encoding).", fix: "Use raw, hex or base64.")
    }
  }

  private static func invalid(_ error: TextDecodingError) -> CommandError {
    CommandError(.credentials, "Can't decode the key. \(error.problem)", fix: error.fix)
  }
}

/// The output of `hash` and `hmac`.
enum FileDigests {
  /// Prints a line for each file as sha256sum does: the digest, two spaces and the name. Reads
  /// standard input if there are no files. Reports unreadable files on standard error and continues
  /// with the next.
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
        switch digest {
        case .success(let digest): try System.write(line(digest, path), to: .standardOutput)
        case .failure(let error):
          System.report("sigv4: \(CommandError(error).message(of: nil))\n")
          failures += 1
        }
      }
    }
    if failures > 0 {
      throw CommandError(
        .failure, failures == 1 ? "1 file failed." : "\(failures) files failed.",
        fix: "Check the messages above.")
    }
  }

  /// A line of output. It starts with a backslash if the name contains a newline, a carriage return
  /// or a backslash, which are escaped.
  static func line(_ digest: String, _ name: String) -> String {
    let escapes: [Unicode.Scalar: String] = ["\\": "\\\\", "\n": "\\n", "\r": "\\r"]
    let needsEscape = name.unicodeScalars.contains { escapes[$0] != nil }
    let escaped = name.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
    return (needsEscape ? "\\" : "") + digest + "  " + escaped + "\n"
  }
}
