// SPDX-License-Identifier: Apache-2.0
// The parts of DER (X.690) that keys and signatures need, read strictly: one encoding for each
// value.

/// DER identifiers and encoding.
enum DER {
  static var integer: UInt8 { 0x02 }
  static var bitString: UInt8 { 0x03 }
  static var octetString: UInt8 { 0x04 }
  static var objectIdentifier: UInt8 { 0x06 }
  static var sequence: UInt8 { 0x30 }
  /// rsaEncryption with its parameters, which are NULL (RFC 8017, A.1).
  static var rsaEncryption: [UInt8] {
    [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00]
  }
  /// The same with and without parameters. Some encoders omit them, and OpenSSL, Node and
  /// cryptography read such keys.
  static var rsaEncryptions: [[UInt8]] { [rsaEncryption, rsaEncryption.dropLast(2)] }
  /// id-RSASSA-PSS with the parameters for SHA-512 and a salt of 64 bytes or of the default, and
  /// without parameters (RFC 4055, 3.1).
  static var rsaPSS: [[UInt8]] {
    let identifier: [UInt8] = [
      0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0A,
    ]
    let sha512: [UInt8] = [
      0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03, 0x05, 0x00,
    ]
    let mgf1: [UInt8] = [
      0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x08,
    ]
    let hashes = value(0xA0, sha512) + value(0xA1, value(sequence, mgf1 + sha512))
    // The salt of a key is the least one: without it, 20 bytes.
    let parameters = [hashes + value(0xA2, [integer, 1, 64]), hashes]
    return parameters.map { identifier + value(sequence, $0) } + [identifier]
  }

  /// The identifier of Ed25519, without parameters (RFC 8410, 3).
  static var ed25519: [UInt8] { [0x06, 0x03, 0x2B, 0x65, 0x70] }

  /// `[0]` and `[1]`, each around a value.
  static var parameters: UInt8 { 0xA0 }
  static var publicKey: UInt8 { 0xA1 }

  /// `[0]`, a set, and `[1]`, a bit string (RFC 5958, 2).
  static var attributes: UInt8 { 0xA0 }
  static var implicitPublicKey: UInt8 { 0x81 }

  /// The optional parts of a certificate after its key (RFC 5280, 4.1): `[1]` and `[2]`, both bit
  /// strings, and `[3]`, around a sequence.
  static var uniqueIdentifiers: [UInt8] { [0x81, 0x82] }
  static var extensions: UInt8 { 0xA3 }

  /// id-ecPublicKey and prime256v1, both object identifiers (RFC 5480, 2.1.1).
  static var algorithm: [UInt8] { [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01] }
  static var curve: [UInt8] { [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07] }

  /// Encodes a value with its identifier and its length, which is below 65,536.
  static func value(_ identifier: UInt8, _ content: [UInt8]) -> [UInt8] {
    let (high, low) = (
      UInt8(truncatingIfNeeded: content.count >> 8), UInt8(truncatingIfNeeded: content.count)
    )
    let length = high > 0 ? [0x82, high, low] : low < 0x80 ? [low] : [0x81, low]
    return [identifier] + length + content
  }

  /// Appends an integer, in the fewest bytes that its positive sign allows.
  static func append(_ number: Words256, to bytes: inout [UInt8]) {
    let all = Secret.Bytes(number)
    var first = 0
    while first < 31 && all[first] == 0 { first += 1 }
    let sign = all[first] >= 0x80 ? 1 : 0
    bytes.append(integer)
    bytes.append(UInt8(truncatingIfNeeded: 32 - first + sign))
    if sign == 1 { bytes.append(0) }
    while first < 32 {
      bytes.append(all[first])
      first += 1
    }
  }
}

extension DER {
  /// Encodes a nonnegative integer from its bytes without leading zeros.
  static func unsignedInteger(_ bytes: some Collection<UInt8>) -> [UInt8] {
    value(integer, (bytes.first ?? 0x80 >= 0x80 ? [0] : []) + bytes)
  }
}

