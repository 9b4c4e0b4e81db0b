// SPDX-License-Identifier: Apache-2.0
// Recognizes what a text is that isn't the expected PEM.

extension KeyMaterial {
  /// Recognizes a text or a file. In PEM with several blocks, only those of the needed part count.
  init(_ bytes: [UInt8], needed part: NeededKey.Part) {
    let text = PEM.trimmed(bytes[...])
    if bytes.first == DER.sequence, let material = Self.binary(bytes[...]) {
      self = material
    } else if text.isEmpty {
      self = .form(.empty)
    } else if Self.isUTF16(text) {
      self = .form(.utf16)
    } else if let material = Self.known(text) {
      self = material
    } else if Self.contains("-----BEGIN", in: text) {
      self = Self.pem(bytes, part)
    } else {
      self = Self.base64(text) ?? Self.other(text)
    }
  }

  /// DER, or nil if it's text that begins with 0, which is the same byte. In a string, the bytes
  /// that aren't UTF-8 are lost (U+FFFD).
  private static func binary(_ bytes: ArraySlice<UInt8>) -> KeyMaterial? {
    guard let second = bytes.dropFirst().first else { return nil }
    if bytes.dropFirst().starts(with: [0xEF, 0xBF, 0xBD]) { return .form(.binaryInString) }
    let isText = second < 0x80 && DERReader(sequence: bytes) == nil
    return isText ? nil : KeyMaterial(der: bytes)
  }

  /// UTF-16 by its byte order mark, or by the zeros between its first two ASCII characters.
  private static func isUTF16(_ text: ArraySlice<UInt8>) -> Bool {
    let zeros = text.prefix(4).map { $0 == 0 }
    return text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF])
      || zeros == [true, false, true, false] || zeros == [false, true, false, true]
  }

  /// Formats that are recognized by their first characters.
  private static func known(_ text: ArraySlice<UInt8>) -> KeyMaterial? {
    let starts: [(StaticString, KeyMaterial)] = [
      ("ssh-ed25519 ", .file(.openSSHPublicEd25519)), ("---- BEGIN SSH2 PUBLIC", .file(.ssh2)),
      ("ssh-", .file(.openSSHPublicKey)), ("ecdsa-sha2-", .file(.openSSHPublicKey)),
      ("sk-ssh-", .file(.openSSHPublicKey)), ("sk-ecdsa-", .file(.openSSHPublicKey)),
      ("PuTTY-User-Key-File-", .file(.putty)),
      ("{", contains("\"kty\"", in: text) ? .file(.webKey) : .file(.json)),
    ]
    return starts.first { text.starts(with: PEM.bytes($0.0)) }?.1
  }

  /// Base64 without the lines of PEM: of DER, or of a text in PEM.
  private static func base64(_ text: ArraySlice<UInt8>) -> KeyMaterial? {
    guard var bytes = PEM.decoded([text]) else { return nil }
    defer { PEM.erase(&bytes) }
    if bytes.starts(with: PEM.bytes("-----BEGIN")) { return .form(.base64OfPEM) }
    return bytes.first == DER.sequence ? .base64(KeyMaterial(der: bytes[...])) : nil
  }

  private static func other(_ text: ArraySlice<UInt8>) -> KeyMaterial {
    if contains("BEGIN ", in: text) && contains("END ", in: text) { return .brokenPEM(.hyphens) }
    let isOneLine = PEM.lines(of: text).count == 1 && text.count <= 4_096
    return isOneLine && isPath(text) ? .form(.path) : .form(.notPEM)
  }

  /// Whether a line looks like the path or the URL of a file.
  private static func isPath(_ line: ArraySlice<UInt8>) -> Bool {
    let starts: [StaticString] = ["/", "./", "../", "~", "file:", ".\\"]
    let ends: [StaticString] = [
      ".pem", ".key", ".der", ".p8", ".pk8", ".p12", ".pfx", ".crt", ".cer", ".pub", ".txt",
      "id_rsa", "id_ecdsa",
    ]
    return starts.contains { line.starts(with: PEM.bytes($0)) }
      || ends.contains { line.suffix($0.utf8CodeUnitCount).elementsEqual(PEM.bytes($0)) }
      || line.dropFirst().starts(with: PEM.bytes(":\\"))
  }

  // MARK: - PEM

  /// Recognizes a block.
  init(_ block: PEM.Block) {
    if block.isEncrypted {
      self = .encryptedKey(.pem)
    } else if block.isLabeled(startingWith: "PGP") {
      self = .file(.pgp)
    } else if block.isLabeled("OPENSSH PRIVATE KEY") {
      self = .file(Self.isEd25519(block) ? .openSSHEd25519 : .openSSH)
    } else if block.isLabeled("SSH2 PUBLIC KEY") {
      self = .file(.ssh2)
    } else if block.lines.isEmpty {
      self = .form(.empty)
    } else if var bytes = block.content() {
      defer { PEM.erase(&bytes) }
      self.init(der: bytes[...])
    } else {
      let isEscaped = block.lines.contains(where: Self.hasEscape)
      self = .brokenPEM(isEscaped ? .escapedLineBreaks : .notBase64)
    }
  }

  /// Whether an OpenSSH private key is one of Ed25519. Its public key is in clear text, even if
  /// the rest is encrypted.
  private static func isEd25519(_ block: PEM.Block) -> Bool {
    guard var bytes = block.content() else { return false }
    defer { PEM.erase(&bytes) }
    return contains("ssh-ed25519", in: bytes[...])
  }

  private static func pem(_ text: [UInt8], _ part: NeededKey.Part) -> KeyMaterial {
    guard let blocks = PEM.blocks(in: text), let first = blocks.first else {
      return .brokenPEM(fault(of: text[...]))
    }
    let matching = blocks.filter { $0.isLabeled(endingIn: part.label) }
    if matching.count > part.maximumCount { return .form(.several(matching.count)) }
    let other = blocks.first { !$0.isLabeled(endingIn: "PARAMETERS") }
    return KeyMaterial(matching.first ?? other ?? first)
  }

  /// Why a text with '-----BEGIN' has no complete block.
  private static func fault(of text: ArraySlice<UInt8>) -> PEMFault {
    if hasEscape(text) { return .escapedLineBreaks }
    let lines = PEM.lines(of: text)
    guard let begin = lines.first(where: { contains("-----BEGIN", in: $0) }) else {
      return .incomplete
    }
    if !begin.starts(with: PEM.bytes("-----BEGIN")) { return .textBeforeBegin }
    let label = begin.dropFirst(10)
    let isLabelOnly = label.suffix(5).allSatisfy { $0 == 0x2D }
    let hasMore = !isLabelOnly || contains("-----", in: label.dropLast(5))
    let end = lines.first { contains("-----END", in: $0) }
    let isEndInside = end.map { !$0.starts(with: PEM.bytes("-----END")) } ?? false
    return hasMore || isEndInside ? .noLineBreaks : .incomplete
  }

  /// Whether a text contains a line break as a backslash and a letter.
  private static func hasEscape(_ text: ArraySlice<UInt8>) -> Bool {
    contains("\\n", in: text) || contains("\\r", in: text)
  }

  private static func contains(_ part: StaticString, in text: ArraySlice<UInt8>) -> Bool {
    let part = PEM.bytes(part)
    var rest = text
    while rest.count >= part.count {
      if rest.starts(with: part) { return true }
      rest.removeFirst()
    }
    return false
  }
}
