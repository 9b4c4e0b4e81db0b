// SPDX-License-Identifier: Apache-2.0
// PEM (RFC 7468): base64 between two lines that name its type, read leniently.

internal import SecureHashing

enum PEM {
  /// Returns the bytes of the text's only block with one of these labels: a key in DER.
  static func key(
    in text: String, _ needed: NeededKey, labels: StaticString...
  ) throws(KeyDecodingError) -> [UInt8] {
    var bytes = Array(text.utf8)
    defer { erase(&bytes) }
    // The blocks, which share these bytes, are gone before they're wiped.
    if let key = content(of: bytes, labels) { return key }
    throw KeyDecodingError(text: bytes, needed: needed)
  }

  private static func content(of text: [UInt8], _ labels: [StaticString]) -> [UInt8]? {
    let blocks = blocks(in: text)?.filter { block in labels.contains { block.isLabeled($0) } }
    guard let blocks, blocks.count == 1 else { return nil }
    return blocks[0].content()
  }

  /// Decodes the base64 of these lines together, or returns nil if it isn't valid. Whitespace is
  /// ignored.
  static func decoded(_ lines: [ArraySlice<UInt8>]) -> [UInt8]? {
    var characters: [UInt8] = []
    defer { erase(&characters) }
    characters.reserveCapacity(lines.reduce(0) { $0 + $1.count })
    for line in lines {
      for byte in line where !isBlank(byte) { characters.append(byte) }
    }
    return try? Base64.decode(&characters)
  }

  /// A block of a text with several ones.
  struct Block {
    fileprivate let label: ArraySlice<UInt8>
    fileprivate(set) var lines: [ArraySlice<UInt8>] = []

    func isLabeled(_ name: StaticString) -> Bool { label.elementsEqual(PEM.bytes(name)) }

    func isLabeled(startingWith start: StaticString) -> Bool {
      label.starts(with: PEM.bytes(start))
    }

    /// Whether the label ends with this text, as in `RSA PRIVATE KEY`.
    func isLabeled(endingIn end: StaticString) -> Bool {
      label.suffix(end.utf8CodeUnitCount).elementsEqual(PEM.bytes(end))
    }

    /// Whether it's encrypted, as in PKCS #8 or in OpenSSL's old format (RFC 1421, 4.6.1.1).
    var isEncrypted: Bool {
      isLabeled(startingWith: "ENCRYPTED")
        || lines.first?.starts(with: PEM.bytes("Proc-Type:")) ?? false
    }

    /// The bytes, or nil if the lines aren't base64 or there are none.
    func content() -> [UInt8]? { lines.isEmpty ? nil : PEM.decoded(lines) }
  }

  /// Returns the blocks in a text, or nil if one isn't complete. Text outside blocks is ignored
  /// (RFC 7468, 2), as are empty lines, whitespace, and byte order marks before a line. Lines end
  /// with a line feed, a carriage return or both.
  static func blocks(in text: [UInt8]) -> [Block]? {
    var blocks: [Block] = []
    var open: Block?
    for line in lines(of: text[...]) {
      if let label = label(of: line, after: "-----BEGIN ") {
        if open != nil { return nil }
        open = Block(label: label)
      } else if let label = label(of: line, after: "-----END ") {
        guard let block = open, block.label.elementsEqual(label) else { return nil }
        blocks.append(block)
        open = nil
      } else {
        open?.lines.append(line)
      }
    }
    return open == nil ? blocks : nil
  }

  /// Returns the lines of a text that aren't empty, without whitespace around them.
  static func lines(of text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    text.split { $0 == 0x0A || $0 == 0x0D }.map(trimmed).filter { !$0.isEmpty }
  }

  /// Removes byte order marks and whitespace before a line or a text, and whitespace after it.
  // Secret: `removeLast()` copies the bytes to memory that is never wiped.
  static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line
    while let first = line.first {
      if isBlank(first) {
        line.removeFirst()
      } else if line.starts(with: byteOrderMark) {
        line.removeFirst(byteOrderMark.count)
      } else {
        break
      }
    }
    while let last = line.last, isBlank(last) { line = line.dropLast() }
    return line
  }

  private static var byteOrderMark: [UInt8] { [0xEF, 0xBB, 0xBF] }

  /// W of RFC 7468, 3: space, tab, newlines, vertical tab and form feed.
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private static func label(
    of line: ArraySlice<UInt8>, after start: StaticString
  ) -> ArraySlice<UInt8>? {
    let (start, dashes) = (bytes(start), bytes("-----"))
    guard line.count > start.count + dashes.count, line.starts(with: start),
      line.suffix(dashes.count).elementsEqual(dashes)
    else { return nil }
    return line.dropFirst(start.count).dropLast(dashes.count)
  }

  static func bytes(_ text: StaticString) -> [UInt8] {
    text.withUTF8Buffer { unsafe Array($0) }
  }

  /// Encodes a block with lines of 64 characters.
  static func text(of bytes: [UInt8], label: String) -> String {
    var text = "-----BEGIN \(label)-----\n"
    var rest = Array(Base64.encode(bytes).utf8)[...]
    while !rest.isEmpty {
      text += String(decoding: rest.prefix(64), as: UTF8.self)
      text += "\n"
      rest = rest.dropFirst(64)
    }
    return text + "-----END \(label)-----\n"
  }

  /// Wipes bytes that may belong to a private key.
  static func erase(_ bytes: inout [UInt8]) {
    // Safety: the bytes are the array's.
    unsafe bytes.withUnsafeMutableBytes { unsafe ConstantTime.wipe($0) }
  }
}
