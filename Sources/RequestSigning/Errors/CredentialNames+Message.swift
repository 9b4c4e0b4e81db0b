// SPDX-License-Identifier: Apache-2.0
// Hides credentials in the messages of servers, which may repeat parts of a request.

extension CredentialNames {
  /// Replaces the credentials in a server's message with their sizes, and keeps its words.
  ///
  /// It hides known secrets anywhere, values with the name of a credential (`Signature=...`,
  /// `"token": "..."`), whole headers that contain credentials, and what follows `Bearer` or
  /// `Basic`.
  package static func hiding(
    _ secrets: [[UInt8]] = [], inMessage message: ArraySlice<UInt8>
  ) -> [UInt8] {
    let text = secrets.reduce(Array(message)) { hiding($1, in: $0) }
    var hidden: [UInt8] = []
    var rest = text[...]
    while !rest.isEmpty {
      let word = rest.prefix(while: isPartOfName)
      let gap = rest[word.endIndex...].prefix { !isPartOfName($0) }
      hidden += word + gap
      rest = rest[gap.endIndex...]
      let value = credential(at: rest, after: word, gap)
      if !value.isEmpty { hidden += placeholder(value.count) }
      rest = rest[value.endIndex...]
    }
    return hidden
  }

  /// The credential at the start of `rest`, or an empty slice.
  private static func credential(
    at rest: ArraySlice<UInt8>, after word: ArraySlice<UInt8>, _ gap: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8> {
    let none = rest.prefix(0)
    let isSpaced = gap.allSatisfy { $0 == ASCIIByte.space }
    if isSpaced {
      let value = value(at: rest)
      let isScheme = schemes.contains { equals(word, $0) }
      return isScheme && !wordsAfterSchemes.contains { equals(value, $0) } ? value : none
    }
    let signs = gap.filter { $0 == ASCIIByte.equals || $0 == ASCIIByte.colon }
    guard signs.count == 1, gap.allSatisfy(isBetweenNameAndValue),
      carriesCredential(URIEncoding.decode(word))
    else { return none }
    if let quote = gap.last, isQuote(quote) { return rest.prefix { $0 != quote } }
    if signs[0] == ASCIIByte.colon {
      if headers.contains(where: { equals(word, $0) }) {
        return rest.prefix { $0 != ASCIIByte.newline && !isQuote($0) }
      }
      // Words, such as `Invalid signature: wrong length`.
      let value = value(at: rest)
      return value.count <= 16 && value.allSatisfy { 0x61...0x7A ~= $0 } ? none : value
    }
    let value = value(at: rest)
    // Amazon API Gateway: `Invalid key=value pair (missing equal-sign)`.
    return word.spells("key") && value.spells("value") ? none : value
  }

  /// The text up to a space, a quote, or a character that separates values.
  private static func value(at rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    rest.prefix { $0 > ASCIIByte.space && !isQuote($0) && ![0x26, 0x2C, 0x3B].contains($0) }
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    ASCIIByte.isLetter(byte) || ASCIIByte.isDigit(byte) || [0x25, 0x2D, 0x2E, 0x5F].contains(byte)
  }

  private static func isQuote(_ byte: UInt8) -> Bool { [0x22, 0x27, 0x60].contains(byte) }

  private static func isBetweenNameAndValue(_ byte: UInt8) -> Bool {
    isQuote(byte) || [0x20, 0x3A, 0x3D, 0x5C].contains(byte)
  }

  private static func equals(_ word: ArraySlice<UInt8>, _ name: StaticString) -> Bool {
    ArraySlice(word.map(ASCIIByte.lowercased)).spells(name)
  }

  /// RFC 6750, 2.1, and RFC 7617, 2.
  private static let schemes: [StaticString] = ["bearer", "basic"]

  /// Words of sentences about a scheme, such as `Bearer token has expired`.
  private static let wordsAfterSchemes: [StaticString] = [
    "token", "tokens", "auth", "authentication", "authorization", "scheme",
  ]

  /// Headers whose value can contain spaces and separators.
  private static let headers: [StaticString] = [
    "authorization", "proxy-authorization", "cookie", "set-cookie",
  ]
}
