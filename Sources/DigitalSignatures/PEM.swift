// SPDX-License-Identifier: Apache-2.0
// PEM (RFC 7468): base64 between two lines that name its type.

internal import SecureHashing

enum PEM {
  /// Returns the bytes of the text's only block with one of these labels, or nil.
  static func content(of text: String, labels: StaticString...) -> [UInt8]? {
    var bytes = Array(text.utf8)
    defer { erase(&bytes) }
    // The blocks, which share these bytes, are gone before they're wiped.
    return content(of: bytes, labels)
  }

  private static func content(of text: [UInt8], _ labels: [StaticString]) -> [UInt8]? {
    guard let blocks = blocks(in: text)?.filter({ labels.contains(where: $0.isLabeled) }),
      blocks.count == 1
    else { return nil }
    return blocks[0].content()
  }

  private static func decoded(_ lines: some Collection<some Collection<UInt8>>) -> [UInt8]? {
    var characters: [UInt8] = []
    defer { erase(&characters) }
    characters.reserveCapacity(lines.reduce(0) { $0 + $1.count })
    for line in lines { characters += line }
    return try? Base64.decode(&characters)
  }

  /// A block of a text with several ones.
  struct Block {
    fileprivate let label: ArraySlice<UInt8>
    fileprivate var lines: [ArraySlice<UInt8>] = []

    func isLabeled(_ name: StaticString) -> Bool { label.elementsEqual(PEM.bytes(name)) }

    var isPrivateKey: Bool { label.reversed().starts(with: PEM.bytes("PRIVATE KEY").reversed()) }

    /// Whether it's encrypted, as in PKCS #8 or in OpenSSL's old format (RFC 1421, 4.6.1.1).
    var isEncrypted: Bool {
      label.starts(with: PEM.bytes("ENCRYPTED"))
        || lines.first?.starts(with: PEM.bytes("Proc-Type:")) ?? false
    }

    /// The bytes, or nil if the lines aren't base64 or there are none.
    func content() -> [UInt8]? { lines.isEmpty ? nil : PEM.decoded(lines) }
  }

  /// Returns the blocks in a text, or nil if one isn't complete. Text outside blocks is ignored
  /// (RFC 7468, 2), and so are empty lines and whitespace at the end of a line. Lines end with a
  /// line feed, a carriage return or both.
  static func blocks(in text: [UInt8]) -> [Block]? {
    var blocks: [Block] = []
    var open: Block?
    for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let end = line.lastIndex { $0 != 0x20 && $0 != 0x09 }
      guard let end else { continue }
      let line = line[...end]
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

  private static func label(
    of line: ArraySlice<UInt8>, after start: StaticString
  ) -> ArraySlice<UInt8>? {
    let (start, dashes) = (bytes(start), bytes("-----"))
    guard line.count > start.count + dashes.count, line.starts(with: start),
      line.suffix(dashes.count).elementsEqual(dashes)
    else { return nil }
    return line.dropFirst(start.count).dropLast(dashes.count)
  }

  private static func bytes(_ text: StaticString) -> [UInt8] {
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
