// SPDX-License-Identifier: Apache-2.0
// PEM (RFC 7468): base64 between two lines that name its type.

internal import SecureHashing

enum PEM {
  /// Returns the bytes of the string's only block, which must have this label, or nil. Lines end
  /// with a line feed, a carriage return or both. Empty lines are ignored.
  static func content(of text: String, label: String) -> [UInt8]? {
    var lines = text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).map(Array.init)
    defer { for index in lines.indices { erase(&lines[index]) } }
    guard lines.count > 2, lines[0].elementsEqual("-----BEGIN \(label)-----".utf8),
      lines[lines.count - 1].elementsEqual("-----END \(label)-----".utf8)
    else { return nil }
    var characters: [UInt8] = []
    defer { erase(&characters) }
    characters.reserveCapacity(text.utf8.count)
    for line in lines[1..<(lines.count - 1)] { characters += line }
    return try? Base64.decode(&characters)
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