/// Reads consecutive values. Methods return nil if the next value isn't the expected one.
struct DERReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  /// Creates a reader of the content of these bytes, which must be one sequence.
  init?(sequence bytes: ArraySlice<UInt8>) {
    var reader = DERReader(bytes)
    guard let content = reader.content(DER.sequence), reader.isAtEnd else { return nil }
    self.init(content)
  }

  var isAtEnd: Bool { rest.isEmpty }

  func isAt(_ identifier: UInt8) -> Bool { rest.first == identifier }

  /// Reads the content of the next value, whose length must be encoded in the fewest bytes.
  mutating func content(_ identifier: UInt8) -> ArraySlice<UInt8>? {
    guard rest.popFirst() == identifier, let first = rest.popFirst() else { return nil }
    var length = Int(first)
    if first == 0x81 {
      guard let second = rest.popFirst(), second >= 0x80 else { return nil }
      length = Int(second)
    } else if first == 0x82 {
      guard let second = rest.popFirst(), let third = rest.popFirst(), second > 0 else {
        return nil
      }
      length = Int(second) << 8 | Int(third)
    } else if first >= 0x80 {
      return nil  // no value here is 65,536 bytes long
    }
    if rest.count < length { return nil }
    defer { rest.removeFirst(length) }
    return rest.prefix(length)
  }

  /// Whether these bytes are all that is left.
  func isOnly(_ bytes: [UInt8]) -> Bool { rest.elementsEqual(bytes) }

  mutating func sequence() -> DERReader? { content(DER.sequence).map(DERReader.init) }

  /// Skips these bytes if they come next. Returns whether they did.
  mutating func skip(_ bytes: [UInt8]) -> Bool {
    if !rest.starts(with: bytes) { return false }
    rest.removeFirst(bytes.count)
    return true
  }

  /// Reads an integer of 0 to 2^256 - 1.
  mutating func number() -> Words256? {
    guard let bytes = unsignedInteger(), bytes.count <= 32 else { return nil }
    return Words256([UInt8](repeating: 0, count: 32 - bytes.count) + bytes)
  }

  /// Reads the bytes of a nonnegative integer, without the zero for the sign.
  mutating func unsignedInteger() -> ArraySlice<UInt8>? {
    guard var bytes = content(DER.integer), let first = bytes.first, first < 0x80 else {
      return nil
    }
    if first == 0 && bytes.count > 1 {
      bytes.removeFirst()
      // The leading zero is only for the sign.
      guard let second = bytes.first, second >= 0x80 else { return nil }
    }
    return bytes
  }

  /// Skips an algorithm, which is one of these.
  mutating func skipAlgorithm(_ algorithms: [[UInt8]]) -> Bool {
    algorithms.contains { skip(DER.value(DER.sequence, $0)) }
  }

  /// Reads the rest of a PKCS #8 key after its version, which is 0 (RFC 5958, 2): one of these
  /// algorithms, the private key, and attributes, which are skipped.
  mutating func privateKey(_ algorithms: [[UInt8]]) -> ArraySlice<UInt8>? {
    guard skipAlgorithm(algorithms), let key = content(DER.octetString) else { return nil }
    if isAt(DER.attributes) && content(DER.attributes) == nil { return nil }
    return isAtEnd ? key : nil
  }

  /// Reads the bytes of a bit string of whole bytes.
  mutating func bitString() -> ArraySlice<UInt8>? {
    guard let content = content(DER.bitString), content.first == 0 else { return nil }
    return content.dropFirst()
  }
}

extension Words256 {
  /// Creates the number of 32 big-endian bytes, or zero for any other count.
  init(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    // Safety: the bytes outlive the closure.
    self = unsafe bytes.withUnsafeBytes { unsafe Words256(bigEndian: $0) }
  }
}
